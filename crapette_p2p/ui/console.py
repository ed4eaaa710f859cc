"""Standard input and output as lines, for the line mode.

Append-only: nothing that was written is ever changed, no byte below 0x20 but the
newline is written, and the prompt stands only where input is wanted. Reading runs
in a thread, which works for terminals, pipes and files on every system; it reads a
line when one is wanted, for a pipe may hold more than anybody plays.
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Iterable
from typing import Final, TextIO

from crapette_p2p.ui.prose import broken, columns_of
from crapette_p2p.ui.typed_lines import read_line

PROMPT: Final = "> "


class Console:
    """Lines in, lines out."""

    def __init__(self, source: TextIO, sink: TextIO, *, interactive: bool) -> None:
        self.interactive = interactive
        """Whether a person types; else lines are echoed, so that they stand in the
        output as a terminal would have shown them."""
        self.ended = False
        """Whether nothing more can be read."""
        self._source = source
        self._sink = sink
        self._asked = False
        self._lines: asyncio.Queue[str | None] = asyncio.Queue()
        self._wanted = threading.Semaphore(0)
        self._is_read = False
        """Whether a line is being read for whoever asks next."""
        self._loop: asyncio.AbstractEventLoop | None = None

    def say(self, lines: Iterable[str]) -> None:
        """Write lines; a prompt that stands open is ended first.

        A terminal breaks lines anywhere, so they are broken between words for it;
        a program that reads them gets each as one.
        """
        for line in lines:
            self._write(("\n" if self._asked else "") + self._fitting(line) + "\n")
            self._asked = False

    def ask(self, question: str = "") -> None:
        """Leave the prompt standing, if it does not stand already."""
        if not self._asked:
            self._write(f"{self._fitting(question)} " if question else PROMPT)
            self._asked = True

    def end_line(self) -> None:
        """Begin a new line for whatever is written next by somebody else.

        A person may have typed at any time, or the terminal has shown a ``^C``.
        """
        if self._asked or self.interactive:
            self._write("\n")
            self._asked = False

    async def next_line(self) -> str | None:
        """The next typed line; None when there are no more."""
        if self._loop is None:
            self._loop = asyncio.get_running_loop()
            threading.Thread(target=self._read, daemon=True).start()
        if self.ended:
            return None
        if not self._is_read:
            self._is_read = True
            self._wanted.release()
        line = await self._lines.get()
        self._is_read = False
        if line is None:
            self.ended = True
            return None
        if self._asked and not self.interactive:
            self._echo(line)
        self._asked = False
        return line

    def _fitting(self, line: str) -> str:
        pieces = broken(line, columns_of(self._sink))
        return "\n".join(map(_harmless, pieces))

    def _echo(self, line: str) -> None:
        """Show a line as a terminal would have shown it."""
        self._write(_harmless(line) + "\n")

    def _read(self) -> None:
        """Feed lines to the loop until there are none; runs in a thread."""
        while self._wanted.acquire():
            try:
                text = read_line(self._source)
            except (OSError, ValueError):
                text = ""
            line = text.rstrip("\r\n") if text else None
            assert self._loop is not None  # noqa: S101 - set before the thread starts
            with contextlib.suppress(RuntimeError):  # the loop is closed
                self._loop.call_soon_threadsafe(self._lines.put_nowait, line)
            if line is None:
                return

    def _write(self, text: str) -> None:
        encoding = self._sink.encoding or "utf-8"
        self._sink.write(text.encode(encoding, "backslashreplace").decode(encoding))
        self._sink.flush()


def _harmless(line: str) -> str:
    return "".join(letter if letter.isprintable() else " " for letter in line)
