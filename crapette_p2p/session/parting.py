"""Whether the peer has what closed the deal, and a goodbye that waits for that.

Whoever acknowledges RESULT has a closed deal at once; the peer has it when the ACK
arrives, and if the link breaks just then, only a new link can bring it. So the
last to sign asks with a PING before he leaves: its PONG comes after the ACK was
taken (protocol/spec/60-session.md, 11.4).
"""

from __future__ import annotations

from crapette_p2p.session.farewells import GAME_OVER
from crapette_p2p.session.messages import (
    Accept,
    Bye,
    EventMessage,
    Message,
    ProposeMessage,
    Start,
    Sync,
)
from crapette_p2p.session.opengame import OpenGame
from crapette_p2p.session.timers import T_STEP


class Parting:
    """What one link knows about the end of the deal on the other side."""

    def __init__(self) -> None:
        self.unsure = False
        """Whether the deal is closed here, and perhaps not there."""
        self.code: int | None = None
        """Of the goodbye that waits; None if none does."""
        self._asked = 0
        self._until = 0.0

    def note(self, message: Message, game: OpenGame | None, pings: int) -> None:
        """Look what a message that led on means; ``pings``: asked before it.

        An event that closed the deal was acknowledged just now, or the records
        of a closed deal were sent. What begins another deal only a closed one allows.
        """
        if isinstance(message, EventMessage | Sync):
            if game is not None and game.done:
                self.unsure = True
                self._asked = pings
        elif isinstance(message, ProposeMessage | Accept | Start):
            self.unsure = False

    def on_bye(self, message: Bye) -> None:
        """The peer says that the game is over, or only that he leaves."""
        if message.code == GAME_OVER:
            self.unsure = False

    def on_pong(self, number: int) -> None:
        """An answer: to what was asked after the deal was closed, or an older one."""
        if number > self._asked:
            self.unsure = False

    def wait(self, code: int, now: float) -> None:
        """Say goodbye with ``code`` once that is sure, or after ``T_STEP``."""
        self.code = code
        self._until = now + T_STEP

    def is_due(self, now: float) -> bool:
        """Whether a goodbye waits that need not, or must not, wait longer."""
        return self.code is not None and (not self.unsure or now >= self._until)

    def reminders(self) -> list[float]:
        """When the wait ends; empty if no goodbye waits."""
        return [] if self.code is None else [self._until]
