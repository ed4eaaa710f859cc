"""Whether the peer is still there: silence, PING, latency, and the rate it keeps.

A frozen peer's kernel still answers TCP, so silence is counted in frames
(threats.md S11).
"""

from __future__ import annotations

from crapette_p2p.session.messages import Ping, Pong
from crapette_p2p.session.notices import PeerHeard, PeerQuiet
from crapette_p2p.session.outbox import Outbox
from crapette_p2p.session.timers import (
    T_DEAD,
    T_PING,
    T_QUIET,
    frame_bucket,
    shown_bucket,
)


class Liveness:
    """Counts the peer's silence on one link."""

    def __init__(self, now: float, outbox: Outbox) -> None:
        self._outbox = outbox
        self._heard = now
        self._pinged = now
        self._told = False
        self.pings = 0
        """How often the peer was asked; the number of the last PING."""
        self._bucket = frame_bucket()
        self._shown = shown_bucket()
        self.latency: float | None = None
        """Seconds the last PING took to come back."""

    def hear(self, now: float) -> None:
        """A whole frame arrived."""
        self._heard = now
        if self._told:
            self._told = False
            self._outbox.emit(PeerHeard())

    def may_idle(self, now: float) -> bool:
        """Count a frame that did not advance the log; False above the rate."""
        return self._bucket.take(now)

    def may_show(self, now: float) -> bool:
        """Count a line of the peer's; False for one that would only bury others."""
        return self._shown.take(now)

    def on_pong(self, message: Pong, now: float) -> None:
        """An answer; an old or invented number says nothing."""
        if message.n == self.pings:
            self.latency = now - self._pinged

    def is_dead(self, now: float) -> bool:
        """Whether the silence has lasted too long."""
        return now - self._heard >= T_DEAD

    def tick(self, now: float) -> None:
        """Ask a silent peer for a sign of life, and tell the owner in time."""
        if now >= self._ping_at():
            self.ping(now)
        if not self._told and now - self._heard >= T_QUIET:
            self._told = True
            self._outbox.emit(PeerQuiet(round(now - self._heard)))

    def ping(self, now: float) -> None:
        """Ask for a sign of life."""
        self.pings += 1
        self._pinged = now
        self._outbox.send(Ping(self.pings))

    def _ping_at(self) -> float:
        return max(self._heard, self._pinged) + T_PING

    def deadline(self) -> float:
        """When ``tick`` or ``is_dead`` has something to say next."""
        waits = [self._ping_at(), self._heard + T_DEAD]
        if not self._told:
            waits.append(self._heard + T_QUIET)
        return min(waits)
