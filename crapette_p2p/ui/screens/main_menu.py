"""The main menu: a list with a palette, whose Escape ends the program."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from crapette_p2p.ui.desk import Desk
from crapette_p2p.ui.input.palette import Order
from crapette_p2p.ui.screens.menu import Menu
from crapette_p2p.ui.screens.typing_screen import ORDER, TypingScreen
from crapette_p2p.ui.view import Choice, PageView, Text

QUIT: Final = "quit"
"""``done`` when the program is to end."""


class MainMenu(Menu, TypingScreen):
    """What can be begun; a command of the palette is ``done`` as it is typed."""

    where = "menu"

    def __init__(
        self, desk: Desk, title: str, fill: Callable[[MainMenu], None]
    ) -> None:
        super().__init__(desk, title, ())
        self._fill = fill
        fill(self)

    def view(self, now: float) -> PageView:
        """The list, and the line that is typed below it."""
        return replace(super().view(now), prompt=self.prompt())

    def _keys(self) -> tuple[Choice, ...]:
        words = self.desk.words
        return (
            Choice("down", words("choose"), "↑↓"),
            Choice("enter", words("go"), "Enter"),
            Choice("?", words("help")),
            Choice(":", words("command")),
            Choice("escape", words("quit"), "Esc"),
        )

    def key(self, key: str, now: float) -> None:
        """A key of the line that is typed, or of the list."""
        if self.typing is not None and key != "c-c":
            self.typing_key(self.typing, key, now)
        elif key == ":":
            self.message = ""
            self.type_line(ORDER, ":")
        elif key in {"?", "f1"}:
            self.done = "keys"
        elif key in {"escape", "c-c"}:
            self.done = QUIT
        else:
            super().key(key, now)

    def paste(self, text: str, now: float) -> None:
        """Text goes into the line, never to the list."""
        del now
        self.typed_paste(text)

    def order(self, order: Order, now: float) -> bool:
        """Begin what was named."""
        del now
        self.done = f"{order.name} {order.argument}".strip()
        return True

    def say(self, text: str | Text, now: float, *, style: str = "message") -> None:
        """Show a sentence until the next key."""
        del now
        self.message = text if isinstance(text, str) else "".join(map(str, text))
        self.message_style = style

    def settings_changed(self) -> None:
        """Everything may be said in another language now."""
        self._fill(self)
