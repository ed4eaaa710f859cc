"""How long a table without a link waits for its peer."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final

LINGER_SECONDS: Final = 20.0
"""How long one who has the result waits for a link to tell it to a peer who may not."""


class Patience:
    """Two waits: until the owner is told that nobody comes, and for a farewell."""

    def __init__(self, gave_up: Callable[[], None], close: Callable[[], None]) -> None:
        self._gave_up = gave_up
        self._close = close
        self._waits: asyncio.TimerHandle | None = None
        self._lingers: asyncio.TimerHandle | None = None

    @property
    def lingers(self) -> bool:
        """Whether only a peer who may not have the result is waited for."""
        return self._lingers is not None

    def wait(self, seconds: float) -> None:
        """The link is lost: tell the owner after ``seconds``, once."""
        if self._waits is None:
            loop = asyncio.get_running_loop()
            self._waits = loop.call_later(seconds, self._gave_up)

    def linger(self) -> None:
        """The game is over here, perhaps not there: close when that took too long."""
        if self._lingers is None:
            loop = asyncio.get_running_loop()
            self._lingers = loop.call_later(LINGER_SECONDS, self._close)

    def linked(self, *, leaving: bool) -> None:
        """The peer is there; one that comes and goes cannot keep us from leaving."""
        if self._waits is not None:
            self._waits.cancel()
            self._waits = None
        if self._lingers is not None and not leaving:
            self._lingers.cancel()
            self._lingers = None

    def end(self) -> None:
        """Nobody is waited for any more."""
        self.linked(leaving=False)
