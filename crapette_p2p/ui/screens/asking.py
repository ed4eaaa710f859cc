"""One question that is answered by typing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from crapette_p2p.ui.desk import Desk
from crapette_p2p.ui.input.editing import Line, line_of
from crapette_p2p.ui.screens.screen import Screen
from crapette_p2p.ui.view import Choice, PageView, Prompt, Row


@dataclass(frozen=True, slots=True)
class Answer:
    """What was typed; None = nothing, the question was left."""

    text: str | None
    """The line."""


class Asking(Screen):
    """A line to type, earlier lines with the arrow keys; ``done`` is an Answer.

    A text that is only ``offered`` has the cursor before it: Enter takes it, what is
    typed replaces it, and the keys that walk in a line make it one's own to edit.
    """

    def __init__(
        self,
        desk: Desk,
        title: str,
        lines: Sequence[str],
        *,
        label: str,
        text: str = "",
        offered: bool = False,
        history: Sequence[str] = (),
        problem: Callable[[str], str | None] = lambda _text: None,
    ) -> None:
        super().__init__(desk)
        self.title = title
        self.lines = tuple(lines)
        self.label = label
        self.line = Line(text) if offered else line_of(text)
        self._offered = offered
        self._history = tuple(history)
        self._place = -1
        self._problem = problem
        self._wrong = ""

    def view(self, now: float) -> PageView:
        """The question, the line, and what is wrong with it."""
        del now
        words = self.desk.words
        rows = [Row(()), *(Row((line,)) for line in self.lines), Row(())]
        if self._history:
            rows.append(Row((words("Earlier (↑↓):"),), "label"))
            rows += [
                Row((f"  {text}",), key=f"take {place}")
                for place, text in enumerate(self._history[:8])
            ]
        if self._wrong:
            rows += [Row(()), Row((self._wrong,), "error")]
        line = self.line
        keys = (
            Choice("enter", words("go on"), "Enter"),
            Choice("escape", words("back"), "Esc"),
        )
        return PageView(
            title=self.title,
            rows=tuple(rows),
            prompt=Prompt(self.label, line.text, line.cursor),
            key_lines=(keys,),
        )

    def key(self, key: str, now: float) -> None:
        """Edit, take an earlier line, go on."""
        del now
        if key in {"escape", "c-c"}:
            self.done = Answer(None)
        elif key == "enter":
            self._wrong = self._problem(self.line.text) or ""
            if not self._wrong:
                self.done = Answer(self.line.text)
        elif key in {"up", "down"} and self._history:
            self._take(self._place + (1 if key == "up" else -1))
        elif key.startswith("take "):
            self._take(int(key.removeprefix("take ")))
        else:
            self._wrong = ""
            if len(key) == 1 or key in {"backspace", "delete", "c-u", "c-w"}:
                self._make_room()
            self._offered = False
            self.line = self.line.edited(key) or self.line

    def _make_room(self) -> None:
        """Put away what was only offered."""
        if self._offered:
            self.line, self._offered = Line(), False

    def _take(self, place: int) -> None:
        self._offered = False
        self._place = min(max(place, -1), len(self._history) - 1)
        text = self._history[self._place] if self._place >= 0 else ""
        self.line = line_of(text)

    def paste(self, text: str, now: float) -> None:
        """Pasted text is typed."""
        del now
        self._make_room()
        self.line = self.line.insert(text.strip())
