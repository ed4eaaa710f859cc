"""Screens of text: a bar, rows, a message, the keys."""

from __future__ import annotations

from typing import Final

from crapette_p2p.ui.faces import Theme
from crapette_p2p.ui.render.bars import (
    draw_bar,
    draw_keys,
    draw_message,
    draw_prompt,
    plain_text,
    put_text,
    text_cells,
)
from crapette_p2p.ui.render.canvas import Canvas, KeyHit
from crapette_p2p.ui.render.cells import clean, text_width, wrap_first
from crapette_p2p.ui.view import BarPiece, PageView, Row

_LEAST_FOR_SIGNS: Final = 5
"""Rows below which bar, message and keys leave no row for them."""


def draw_page(canvas: Canvas, view: PageView, theme: Theme) -> None:
    """One page; rows that do not fit are wrapped, and the rest scrolls."""
    draw_bar(canvas, (BarPiece(view.title, 9),))
    status = clean(view.status)
    x = canvas.cols - text_width(status) - 1
    if status and x > text_width(view.title) + 3:
        canvas.put(x, 0, status, "bar")
    lines = page_lines(view, canvas.cols, theme)
    room = body_rows(canvas.rows)
    for index, row in enumerate(lines[view.scroll : view.scroll + room]):
        _draw_row(canvas, 2 + index, row, theme)
    _draw_further(canvas, 1, "↑", lines[: view.scroll])
    _draw_further(canvas, canvas.rows - 3, "↓", lines[view.scroll + room :])
    _draw_foot(canvas, view, theme)
    if view.dialog is not None:
        from crapette_p2p.ui.render.dialogs import draw_dialog  # few pages have one

        canvas.cursor = None
        draw_dialog(canvas, view.dialog, theme)


def body_rows(rows: int) -> int:
    """Rows of the body on a screen of ``rows`` rows."""
    return max(rows - 5, 0)


def page_lines(view: PageView, cols: int, theme: Theme) -> list[Row]:
    """The rows, wrapped to the screen."""
    lines: list[Row] = []
    for row in view.rows:
        indent = min(row.indent, cols // 4)
        room = max(cols - indent - 1, 1)
        if text_cells(row.text, theme) <= room:
            lines.append(Row(row.text, row.style, row.key, indent))
            continue
        lines += _wrapped(row, indent, room, theme)
    return lines


def _wrapped(row: Row, indent: int, room: int, theme: Theme) -> list[Row]:
    """A row that is too long, its further lines hanging where it says."""
    plain = plain_text(row.text, theme)
    hang = min(row.hang, room // 2)
    first, rest = wrap_first(plain, room, max(room - hang, 1))
    lines = [first, *(" " * hang + line for line in rest)]
    return [Row((line,), row.style, row.key, indent) for line in lines]


def _draw_row(canvas: Canvas, y: int, row: Row, theme: Theme) -> None:
    if row.style == "chosen":
        canvas.put(
            row.indent - 1, y, " " * (canvas.cols - 2 * row.indent + 2), row.style
        )
    put_text(canvas, (row.indent, y), row.text, row.style, theme)
    if row.key:
        canvas.area(0, y, canvas.cols, 1, KeyHit(row.key))


def _draw_further(canvas: Canvas, y: int, arrow: str, lines: list[Row]) -> None:
    """How many choices are out of sight there: nothing else would tell of them."""
    count = len({line.key for line in lines if line.key})
    if count and canvas.rows > _LEAST_FOR_SIGNS:
        sign = f"{arrow} {count}"
        canvas.put(canvas.cols - text_width(sign) - 1, y, sign, "key")


def _draw_foot(canvas: Canvas, view: PageView, theme: Theme) -> None:
    y = canvas.rows - 2
    if view.prompt is not None:
        draw_prompt(canvas, y, view.prompt)
    else:
        draw_message(canvas, y, view.message, view.message_style, theme)
    draw_keys(canvas, canvas.rows - 1, view.key_lines)
