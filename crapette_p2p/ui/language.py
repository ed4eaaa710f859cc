"""Words of one language: English sentences looked up in a catalogue.

Every sentence for players is written in English where it is needed and passed
through ``Words``; a catalogue (language → English → translation) may answer with
another text, and English stands where it does not. Keys are never translated.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final


def _plural_germanic(number: int) -> int:
    return 0 if number == 1 else 1


def _plural_french(number: int) -> int:
    return 0 if number < 2 else 1


def _plural_polish(number: int) -> int:
    if number == 1:
        return 0
    return 1 if number % 10 in {2, 3, 4} and number % 100 not in {12, 13, 14} else 2


def _plural_russian(number: int) -> int:
    if number % 10 == 1 and number % 100 != 11:
        return 0
    return 1 if number % 10 in {2, 3, 4} and number % 100 not in {12, 13, 14} else 2


_PLURALS: Final = MappingProxyType(
    {"fr": _plural_french, "pl": _plural_polish, "ru": _plural_russian}
)


@dataclass(frozen=True, slots=True)
class Words:
    """The words of one language; calling it translates a sentence."""

    lang: str = "en"
    """Two letters."""
    catalogue: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """English sentence → its translation, or the plural forms of it."""

    def __call__(self, text: str, /, **values: object) -> str:
        """The sentence in this language, with ``{name}`` fields filled in."""
        found = self.catalogue.get(text)
        sentence = found[0] if found else text
        return sentence.format(**values) if values else sentence

    def count(self, one: str, many: str, number: int, /, **values: object) -> str:
        """The sentence that fits ``number``, which is also the field ``{n}``."""
        forms = self.catalogue.get(one) or (one, many)
        form = _PLURALS.get(self.lang, _plural_germanic)(number)
        return forms[min(form, len(forms) - 1)].format(n=number, **values)


ENGLISH: Final = Words()
