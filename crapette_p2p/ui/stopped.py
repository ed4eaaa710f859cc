"""A program that was stopped from outside takes its terminal back.

Ctrl-Z leaves the screen first and comes back to it. Whoever is stopped by a signal
(``kill -STOP``, a debugger) leaves everything as it stands; the shell then reads lines
on that terminal and lets every key echo, and so it stays when the program goes on.

Behind the shell (``bg``) it reads no keys: they are the shell's. Whoever reads all the
same is stopped in the middle of it, and, back in front, waits there for a whole line.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from collections.abc import Iterator
from typing import Final

from prompt_toolkit import Application
from prompt_toolkit.key_binding import KeyPress

_LOOK: Final = 0.5
"""Seconds between two looks whether a program behind the shell is in front again."""


@contextlib.contextmanager
def taken_back(
    app: Application[None], loop: asyncio.AbstractEventLoop
) -> Iterator[None]:
    """Meanwhile, set the terminal up anew whenever the program goes on after a stop."""
    number = getattr(signal, "SIGCONT", None)  # Windows has none
    taker = _Taker(app, loop)
    if number is not None:
        with contextlib.suppress(NotImplementedError, RuntimeError, ValueError):
            loop.add_signal_handler(number, taker.go_on)
    try:
        yield
    finally:
        if number is not None:
            loop.remove_signal_handler(number)
        taker.end()


class _Taker:
    """Keeps a program off a terminal that is not its own, and brings it back."""

    def __init__(self, app: Application[None], loop: asyncio.AbstractEventLoop) -> None:
        self._app = app
        self._loop = loop
        self._look: asyncio.TimerHandle | None = None
        self._deaf = contextlib.ExitStack()
        """Holds what takes the keys from the loop, while they are not ours."""
        self._is_deaf = False
        self._read = app.input.read_keys
        app.input.read_keys = self._read_in_front  # type: ignore[method-assign]

    def go_on(self) -> None:
        """The program runs again; perhaps not in front yet."""
        self._look_no_more()
        if not self._app.is_running:
            return
        if not self._is_in_front():
            # To touch the terminal from behind would stop the program once more.
            self._look = self._loop.call_later(_LOOK, self.go_on)
            return
        # Never left: the toolkit, which set the terminal first, restores it.
        self._app.input.raw_mode().__enter__()
        self._deaf.close()
        self._is_deaf = False
        self._draw_anew()

    def end(self) -> None:
        """Leave the terminal as it was."""
        self._look_no_more()
        self._app.input.read_keys = self._read  # type: ignore[method-assign]
        if self._is_deaf:
            self._deaf.close()
            self._loop.remove_reader(self._app.input.fileno())

    def _draw_anew(self) -> None:
        """Draw all, on the screen of its own and from its corner.

        After Ctrl-Z that is drawn already, so nothing may be left for a moment.
        """
        output = self._app.output
        self._app.renderer.reset(leave_alternate_screen=False)
        output.enter_alternate_screen()
        output.erase_screen()
        output.cursor_goto(0, 0)
        self._app.invalidate()

    def _read_in_front(self) -> list[KeyPress]:
        if self._is_in_front():
            return self._read()
        if not self._is_deaf:
            self._is_deaf = True
            self._deaf.enter_context(self._app.input.detach())
            self.go_on()
        return []

    def _look_no_more(self) -> None:
        if self._look is not None:
            self._look.cancel()
            self._look = None

    def _is_in_front(self) -> bool:
        """Whether the shell has given us the terminal; also where there is no shell."""
        try:
            return os.tcgetpgrp(self._app.input.fileno()) == os.getpgrp()
        except (AttributeError, NotImplementedError, OSError):
            return True
