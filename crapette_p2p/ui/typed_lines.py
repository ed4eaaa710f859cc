"""A typed line from standard input, however long what comes there is."""

from __future__ import annotations

import re
from typing import Final, TextIO

LONGEST: Final = 4096
"""Characters of a line that are looked at."""
_PIECES: Final = 256
"""Pieces of that length after which a line has no end: nobody types there."""
_WORD: Final = re.compile(r"""'([^']*)'(?!\S)|"([^"]*)"(?!\S)|(\S+)""")
"""In quotes, or up to a blank; a quote within a word is a letter of it."""


def read_line(source: TextIO) -> str:
    """The next line, cut where it is too long; empty where no more come.

    What goes on for a million characters without an end (``/dev/zero``) is the end
    of the lines.
    """
    line = piece = source.readline(LONGEST)
    for _ in range(_PIECES):
        if len(piece) < LONGEST or piece.endswith("\n"):
            return line
        piece = source.readline(LONGEST)
    return ""


def words_of(line: str) -> list[str]:
    """The words of a typed line; one in quotes holds blanks, as in a shell."""
    found = (match.groups() for match in _WORD.finditer(line))
    return [next(part for part in parts if part is not None) for parts in found]
