"""Which language a run speaks, and the words of each.

A catalogue is ``words/LANG.toml``: English sentence = its translation, or the
list of its plural forms. What stands in none is said in English.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Final

from crapette_p2p.ui.language import ENGLISH, Words
from crapette_p2p.ui.settings import LANGUAGES

_VARIABLES: Final = ("LC_ALL", "LC_MESSAGES", "LANG")
_WORDS: Final = Path(__file__).parent / "words"


@lru_cache
def words_of(lang: str) -> Words:
    """The words of a language; English for one we do not know."""
    if lang not in LANGUAGES or lang == ENGLISH.lang:
        return ENGLISH
    table = tomllib.loads((_WORDS / f"{lang}.toml").read_text(encoding="utf-8"))
    return Words(lang, {key: _forms(value) for key, value in table.items()})


def _forms(value: object) -> tuple[str, ...]:
    return tuple(map(str, value)) if isinstance(value, list) else (str(value),)


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
