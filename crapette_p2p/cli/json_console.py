"""The line mode for programs: what is said and asked as JSON lines.

A program reads objects and types the same lines as a person would; ``asked``
says that one is wanted.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable

from crapette_p2p.cli.output import versioned, write_json
from crapette_p2p.ui.console import Console


class JsonConsole(Console):
    """Lines in, objects out."""

    def __init__(self) -> None:
        super().__init__(sys.stdin, sys.stdout, interactive=False)

    def say(self, lines: Iterable[str]) -> None:
        """One object a sentence."""
        for line in lines:
            write_json(versioned({"type": "said", "text": line}))
            self._asked = False

    def ask(self, question: str = "") -> None:
        """Say that a line is wanted, if that has not been said."""
        if not self._asked:
            write_json(versioned({"type": "asked", "text": question}))
            self._asked = True

    def end_line(self) -> None:
        """Every object ends its line."""

    def _echo(self, line: str) -> None:
        """A program knows what it has typed."""
