"""The deal as it is watched: a fresh table, partly dealt.

Half a second of it, for the eye alone: any key ends it, nothing waits for it, and
no card is shown that will not lie there anyway.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from crapette_p2p.engine import Position
from crapette_p2p.engine.layout import COLUMNS, RESERVE, SEATS, STOCK

SECONDS: Final = 0.5
FRAME: Final = 0.05
"""Seconds from picture to picture."""


def is_fresh(position: Position) -> bool:
    """Whether nothing has been played yet."""
    return position.acts == 0 and position.last_actor is None


def partly_dealt(position: Position, share: float) -> Position:
    """The table when ``share`` (0 to 1) of the cards lie there."""
    if share >= 1.0:
        return position
    piles = list(position.piles)
    for seat in SEATS:
        reserve, stock = RESERVE + seat, STOCK + seat
        count = len(piles[reserve])
        lying = min(int(share * 2 * count), count)
        # The top card is the last one that is laid down.
        piles[reserve] = piles[reserve][count - lying :] if lying == count else b""
        piles[stock] = piles[stock][: int(share * len(piles[stock]))]
    shown = int(max(share - 0.5, 0.0) * 2 * len(COLUMNS))
    for place, column in enumerate(sorted(COLUMNS, key=lambda c: (c % 4, c))):
        if place >= shown:
            piles[column] = b""
    return replace(position, piles=tuple(piles))
