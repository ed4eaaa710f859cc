"""Exit codes, and the error that a command ends with.

A message says what happened and with which input; the hint says what to do
next. Both are for the person at the keyboard and go to stderr.
"""

from __future__ import annotations

from typing import Final

DONE: Final = 0
BUG: Final = 1
USAGE: Final = 2
NO_TERMINAL: Final = 3
CANNOT_LISTEN: Final = 4
UNREACHABLE: Final = 5
PROTOCOL: Final = 6
IDENTITY: Final = 7
PEER_LOST: Final = 8
CHEATED: Final = 9
BAD_LOG: Final = 10
HANGUP: Final = 129
INTERRUPTED: Final = 130
TERMINATED: Final = 143


class CommandFailed(Exception):  # noqa: N818 - it says what is known
    """A command cannot do what it was asked; ends with ``exit_code``."""

    def __init__(self, message: str, *, exit_code: int = USAGE, hint: str = "") -> None:
        super().__init__(message)
        self.exit_code = exit_code
        self.hint = hint
