"""Sentences for a terminal: in lines that it shows whole, broken between words.

For what is written line by line, below each other and never again: the command
line's messages and results, and the line mode. Where no terminal shows it (a pipe,
a file) a sentence stays one line, whatever its length.
"""

from __future__ import annotations

import os
from typing import Final, TextIO

_NAME: Final = "crapette"


def columns_of(stream: TextIO) -> int:
    """How wide the terminal behind the stream is; 0 if there is none."""
    try:
        return os.get_terminal_size(stream.fileno()).columns if stream.isatty() else 0
    except (OSError, ValueError):  # closed, or no file at all
        return 0


def broken(text: str, columns: int) -> list[str]:
    """The text in lines of so many columns (0: any); what fits stays as it is.

    What is indented stays so, as far as there is room. A word that does not fit stays
    whole, and so does the command at the end, if a line has room for it: both may be
    copied.
    """
    if not columns:
        return [text]
    from crapette_p2p.ui.render.cells import text_width  # --help has no need of it

    if text_width(text) <= columns:
        return [text]
    indent = len(text) - len(text.lstrip(" "))
    lines: list[str] = []
    for piece in _pieces(text.strip(" "), columns - indent):
        longer = f"{lines[-1]} {piece}" if lines else ""
        if longer and text_width(longer) <= columns:
            lines[-1] = longer
        else:
            left = columns - text_width(piece)
            lines.append(" " * (min(indent, left) if left >= 0 else indent) + piece)
    return lines


def _pieces(text: str, room: int) -> list[str]:
    """The words of a sentence, the command at its end as one if there is room."""
    from crapette_p2p.ui.language import STARTED_AS

    begin = max(text.rfind(f" {name} ") for name in (_NAME, STARTED_AS.get()()))
    command = text[begin:].strip() if begin >= 0 else ""
    if not command or len(command) > room:
        return text.split(" ")
    return [*text[:begin].split(" "), command]
