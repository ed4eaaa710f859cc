"""A program that was stopped from outside takes its terminal back.

Ctrl-Z leaves the screen first and comes back to it. Whoever is stopped by a signal
(``kill -STOP``, a debugger) leaves everything as it stands; the shell then reads lines
on that terminal and lets every key echo, and so it stays when the program goes on.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from collections.abc import Iterator
from typing import Final

from prompt_toolkit import Application

_LOOK: Final = 0.5
"""Seconds between two looks whether a program behind the shell is in front again."""


@contextlib.contextmanager
def taken_back(
    app: Application[None], loop: asyncio.AbstractEventLoop
) -> Iterator[None]:
    """Meanwhile, set the terminal up anew whenever the program goes on after a stop."""
    number = getattr(signal, "SIGCONT", None)  # Windows has none
    waiting: list[asyncio.TimerHandle] = []
    with contextlib.ExitStack() as modes:

        def again() -> None:
            while waiting:
                waiting.pop().cancel()
            if not app.is_running:
                return
            if not _is_in_front(app.input.fileno()):
                # To touch the terminal from behind would stop the program once more.
                waiting.append(loop.call_later(_LOOK, again))
                return
            modes.enter_context(app.input.raw_mode())
            app.renderer.reset(leave_alternate_screen=True)
            app.invalidate()

        with contextlib.suppress(NotImplementedError, RuntimeError, ValueError):
            if number is not None:
                loop.add_signal_handler(number, again)
        try:
            yield
        finally:
            if number is not None:
                loop.remove_signal_handler(number)
            while waiting:
                waiting.pop().cancel()


def _is_in_front(terminal: int) -> bool:
    """Whether the shell has given us the terminal; also where there is no shell."""
    try:
        return os.tcgetpgrp(terminal) == os.getpgrp()
    except (AttributeError, OSError):
        return True
