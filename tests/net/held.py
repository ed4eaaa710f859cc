"""A module that runs ``crapette``, with a bot that stops playing after some actions.

    python -m tests.net.held 60,120 crapette_p2p --data-dir …

After so many actions of both it waits for a SIGCONT; one that comes earlier lets it
pass the next of these places. So a game in which a test has something to do is not
over before that, however slow the test is. A test acts well before: mostly what it
does falls into a game in full play. Links live on meanwhile.
"""

from __future__ import annotations

import asyncio
import runpy
import signal
import sys

from crapette_p2p.net.autoplay import Autoplayer
from crapette_p2p.net.news import TableNotice
from crapette_p2p.session.notices import EventFinal

_play = Autoplayer.react


class Hold:
    """The numbers of actions after which the bot still has to wait."""

    def __init__(self, numbers: str) -> None:
        self._numbers = [int(number) for number in numbers.split(",")]
        self._heard = 0
        self._changed: asyncio.Event | None = None

    async def passes(self, notice: EventFinal) -> None:
        """Return once the bot may go on after this event."""
        self._heard += notice.action is not None
        if self._changed is None:
            self._changed = asyncio.Event()
            loop = asyncio.get_running_loop()
            loop.add_signal_handler(signal.SIGCONT, self._go_on)
        while self._numbers and self._heard >= self._numbers[0]:
            await self._changed.wait()
            self._changed.clear()

    def _go_on(self) -> None:
        del self._numbers[:1]
        if self._changed is not None:
            self._changed.set()


def hold(numbers: str) -> None:
    """Let the bot of this process wait there."""
    held = Hold(numbers)

    async def react(self: Autoplayer, notice: TableNotice) -> None:
        if isinstance(notice, EventFinal):
            await held.passes(notice)
        await _play(self, notice)

    Autoplayer.react = react  # type: ignore[method-assign] # the test's business


if __name__ == "__main__":
    hold(sys.argv[1])
    del sys.argv[:2]
    runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
