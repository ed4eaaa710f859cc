"""When each event is shown: the opponent's moves one by one, none skipped.

The game runs ahead of the screen. Events wait in a queue; an action of the
opponent is shown only when the one before it has stood for the pace, own actions
and openings at once. What is decided from the screen is decided from ``shown``.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from crapette_p2p.engine import Action, Position, Seat

HURRIED: Final = 5
"""So many times faster once the player asks for it."""


@dataclass(frozen=True, slots=True)
class Shown:
    """One event that has become visible."""

    author: Seat
    """Whose it is."""
    action: Action | None
    """What was done; None for an opening."""
    before: Position
    """The table before it."""
    after: Position
    """The table after it."""


@dataclass(frozen=True, slots=True)
class _Waiting:
    author: Seat
    action: Action | None
    after: Position


class Feed:
    """The queue between the game and the screen of one seat."""

    def __init__(self, seat: Seat, position: Position, *, pace: float) -> None:
        self.seat = seat
        self.pace = pace
        """Seconds each action of the opponent is shown for."""
        self.shown = position
        """What the screen shows."""
        self.latest = position
        """What is true."""
        self.hurried = False
        self._waiting: deque[_Waiting] = deque()
        self._next_at = 0.0

    @property
    def is_behind(self) -> bool:
        """Whether something is still to be shown."""
        return bool(self._waiting)

    def push(self, author: Seat, action: Action | None, after: Position) -> None:
        """An event has become final."""
        self._waiting.append(_Waiting(author, action, after))
        self.latest = after

    def hurry(self) -> None:
        """Show what waits faster."""
        if self._waiting:
            self.hurried = True
            self._next_at = 0.0

    def wakes_at(self) -> float | None:
        """When the next event is to be shown; None if none waits."""
        return self._next_at if self._waiting else None

    def advance(self, now: float) -> Iterator[Shown]:
        """Show what is due; the caller draws after each."""
        while self._waiting:
            paced = self._is_paced(self._waiting[0])
            if paced and now < self._next_at:
                return
            event = self._waiting.popleft()
            before, self.shown = self.shown, event.after
            if paced:
                pace = self.pace / HURRIED if self.hurried else self.pace
                self._next_at = max(now, self._next_at) + pace
            yield Shown(event.author, event.action, before, event.after)
        self.hurried = False

    def _is_paced(self, event: _Waiting) -> bool:
        """Own events and openings are shown at once, with all before them."""
        if event.action is None or event.author == self.seat:
            return False
        return all(
            waiting.author != self.seat or waiting.action is None
            for waiting in self._waiting
        )
