"""A card on its way from one pile to another, drawn over the table."""

from __future__ import annotations

from crapette_p2p.cards import UNKNOWN
from crapette_p2p.engine.layout import is_column
from crapette_p2p.ui.faces import Theme, card_style
from crapette_p2p.ui.render.canvas import Canvas
from crapette_p2p.ui.render.fans import Fan, fan_pieces, pieces_width
from crapette_p2p.ui.render.geometry import Geometry
from crapette_p2p.ui.render.piles import FACE_DOWN, place_of
from crapette_p2p.ui.table_view import Flight, TableView

_CELL = 3
"""Cells of a card."""


def draw_flight(
    canvas: Canvas, view: TableView, theme: Theme, at: Geometry, flight: Flight
) -> None:
    """The card where it is now, between its brackets."""
    x0, y0 = _top_card(view, theme, at, flight.source)
    x1, y1 = _top_card(view, theme, at, flight.target, landing=flight.face)
    x = round(x0 + (x1 - x0) * flight.share)
    y = round(y0 + (y1 - y0) * flight.share)
    text, style = FACE_DOWN, "back"
    if flight.face != UNKNOWN:
        text, style = theme.cell(flight.face), card_style(flight.face)
    x = canvas.put(x - 1, y, "[", "moved")
    x = canvas.put(x, y, text, f"{style} moved")
    canvas.put(x, y, "]", "moved")


def _top_card(
    view: TableView, theme: Theme, at: Geometry, pile: int, *, landing: int = -1
) -> tuple[int, int]:
    """Where the three cells of a pile's uppermost card stand, once ``landing`` is."""
    if not is_column(pile):
        return place_of(view, theme, at, pile)
    leftwards = pile < 4
    faces = [view.position.faces[slot] for slot in view.position.piles[pile]]
    faces += [landing] if landing >= 0 else []
    fan = Fan(faces, mark="", at_cursor=False, found=None, leftwards=leftwards)
    width = pieces_width(fan_pieces(fan, at.side, theme))
    y = at.fan_row(pile % 4) + (1 if at.tier.boxed_fans else 0)
    if leftwards:
        return at.centre - width + 1, y
    return at.right + width - _CELL - 1, y
