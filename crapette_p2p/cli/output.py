"""What a command prints: results on stdout, messages on stderr.

JSON carries ``"v": 1`` and no localised text. Anything that came from outside
(a file name, a peer's nick, a token of a broken file) is made printable first:
no control character of theirs reaches the terminal.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, TextIO

from crapette_p2p.cli.speaking import words
from crapette_p2p.ui.prose import broken, columns_of

_LONGEST_EXCERPT = 80
_INDENT: Final = 2
"""Cells before what belongs to the line above."""
_GAP: Final = 2
"""Cells between two columns."""
_NO_BREAK: Final = "\u00a0"
"""Stands before French punctuation, and drives no terminal."""


def printable(text: object) -> str:
    """The text with whatever could drive a terminal, or shows nothing, escaped."""
    told = "".join(
        letter
        if letter.isprintable() or letter == _NO_BREAK
        else letter.encode("unicode_escape").decode()
        for letter in str(text).encode("utf-8", "replace").decode("utf-8", "replace")
    )
    if told.isascii():
        return told
    from crapette_p2p.gamelog.labels import seen

    return seen(told)


def excerpt(text: object, limit: int = _LONGEST_EXCERPT) -> str:
    """A printable piece of the text, cut with an ellipsis."""
    safe = printable(text)
    return safe if len(safe) <= limit else safe[: limit - 1] + "…"


def write_line(text: str) -> None:
    """One line of results, at once (a reader may wait for it)."""
    sys.stdout.write(_encodable(text, sys.stdout.encoding) + "\n")
    sys.stdout.flush()


def write_json(value: object) -> None:
    """One JSON object or array on one line of stdout."""
    import json

    sys.stdout.write(json.dumps(value, separators=(",", ":")) + "\n")
    sys.stdout.flush()


def complain(message: str, hint: str = "") -> None:
    """One message on stderr, with what to do next on a line of its own.

    Constant ones are translated here, others where they are filled in.
    """
    complain_as_told(words(message), words(hint))


def complain_as_told(message: str, hint: str) -> None:
    """The same of what is translated already: a friend's command keeps its name."""
    for line in [f"crapette: {message}", *([hint] if hint else [])]:
        tell(line)


def tell(text: str) -> None:
    """One line on stderr; on a terminal as many as it takes, broken between words.

    Where it cannot be written nobody hears it; what the command does goes on, and
    ends with the exit code that it would have had.
    """
    line = _encodable(text, sys.stderr.encoding)
    write_beside("\n".join(broken(line, columns_of(sys.stderr))) + "\n")


def write_beside(text: str) -> None:
    """On stderr as it is: a question, or a bar that is drawn over and over.

    The terminal may have been closed while the results go on into a file.
    """
    try:
        sys.stderr.write(text)
        sys.stderr.flush()
    except OSError:
        lead_nowhere(sys.stderr)


def lead_nowhere(stream: TextIO) -> None:
    """Give the rest of a stream nowhere to go, so that nothing complains of it."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)


def write_prose(text: str) -> None:
    """A line of results that is no row: broken between words on a terminal."""
    for line in broken(text, stdout_columns()):
        write_line(line)


def table(
    rows: Iterable[tuple[str, ...]],
    headings: tuple[str, ...],
    *,
    room: int = 0,
    head: int = 1,
) -> list[str]:
    """Rows as aligned columns under their headings, two cells apart.

    In a ``room`` that is too narrow (0: there is none to fit) the first ``head``
    cells of a row stand on a line of their own where they leave the others none;
    and what still does not fit goes on in the next line, each column below its own.
    """
    lines = [tuple(map(words, headings)), *rows]
    columns = _Columns(lines)
    begins = columns.bands(0, head, room)
    bands = columns.bands(head, len(headings), room - _INDENT)
    heads = [columns.joined(line, range(head)) for line in lines]
    left = max(map(_width, heads))
    if room:
        rests = (columns.joined(line, bands[0]) for line in lines)
        left = room - _INDENT - max(map(_width, rests))
    if len(bands) > 1:  # then nothing stands beside a head
        left = 0
    fitting = (width for width in map(_width, heads) if width <= left)
    margin = max(fitting, default=min(_INDENT, left))
    shown: list[str] = []
    for line, begin in zip(lines, heads, strict=True):
        alone = _width(begin) > left
        if alone:
            shown += [columns.joined(line, band) for band in begins]
        beside = ["" if alone else begin, *[""] * (len(bands) - 1)]
        for text, band in zip(beside, bands, strict=True):
            blanks = " " * (margin - _width(text) + _INDENT)
            shown.append(f"{text}{blanks}{columns.joined(line, band)}".rstrip())
    return [piece for line in shown for piece in broken(line, room)]


def facts(rows: Sequence[tuple[str, str]], indent: int = 0) -> list[str]:
    """Names and what there is to each of them, in two columns."""
    from crapette_p2p.ui.render.cells import fill

    width = max(_width(name) for name, _ in rows)
    return [f"{' ' * indent}{fill(name, width)}  {value}" for name, value in rows]


class _Columns:
    """The cells of a table, as wide as its columns."""

    def __init__(self, lines: Sequence[tuple[str, ...]]) -> None:
        self._widths = [max(map(_width, cells)) for cells in zip(*lines, strict=True)]

    def joined(self, line: tuple[str, ...], band: range) -> str:
        """Some cells of a line beside each other."""
        widths = self._widths
        cells = (line[n] + " " * (widths[n] - _width(line[n])) for n in band)
        return "  ".join(cells).rstrip()

    def bands(self, first: int, end: int, room: int) -> list[range]:
        """Which columns stand in one line, where it has room (0 or less: any)."""
        found, used = [range(first, first)], 0
        for column in range(first, end):
            width = self._widths[column]
            if 0 < room < used + _GAP + width and found[-1]:
                found.append(range(column, column))
                used = 0
            used += width + _GAP * bool(found[-1])
            found[-1] = range(found[-1].start, column + 1)
        return found


def stdout_columns() -> int:
    """How wide the terminal is that results go to; 0 if they go elsewhere."""
    return columns_of(sys.stdout)


def room_for_prose(most: int) -> int:
    """How wide a column of text may be: so wide, or as the terminal is."""
    return min(most, stdout_columns() or most)


def versioned(fields: Mapping[str, object]) -> dict[str, object]:
    """The fields as one JSON answer of this command line's version."""
    return {"v": 1, **fields}


def _width(text: str) -> int:
    """Cells of a text on a terminal."""
    # Loaded when something is laid out: most commands print no table.
    from crapette_p2p.ui.render.cells import text_width

    return text_width(text)


def _encodable(text: str, encoding: str | None) -> str:
    name = encoding or "utf-8"
    if _NO_BREAK in text and _NO_BREAK.encode(name, "ignore") == b"":
        text = text.replace(_NO_BREAK, " ")
    return text.encode(name, "backslashreplace").decode(name)
