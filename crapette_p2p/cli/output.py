"""What a command prints: results on stdout, messages on stderr.

JSON carries ``"v": 1`` and no localised text. Anything that came from outside
(a file name, a peer's nick, a token of a broken file) is made printable first:
no control character of theirs reaches the terminal.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping

from crapette_p2p.cli.speaking import words

_LONGEST_EXCERPT = 80


def printable(text: object) -> str:
    """The text with whatever could drive a terminal escaped."""
    return "".join(
        letter if letter.isprintable() else letter.encode("unicode_escape").decode()
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
    lines = [f"crapette: {words(message)}", *([words(hint)] if hint else [])]
    for line in lines:
        sys.stderr.write(_encodable(line, sys.stderr.encoding) + "\n")


def table(rows: Iterable[tuple[str, ...]], headings: tuple[str, ...]) -> list[str]:
    """Rows as aligned columns under their headings, two cells apart."""
    from crapette_p2p.ui.render.cells import text_width

    lines = [tuple(map(words, headings)), *rows]
    widths = [max(map(text_width, column)) for column in zip(*lines, strict=True)]

    def padded(cell: str, width: int) -> str:
        return cell + " " * (width - text_width(cell))

    return ["  ".join(map(padded, line, widths)).rstrip() for line in lines]


def versioned(fields: Mapping[str, object]) -> dict[str, object]:
    """The fields as one JSON answer of this command line's version."""
    return {"v": 1, **fields}


def _encodable(text: str, encoding: str | None) -> str:
    name = encoding or "utf-8"
    return text.encode(name, "backslashreplace").decode(name)
