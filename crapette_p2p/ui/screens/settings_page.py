"""The settings: one list, changed with left and right, in force at once."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from crapette_p2p.ui.desk import Desk
from crapette_p2p.ui.input.aliases import at_table
from crapette_p2p.ui.render.cells import pad, text_width
from crapette_p2p.ui.screens.screen import Screen
from crapette_p2p.ui.settings import CHOICES
from crapette_p2p.ui.view import Choice, PageView, Row

DONE: Final = "done"
"""``done`` when everything is set."""
NAME: Final = "name"
"""``done`` when the name is to be typed."""
ROWS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "name": "what others call you, from the next game on",
        "lang": "language",
        "faces": "court cards in the letters of the language, or A K Q J",
        "suits": "suits as signs or as letters",
        "theme": "the look of the screen",
        "four_color": "a colour for each suit instead of red and black",
        "mouse": "listen to the mouse (off: the terminal selects text)",
        "bell": "ring when your turn begins",
        "animation": "let cards move",
        "pace": "milliseconds each move of the opponent is shown for",
        "confirm_stop": "ask before a Stop! is called",
        "chat": "show what the other player writes",
        "announce": "show your open table on this network",
        "port": "where your table listens",
        "assist": "hints and due plays against a bot",
        "level": "strength of the bot",
    }
)
"""Setting → one sentence about it."""
LABELS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "name": "name",
        "lang": "language",
        "faces": "court cards",
        "suits": "suits",
        "theme": "theme",
        "four_color": "four colours",
        "mouse": "mouse",
        "bell": "bell",
        "animation": "animation",
        "pace": "pace",
        "confirm_stop": "confirm Stop!",
        "chat": "chat",
        "announce": "visible",
        "port": "port",
        "assist": "assistance",
        "level": "bot",
    }
)
"""Setting → what it is called here; its key in the file stands beside it."""
VALUES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "local": "of the language",
        "international": "A K Q J",
        "symbols": "signs",
        "letters": "letters",
        "default": "ordinary",
        "high-contrast": "high contrast",
        "mono": "black and white",
    }
)
"""Value in the file → what it is called here."""
TONGUES: Final = {
    "pl": "polski",
    "ru": "русский",
    "fr": "français",
    "de": "Deutsch",
    "en": "English",
}
"""Each language by its own name, so that whoever speaks it finds it."""
_WITH_KEYS: Final = 72
"""Columns from which on the keys of the file have room."""
_STEPS: Final = {"pace": 50, "port": 1}


class SettingsScreen(Screen):
    """The list; what changes is in force and kept at once."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self.at = 0
        self._names = tuple(ROWS)
        self._wrong = ""

    def view(self, now: float) -> PageView:
        """Each setting with its value and a sentence."""
        del now
        words = self.desk.words
        rows = [Row(()), *(self._row(n) for n in range(len(self._names)))]
        keys = (
            Choice("down", words("choose"), "↑↓"),
            Choice("right", words("change"), "←→"),
            Choice("escape", words("back"), "Esc"),
        )
        return PageView(
            title=words("Settings"),
            rows=tuple(rows),
            scroll=max(self.at - self.size[1] + 8, 0),
            message=(self._wrong or words(ROWS[self._names[self.at]]),),
            message_style="error" if self._wrong else "message",
            key_lines=(keys,),
        )

    def _row(self, number: int) -> Row:
        name = self._names[number]
        chosen = number == self.at
        sign = "►" if chosen else " "
        words = self.desk.words
        width = max(text_width(words(label)) for label in LABELS.values())
        text = f"{sign} {pad(words(LABELS[name]), width)}  ‹ {self._value(name)} ›"
        if self.size[0] >= _WITH_KEYS:
            text = f"{pad(text, _WITH_KEYS - 20)}  {name}"
        return Row((text,), "chosen" if chosen else "", f"row {number}")

    def _value(self, name: str) -> str:
        value = getattr(self.desk.settings, name)
        if isinstance(value, bool):
            return self.desk.words("on") if value else self.desk.words("off")
        if name == "lang":
            return TONGUES.get(value, "–")
        if name in CHOICES and value in VALUES:
            return self.desk.words(VALUES[value])
        return str(value) or "–"

    def key(self, key: str, now: float) -> None:
        """Walk, change, leave."""
        del now
        self._wrong = ""
        key = at_table(key)
        count = len(self._names)
        if key in {"up", "down", "tab", "s-tab"}:
            self.at = (self.at + (1 if key in {"down", "tab"} else -1)) % count
        elif key in {"left", "right", "enter", " "}:
            self._change(self._names[self.at], -1 if key == "left" else 1)
        elif key.startswith("row "):
            number = int(key.removeprefix("row "))
            if number == self.at:
                self._change(self._names[number], 1)
            self.at = number
        elif key in {"escape", "q", "c-c"}:
            self.done = DONE

    def _change(self, name: str, step: int) -> None:
        value = getattr(self.desk.settings, name)
        if name in CHOICES:
            values = CHOICES[name]
            place = values.index(value) if value in values else 0
            text = values[(place + step) % len(values)]
        elif isinstance(value, bool):
            text = "off" if value else "on"
        elif isinstance(value, int):
            text = str(max(value + step * _STEPS.get(name, 1), 0))
        else:
            self.done = NAME
            return
        try:
            self.desk.change(name, text)
        except ValueError as wrong:
            self._wrong = self.desk.words(str(wrong))
