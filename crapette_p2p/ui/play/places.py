"""Where things are, in words: piles by name, and where a card lies."""

from __future__ import annotations

from crapette_p2p.cards import UNKNOWN, card
from crapette_p2p.engine import Position
from crapette_p2p.engine.layout import (
    DRAWN,
    PILE_COUNT,
    RESERVE,
    STOCK,
    WASTE,
    foundation_suit,
    is_column,
    is_foundation,
)
from crapette_p2p.ui.faces import card_name
from crapette_p2p.ui.language import Words
from crapette_p2p.ui.render.piles import FOUNDATION_ROWS
from crapette_p2p.ui.view import Text


def pile_name(pile: int, seat: int, words: Words) -> str:
    """A pile as ``seat`` calls it."""
    if is_column(pile):
        return words("fan {n}", n=pile + 1)
    if is_foundation(pile):
        return words("a foundation")
    own = pile & 1 == seat
    names = {
        RESERVE: ("your reserve", "the opponent's reserve"),
        STOCK: ("your stock", "the opponent's stock"),
        DRAWN: ("your drawn card", "the opponent's drawn card"),
        WASTE: ("your waste", "the opponent's waste"),
    }
    return words(names[pile & ~1][0 if own else 1])


def lies_face_up(position: Position, pile: int, index: int) -> bool:
    """Whether a card of a pile is in sight: a column's cards, else the top."""
    if pile & ~1 == STOCK and pile >= RESERVE:
        return False
    return is_column(pile) or index == len(position.piles[pile]) - 1


def places_of(position: Position, face: int) -> list[int]:
    """The piles where a face is in sight."""
    return [
        pile
        for pile in range(PILE_COUNT)
        for index, slot in enumerate(position.piles[pile])
        if position.faces[slot] == face and lies_face_up(position, pile, index)
    ]


def look_lines(
    board: Position, pile: int, words: Words, hidden: bytes | None = None
) -> tuple[Text, ...]:
    """The cards of a pile, the playable one first, as cards and in words.

    ``hidden``: the faces of all slots, where a replay shows them.
    """
    if is_foundation(pile):
        return tuple(_foundation_line(board, row, words) for row in FOUNDATION_ROWS)
    faces = [board.faces[slot] for slot in board.piles[pile]]
    if not faces:
        return ((words("There is no card."),),)
    shown = visible_faces(faces, pile)
    if hidden is not None:
        shown = [hidden[slot] for slot in board.piles[pile]]
    count = words.count("{n} card", "{n} cards", len(faces))
    cards: Text = (f"{count}:",)
    for face in shown[::-1]:
        cards = (*cards, " ", face)
    names = ", ".join(card_name(face, words) for face in shown[::-1])
    unseen = len(faces) - len(shown)
    if unseen:
        rest = words.count("{n} face down", "{n} face down", unseen)
        cards = (*cards, " · ", rest)
    return (cards, (names,)) if shown else ((f"{count}, {words('face down')}",),)


def _foundation_line(board: Position, row: tuple[int, ...], words: Words) -> Text:
    """Both foundations of a suit: their tops, or that they are empty."""
    suit = card(1, foundation_suit(row[0]))
    line: Text = (suit, ":")
    for pile in row:
        top = board.top(pile)
        line = (*line, "  ", top if top >= 0 else words("empty"))
    return line


def visible_faces(faces: list[int], pile: int) -> list[int]:
    """The cards of a pile that lie face up, bottom first."""
    if pile & ~1 == STOCK and pile >= RESERVE:
        return []
    seen = len(faces)
    if pile & ~1 == RESERVE:
        seen = next(
            (n for n, face in enumerate(faces[::-1]) if face == UNKNOWN), len(faces)
        )
    return faces[len(faces) - seen :]
