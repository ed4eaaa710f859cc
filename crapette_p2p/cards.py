"""Cards as ints: suit, rank, colour and the two-character notation.

A ``Card`` is ``suit * 13 + rank - 1`` with suits clubs 0, diamonds 1, spades 2,
hearts 3, so that the lowest bit of the suit is the colour (1 = red)
(10-cards-and-notation.md 1). A ``Slot`` is one physical card of the table:
``52 * deck + deal position``; slots keep their identity while faces are learnt.
"""

from __future__ import annotations

from typing import Final, NewType

from crapette_p2p.errors import NotationError

Card = NewType("Card", int)
"""A face, 0..51."""
Slot = NewType("Slot", int)
"""A physical card, 0..103: 52 * deck + position in the deal."""
Suit = NewType("Suit", int)
"""0 clubs, 1 diamonds, 2 spades, 3 hearts."""

UNKNOWN: Final = 255
"""What a slot shows while nobody has seen its face."""
UNKNOWN_TEXT: Final = "??"
RANKS: Final = "A23456789TJQK"
SUITS: Final = "CDSH"
SUIT_ORDER_TEXT: Final = "SHDC"
"""The order in which files and screens list suits."""
ACE: Final = 1
KING: Final = 13

CARD_NAMES: Final[tuple[str, ...]] = tuple(r + s for s in SUITS for r in RANKS)
_BY_NAME: Final = {name: Card(code) for code, name in enumerate(CARD_NAMES)}
_GLYPHS: Final = {"♣": "C", "♦": "D", "♠": "S", "♥": "H"}


def card(rank: int, suit: int) -> Card:
    """The card of ``rank`` (1..13) and ``suit`` (0..3)."""
    return Card(suit * 13 + rank - 1)


def rank_of(face: int) -> int:
    """Rank 1 (ace) .. 13 (king)."""
    return face % 13 + 1


def suit_of(face: int) -> Suit:
    """Suit 0..3."""
    return Suit(face // 13)


def is_red(face: int) -> bool:
    """Whether the card is a diamond or a heart."""
    return bool(face // 13 & 1)


def format_card(face: int) -> str:
    """Two characters, ``??`` for a face nobody has seen."""
    return UNKNOWN_TEXT if face == UNKNOWN else CARD_NAMES[face]


def parse_card(text: str, *, field: str = "card") -> Card:
    """Read ``7H``, ``th``, ``10H`` or ``10♥``; raise NotationError otherwise."""
    plain = text.strip() if len(text) <= 8 else ""
    if plain.startswith("10"):
        plain = "T" + plain[2:]
    if len(plain) == 2:
        suit = _GLYPHS.get(plain[1], plain[1])
        if plain[0].isascii() and suit.isascii():
            found = _BY_NAME.get((plain[0] + suit).upper())
            if found is not None:
                return found
    token = shown(text)
    raise NotationError("{field}: no card {token}", field=field, token=token)


def shown(value: object, longest: int = 40) -> str:
    """A foreign value as a short printable text, for the messages of refusals."""
    if isinstance(value, str):
        text = value[:longest]
        return text if text.isprintable() else repr(text)[1:-1]
    if value is None or isinstance(value, (bool, float)):
        return repr(value)
    if isinstance(value, int) and abs(value) < 10**longest:
        return str(value)
    return f"({type(value).__name__})"
