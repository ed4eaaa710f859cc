"""Which language a run speaks, and the words of each."""

from __future__ import annotations

from collections.abc import Mapping

from crapette_p2p.ui.language import ENGLISH, Words
from crapette_p2p.ui.settings import LANGUAGES

_VARIABLES = ("LC_ALL", "LC_MESSAGES", "LANG")


def words_of(lang: str) -> Words:
    """The words of a language; English for one we do not know."""
    if lang not in LANGUAGES or lang == ENGLISH.lang:
        return ENGLISH
    return Words(lang)


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
