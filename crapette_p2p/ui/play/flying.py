"""A move as it is watched: the card goes from pile to pile, in a fifth of a second.

For the eye alone: any key ends it and nothing waits for it. It looks the same for
every move, the lawful and the faulty.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from crapette_p2p.engine import Discard, Move, Position, Turn
from crapette_p2p.engine.layout import DRAWN, STOCK, WASTE, is_column
from crapette_p2p.ui.play.feed import Shown
from crapette_p2p.ui.table_view import Flight

SECONDS: Final = 0.2
FRAME: Final = 0.05
"""Seconds from picture to picture."""


@dataclass(frozen=True, slots=True)
class Flying:
    """One move while it is watched."""

    before: Position
    """The table that the card leaves."""
    source: int
    """Where it lay."""
    target: int
    """Where it goes."""
    face: int
    """The card, or what is seen of it."""
    begun: float
    """When it left."""

    def flight(self, now: float) -> Flight | None:
        """Where the card is; None once it lies there."""
        share = (now - self.begun) / SECONDS
        if not 0 <= share < 1:
            return None
        return Flight(self.source, self.target, self.face, share)


def flying(shown: Shown, now: float) -> Flying | None:
    """The flight of what has just been shown; None where no card moves."""
    before, author = shown.before, shown.author
    piles: tuple[int, int]
    match shown.action:
        case Move(source, target):
            piles = source, target
        case Turn():
            piles = STOCK + author, DRAWN + author
        case Discard():
            piles = DRAWN + author, WASTE + author
        case _:
            return None
    if shown.after.penalty is not None or not before.piles[piles[0]]:
        return None
    left = list(before.piles)
    if is_column(piles[0]) or piles[0] == DRAWN + author:
        left[piles[0]] = left[piles[0]][:-1]  # elsewhere nobody knows what comes next
    table = replace(before, piles=tuple(left))
    return Flying(table, *piles, before.top(piles[0]), now)
