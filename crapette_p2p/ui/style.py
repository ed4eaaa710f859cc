"""How each style class looks, by theme; colour is never the only sign.

Only the eight ANSI colours on the terminal's own background, and one bar in
reverse video. The toolkit's default style has classes of its own (every colour
name is one, and so is "dialog", white on blue), so ours have a prefix there.
"""

from __future__ import annotations

from functools import lru_cache
from types import MappingProxyType
from typing import Final

_PREFIX: Final = "crapette-"
_SHAPES: Final = MappingProxyType(
    {
        "bar": "reverse",
        "turn": "noreverse bold",
        "alarm": "noreverse bold underline",
        "key": "bold",
        "picked": "reverse bold",
        "cursor": "reverse",
        "moved": "bold underline",
        "target": "bold underline",
        "found": "reverse",
        "chosen": "reverse",
        "heading": "bold",
        "title": "bold",
        "error": "bold",
        "log-fresh": "bold",
        "log-call": "bold",
        "dialog-title": "bold",
        "prompt": "bold",
        "suit-spades": "bold",
        "suit-clubs": "bold",
        "suit-hearts": "bold",
        "suit-diamonds": "bold",
        "empty": "nobold",
        "log-note": "italic",
        "log-chat": "italic",
    }
)
"""What is left without any colour."""
_TWO_COLOURS: Final = MappingProxyType(
    {"suit-hearts": "ansired bold", "suit-diamonds": "ansired bold"}
)
_FOUR_COLOURS: Final = MappingProxyType(
    {
        "suit-hearts": "ansired bold",
        "suit-diamonds": "ansibrightblue bold",
        "suit-clubs": "ansigreen",
    }
)
_DEFAULT: Final = MappingProxyType(
    {
        "alarm": "noreverse bold ansired",
        "error": "bold ansired",
        "log-call": "bold ansimagenta",
        "back": "ansicyan",
        "foundation": "ansicyan",
        "dialog-edge": "ansicyan",
        "moved": "bold underline",
    }
)
_HIGH_CONTRAST: Final = MappingProxyType(
    {
        "edge": "bold",
        "bracket": "bold",
        "foundation": "bold",
        "label": "bold",
        "message": "bold",
        "dialog-edge": "bold",
        "moved": "reverse",
        "picked": "reverse bold underline",
        "error": "reverse bold",
        "log-call": "reverse",
    }
)


def looks(theme: str, *, four_color: bool = False) -> dict[str, str]:
    """Class name → look."""
    chosen = dict(_SHAPES)
    if theme == "mono":
        return chosen
    chosen |= _FOUR_COLOURS if four_color else _TWO_COLOURS
    chosen |= _HIGH_CONTRAST if theme == "high-contrast" else _DEFAULT
    return chosen


def rules_of(theme: str, *, four_color: bool = False) -> dict[str, str]:
    """The looks under the names that the toolkit knows them by."""
    chosen = looks(theme, four_color=four_color)
    return {f"{_PREFIX}{name}": look for name, look in chosen.items()}


@lru_cache(maxsize=512)
def class_names(style: str) -> str:
    """Our style (class names) as the toolkit writes it."""
    return " ".join(f"class:{_PREFIX}{name}" for name in style.split())
