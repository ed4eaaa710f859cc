"""The log on the screen: turns as lines, wrapped at the border of an action."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from crapette_p2p.ui.faces import Theme
from crapette_p2p.ui.render.bars import plain_text, put_text, text_cells
from crapette_p2p.ui.render.canvas import Canvas, KeyHit
from crapette_p2p.ui.render.cells import text_width, wrap
from crapette_p2p.ui.render.geometry import Area
from crapette_p2p.ui.table_view import LogEntry, LogItem
from crapette_p2p.ui.view import Text

_BETWEEN: Final = " · "
_Line = tuple[str, list[LogItem]]
"""Head (or blanks) and what stands after it."""


def draw_log(
    canvas: Canvas,
    entries: Sequence[LogEntry],
    scroll: int,
    area: Area,
    theme: Theme,
    *,
    whole: str = "",
) -> None:
    """The newest rows, or those ``scroll`` rows before them.

    Where older ones are out of sight a sign names the key that shows the *whole* log.
    """
    if area.height <= 0:
        return
    lines = _last_lines(entries, area.height + scroll + 1, area.width - 2, theme)
    end = max(len(lines) - scroll, min(len(lines), area.height))
    begin = max(end - area.height, 0)
    for index, line in enumerate(lines[begin:end]):
        _draw_line(canvas, (area.x + 1, area.y + index), line, theme)
    if whole and begin and not scroll:
        _draw_older(canvas, lines[begin:end], area, theme, whole)
    if scroll:
        sign = f"↓ {min(scroll, len(lines))}"
        x = area.x + area.width - text_width(sign) - 1
        canvas.put(x, area.y + area.height - 1, sign, "key")


def _draw_older(
    canvas: Canvas, lines: Sequence[_Line], area: Area, theme: Theme, key: str
) -> None:
    """The sign, in the first row that leaves room for it."""
    sign = f"↑ {key}"
    x = area.x + area.width - text_width(sign) - 1
    for index, (head, items) in enumerate(lines):
        text = plain_text(text_of(items), theme)
        if area.x + 1 + text_width(head) + text_width(text) < x:
            canvas.put(x, area.y + index, sign, "key", KeyHit(key))
            return


def count_lines(entries: Sequence[LogEntry], width: int, theme: Theme) -> int:
    """Rows the whole log takes at a width."""
    return sum(len(_wrapped(entry, width, theme)) for entry in entries)


def _last_lines(
    entries: Sequence[LogEntry], wanted: int, width: int, theme: Theme
) -> list[_Line]:
    """At least ``wanted`` lines from the end of the log, if it has them."""
    lines: list[_Line] = []
    for entry in reversed(entries):
        lines = [*_wrapped(entry, width, theme), *lines]
        if len(lines) >= wanted:
            break
    return lines


@lru_cache(maxsize=1024)
def _wrapped(entry: LogEntry, width: int, theme: Theme) -> tuple[_Line, ...]:
    """The lines of an entry; the same few are drawn again with every key."""
    head = text_width(entry.head)
    room = max(width - head, 8)
    lines: list[_Line] = [(entry.head, [])]
    used = 0
    for item in entry.items:
        for piece in _pieces(item, room, theme):
            cells = text_cells(piece.text, theme)
            wanted = cells + (len(_BETWEEN) if used else 0)
            if used and used + wanted > room:
                lines.append((" " * head, []))
                used, wanted = 0, cells
            lines[-1][1].append(piece)
            used += wanted
    return tuple(lines)


def _pieces(item: LogItem, room: int, theme: Theme) -> list[LogItem]:
    """The item, in several lines where it alone is longer than one."""
    if text_cells(item.text, theme) <= room:
        return [item]
    texts = wrap(plain_text(item.text, theme), room)
    return [LogItem((text,), item.kind, item.fresh) for text in texts]


def _draw_line(canvas: Canvas, at: tuple[int, int], line: _Line, theme: Theme) -> None:
    x, y = at
    head, items = line
    x = canvas.put(x, y, head, "log-head")
    for index, item in enumerate(items):
        if index:
            x = canvas.put(x, y, _BETWEEN, "log-edge")
        x = put_text(canvas, (x, y), item.text, _style(item), theme)


def _style(item: LogItem) -> str:
    return f"log-{item.kind}" + (" log-fresh" if item.fresh else "")


def text_of(items: Sequence[LogItem]) -> Text:
    """The items as one text."""
    text: Text = ()
    for index, item in enumerate(items):
        text += ((_BETWEEN,) if index else ()) + item.text
    return text
