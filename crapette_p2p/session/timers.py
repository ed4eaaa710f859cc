"""Every wait of a session, with its reason, and the bucket that limits a rate.

Seconds of the monotonic clock (protocol.md 2; 12, P9, P15). A wait that runs
out ends the link, never the game.
"""

from __future__ import annotations

from typing import Final

T_LOGIN: Final = 10.0
"""Link up until READY, people not counted."""
T_HUMAN: Final = 120.0
"""Wherever a person on the other side has to look, compare or accept."""
T_STEP: Final = 10.0
"""RESUME, SYNC, START and every event the peer owes (openings, audits …)."""
T_ACK_WARN: Final = 5.0
"""An own event unconfirmed: tell the player."""
T_ACK: Final = 20.0
"""An own event unconfirmed: drop the link and try again on a new one."""
T_PING: Final = 5.0
"""Silence after which a PING goes out."""
T_QUIET: Final = 10.0
"""Silence after which the player is told."""
T_DEAD: Final = 15.0
"""Silence after which the link is dead."""

RATE: Final = 50.0
"""Frames a second that do not advance the log; honest play stays below 1."""
RATE_BURST: Final = 200.0
CHAT_RATE: Final = 1.0
"""Lines a second this side sends."""
CHAT_BURST: Final = 5.0
SHOWN_RATE: Final = 2.0
"""Lines a second of the peer's that the player is shown; honest ones are fewer."""
SHOWN_BURST: Final = 20.0


class TokenBucket:
    """Allows ``burst`` at once and ``rate`` a second in the long run."""

    __slots__ = ("_burst", "_last", "_left", "_rate")

    def __init__(self, *, rate: float, burst: float) -> None:
        self._rate = rate
        self._burst = burst
        self._left = burst
        self._last: float | None = None

    def take(self, now: float) -> bool:
        """Take one; False if there is none left."""
        if self._last is not None:
            gained = max(0.0, now - self._last) * self._rate
            self._left = min(self._burst, self._left + gained)
        self._last = now
        if self._left < 1:
            return False
        self._left -= 1
        return True


def frame_bucket() -> TokenBucket:
    """Counts the peer's frames that do not advance the log."""
    return TokenBucket(rate=RATE, burst=RATE_BURST)


def chat_bucket() -> TokenBucket:
    """Counts the lines this side sends."""
    return TokenBucket(rate=CHAT_RATE, burst=CHAT_BURST)


def shown_bucket() -> TokenBucket:
    """Counts the peer's lines that the player is shown."""
    return TokenBucket(rate=SHOWN_RATE, burst=SHOWN_BURST)
