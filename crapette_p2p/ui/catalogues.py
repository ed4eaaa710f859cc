"""Which language a run speaks, and the words of each.

A catalogue is ``locale/LANG.po``, which translators edit; ``scripts/catalogues``
compiles it into the ``LANG.mo`` that is read here. What stands in none is said in
English, and English itself reads nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Final

from crapette_p2p.ui.language import ENGLISH, LANGUAGES, Words

_VARIABLES: Final = ("LC_ALL", "LC_MESSAGES", "LANG")
_LOCALE: Final = Path(__file__).parent / "locale"


def words_of(lang: str) -> Words:
    """The words of a language; English for one we do not know."""
    return _read(lang)


@lru_cache
def _read(lang: str) -> Words:
    if lang not in LANGUAGES or lang == ENGLISH.lang:
        return ENGLISH
    from gettext import GNUTranslations  # English needs none of it

    with (_LOCALE / f"{lang}.mo").open("rb") as file:
        catalogue = GNUTranslations(file)
    return Words(lang, catalogue.gettext, catalogue.ngettext)


def language_of(setting: str, environ: Mapping[str, str]) -> str:
    """The setting, else what the locale says, else English."""
    if setting:
        return setting
    for name in _VARIABLES:
        value = environ.get(name, "")
        if value:
            lang = value[:2].lower()
            return lang if lang in LANGUAGES else ENGLISH.lang
    return ENGLISH.lang
