"""How long an own event has waited for its ACK (protocol.md 12, P15)."""

from __future__ import annotations

from crapette_p2p.session.notices import AckLate
from crapette_p2p.session.opengame import OpenGame
from crapette_p2p.session.outbox import Outbox
from crapette_p2p.session.timers import T_ACK, T_ACK_WARN


class AckWatch:
    """Tells the owner once that an ACK is late, and when to give the link up."""

    def __init__(self, outbox: Outbox) -> None:
        self._outbox = outbox
        self._waiting: tuple[bytes, float] | None = None
        """Hash of the own event, and since when."""
        self._warned = False

    def watch(self, game: OpenGame | None, now: float) -> None:
        """Look whether an own event waits; ``game``: None while nothing is sent."""
        mine = game.mine if game is not None else None
        if mine is None:
            self._waiting = None
        elif self._waiting is None or self._waiting[0] != mine.hash:
            self._waiting = (mine.hash, now)
            self._warned = False

    def limits(self) -> list[float]:
        """When the wait ends the link; empty if nothing waits."""
        return [] if self._waiting is None else [self._waiting[1] + T_ACK]

    def reminders(self) -> list[float]:
        """When ``remind`` has something to say; empty if it has not."""
        if self._waiting is None or self._warned:
            return []
        return [self._waiting[1] + T_ACK_WARN]

    def remind(self, now: float) -> None:
        """Tell the owner, once for each event."""
        if self._waiting is not None and not self._warned:
            waited = now - self._waiting[1]
            if waited >= T_ACK_WARN:
                self._warned = True
                self._outbox.emit(AckLate(round(waited)))
