"""A list to choose from: by arrows, by letter, by mouse."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from crapette_p2p.ui.desk import Desk
from crapette_p2p.ui.input.aliases import at_table
from crapette_p2p.ui.language import Words
from crapette_p2p.ui.render.cells import cut, pad, text_width
from crapette_p2p.ui.render.pages import body_rows, page_lines
from crapette_p2p.ui.screens.screen import Screen
from crapette_p2p.ui.view import Choice, PageView, Row

BACK: Final = "back"
"""``done`` when nothing is chosen."""
_WIDEST: Final = 43
"""Two names of twenty letters side by side."""
_BETWEEN: Final = " – "
"""Stands between the names of two players, and in no name."""
_LEAST: Final = 23
"""Two names of ten cells side by side."""
_AROUND: Final = 8
"""Cells of a row that are neither label nor detail."""


@dataclass(frozen=True, slots=True)
class Item:
    """One thing that can be chosen."""

    value: str
    """What ``done`` becomes."""
    label: str
    """What it is."""
    detail: str = ""
    """More about it."""
    key: str = ""
    """The letter that chooses it at once."""


class Menu(Screen):
    """The list; what is chosen is ``done``."""

    def __init__(
        self,
        desk: Desk,
        title: str,
        items: Sequence[Item],
        *,
        status: str = "",
        empty: str = "",
        keys: Sequence[Choice] = (),
    ) -> None:
        super().__init__(desk)
        self.title = title
        self.status = status
        self.items = tuple(items)
        self.empty = empty
        self.extra = tuple(keys)
        self.message = ""
        self.message_style = "error"
        self.at = 0

    def view(self, now: float) -> PageView:
        """The list with the marked line in sight."""
        del now
        self.at = min(self.at, max(len(self.items) - 1, 0))
        room = body_rows(self.size[1])
        rows = [Row(()), *(self._row(n) for n in range(len(self.items)))]
        if len(self._lines(rows)) > room:  # the details of one have to do
            rows = [Row(()), *(self._row(n, full=False) for n in self._numbers)]
        if not self.items and self.empty:
            rows.append(Row((self.empty,)))
        marked = [
            number
            for number, line in enumerate(self._lines(rows))
            if line.key == f"item {self.at}"
        ]
        return PageView(
            title=self.title,
            status=self.status,
            rows=tuple(rows),
            scroll=max(max(marked, default=0) - max(room, 1) + 1, 0),
            message=(self.message,) if self.message else (),
            message_style=self.message_style,
            key_lines=(self._keys(),),
        )

    @property
    def _numbers(self) -> range:
        return range(len(self.items))

    def _lines(self, rows: Sequence[Row]) -> list[Row]:
        page = PageView(title="", rows=tuple(rows))
        return page_lines(page, self.size[0], self.desk.theme)

    def _row(self, number: int, *, full: bool = True) -> Row:
        """One item; without ``full`` only the marked one tells more about itself."""
        item = self.items[number]
        chosen = number == self.at
        label = _fitted(item.label, self._label_width)
        key = f"({item.key})" if item.key else ""
        sign = "►" if chosen else " "
        keyed = any(item.key for item in self.items)
        head = f"{sign} {label}  {key:<4}" if keyed else f"{sign} {label}  "
        text = f"{head}{item.detail if full or chosen else ''}".rstrip()
        style = "chosen" if chosen else ""
        return Row((text,), style, f"item {number}", hang=text_width(head))

    @property
    def _label_width(self) -> int:
        """Of all labels; two names leave the details their row, down to a least."""
        width = min(max(text_width(item.label) for item in self.items), _WIDEST)
        if not any(_BETWEEN in item.label for item in self.items):
            return width
        details = max(text_width(item.detail) for item in self.items)
        return min(width, max(self.size[0] - _AROUND - details, _LEAST))

    def _keys(self) -> tuple[Choice, ...]:
        words = self.desk.words
        return (
            Choice("down", words("choose"), "↑↓"),
            Choice("enter", words("go"), "Enter"),
            *self.extra,
            Choice("escape", words("back"), "Esc"),
        )

    def key(self, key: str, now: float) -> None:
        """Walk, choose, or leave."""
        del now
        self.message = ""
        count = len(self.items)
        steps = {"up": -1, "down": 1, "tab": 1, "s-tab": -1}
        if key in steps and count:
            self.at = (self.at + steps[key]) % count
        elif key in {"home", "end"}:
            self.at = 0 if key == "home" else max(count - 1, 0)
        elif key == "enter" and count:
            self.done = self.items[self.at].value
        elif key.startswith("item "):
            self._pressed_item(int(key.removeprefix("item ")))
        elif key in {"escape", "c-c"}:
            self.done = BACK
        else:
            self._letter(at_table(key))

    def _pressed_item(self, number: int) -> None:
        if number < len(self.items):
            self.at = number
            self.done = self.items[number].value

    def _letter(self, key: str) -> None:
        found = [item for item in self.items if item.key and item.key == key.lower()]
        extra = [choice for choice in self.extra if choice.key == key]
        if found:
            self.at = self.items.index(found[0])
            self.done = found[0].value
        elif extra:
            self.done = key

    def wheel(self, step: int, now: float) -> None:
        """The wheel walks."""
        self.key("down" if step > 0 else "up", now)


def _fitted(label: str, width: int) -> str:
    """A label in so many cells; of two names the longer one is cut first."""
    first, between, second = label.partition(_BETWEEN)
    if not between or text_width(label) <= width:
        return pad(label, width)
    room = width - text_width(between)
    most = max((room + 1) // 2, room - text_width(second))
    first = cut(first, most)
    return pad(f"{first}{between}{cut(second, room - text_width(first))}", width)


def found_text(count: int, words: Words) -> str:
    """How many of what is looked for there are."""
    return words.count("{n} found", "{n} found", count)
