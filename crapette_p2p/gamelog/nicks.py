"""Which nicks two players may sign (protocol.md 9).

Theory of operation. A nick stands in the genesis, so whether it is lawful must
not depend on whose interpreter asks: each brings its own version of Unicode.
Which characters there are is therefore a table of ours (``nick_ranges.py``), and
the interpreter is only asked for the normal form, which no later version of
Unicode changes for characters of this one.
"""

from __future__ import annotations

import unicodedata
from bisect import bisect_right
from functools import cache
from typing import Final

from crapette_p2p.gamelog.nick_ranges import LETTERS, MARKS, NUMBERS

MAX_CHARACTERS: Final = 20
MAX_NICK_BYTES: Final = 48
_OTHERS: Final = " -_.'"


def is_valid_nick(nick: object) -> bool:
    """Whether a nick can stand in a genesis; a bad one is refused, not repaired.

    NFC, 1 to 20 code points, at most 48 bytes, letters and numbers, at most two
    marks after a letter, and `` -_.'``; no space at the ends, none doubled.
    """
    if type(nick) is not str or not 1 <= len(nick) <= MAX_CHARACTERS:
        return False
    if nick != nick.strip(" ") or "  " in nick:
        return False
    if not _has_only_lawful_characters(nick):
        return False
    if len(nick.encode()) > MAX_NICK_BYTES:
        return False
    return unicodedata.normalize("NFC", nick) == nick


def _has_only_lawful_characters(nick: str) -> bool:
    marks = 2  # none may come first
    for character in nick:
        if is_among(LETTERS, character):
            marks = 0
        elif is_among(NUMBERS, character) or character in _OTHERS:
            marks = 2
        elif marks < 2 and is_among(MARKS, character):
            marks += 1
        else:
            return False
    return True


def is_among(ranges: str, character: str) -> bool:
    """Whether a character is of those that a text of ranges names."""
    lows, highs = _bounds(ranges)
    place = bisect_right(lows, ord(character)) - 1
    return place >= 0 and ord(character) <= highs[place]


@cache
def _bounds(ranges: str) -> tuple[list[int], list[int]]:
    """The lowest and the highest code point of each range."""
    lows, highs = [], []
    for text in ranges.split():
        low, _, high = text.partition("-")
        lows.append(int(low, 16))
        highs.append(int(high or low, 16))
    return lows, highs
