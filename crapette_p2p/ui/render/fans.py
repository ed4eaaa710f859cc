"""A column as a fan: one row of cards, the playable one outermost.

Fans on the left grow to the left, fans on the right to the right, away from the
foundations. A fan that does not fit loses its brackets first, then its middle.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from crapette_p2p.ui.faces import Theme, card_style

Piece = tuple[str, str]
"""Text and style."""
MARKS: Final = {
    "": ("[", "]"),
    "picked": (">", "<"),
    "moved": ("{", "}"),
    "target": ("*", "*"),
}
"""What stands on both sides of a playable card, by what there is to say of it."""
_MARK_STYLES: Final = {
    "": "bracket",
    "picked": "picked",
    "moved": "moved",
    "target": "target",
}
_CELL: Final = 3
_BOX: Final = 4
_BRACKETS: Final = 2


@dataclass(frozen=True, slots=True)
class Fan:
    """One column and what there is to say of it."""

    faces: Sequence[int]
    """The cards, playable one last."""
    mark: str = ""
    """A key of MARKS."""
    at_cursor: bool = False
    """Whether the cursor stands on it."""
    found: int | None = None
    """A face to light up."""
    leftwards: bool = False
    """Whether it grows to the left."""


def card_piece(face: int, theme: Theme, *, extra: str = "") -> Piece:
    """A card of three cells in its suit's style."""
    return theme.cell(face), f"{card_style(face)} {extra}".rstrip()


def extra_style(fan: Fan, face: int, *, top: bool) -> str:
    """Styles over the suit's own."""
    styles = []
    if face == fan.found:
        styles.append("found")
    if top and fan.mark:
        styles.append(_MARK_STYLES[fan.mark])
    if top and fan.at_cursor:
        styles.append("cursor")
    return " ".join(styles)


def fan_pieces(fan: Fan, width: int, theme: Theme) -> list[Piece]:
    """The fan in one row of at most ``width`` cells, left to right."""
    if not fan.faces:
        pieces = _bracketed(fan, [("   ", "space")])
    else:
        pieces = _row(fan, width, theme)
    return pieces[::-1] if fan.leftwards else pieces


def _row(fan: Fan, width: int, theme: Theme) -> list[Piece]:
    """Base card first."""
    count = len(fan.faces)
    cards = [_card(fan, index, theme) for index in range(count)]
    if count * _CELL + _BRACKETS <= width:
        return cards[:-1] + _bracketed(fan, cards[-1:])
    if count * _CELL <= width and not (fan.mark or fan.at_cursor):
        return cards
    return _elided(fan, cards, width)


def _card(fan: Fan, index: int, theme: Theme) -> Piece:
    face = fan.faces[index]
    top = index == len(fan.faces) - 1
    return card_piece(face, theme, extra=extra_style(fan, face, top=top))


def _elided(fan: Fan, cards: list[Piece], width: int) -> list[Piece]:
    """Base card, how many are left out, as many of the outer ones as fit."""
    count = len(cards)
    for shown in range(count - 2, 0, -1):
        gap = f"‥{count - 1 - shown}‥"
        if _CELL + len(gap) + shown * _CELL + _BRACKETS <= width:
            outer = cards[count - shown : -1] + _bracketed(fan, cards[-1:])
            return [cards[0], (gap, "elided"), *outer]
    return _bracketed(fan, cards[-1:])


def _bracketed(fan: Fan, inner: list[Piece]) -> list[Piece]:
    left, right = MARKS[fan.mark]
    style = _MARK_STYLES[fan.mark] + (" cursor" if fan.at_cursor else "")
    if fan.leftwards:  # the row is turned round as a whole later
        left, right = right, left
    return [(left, style), *inner, (right, style)]


def pieces_width(pieces: Sequence[Piece]) -> int:
    """Cells of a row of pieces (every one of them is one cell a character)."""
    return sum(len(text) for text, _ in pieces)


def boxed_fan(fan: Fan, width: int, theme: Theme) -> list[list[Piece]] | None:
    """The fan as three rows of boxes, or None if it is too long for that."""
    if not fan.faces:
        return _empty_box(fan)
    count = len(fan.faces)
    brackets = count * _BOX + 1 + _BRACKETS <= width
    if not brackets and (count * _BOX + 1 > width or fan.mark or fan.at_cursor):
        return None
    cards = [[_card(fan, index, theme)] for index in range(count)]
    if brackets:
        cards[-1] = _bracketed(fan, cards[-1])
    middle: list[Piece] = [("│", "edge")]
    for card in cards:
        middle += [*card, ("│", "edge")]
    widths = [_CELL] * (count - 1) + [_CELL + (_BRACKETS if brackets else 0)]
    if fan.leftwards:
        middle.reverse()
        widths.reverse()
    return [_edge(widths, "╭┬╮"), middle, _edge(widths, "╰┴╯")]


def _edge(widths: Sequence[int], corners: str) -> list[Piece]:
    first, between, last = tuple(corners)
    return [(first + between.join("─" * w for w in widths) + last, "edge")]


def _empty_box(fan: Fan) -> list[list[Piece]]:
    left, right = MARKS[fan.mark] if fan.mark else ("╎", "╎")
    style = _MARK_STYLES[fan.mark] if fan.mark else "space"
    if fan.at_cursor:
        style += " cursor"
    return [
        [("┌╌╌╌┐", "space")],
        [(left, style), ("   ", style), (right, style)],
        [("└╌╌╌┘", "space")],
    ]
