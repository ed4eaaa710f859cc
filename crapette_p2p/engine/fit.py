"""Where a card can lie, as tables: masks of cards, masks of columns, shared moves.

Theory of operation. A top is a face 0..51, or ``EMPTY`` for no card; 255 is a
face nobody has seen, which fits nowhere and takes nothing. ``CLASS`` says what a
column shows (colour and rank, a space, or nothing that takes a card) and
``LIES_ON`` on which class a card may be built, so that one list of 8-bit masks
by class answers "which columns take this card" for every source at once.
``BIT`` and the ``NEIGHBOURS`` and ``WANTED`` masks over the 52 faces answer the
same for loads and foundations. ``MOVES`` holds the one instance of each move:
making a dataclass costs twenty times a look-up.
"""

from __future__ import annotations

from typing import Final

from crapette_p2p.cards import UNKNOWN
from crapette_p2p.engine.actions import Move
from crapette_p2p.engine.layout import PILE_COUNT, PileId

EMPTY: Final = 52
"""The top of an empty pile."""
FACES: Final = 256
SPACE_CLASS: Final = 26
"""An empty column."""
CLOSED_CLASS: Final = 27
"""A column that takes nothing: its top is unseen."""
NOWHERE: Final = 28
"""What a king, an unseen or a missing card lies on: no column."""
CLASS_COUNT: Final = 29


def _class_of(top: int) -> int:
    if top == EMPTY:
        return SPACE_CLASS
    if top > EMPTY:
        return CLOSED_CLASS
    return (top // 13 & 1) * 13 + top % 13


def _lies_on(face: int) -> int:
    if face >= EMPTY or face % 13 == 12:
        return NOWHERE
    return (1 - (face // 13 & 1)) * 13 + face % 13 + 1


def _neighbours(top: int) -> int:
    if top >= EMPTY:
        return 0
    rank = top % 13
    below = 1 << (top - 1) if rank > 0 else 0
    above = 1 << (top + 1) if rank < 12 else 0
    return below | above


CLASS: Final = bytes(_class_of(top) for top in range(FACES))
"""The class a column with this top has."""
LIES_ON: Final = bytes(_lies_on(face) for face in range(FACES))
"""The class of columns this card may be built on."""
BIT: Final = tuple(1 << f if f < EMPTY else 0 for f in range(FACES))
"""The card as one bit of a mask over the 52 faces."""
NEIGHBOURS: Final = tuple(_neighbours(top) for top in range(FACES))
"""The cards that can be loaded on this top, as a mask."""
WANTED: Final = tuple(
    tuple(1 << (suit * 13 + height) if height < 13 else 0 for height in range(14))
    for suit in range(4)
)
"""By suit and height of a foundation: the card it takes, as a mask."""
FIRST_FOUNDATION: Final = bytes(
    8 + 2 * (f // 13) if f < EMPTY else 0 for f in range(FACES)
)
"""The lower-numbered foundation of the card's suit."""
RANK_INDEX: Final = bytes(f % 13 if f < EMPTY else UNKNOWN for f in range(FACES))
"""The height a foundation has when it takes this card."""

MOVES: Final = tuple(
    tuple(Move(PileId(source), PileId(target)) for target in range(PILE_COUNT))
    for source in range(PILE_COUNT)
)
"""The shared instance of each move, by source and target."""


def can_load(face: int, top: int) -> bool:
    """Whether a card can be loaded on ``top`` (in suit, one rank apart)."""
    return bool(NEIGHBOURS[top] & BIT[face])


def can_build(face: int, top: int) -> bool:
    """Whether a card can be built on a column's ``top`` (no space)."""
    return LIES_ON[face] == CLASS[top]


def foundation_for(piles: tuple[bytes, ...], face: int) -> int | None:
    """The lower-numbered foundation that takes ``face``, or None."""
    height = RANK_INDEX[face]
    first = FIRST_FOUNDATION[face]
    if first:
        if len(piles[first]) == height:
            return first
        if len(piles[first + 1]) == height:
            return first + 1
    return None
