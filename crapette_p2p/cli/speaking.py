"""The language of this run, for what the command line itself says.

``words`` speaks it; which one it is, is found out when the first sentence is
said: a run that says nothing reads nothing. As everywhere a flag comes before the
environment, that before the config file, and all before the locale.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:  # loaded with the first sentence
    from crapette_p2p.ui.language import Words

LANG_VARIABLE: Final = "CRAPETTE_LANG"


class _Run:
    """A command line, and its words once they were asked for."""

    __slots__ = ("argv", "words")

    def __init__(self, argv: Sequence[str]) -> None:
        self.argv = tuple(argv)
        self.words: Words | None = None


_RUN: ContextVar[_Run | None] = ContextVar("run", default=None)
"""The running command line; None outside of a run, which speaks English."""


@contextmanager
def speaking(argv: Sequence[str]) -> Iterator[None]:
    """Speak the language of a command line."""
    token = _RUN.set(_Run(argv))
    try:
        yield
    finally:
        _RUN.reset(token)


def words(text: str, /, **values: object) -> str:
    """The sentence in the language of this run."""
    return words_in_force()(text, **values)


def words_in_force() -> Words:
    """The words of this run's language."""
    from crapette_p2p.ui.language import ENGLISH

    run = _RUN.get()
    if run is None or "--json" in run.argv:  # JSON holds no localised text
        return ENGLISH
    if run.words is None:
        from crapette_p2p.ui.catalogues import language_of, words_of

        chosen = _set_language(run.argv, os.environ)
        run.words = words_of(language_of(chosen, os.environ))
    return run.words


def _set_language(argv: Sequence[str], environ: Mapping[str, str]) -> str:
    """What flag, environment or config set; empty if none does."""
    from crapette_p2p.ui.language import LANGUAGES

    for lang in (_flag(argv, "--lang"), environ.get(LANG_VARIABLE, "")):
        if lang in LANGUAGES:
            return lang
    lang = _configured(argv, environ)
    return lang if lang in LANGUAGES else ""


def _configured(argv: Sequence[str], environ: Mapping[str, str]) -> str:
    from pathlib import Path

    from crapette_p2p.net.paths import find_paths

    chosen = _flag(argv, "--config") or environ.get("CRAPETTE_CONFIG", "")
    data_dir = _flag(argv, "--data-dir")
    file = find_paths(data_dir or None).config_file
    path = Path(chosen).expanduser() if chosen else file
    if not os.path.exists(path):
        return ""
    from crapette_p2p.net.files import read_named
    from crapette_p2p.net.toml import parse_toml

    try:
        return str(parse_toml(read_named(path).decode()).get("lang", ""))
    except (OSError, ValueError):  # said where the settings are read
        return ""


def _flag(argv: Sequence[str], name: str) -> str:
    """The last value of a flag in a command line that may yet be wrong."""
    found = ""
    for number, word in enumerate(argv):
        if word == name and number + 1 < len(argv):
            found = argv[number + 1]
        elif word.startswith(f"{name}="):
            found = word.removeprefix(f"{name}=")
    return found
