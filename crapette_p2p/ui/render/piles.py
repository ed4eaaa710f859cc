"""The personal piles and the foundations, as boxes or in one row."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from crapette_p2p.cards import SUIT_ORDER_TEXT, SUITS
from crapette_p2p.engine.layout import (
    DRAWN,
    FOUNDATIONS,
    RESERVE,
    STOCK,
    WASTE,
    PileId,
    foundation_suit,
    other,
)
from crapette_p2p.ui.faces import SUIT_STYLES, Theme, card_style
from crapette_p2p.ui.render.canvas import Canvas, PileHit
from crapette_p2p.ui.render.cells import cut, text_width
from crapette_p2p.ui.render.fans import MARKS
from crapette_p2p.ui.render.geometry import Geometry
from crapette_p2p.ui.table_view import TableView

_BOX_WIDTH: Final = 7
_SLOT: Final = 11
"""From one personal pile to the next."""
_ROW_WIDTH: Final = 4 * _SLOT - 4
FOUNDATION_ROWS: Final = tuple(
    tuple(p for p in FOUNDATIONS if SUITS[foundation_suit(p)] == suit)
    for suit in SUIT_ORDER_TEXT
)
"""The two foundations of each row of fans."""
FACE_DOWN: Final = "░░░"
_NOTHING: Final = " · "


@dataclass(frozen=True, slots=True)
class _Spot:
    """One personal pile on the screen."""

    pile: PileId
    label: str
    key: str
    key_first: bool
    face_up: bool
    playable: bool
    counted: bool


def spots(view: TableView, theme: Theme, *, own: bool) -> tuple[_Spot, ...]:
    """The four piles of one side, left to right; the sides mirror each other."""
    words = theme.words
    seat = view.seat if own else other(view.seat)
    stock_key = theme.words("␣") if own else ""
    reserve = words("reserve")
    if text_width(reserve) > _SLOT - 3:
        reserve = words("res.")
    four = (
        _spot(RESERVE + seat, reserve, "c" if own else "o", own=own),
        _spot(WASTE + seat, words("waste"), "d" if own else "p", own=own),
        _spot(DRAWN + seat, words("drawn"), "", own=own),
        _spot(STOCK + seat, words("stock"), stock_key, own=own),
    )
    return four if own else four[::-1]


def _spot(pile: int, label: str, key: str, *, own: bool) -> _Spot:
    kind = pile & ~1
    return _Spot(
        PileId(pile),
        label,
        key,
        key_first=own,
        face_up=kind != STOCK,
        playable=own and kind in {RESERVE, DRAWN},
        counted=kind != DRAWN,
    )


def mark_of(view: TableView, pile: int) -> str:
    """What there is to say of a pile, a key of MARKS."""
    if pile == view.picked:
        return "picked"
    if pile in view.targets:
        return "target"
    return "moved" if pile in view.marks and view.position.piles[pile] else ""


def _inside(view: TableView, spot: _Spot, theme: Theme) -> tuple[str, str]:
    """Three cells and their style."""
    slots = view.position.piles[spot.pile]
    if not slots:
        return _NOTHING, "space"
    face = view.position.top(spot.pile)
    if not spot.face_up and view.hidden is not None:
        face = view.hidden[slots[-1]]
    elif not spot.face_up:
        return FACE_DOWN, "back"
    lit = " found" if face == view.found else ""
    return theme.cell(face), card_style(face) + lit


def _brackets(view: TableView, spot: _Spot) -> tuple[tuple[str, str], str]:
    """The two cells around the card, and the style of whatever is marked."""
    mark = mark_of(view, spot.pile)
    style = mark or "bracket"
    if spot.pile == view.cursor:
        style += " cursor"
    if mark or (spot.playable and view.position.piles[spot.pile]):
        return MARKS[mark], style
    return (" ", " "), style


def draw_personal(canvas: Canvas, view: TableView, theme: Theme, at: Geometry) -> None:
    """Both players' piles."""
    for own in (False, True):
        y = at.own if own else at.table.y
        left = at.table.x + (at.table.width - _ROW_WIDTH) // 2
        for index, spot in enumerate(spots(view, theme, own=own)):
            x = left + index * _SLOT
            if at.tier.boxed_piles:
                _draw_box(canvas, view, theme, spot, (x, y + (0 if own else 1)))
                _draw_label(canvas, spot, x, y + (3 if own else 0))
            else:
                _draw_compact(canvas, view, theme, spot, (x, y))


def place_of(view: TableView, theme: Theme, at: Geometry, pile: int) -> tuple[int, int]:
    """Where the three cells of a personal pile's or a foundation's card stand."""
    for row, pair in enumerate(FOUNDATION_ROWS):
        if pile in pair:
            step, inner = (7, 2) if at.tier.boxed_fans else (6, 1)
            x = at.centre + 4 + pair.index(pile) * step + inner
            return x, at.fan_row(row) + (1 if at.tier.boxed_fans else 0)
    own = pile & 1 == view.seat
    piles = [spot.pile for spot in spots(view, theme, own=own)]
    x = at.table.x + (at.table.width - _ROW_WIDTH) // 2
    x += piles.index(PileId(pile)) * _SLOT
    y = at.own if own else at.table.y
    if at.tier.boxed_piles:
        return x + 2, y + (1 if own else 2)
    return x + 4, y


def _draw_box(
    canvas: Canvas,
    view: TableView,
    theme: Theme,
    spot: _Spot,
    at: tuple[int, int],
) -> None:
    x, y = at
    hit = PileHit(spot.pile)
    count = len(view.position.piles[spot.pile])
    (left, right), mark_style = _brackets(view, spot)
    text, style = _inside(view, spot, theme)
    emphasis = "" if mark_style == "bracket" else " " + mark_style
    foot = f"{count}".center(2, "─") if spot.counted and count else "──"
    edge = "edge" + (" cursor" if spot.pile == view.cursor else "")
    canvas.put(x, y, "╭─────╮", edge, hit)
    canvas.put(x, y + 1, "│", edge, hit)
    canvas.put(x + 1, y + 1, left, mark_style, hit)
    canvas.put(x + 2, y + 1, text, style + emphasis, hit)
    canvas.put(x + 5, y + 1, right, mark_style, hit)
    canvas.put(x + 6, y + 1, "│", edge, hit)
    canvas.put(x, y + 2, f"╰──{foot}─╯", edge, hit)


def _draw_label(canvas: Canvas, spot: _Spot, x: int, y: int) -> None:
    """The pile's name and key, centred on its box."""
    room = _SLOT - 1 - (len(spot.key) + 1 if spot.key else 0)
    name = cut(spot.label, room)
    width = text_width(name) + (len(spot.key) + 1 if spot.key else 0)
    x += (_BOX_WIDTH - width) // 2
    hit = PileHit(spot.pile)
    pieces = [(name, "label")]
    if spot.key:
        pieces.insert(0 if spot.key_first else 1, (spot.key, "key"))
    for index, (text, style) in enumerate(pieces):
        x = canvas.put(x + (1 if index else 0), y, text, style, hit)


def _draw_compact(
    canvas: Canvas,
    view: TableView,
    theme: Theme,
    spot: _Spot,
    at: tuple[int, int],
) -> None:
    x, y = at
    hit = PileHit(spot.pile)
    count = len(view.position.piles[spot.pile])
    number = f"{count:>2}" if spot.counted else "  "
    x = canvas.put(x, y, spot.key.rjust(1), "key", hit)
    x = canvas.put(x, y, number, "label", hit)
    mark = mark_of(view, spot.pile)
    left, right = MARKS[mark] if mark or spot.playable else ("(", ")")
    style = (mark or "bracket") + (" cursor" if spot.pile == view.cursor else "")
    text, card = _inside(view, spot, theme)
    x = canvas.put(x, y, left, style, hit)
    x = canvas.put(x, y, text, card, hit)
    canvas.put(x, y, right, style, hit)


def draw_foundations(
    canvas: Canvas, view: TableView, theme: Theme, at: Geometry
) -> None:
    """Eight foundations, one suit a row."""
    for row, pair in enumerate(FOUNDATION_ROWS):
        for index, pile in enumerate(pair):
            y = at.fan_row(row)
            if at.tier.boxed_fans:
                _boxed_foundation(
                    canvas, view, theme, pile, (at.centre + 4 + index * 7, y)
                )
            else:
                _foundation(canvas, view, theme, pile, (at.centre + 4 + index * 6, y))


def _foundation_face(view: TableView, theme: Theme, pile: int) -> tuple[str, str]:
    face = view.position.top(pile)
    if face < 0:
        suit = foundation_suit(pile)
        return f" {theme.suits[suit]} ", f"{SUIT_STYLES[suit]} empty"
    lit = " found" if face == view.found else ""
    return theme.cell(face), card_style(face) + lit


def _foundation(
    canvas: Canvas, view: TableView, theme: Theme, pile: int, at: tuple[int, int]
) -> None:
    x, y = at
    mark = mark_of(view, pile)
    left, right = MARKS[mark] if mark else ("(", ")")
    style = (mark or "foundation") + (" cursor" if pile == view.cursor else "")
    text, card = _foundation_face(view, theme, pile)
    hit = PileHit(pile)
    x = canvas.put(x, y, left, style, hit)
    x = canvas.put(x, y, text, f"{card} {mark}".rstrip(), hit)
    canvas.put(x, y, right, style, hit)


def _boxed_foundation(
    canvas: Canvas, view: TableView, theme: Theme, pile: int, at: tuple[int, int]
) -> None:
    x, y = at
    mark = mark_of(view, pile)
    left, right = MARKS[mark] if mark else ("║", "║")
    style = (mark or "foundation") + (" cursor" if pile == view.cursor else "")
    text, card = _foundation_face(view, theme, pile)
    hit = PileHit(pile)
    edge = "foundation" + (" cursor" if pile == view.cursor else "")
    canvas.put(x, y, "╔════╗", edge, hit)
    canvas.put(x, y + 1, left, style, hit)
    # Four cells for three: the suit sign stands still while ranks come and go.
    inside = f"{text} " if view.position.piles[pile] else f" {text}"
    canvas.put(x + 1, y + 1, inside, f"{card} {mark}".rstrip(), hit)
    canvas.put(x + 5, y + 1, right, style, hit)
    canvas.put(x, y + 2, "╚════╝", edge, hit)
