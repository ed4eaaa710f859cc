"""Advice at the table: the strongest bot is asked beside the screen, in its time.

It sees no more than the player it helps. The search runs in a thread, so that keys
are heard and the opponent's moves come in; it is called off when its time is over,
when the table has changed, or when it is asked anew.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from typing import Final

from crapette_p2p.bot import Hint, TurnMemory, hint
from crapette_p2p.engine import Position, Seat
from crapette_p2p.ui.surface import Surface

SECONDS: Final = 0.6
"""How long one piece of advice may be thought about."""
NODES: Final = 20_000
"""Boards that are looked at at most; on a fast computer less time is enough."""
Told = Callable[[Hint | None], None]
"""Gets what the bot would do, and why."""


class Adviser:
    """Advises one seat, one question at a time."""

    def __init__(self, surface: Surface, seat: Seat) -> None:
        self._surface = surface
        self._seat = seat
        self._memory = TurnMemory()
        self._called_off = threading.Event()
        self._task: asyncio.Task[None] | None = None

    def ask(self, position: Position, told: Told) -> None:
        """Think about a position; ``told`` hears of it unless asked anew before."""
        self.call_off()
        self._called_off = threading.Event()
        work = self._think(position, told, self._called_off)
        self._task = asyncio.get_running_loop().create_task(work)

    def call_off(self) -> None:
        """Nobody wants to know any more."""
        self._called_off.set()

    async def _think(
        self, position: Position, told: Told, called_off: threading.Event
    ) -> None:
        found = await sought(position, self._seat, called_off, self._memory)
        if self._called_off is called_off:
            told(found)
            self._surface.changed()


async def sought(
    position: Position,
    seat: Seat,
    called_off: threading.Event,
    memory: TurnMemory,
) -> Hint | None:
    """What the strongest bot would do, found in a thread and in its time.

    ``memory`` is the caller's of one seat and one table: with it the advice keeps to
    a plan; each thread thinks with a copy.
    """
    loop = asyncio.get_running_loop()
    late = loop.call_later(SECONDS, called_off.set)
    thought = memory.copy()
    try:
        found = await asyncio.to_thread(
            hint,
            position,
            seat,
            nodes=NODES,
            cancelled=called_off.is_set,
            memory=thought,
        )
    finally:
        late.cancel()
        called_off.set()  # given up, the thread has nothing to go on for
    memory.recall(thought)
    return found
