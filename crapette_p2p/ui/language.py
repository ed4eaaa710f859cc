"""Words of one language: English sentences, each answered with its translation.

Every sentence for players is written in English where it is needed and passed
through ``Words``; a catalogue (``catalogues.py``) may answer with another text,
and English stands where it does not. Keys and commands are never translated.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Final

LANGUAGES: Final = ("pl", "ru", "fr", "de", "en")
_PROGRAM: Final = "crapette"
_COMMANDS: Final = (
    *("host", "join", "lan", "bot", "resume", "replay", "verify", "compare", "legal"),
    *("perft", "play", "arena", "games", "peers", "id", "config", "stats", "rules"),
    *("keys", "doctor", "completion"),
)
_NAMED: Final = re.compile(
    rf"(?<![\w./\\-]){_PROGRAM}(?= (?:--|\{{command\}}|(?:{'|'.join(_COMMANDS)})\b))"
)
"""The program's name where a sentence tells what to type."""
STARTED_AS: ContextVar[Callable[[], str]] = ContextVar(
    "started_as", default=lambda: _PROGRAM
)
"""What has to be typed for it here: not every shell finds it by its name."""


def as_started(text: str, *, fields: bool = False) -> str:
    """The text with commands as they can be typed here.

    ``fields``: it has fields that are still to be filled in, as in ``{name}``.
    """
    if _PROGRAM not in text:
        return text
    started = STARTED_AS.get()()
    if fields:
        started = started.replace("{", "{{").replace("}", "}}")
    return text if started == _PROGRAM else _NAMED.sub(lambda _: started, text)


def _as_written(text: str) -> str:
    return text


def _one_or_many(one: str, many: str, number: int) -> str:
    return one if number == 1 else many


@dataclass(frozen=True, slots=True)
class Words:
    """The words of one language; calling it translates a sentence."""

    lang: str = "en"
    """Two letters."""
    sentence: Callable[[str], str] = _as_written
    """English sentence → its translation."""
    form: Callable[[str, str, int], str] = _one_or_many
    """English singular and plural, a number → the form that fits the number."""

    def __call__(self, text: str, /, **values: object) -> str:
        """The sentence in this language, with ``{name}`` fields filled in."""
        if values:
            return self.filled(text, values)
        return as_started(self.sentence(text)) if text else ""

    def filled(
        self, text: str, values: Mapping[str, object], *, theirs: bool = False
    ) -> str:
        """The sentence with its fields filled in from ``values``.

        ``theirs``: the commands in it are for the other player's computer, where the
        program may be started otherwise than here.
        """
        # An empty text is a catalogue's header.
        said = self.sentence(text) if text else ""
        said = said if theirs else as_started(said, fields=True)
        return said.format_map(values)

    def count(self, one: str, many: str, number: int, /, **values: object) -> str:
        """The sentence that fits ``number``, which is also the field ``{n}``."""
        form = as_started(self.form(one, many, number), fields=True)
        return form.format(n=number, **values)


ENGLISH: Final = Words()
