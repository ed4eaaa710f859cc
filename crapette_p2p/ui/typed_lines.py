"""A typed line from standard input, however long what comes there is."""

from __future__ import annotations

from typing import Final, TextIO

LONGEST: Final = 4096
"""Characters of a line that are looked at."""
_PIECES: Final = 256
"""Pieces of that length after which a line has no end: nobody types there."""


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
