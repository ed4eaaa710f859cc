"""Pages to read: the keys (typing filters them), the rules, any long text."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from crapette_p2p.ui.desk import Desk
from crapette_p2p.ui.input.aliases import at_table
from crapette_p2p.ui.input.editing import Line
from crapette_p2p.ui.input.keymap import Binding, help_lines
from crapette_p2p.ui.render.cells import pad, text_width
from crapette_p2p.ui.render.pages import body_rows, page_lines
from crapette_p2p.ui.screens.screen import Screen
from crapette_p2p.ui.view import Choice, PageView, Prompt, Row

READ = "read"
"""What such a page comes to."""
_END = 1_000_000
"""A row behind every text: the view stops at the last page."""


class Reading(Screen):
    """A text that scrolls; ``rows_of`` gets what was typed as a filter."""

    def __init__(
        self,
        desk: Desk,
        title: str,
        rows_of: Callable[[str], Sequence[Row]],
        *,
        filtered: bool = False,
        from_end: bool = False,
    ) -> None:
        super().__init__(desk)
        self.title = title
        self.filtered = filtered
        self._rows_of = rows_of
        self._line = Line()
        self._top = _END if from_end else 0

    def view(self, now: float) -> PageView:
        """The page from where it is scrolled to."""
        del now
        words = self.desk.words
        rows = tuple(self._rows_of(self._line.text))
        page = PageView(title=self.title, rows=rows)
        self._top = min(max(self._top, 0), self._last_top(page))
        prompt = None
        if self.filtered:
            label = words("type to filter, Esc to leave:")
            prompt = Prompt(label, self._line.text, self._line.cursor)
        below = self._last_top(page) - self._top
        keys = (
            Choice("escape", words("back"), "Esc"),
            Choice("down", words("scroll"), "↑↓ PgUp PgDn"),
            *self._more(below),
        )
        return PageView(
            title=self.title,
            rows=rows,
            scroll=self._top,
            prompt=prompt,
            key_lines=(keys,),
        )

    def _more(self, below: int) -> tuple[Choice, ...]:
        """How many lines follow the last one in sight."""
        if not below:
            return ()
        text = self.desk.words.count("{n} more line", "{n} more lines", below)
        return (Choice("pagedown", text, "↓"),)

    def _last_top(self, page: PageView) -> int:
        lines = len(page_lines(page, self.size[0], self.desk.theme))
        return max(lines - body_rows(self.size[1]), 0)

    def key(self, key: str, now: float) -> None:
        """Scroll, filter, or leave."""
        del now
        page = max(body_rows(self.size[1]) - 1, 1)
        steps = {"up": -1, "down": 1, "pageup": -page, "pagedown": page}
        plain = key if self.filtered else at_table(key)
        if key == " " and not self._line.text:
            key = "pagedown"  # no filter begins with a blank
        if key in steps:
            self._top += steps[key]
            return
        if key in {"escape", "c-c"} or (plain in {"q", "enter"} and not self.filtered):
            if key == "escape" and self._line.text:
                self._line = Line()
            else:
                self.done = READ
            return
        line = self._line.edited(key) if self.filtered else None
        if line is not None:
            self._line, self._top = line, 0

    def paste(self, text: str, now: float) -> None:
        """Pasted text filters too."""
        del now
        if self.filtered:
            self._line = self._line.insert(text)

    def wheel(self, step: int, now: float) -> None:
        """Scroll."""
        del now
        self._top += 3 * step


def keys_page(desk: Desk, bindings: Sequence[Binding], *notes: str) -> Reading:
    """All keys, one a line, and translated notes below; typing filters the keys."""
    words = desk.words
    below = [row for note in notes if note for row in (Row(()), Row((note,), "note"))]

    def rows(wanted: str) -> list[Row]:
        pairs = help_lines(bindings, words, wanted)
        caps = max((text_width(cap) for cap, text in pairs if text), default=0)
        page = [
            Row((f"{pad(cap, caps)}  {text}",), hang=caps + 2)
            if text
            else Row((cap,), "heading")
            for cap, text in pairs
        ]
        return [*page, *below]

    return Reading(desk, words("Keys"), rows, filtered=True)
