"""Read what a FILE argument names: a path, or ``-`` for standard input.

Every way in which a file can be wrong gets a sentence that names it; what the
file is called comes from outside and is made printable.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Final

from crapette_p2p.cli.errors import USAGE, CommandFailed
from crapette_p2p.cli.output import excerpt
from crapette_p2p.cli.speaking import words, words_in_force

STDIN: Final = "-"
MAX_BYTES: Final = 64 * 1024 * 1024
"""As for logs (protocol.md 10): nothing we read is larger."""


def shown(source: str) -> str:
    """What to call the source in a sentence."""
    return words("standard input") if source == STDIN else excerpt(source, 200)


def count(text: str) -> int:
    """The type of a flag that counts something, from 1 on."""
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(
            words("{text} is not 1 or more", text=excerpt(text))
        )
    return number


def seconds(text: str) -> float:
    """The type of a flag that says how long something may take."""
    number = float(text)
    if not number > 0:
        raise argparse.ArgumentTypeError(
            words("give more than 0 seconds, not {text}", text=excerpt(text))
        )
    return number


def read_bytes(source: str, *, hint: str = "", whole: bool = True) -> bytes:
    """The bytes of a file or of standard input; exit 2 if there are none to read.

    Without ``whole`` too large a file is no error: one byte too many is returned, for
    a reader that has a word of its own for it.
    """
    from crapette_p2p.net.files import open_named

    try:
        if source == STDIN:
            content = sys.stdin.buffer.read(MAX_BYTES + 1)
        else:
            with open_named(Path(source)) as file:
                content = file.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        raise CommandFailed(_unreadable(source, error), hint=hint) from error
    if whole and len(content) > MAX_BYTES:
        raise CommandFailed(
            words("{source} is larger than 64 MiB", source=shown(source)), hint=hint
        )
    return content


def read_text(source: str, *, hint: str = "") -> str:
    """The text of a file or of standard input, which has to be UTF-8."""
    content = read_bytes(source, hint=hint)
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        where = words("byte {n} is no UTF-8", n=error.start)
        message = words(
            "{source} is not text ({where})", source=shown(source), where=where
        )
        raise CommandFailed(message, hint=hint) from error
    if not text.strip():
        raise CommandFailed(words("{source} is empty", source=shown(source)), hint=hint)
    return text


def read_json(source: str, *, hint: str = "") -> object:
    """The JSON value that a file or standard input holds."""
    import json

    from crapette_p2p.ui.reasons import reason_text

    text = read_text(source, hint=hint)
    try:
        value: object = json.loads(text, parse_constant=_no_constant)
    except json.JSONDecodeError as error:
        where = words(
            "line {n}, column {m}: {reason}",
            n=error.lineno,
            m=error.colno,
            reason=reason_text(error.msg, words_in_force()),
        )
        message = words(
            "{source} is not JSON ({where})", source=shown(source), where=where
        )
        raise CommandFailed(message, exit_code=USAGE, hint=hint) from error
    except ValueError as error:  # NaN, or a number of thousands of digits
        message = words(
            "{source} is not JSON ({error})", source=shown(source), error=excerpt(error)
        )
        raise CommandFailed(message, exit_code=USAGE, hint=hint) from error
    except RecursionError as error:
        message = words("{source} is nested too deeply", source=shown(source))
        raise CommandFailed(message, exit_code=USAGE, hint=hint) from error
    return value


def _unreadable(source: str, error: Exception) -> str:
    name = shown(source)
    if isinstance(error, FileNotFoundError):
        return words("there is no file {name}", name=name)
    if isinstance(error, IsADirectoryError):
        return words("{name} is a directory, not a file", name=name)
    from crapette_p2p.cli.explaining import system_reason

    reason = system_reason(error)
    return words("{name} cannot be read: {reason}", name=name, reason=reason)


def _no_constant(name: str) -> object:
    raise ValueError(f"{name} is not JSON")
