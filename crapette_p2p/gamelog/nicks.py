"""Which nicks two players may sign (protocol.md 9)."""

from __future__ import annotations

import unicodedata
from typing import Final

MAX_CHARACTERS: Final = 20
MAX_NICK_BYTES: Final = 48
_PLAIN: Final = " -_.'"


def is_valid_nick(nick: object) -> bool:
    """Whether a nick can stand in a genesis; a bad one is refused, not repaired.

    NFC, 1 to 20 code points, at most 48 bytes, letters and numbers, at most two
    marks after a letter, and `` -_.'``; no space at the ends, none doubled.
    """
    if type(nick) is not str or not 1 <= len(nick) <= MAX_CHARACTERS:
        return False
    if any("\ud800" <= c <= "\udfff" for c in nick):
        return False
    if len(nick.encode()) > MAX_NICK_BYTES:
        return False
    if unicodedata.normalize("NFC", nick) != nick:
        return False
    if nick != nick.strip(" ") or "  " in nick:
        return False
    return _only_lawful_characters(nick)


def _only_lawful_characters(nick: str) -> bool:
    marks = 2  # none may come first
    for character in nick:
        category = unicodedata.category(character)
        if category in ("Mn", "Mc"):
            marks += 1
            if marks > 2:
                return False
        elif category[0] in "LN":
            marks = 0 if category[0] == "L" else 2
        elif character in _PLAIN:
            marks = 2
        else:
            return False
    return True
