"""Other keyboard layouts: the same physical key means the same thing.

Never used where text is typed. Where a question is answered a letter that is one of
its own answers (the н of a Russian "no") means that answer and nothing else.
"""

from __future__ import annotations

from collections.abc import Container
from typing import Final

_RUSSIAN: Final = "йцукенгшщзфывапролдячсмить"
_LATIN: Final = "qwertyuiopasdfghjklzxcvbnm"
_FRENCH_DIGITS: Final = "&é\"'(-è_"
ALIASES: Final = {
    **dict(zip(_RUSSIAN, _LATIN, strict=True)),
    **dict(zip(_RUSSIAN.upper(), _LATIN.upper(), strict=True)),
    **{sign: str(place) for place, sign in enumerate(_FRENCH_DIGITS, 1)},
    "х": "[",
    "ъ": "]",
    ".": "/",
    "f1": "?",
}
"""Key as it arrives → key as the table knows it."""


def at_table(key: str) -> str:
    """The table's name of a key."""
    return ALIASES.get(key, key)


def meant(key: str, known: Container[str]) -> str:
    """The name of a key where some are *known* as they arrive."""
    return key if key in known else at_table(key)
