"""What a player can set: one table of keys, and the value each run settles on.

The same keys stand in ``config.toml``, on the settings screen, and behind the
global flags and ``CRAPETTE_*`` variables. Order: flag, environment, config file,
default (interface.md 4). Pure: the file itself is ``ui/config_file.py``'s.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from types import MappingProxyType
from typing import Final

from crapette_p2p.gamelog.nicks import is_valid_nick
from crapette_p2p.ui.language import ENGLISH, LANGUAGES, Words

LEVELS: Final = ("novice", "club", "master")
COLORS: Final = ("auto", "always", "never", "16", "256")
THEMES: Final = ("default", "high-contrast", "mono")
SUITS: Final = ("symbols", "letters")
FACES: Final = ("local", "international")


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """One run's settings."""

    name: str = ""
    """Own nick; empty = the login name."""
    lang: str = ""
    """One of LANGUAGES; empty = as the locale says."""
    faces: str = "local"
    """Letters of the court cards on the screen."""
    suits: str = "symbols"
    """How suits are drawn."""
    color: str = "auto"
    """When to use colour, or how many."""
    theme: str = "default"
    """Look of the screen."""
    four_color: bool = False
    """A colour for each suit instead of red and black."""
    mouse: bool = True
    """Whether the screen listens to the mouse."""
    animation: bool = True
    """Whether cards move."""
    bell: bool = True
    """Whether a turn's beginning rings."""
    pace: int = 350
    """Milliseconds each move of the opponent is shown for at least."""
    confirm_stop: bool = False
    """Whether a Stop is asked about before it is called."""
    chat: bool = True
    """Whether what the other player writes is shown."""
    announce: bool = True
    """Whether an open table is visible on the local network."""
    port: int = 4747
    """Port a table opens on; the next free one if it is busy."""
    assist: bool = False
    """Hints and due plays against a bot."""
    level: str = "club"
    """Strength of the bot."""
    rules: str = "crapette"
    """Preset, or file of house rules, that a new table plays by."""
    plain: bool = False
    """Line mode instead of the screen."""
    speak: bool = False
    """Line mode with cards in words."""
    ascii: bool = False
    """No character outside ASCII."""


KEYS: Final = tuple(entry.name for entry in fields(Settings))
CHOICES: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "lang": LANGUAGES,
        "faces": FACES,
        "suits": SUITS,
        "color": COLORS,
        "theme": THEMES,
        "level": LEVELS,
    }
)
RANGES: Final[Mapping[str, tuple[int, int]]] = MappingProxyType(
    {"pace": (0, 10_000), "port": (0, 65_535)}
)
_DEFAULTS: Final = Settings()
_KINDS: Final[Mapping[type, str]] = MappingProxyType(
    {
        str: "has to be a text",
        bool: "has to be on (true) or off (false)",
        int: "has to be a whole number",
    }
)
_TRUE: Final = frozenset({"1", "true", "yes", "on"})
_FALSE: Final = frozenset({"0", "false", "no", "off"})
ENVIRONMENT: Final[Mapping[str, str]] = MappingProxyType(
    {
        "CRAPETTE_NAME": "name",
        "CRAPETTE_LANG": "lang",
        "CRAPETTE_PLAIN": "plain",
        "CRAPETTE_ASCII": "ascii",
        "CRAPETTE_COLOR": "color",
        "CRAPETTE_PORT": "port",
    }
)
"""Variables that set a key; CRAPETTE_NO_ANIM and NO_COLOR are read apart."""


@dataclass(frozen=True, slots=True)
class Settled:
    """Settings and what has to be said about where they came from."""

    settings: Settings
    warnings: tuple[str, ...] = field(default=())
    """One sentence each: unknown keys, values that do not fit."""


def default_of(key: str) -> object:
    """The value a key has where nobody says otherwise."""
    return getattr(_DEFAULTS, key)


def problem(key: str, value: object, words: Words = ENGLISH) -> str | None:
    """Why ``value`` cannot stand under ``key``, or None if it can."""
    if key not in KEYS:
        return words("there is no such setting")
    expected = type(default_of(key))
    if type(value) is not expected:
        return words(_KINDS[expected])
    if key in CHOICES and value not in CHOICES[key] and value != default_of(key):
        return words("has to be one of {names}", names=", ".join(CHOICES[key]))
    if key == "name" and value and not is_valid_nick(value):
        return words("has to be 1 to 20 letters, digits or - _ . '")
    if key in RANGES and isinstance(value, int):
        low, high = RANGES[key]
        if not low <= value <= high:
            return words("has to be between {low} and {high}", low=low, high=high)
    return None


def parse_value(key: str, text: str, words: Words = ENGLISH) -> object:
    """The value that a typed text stands for; raises ValueError with the reason."""
    value: object = text
    kind = type(default_of(key)) if key in KEYS else str
    if kind is bool and text.lower() in _TRUE | _FALSE:
        value = text.lower() in _TRUE
    elif kind is int and text.isascii() and text.isdigit():
        value = int(text)
    wrong = problem(key, value, words)
    if wrong is not None:
        raise ValueError(wrong)
    return value


def settle(
    *,
    flags: Mapping[str, object],
    environ: Mapping[str, str],
    config: Mapping[str, object],
    words: Words = ENGLISH,
) -> Settled:
    """The settings of this run; what does not fit is left out and warned about."""
    warnings: list[str] = []
    chosen: dict[str, object] = {}
    for key, value in config.items():
        wrong = problem(key, value, words)
        if wrong is None:
            chosen[key] = value
        else:
            warnings.append(f"config: {key}: {wrong}")
    chosen |= _from_environment(environ, warnings, words)
    chosen |= {key: value for key, value in flags.items() if key in KEYS}
    settings = replace(_DEFAULTS, **chosen)  # type: ignore[arg-type] # checked above
    if settings.speak:
        settings = replace(settings, plain=True)
    return Settled(settings, tuple(warnings))


def _from_environment(
    environ: Mapping[str, str], warnings: list[str], words: Words
) -> dict[str, object]:
    chosen: dict[str, object] = {}
    if environ.get("NO_COLOR"):
        chosen["color"] = "never"
    if environ.get("CRAPETTE_NO_ANIM", "").lower() not in {"", *_FALSE}:
        chosen["animation"] = False
    for variable, key in ENVIRONMENT.items():
        text = environ.get(variable, "")
        if text:
            try:
                chosen[key] = parse_value(key, text, words)
            except ValueError as wrong:
                warnings.append(f"{variable}: {wrong}")
    return chosen
