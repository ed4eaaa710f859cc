"""The whole table at any size."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from crapette_p2p.engine.layout import DRAWN, RESERVE
from crapette_p2p.ui.faces import Theme
from crapette_p2p.ui.render.bars import (
    draw_bar,
    draw_keys,
    draw_message,
    draw_prompt,
    draw_scrubber,
    message_lines,
    plain_text,
)
from crapette_p2p.ui.render.canvas import Canvas, PileHit
from crapette_p2p.ui.render.cells import wrap
from crapette_p2p.ui.render.dialogs import draw_dialog
from crapette_p2p.ui.render.fans import (
    Fan,
    Piece,
    boxed_fan,
    fan_pieces,
    pieces_width,
)
from crapette_p2p.ui.render.flight import draw_flight
from crapette_p2p.ui.render.geometry import (
    MIN_COLS,
    MIN_ROWS,
    Area,
    Geometry,
    geometry,
    is_too_small,
)
from crapette_p2p.ui.render.journal import draw_log
from crapette_p2p.ui.render.piles import draw_foundations, draw_personal, mark_of
from crapette_p2p.ui.table_view import TableView

_LEFT_COLUMNS: Final = 4


def draw_table(canvas: Canvas, view: TableView, theme: Theme) -> None:
    """Bar, piles, log, message and keys; words alone where that does not fit."""
    if is_too_small(canvas.cols, canvas.rows):
        _draw_words(canvas, view, theme)
    else:
        at = geometry(canvas.cols, canvas.rows)
        draw_bar(canvas, view.bar)
        draw_personal(canvas, view, theme, at)
        draw_foundations(canvas, view, theme, at)
        for column in range(8):
            _draw_fan(canvas, view, theme, at, column)
        if view.flight is not None:
            draw_flight(canvas, view, theme, at, view.flight)
        if at.panel_edge is not None:
            for row in range(1, canvas.rows - 2):
                canvas.put(at.panel_edge, row, "│", "edge")
        area, whole = _log_area(view, at, theme), "" if view.scrubber else "l"
        draw_log(canvas, view.log, view.log_scroll, area, theme, whole=whole)
        draw_foot(canvas, view, theme)
    if view.dialog is not None:
        canvas.cursor = None
        draw_dialog(canvas, view.dialog, theme)


def _log_area(view: TableView, at: Geometry, theme: Theme) -> Area:
    """Where the log stands: above a message that takes several rows."""
    if view.prompt is not None or at.panel_edge is not None:
        return at.log
    further = len(message_lines(view.message, at.log.width, theme)) - 1
    return replace(at.log, height=max(at.log.height - further, 0))


def draw_foot(canvas: Canvas, view: TableView, theme: Theme) -> None:
    """The last two rows: message, prompt or scrubber; keys."""
    y = canvas.rows - 2
    if view.prompt is not None:
        draw_prompt(canvas, y, view.prompt)
    elif view.scrubber is not None and not view.message:
        draw_scrubber(canvas, y, view.scrubber)
    else:
        draw_message(canvas, y, view.message, view.message_style, theme)
    draw_keys(canvas, canvas.rows - 1, view.key_lines)


def _draw_fan(
    canvas: Canvas, view: TableView, theme: Theme, at: Geometry, column: int
) -> None:
    leftwards = column < _LEFT_COLUMNS
    faces = view.position.faces
    fan = Fan(
        [faces[slot] for slot in view.position.piles[column]],
        mark=mark_of(view, column),
        at_cursor=view.cursor == column,
        found=view.found,
        leftwards=leftwards,
    )
    boxed = boxed_fan(fan, at.side, theme) if at.tier.boxed_fans else None
    rows = boxed or [fan_pieces(fan, at.side, theme)]
    y = at.fan_row(column % _LEFT_COLUMNS)
    middle = y + (1 if at.tier.boxed_fans else 0)
    x = at.table.x if leftwards else at.right
    height = 3 if at.tier.boxed_fans else 1
    canvas.area(x, y, at.side, height, PileHit(column))
    for index, pieces in enumerate(rows):
        left = at.centre - pieces_width(pieces) if leftwards else at.right
        _put_pieces(canvas, left, (y if boxed else middle) + index, pieces)
    _draw_fan_key(canvas, view, at, column, middle)


def _put_pieces(canvas: Canvas, x: int, y: int, pieces: list[Piece]) -> None:
    for text, style in pieces:
        x = canvas.put(x, y, text, style)


def _draw_fan_key(
    canvas: Canvas, view: TableView, at: Geometry, column: int, y: int
) -> None:
    x = at.centre + 1 if column < _LEFT_COLUMNS else at.right - 4
    style = "target" if column in view.targets else "key"
    canvas.put(x, y, str(column + 1), style, PileHit(column))


def _draw_words(canvas: Canvas, view: TableView, theme: Theme) -> None:
    """What matters, in words, where the table does not fit; the game goes on."""
    words = theme.words
    size = words(
        "crapette needs {cols}×{rows}, this is {width}×{height}",
        cols=MIN_COLS,
        rows=MIN_ROWS,
        width=canvas.cols,
        height=canvas.rows,
    )
    lines = [
        size,
        _own_cards(view, theme),
        " · ".join(piece.text for piece in view.bar if piece.weight >= 8),
        plain_text(view.message, theme),
        words(
            "The game goes on: keys still work – or enlarge, or run crapette --plain"
        ),
    ]
    y = 0
    for line in filter(None, lines):
        for part in wrap(line, max(canvas.cols - 2, 1)):
            canvas.put(1, y, part, "message")
            y += 1
    if view.prompt is not None:
        draw_prompt(canvas, canvas.rows - 1, view.prompt)


def _own_cards(view: TableView, theme: Theme) -> str:
    words = theme.words
    reserve = view.position.piles[RESERVE + view.seat]
    drawn = view.position.top(DRAWN + view.seat)
    parts = []
    if reserve:
        face = theme.card(view.position.top(RESERVE + view.seat))
        parts.append(words("reserve {card} ({n})", card=face, n=len(reserve)))
    if drawn >= 0:
        parts.append(words("in hand {card}", card=theme.card(drawn)))
    return words("You:") + " " + " · ".join(parts) if parts else ""
