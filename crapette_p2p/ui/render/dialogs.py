"""A box over everything: a question, an announcement, a pile looked at."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from crapette_p2p.ui.faces import Theme
from crapette_p2p.ui.render.bars import cap_of, plain_text, put_text, text_cells
from crapette_p2p.ui.render.canvas import Canvas, KeyHit
from crapette_p2p.ui.render.cells import cut, pad, text_width, wrap
from crapette_p2p.ui.view import Choice, Dialog, Text

_WIDEST: Final = 70
_FRAME: Final = 6
"""Cells of both edges with the blanks inside them."""
_SIGN_GAP: Final = 2


def draw_dialog(canvas: Canvas, dialog: Dialog, theme: Theme) -> None:
    """The box above the message line; its choices are buttons."""
    width = _width(canvas, dialog, theme)
    inner = width - _FRAME
    body = _body(dialog, inner, theme)
    title = dialog.title
    if text_width(title) > width - _FRAME:  # it stands in the box, whole
        body, title = [*((line,) for line in wrap(title, inner)), (), *body], ""
    choices = _choice_rows(dialog.choices, inner)
    height = len(body) + len(choices) + 2 + (1 if body and choices else 0)
    if height > canvas.rows:  # the answers matter more than the story
        body = body[: max(canvas.rows - len(choices) - 3, 0)]
        height = min(len(body) + len(choices) + 3, canvas.rows)
    x = max((canvas.cols - width) // 2, 0)
    # As low as it goes: what has to be judged is the table above it.
    y = max(canvas.rows - height - 2, 0)
    _draw_frame(canvas, (x, y, width, height), title)
    row = y + 1
    for text in body:
        put_text(canvas, (x + 3, row), text, "dialog", theme)
        row += 1
    row += 1 if body and choices else 0
    for key, cap, label in choices:
        canvas.put(x + 3, row, cap, "dialog key", KeyHit(key))
        canvas.put(x + 3 + text_width(cap), row, label, "dialog", KeyHit(key))
        row += 1


def _width(canvas: Canvas, dialog: Dialog, theme: Theme) -> int:
    widest = max(
        [text_width(dialog.title) + 4]
        + [text_cells(line, theme) for line in dialog.lines]
        + [_choice_width(dialog) + text_width(c.label) for c in dialog.choices]
    )
    return max(min(widest + _FRAME, _WIDEST, canvas.cols), min(canvas.cols, 40))


def _choice_width(dialog: Dialog) -> int:
    caps = [text_width(cap_of(choice)) for choice in dialog.choices]
    return max(caps, default=0) + _SIGN_GAP


def _body(dialog: Dialog, width: int, theme: Theme) -> list[Text]:
    lines: list[Text] = []
    for text in dialog.lines:
        if text_cells(text, theme) <= width:
            lines.append(text)
        else:
            lines += [(line,) for line in wrap(plain_text(text, theme), width)]
    return lines


def _draw_frame(canvas: Canvas, box: tuple[int, int, int, int], title: str) -> None:
    x, y, width, height = box
    canvas.blank(0, y, canvas.cols, height)
    canvas.blank(x, y, width, height, "dialog")
    name = f" {cut(title, max(width - 6, 0))} " if title else ""
    side = max(width - 2 - text_width(name), 0)
    canvas.put(x, y, "╭" + "─" * (side // 2), "dialog-edge")
    canvas.put(x + 1 + side // 2, y, name, "dialog-title")
    canvas.put(
        x + 1 + side // 2 + text_width(name),
        y,
        "─" * (side - side // 2) + "╮",
        "dialog-edge",
    )
    for row in range(y + 1, y + height - 1):
        canvas.put(x, row, "│", "dialog-edge")
        canvas.put(x + width - 1, row, "│", "dialog-edge")
    canvas.put(x, y + height - 1, "╰" + "─" * (width - 2) + "╯", "dialog-edge")


def _choice_rows(choices: Sequence[Choice], width: int) -> list[tuple[str, str, str]]:
    """Key, cap and label of every row; a long label goes on below itself."""
    caps = max([text_width(cap_of(choice)) for choice in choices], default=0)
    rows = []
    for choice in choices:
        cap = pad(cap_of(choice), caps + _SIGN_GAP)
        room = max(width - caps - _SIGN_GAP, 1)
        for line in wrap(choice.label, room):
            rows.append((choice.key, cap, line))
            cap = " " * (caps + _SIGN_GAP)
    return rows
