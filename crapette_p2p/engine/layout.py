"""The 24 piles: ids, kinds, owners and notation (10-cards-and-notation.md 3).

0-7 columns 1-8; 8+2s and 9+2s the foundations of suit s; 16+p reserve,
18+p stock, 20+p drawn card, 22+p waste of seat p.
"""

from __future__ import annotations

from typing import Final, NewType

from crapette_p2p.cards import Suit

PileId = NewType("PileId", int)
"""A pile, 0..23."""
Seat = NewType("Seat", int)
"""0 = A (columns 1-4), 1 = B (columns 5-8)."""

SEATS: Final = (Seat(0), Seat(1))
SEAT_NAMES: Final = ("A", "B")
COLUMNS: Final = tuple(PileId(i) for i in range(8))
FOUNDATIONS: Final = tuple(PileId(i) for i in range(8, 16))
PILE_COUNT: Final = 24
RESERVE: Final = 16
STOCK: Final = 18
DRAWN: Final = 20
WASTE: Final = 22


def other(seat: int) -> Seat:
    """The opponent's seat."""
    return Seat(1 - seat)


def reserve(seat: int) -> PileId:
    """The reserve of ``seat``."""
    return PileId(RESERVE + seat)


def stock(seat: int) -> PileId:
    """The stock of ``seat``."""
    return PileId(STOCK + seat)


def drawn(seat: int) -> PileId:
    """The drawn card of ``seat``, a pile of at most one."""
    return PileId(DRAWN + seat)


def waste(seat: int) -> PileId:
    """The waste of ``seat``."""
    return PileId(WASTE + seat)


def is_column(pile: int) -> bool:
    """Whether ``pile`` is one of the eight columns."""
    return 0 <= pile < 8


def is_foundation(pile: int) -> bool:
    """Whether ``pile`` is one of the eight foundations."""
    return 8 <= pile < 16


def foundation_suit(pile: int) -> Suit:
    """The suit of a foundation pile."""
    return Suit((pile - 8) >> 1)


def owner_of(pile: int) -> Seat | None:
    """Whose pile it is; None for the shared columns and foundations."""
    return Seat(pile & 1) if pile >= RESERVE else None
