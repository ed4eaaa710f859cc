"""The screen while something takes its time; it needs nothing, so it can be first."""

from __future__ import annotations

from typing import Final

from crapette_p2p.ui.desk import Desk
from crapette_p2p.ui.input.aliases import at_table
from crapette_p2p.ui.screens.screen import Screen
from crapette_p2p.ui.view import Choice, PageView, Row

OTHER_WAY: Final = "other way"
"""``done`` when the player wants to reach the other in another way."""
LEAVE: Final = "leave"
"""``done`` when the player gives up."""


class Waiting(Screen):
    """Something takes its time; each step that is done stays in sight."""

    def __init__(self, desk: Desk, title: str) -> None:
        super().__init__(desk)
        self.title = title
        self.steps: list[tuple[str, bool]] = []
        self.has_other_way = False
        """Whether the other can be reached in another way."""
        self.note = ""
        """What the player may have to tell the other."""

    def begin(self, title: str) -> None:
        """Something else is waited for: what was done before is past."""
        self.title, self.steps = title, []

    def step(self, text: str) -> None:
        """The next step begins; the one before is done. What comes again runs again."""
        self.steps = [(known, True) for known, _ in self.steps if known != text]
        self.steps.append((text, False))

    def view(self, now: float) -> PageView:
        """The steps, the running one last."""
        del now
        words = self.desk.words
        rows = [Row(())]
        for text, done in self.steps:
            sign = "✓" if done else "►"
            rows.append(Row((f"{sign} {text}{'' if done else ' …'}",)))
        if self.note:
            rows += [Row(()), Row((self.note,))]
        keys = [Choice("escape", words("leave"), "Esc")]
        if self.has_other_way:
            keys.append(Choice("c", words("another way to meet")))
        return PageView(title=self.title, rows=tuple(rows), key_lines=(tuple(keys),))

    def key(self, key: str, now: float) -> None:
        """Leave, or try another way."""
        del now
        key = at_table(key)
        if key in {"escape", "c-c", "q"}:
            self.done = LEAVE
        elif key == "c" and self.has_other_way:
            self.done = OTHER_WAY


class Opening(Waiting):
    """What comes next is being made; what is typed meanwhile is meant for it."""

    def __init__(self, desk: Desk, title: str) -> None:
        super().__init__(desk, title)
        self.typed: list[str] = []

    def key(self, key: str, now: float) -> None:
        """Leave, or keep the key."""
        super().key(key, now)
        if self.done is None:
            self.typed.append(key)
