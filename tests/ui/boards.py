"""Positions written down card by card, for pictures: no rule is asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from crapette_p2p.cards import SUITS, UNKNOWN, card, parse_card
from crapette_p2p.engine.layout import (
    DRAWN,
    FOUNDATIONS,
    PILE_COUNT,
    RESERVE,
    STOCK,
    WASTE,
    Seat,
    foundation_suit,
)
from crapette_p2p.engine.position import Position
from crapette_p2p.engine.ruleset import PRESETS


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """One player's piles: counts of unseen cards, then what is seen."""

    reserve: tuple[int, str] = (12, "7H")
    stock: int = 30
    drawn: str = ""
    waste: str = ""


def faces_of(text: str) -> list[int]:
    """``"7H ?? TS"`` as faces, bottom first."""
    return [UNKNOWN if name == "??" else parse_card(name) for name in text.split()]


def board(
    *,
    columns: Sequence[str] = ("",) * 8,
    foundations: Mapping[str, tuple[int, int]] | None = None,
    a: Side = Side(),
    b: Side = Side(),
    active: int = 0,
    acts: int = 1,
    preset: str = "crapette",
) -> Position:
    """The position; slots are dealt out as they come."""
    piles: list[list[int]] = [faces_of(text) for text in columns]
    piles += [[] for _ in range(PILE_COUNT - len(piles))]
    for pile in FOUNDATIONS:
        suit = foundation_suit(pile)
        heights = (foundations or {}).get(SUITS[suit], (0, 0))
        height = heights[pile & 1]
        piles[pile] = [card(rank, suit) for rank in range(1, height + 1)]
    for seat, side in enumerate((a, b)):
        unseen, top = side.reserve
        piles[RESERVE + seat] = [UNKNOWN] * unseen + faces_of(top)
        piles[STOCK + seat] = [UNKNOWN] * side.stock
        piles[DRAWN + seat] = faces_of(side.drawn)
        piles[WASTE + seat] = faces_of(side.waste)
    return _position(piles, Seat(active), acts, preset)


def _position(piles: list[list[int]], active: Seat, acts: int, preset: str) -> Position:
    faces = bytearray()
    slots = []
    for pile in piles:
        slots.append(bytes(range(len(faces), len(faces) + len(pile))))
        faces += bytes(pile)
    faces += bytes([UNKNOWN] * (104 - len(faces)))
    return Position(PRESETS[preset], tuple(slots), bytes(faces), active, acts=acts)


MIDGAME = board(
    columns=(
        "KH QS JD TC 9H",
        "TS",
        "QH JS TD 9C 8H 7S 6D 5C 4H",
        "5S 4H 3C",
        "9H 8S",
        "KS QH JC TD 9S 8H 7C 6D 5S 4H 3C 2D AS",
        "",
        "7S 6H 5C 4D",
    ),
    foundations={"S": (4, 0), "H": (3, 2), "D": (2, 1), "C": (5, 1)},
    a=Side(reserve=(9, "7H"), stock=12, drawn="6S", waste="QD 3C JD"),
    b=Side(reserve=(8, "QS"), stock=11, waste="2C KD"),
)
"""The position of the drawings in the interface's design, nearly."""
