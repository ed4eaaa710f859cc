"""**Pure**: a position → a picture in SVG.

The geometry is that of the screen: own side at the bottom, the opponent's mirrored
at the top, foundations in the middle, fans growing outwards. Cards are drawn once
and used where they lie, so that a page with hundreds of pictures stays small.
"""

from __future__ import annotations

import html
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from crapette_p2p.cards import UNKNOWN, is_red, rank_of, suit_of
from crapette_p2p.engine.layout import (
    DRAWN,
    FOUNDATIONS,
    RESERVE,
    STOCK,
    WASTE,
    Seat,
    foundation_suit,
    other,
)
from crapette_p2p.engine.position import Position
from crapette_p2p.ui.faces import SYMBOLS, rank_letters
from crapette_p2p.ui.language import ENGLISH, Words

WIDTH: Final = 1000
HEIGHT: Final = 590
ALL_FACES: Final = range(52)
_CARD: Final = (50, 70)
_STEP: Final = 26
"""How far the cards of a fan lie apart."""
_ROW: Final = 82
_TOP: Final = 14
_FIRST_ROW: Final = 122
_LAST_ROW: Final = _FIRST_ROW + 4 * _ROW + 8
_CENTRE: Final = WIDTH // 2
_FOUNDATION_ROWS: Final = ((12, 13), (14, 15), (10, 11), (8, 9))
"""Spades, hearts, diamonds, clubs, as on the screen."""
_SIDE: Final = ((STOCK, "stock"), (DRAWN, "drawn"), (WASTE, "waste"))
STYLE: Final = (
    "text{font:bold 22px sans-serif;text-anchor:middle}.s{font-size:14px}"
    ".b{fill:#111}.r{fill:#c00}.l{font-size:12px;font-weight:normal;fill:#777}"
    ".n{font-size:15px;fill:#777;text-anchor:start}.on{font-size:18px}"
    ".c{fill:#fff;stroke:#555}.e{fill:none;stroke:#999;stroke-dasharray:4}"
    ".k{fill:#37699c;stroke:#555}.i{fill:none;stroke:#9cf}"
    ".g{fill:#999;opacity:.6}.m{fill:none;stroke:#e90;stroke-width:3}"
)
"""Plain class names only: what is used elsewhere has no ancestors there."""


@dataclass(frozen=True, slots=True)
class Shot:
    """One moment of a game."""

    caption: str
    """What led to it."""
    position: Position
    """The table."""
    turn: int = 1
    """Which turn that belongs to."""
    is_call: bool = False
    """Whether it was a Stop! call."""
    marks: frozenset[int] = frozenset()
    """Piles whose top card has just been moved."""
    is_up: bool = False
    """Whether a card went to a foundation."""
    ms: int | None = None
    """When it happened, if that is known."""


def pile_labels(words: Words) -> dict[str, str]:
    """What the personal piles are called, in a language."""
    return {
        "stock": words("stock"),
        "drawn": words("drawn"),
        "waste": words("waste"),
        "reserve": words("reserve"),
    }


def svg(
    shot: Shot, names: Sequence[str], *, bottom: int = 0, words: Words = ENGLISH
) -> str:
    """One picture as a file of its own."""
    position = shot.position
    faces = {position.faces[slot] for pile in position.piles for slot in pile}
    piles = sides(shot, names, Seat(bottom), labels=pile_labels(words))
    body = "".join((*table(shot), *piles))
    caption = _text(12, HEIGHT - 10, shot.caption, "n")
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}">'
        f"<style>{STYLE}</style>{cards(faces - {UNKNOWN})}{body}{caption}</svg>\n"
    )


def cards(faces: Iterable[int]) -> str:
    """The cards, to be used by name: ``c0`` to ``c51``, and a back, ``k``."""
    wide, high = _CARD
    inner = f'<rect x="5" y="5" width="{wide - 10}" height="{high - 10}" rx="3"'
    back = f'<g id="k">{_rect(0, 0, "k")}{inner} class="i"/></g>'
    return f"<defs>{back}{''.join(map(_face, sorted(faces)))}</defs>"


def table(shot: Shot) -> Iterator[str]:
    """Foundations and fans, which lie where they lie from both sides."""
    for row, pair in enumerate(_FOUNDATION_ROWS):
        y = _FIRST_ROW + row * _ROW
        yield _pile(shot, pair[0], _CENTRE - 56, y)
        yield _pile(shot, pair[1], _CENTRE + 6, y)
        yield from _fan(shot, row, y, towards=-1)
        yield from _fan(shot, row + 4, y, towards=1)


def sides(
    shot: Shot,
    names: Sequence[str],
    bottom: Seat,
    *,
    hidden: bytes | None = None,
    labels: Mapping[str, str] | None = None,
) -> Iterator[str]:
    """Both players' piles, ``bottom`` at the bottom, mirrored like the screen's.

    With ``hidden``, the faces of all slots, what lies face down is drawn twice: as
    a back and, over it, as the card it is, class ``up``. ``labels`` are the
    piles' names.
    """
    labels = labels or {}
    yield from _side(shot, other(bottom), _TOP, names, 1, hidden, labels)
    yield from _side(shot, bottom, _LAST_ROW, names, -1, hidden, labels)


def _side(
    shot: Shot,
    seat: Seat,
    y: int,
    names: Sequence[str],
    direction: int,
    hidden: bytes | None,
    labels: Mapping[str, str],
) -> Iterator[str]:
    position = shot.position
    turn = position.active == seat and position.end is None
    name = f"► {names[seat]}" if turn else names[seat]
    yield _text(12, y + 40, name, "n on" if turn else "n")
    for place, (kind, label) in enumerate((*_SIDE, (RESERVE, "reserve"))):
        x = _CENTRE - 25 + direction * (35 + 70 * (place - 2))
        slots = position.piles[kind + seat]
        yield _pile(shot, kind + seat, x, y, face_down=kind == STOCK)
        if kind == STOCK and hidden is not None and slots:
            yield f'<g class="up">{_use(hidden[slots[-1]], x, y)}</g>'
        count, label = len(slots), labels.get(label, label)
        yield _text(x + 25, y + 85, f"{label} {count}" if count else label, "l")


def _fan(shot: Shot, column: int, y: int, *, towards: int) -> Iterator[str]:
    position = shot.position
    base = _CENTRE - 138 if towards < 0 else _CENTRE + 88
    slots = position.piles[column]
    yield _text(base + (66 if towards < 0 else -16), y + 40, str(column + 1), "l")
    if not slots:
        yield _rect(base, y, "e")
    for place, slot in enumerate(slots):
        yield _use(position.faces[slot], base + towards * _STEP * place, y)
    if column in shot.marks and slots:
        yield _rect(base + towards * _STEP * (len(slots) - 1), y, "m")


def _pile(shot: Shot, pile: int, x: int, y: int, *, face_down: bool = False) -> str:
    position = shot.position
    if not position.piles[pile]:
        sign = ""
        if pile in FOUNDATIONS:
            sign = _text(x + 25, y + 43, SYMBOLS[foundation_suit(pile)], "g")
        return _rect(x, y, "e") + sign
    mark = _rect(x, y, "m") if pile in shot.marks else ""
    return _use(UNKNOWN if face_down else position.top(pile), x, y) + mark


def _use(face: int, x: int, y: int) -> str:
    name = "k" if face == UNKNOWN else f"c{face}"
    return f'<use href="#{name}" x="{x}" y="{y}"/>'


def _face(face: int) -> str:
    colour = "r" if is_red(face) else "b"
    text = rank_letters("en")[rank_of(face) - 1] + SYMBOLS[suit_of(face)]
    # A fan shows a strip of each card at its left or at its right edge.
    corners = _text(17, 18, text, f"{colour} s") + _text(33, 64, text, f"{colour} s")
    middle = _text(25, 43, text, colour)
    return f'<g id="c{face}">{_rect(0, 0, "c")}{corners}{middle}</g>'


def _rect(x: int, y: int, style: str) -> str:
    wide, high = _CARD
    size = f'width="{wide}" height="{high}" rx="5"'
    return f'<rect x="{x}" y="{y}" {size} class="{style}"/>'


def _text(x: int, y: int, text: str, style: str) -> str:
    return f'<text x="{x}" y="{y}" class="{style}">{html.escape(text)}</text>'
