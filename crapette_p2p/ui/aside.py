"""A flow beside another one: shown while that waits, laid aside when it must not.

Theory of operation. Two flows share one terminal (a game against a bot while a
table waits for a guest). The one that owns the ``Shell`` lends it: the other runs
on an ``Aside``, which keeps its screen and shows it only while ``shown``. Laid
aside, it goes on in the dark: nothing is drawn, no key reaches it, and what the
opponent does meanwhile is shown once it lies open again.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable

from crapette_p2p.ui.desk import Desk
from crapette_p2p.ui.screens.screen import Screen
from crapette_p2p.ui.surface import Surface


class Aside:
    """The place of one flow on another flow's terminal."""

    def __init__(
        self, below: Surface, flow: Callable[[Surface], Awaitable[int]]
    ) -> None:
        self._below = below
        self._changed = asyncio.Event()
        self.screen = Screen(below.desk)
        self.shown = True
        """Whether its screen is the terminal's."""
        self._task = asyncio.ensure_future(flow(self))
        self._task.add_done_callback(lambda _: below.changed())

    # What the flow on it uses -------------------------------------------------

    @property
    def desk(self) -> Desk:
        """What all screens share."""
        return self._below.desk

    @property
    def now(self) -> float:
        """The time that screens live in."""
        return self._below.now

    def put(self, screen: Screen) -> None:
        """Show a screen and go on, or keep it until this lies open again."""
        self.screen = screen
        if self.shown:
            self._below.put(screen)
        self._changed.set()

    def changed(self) -> None:
        """The screen has changed by itself."""
        self._changed.set()
        if self.shown:
            self._below.changed()

    async def next_change(self) -> None:
        """Return when something was done to the screen."""
        await self._changed.wait()
        self._changed.clear()

    async def show(self, screen: Screen) -> object:
        """Show a screen until it comes to something."""
        self.put(screen)
        while screen.done is None:
            await self.next_change()
        return screen.done

    # What lends the terminal ----------------------------------------------------

    @property
    def over(self) -> bool:
        """Whether the flow has ended; ``result`` says how."""
        return self._task.done()

    def result(self) -> int:
        """What the flow came to; raises what it raised."""
        return self._task.result()

    def notice(self) -> None:
        """A key, the mouse or time may have done something to its screen."""
        self._changed.set()

    def lay_aside(self) -> None:
        """Draw nothing any more."""
        self.shown = False

    def lay_open(self) -> None:
        """Show its screen again."""
        self.shown = True
        self._below.put(self.screen)
        self._changed.set()

    async def end(self) -> None:
        """Give the flow up and wait until it has put its things away."""
        self.shown = False
        self._task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await self._task
