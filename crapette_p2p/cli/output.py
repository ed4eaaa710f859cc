"""What a command prints: results on stdout, messages on stderr.

JSON carries ``"v": 1`` and no localised text. Anything that came from outside
(a file name, a peer's nick, a token of a broken file) is made printable first:
no control character of theirs reaches the terminal.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Mapping
from typing import Final, TextIO

from crapette_p2p.cli.speaking import words

_LONGEST_EXCERPT = 80
_NAME: Final = "crapette"
_NO_BREAK: Final = "\u00a0"
"""Stands before French punctuation, and drives no terminal."""


def printable(text: object) -> str:
    """The text with whatever could drive a terminal escaped."""
    return "".join(
        letter
        if letter.isprintable() or letter == _NO_BREAK
        else letter.encode("unicode_escape").decode()
        for letter in str(text).encode("utf-8", "replace").decode("utf-8", "replace")
    )


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
    write_beside("\n".join(_broken(line, sys.stderr)) + "\n")


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
    for line in _broken(text, sys.stdout):
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
    cells of a row stand on a line of their own where they leave the others none.
    """
    from crapette_p2p.ui.render.cells import text_width

    lines = [tuple(map(words, headings)), *rows]
    widths = [max(map(text_width, column)) for column in zip(*lines, strict=True)]

    def padded(cell: str, width: int) -> str:
        return cell + " " * (width - text_width(cell))

    def joined(cells: tuple[str, ...], widths: list[int]) -> str:
        return "  ".join(map(padded, cells, widths)).rstrip()

    heads = [joined(line[:head], widths[:head]) for line in lines]
    rests = [joined(line[head:], widths[head:]) for line in lines]
    most = max(map(text_width, heads))
    left = room - 2 - max(map(text_width, rests)) if room else most
    width = max((w for w in map(text_width, heads) if w <= left), default=2)
    shown: list[str] = []
    for begin, rest in zip(heads, rests, strict=True):
        alone = text_width(begin) > left
        shown += [begin] * alone
        shown.append(f"{padded('' if alone else begin, width)}  {rest}".rstrip())
    return shown


def stdout_columns() -> int:
    """How wide the terminal is that results go to; 0 if they go elsewhere."""
    return _columns(sys.stdout)


def versioned(fields: Mapping[str, object]) -> dict[str, object]:
    """The fields as one JSON answer of this command line's version."""
    return {"v": 1, **fields}


def _broken(text: str, stream: TextIO) -> list[str]:
    """The text in lines that fit the terminal behind ``stream``; else as it is.

    What is indented stays so. A word that does not fit stays whole, and so does the
    command at the end, if a line has room for it: both may be copied.
    """
    columns = _columns(stream)
    if not columns:
        return [text]
    from crapette_p2p.ui.render.cells import text_width

    if text_width(text) <= columns:
        return [text]
    indent = " " * (len(text) - len(text.lstrip(" ")))
    lines: list[str] = []
    for piece in _pieces(text.strip(" "), columns - len(indent)):
        longer = f"{lines[-1]} {piece}" if lines else ""
        if longer and text_width(longer) <= columns:
            lines[-1] = longer
        else:
            lines.append(indent + piece)
    return lines


def _pieces(text: str, room: int) -> list[str]:
    """The words of a sentence, the command at its end as one if there is room."""
    from crapette_p2p.ui.language import STARTED_AS

    begin = max(text.rfind(f" {name} ") for name in (_NAME, STARTED_AS.get()()))
    command = text[begin:].strip() if begin >= 0 else ""
    if not command or len(command) > room:
        return text.split(" ")
    return [*text[:begin].split(" "), command]


def _columns(stream: TextIO) -> int:
    """How wide the terminal behind the stream is; 0 if there is none."""
    try:
        return os.get_terminal_size(stream.fileno()).columns if stream.isatty() else 0
    except (OSError, ValueError):  # closed, or no file at all
        return 0


def _encodable(text: str, encoding: str | None) -> str:
    name = encoding or "utf-8"
    if _NO_BREAK in text and _NO_BREAK.encode(name, "ignore") == b"":
        text = text.replace(_NO_BREAK, " ")
    return text.encode(name, "backslashreplace").decode(name)
