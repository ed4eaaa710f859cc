"""**Pure**: how long a replay shows each position."""

from __future__ import annotations

from itertools import pairwise
from typing import Final

from crapette_p2p.gamelog.replay import Replay
from crapette_p2p.gamelog.times import Times, shown_at, wait_between

PACE: Final = 0.9
"""Seconds a move is shown for at speed 1."""
FASTER: Final = 1.5
SLOWEST: Final = 0.25
FASTEST: Final = 16.0


def waits_of(replay: Replay, times: Times | None) -> tuple[float, ...]:
    """How long the players left each position on the table, idle times cut.

    Empty if no times were kept of anything that is shown; where some are missing,
    the pace is even.
    """
    if times is None:
        return ()
    moments = [shown_at(times, replay, n) for n in range(len(replay.steps) + 1)]
    waits = [wait_between(*pair) for pair in pairwise(moments)]
    if all(wait is None for wait in waits):
        return ()
    return tuple(PACE if wait is None else wait / 1000 for wait in waits)


class Pace:
    """How fast a replay runs: evenly, or as the players played."""

    def __init__(self, waits: tuple[float, ...]) -> None:
        self._waits = waits
        self.speed = 1.0
        self.as_played = False

    @property
    def is_known(self) -> bool:
        """Whether it can be played as the players did."""
        return bool(self._waits)

    def seconds(self, place: int) -> float:
        """How long a place is shown."""
        as_played = self.as_played and place < len(self._waits)
        return (self._waits[place] if as_played else PACE) / self.speed

    def press(self, key: str) -> None:
        """Faster, slower, or as at the beginning."""
        factor = {"+": FASTER, "-": 1 / FASTER}.get(key, 1 / self.speed)
        self.speed = round(min(max(self.speed * factor, SLOWEST), FASTEST), 2)

    def set(self, text: str) -> bool:
        """Take a typed speed; False if it is none."""
        try:
            speed = float(text.rstrip("×x"))
        except ValueError:
            return False
        if not SLOWEST <= speed <= FASTEST:
            return False
        self.speed = speed
        return True
