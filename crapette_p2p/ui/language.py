"""Words of one language: English sentences, each answered with its translation.

Every sentence for players is written in English where it is needed and passed
through ``Words``; a catalogue (``catalogues.py``) may answer with another text,
and English stands where it does not. Keys and commands are never translated.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final


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
        said = self.sentence(text) if text else ""  # "" is a catalogue's header
        return said.format(**values) if values else said

    def count(self, one: str, many: str, number: int, /, **values: object) -> str:
        """The sentence that fits ``number``, which is also the field ``{n}``."""
        return self.form(one, many, number).format(n=number, **values)


ENGLISH: Final = Words()
