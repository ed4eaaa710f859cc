"""A line being typed: the few editing keys everybody's fingers know."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from crapette_p2p.ui.render.cells import clean

LONGEST: Final = 4096
"""Characters; pasting a book into a chat line must not slow the table."""


@dataclass(frozen=True, slots=True)
class Line:
    """Text and cursor."""

    text: str = ""
    """What is typed."""
    cursor: int = 0
    """Characters before the cursor."""

    def insert(self, text: str) -> Line:
        """Type or paste at the cursor; line breaks become blanks."""
        plain = clean(text.replace("\r", " ").replace("\n", " ").replace("\t", " "))
        room = LONGEST - len(self.text)
        plain = plain[: max(room, 0)]
        whole = self.text[: self.cursor] + plain + self.text[self.cursor :]
        return Line(whole, self.cursor + len(plain))

    def edited(self, key: str) -> Line | None:
        """The line after an editing key; None for a key that does not edit."""
        before, after = self.text[: self.cursor], self.text[self.cursor :]
        match key:
            case "backspace":
                return Line(before[:-1] + after, max(self.cursor - 1, 0))
            case "delete" | "c-d":
                return replace(self, text=before + after[1:])
            case "left" | "c-b":
                return replace(self, cursor=max(self.cursor - 1, 0))
            case "right" | "c-f":
                return replace(self, cursor=min(self.cursor + 1, len(self.text)))
            case "home" | "c-a":
                return replace(self, cursor=0)
            case "end" | "c-e":
                return replace(self, cursor=len(self.text))
            case "c-u":
                return Line(after, 0)
            case "c-k":
                return Line(before, self.cursor)
            case "c-w":
                kept = before.rstrip()
                kept = kept[: kept.rfind(" ") + 1]
                return Line(kept + after, len(kept))
            case _:
                pass
        if len(key) == 1 and key.isprintable():
            return self.insert(key)
        return None


def line_of(text: str) -> Line:
    """A line with the cursor behind its text."""
    return Line(text, len(text))
