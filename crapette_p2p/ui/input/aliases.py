"""Other keyboard layouts: the same physical key means the same thing.

Used at the table only, never where text is typed or a question is answered.
"""

from __future__ import annotations

from typing import Final

_RUSSIAN: Final = "йцукенгшщзфывапролдячсмить"
_LATIN: Final = "qwertyuiopasdfghjklzxcvbnm"
_FRENCH_DIGITS: Final = "&é\"'(-è_"
ALIASES: Final = {
    **dict(zip(_RUSSIAN, _LATIN, strict=True)),
    **dict(zip(_RUSSIAN.upper(), _LATIN.upper(), strict=True)),
    **{sign: str(place) for place, sign in enumerate(_FRENCH_DIGITS, 1)},
    ".": "/",
    "f1": "?",
}
"""Key as it arrives → key as the table knows it."""


def at_table(key: str) -> str:
    """The table's name of a key."""
    return ALIASES.get(key, key)
