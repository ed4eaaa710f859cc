"""A screen with a line to type: commands with their palette, and whatever else."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Final

from crapette_p2p.ui.desk import Desk, NotKeptError
from crapette_p2p.ui.input.editing import Line, line_of
from crapette_p2p.ui.input.palette import (
    Order,
    is_known,
    matches,
    parse_order,
    wants_more,
)
from crapette_p2p.ui.screens.screen import Screen
from crapette_p2p.ui.view import Choice, Prompt, Text

ORDER: Final = "order"
"""The kind of line that takes commands."""
_LIST_ROWS: Final = 8
_SETTING_ORDERS: Final = {
    "theme": "theme",
    "suits": "suits",
    "faces": "faces",
    "four-color": "four_color",
    "lang": "lang",
    "mouse": "mouse",
    "bell": "bell",
    "anim": "animation",
    "chat": "chat",
    "pace": "pace",
    "name": "name",
}
"""Command of the palette → setting."""


@dataclass(frozen=True, slots=True)
class Typing:
    """A line being typed and what it is for."""

    kind: str
    """chat, order or find."""
    label: str
    """In front of it."""
    line: Line = field(default_factory=Line)
    """What is typed."""
    chosen: int = -1
    """Which of the listed commands is marked."""


class TypingScreen(Screen):
    """A screen on which a line can be typed."""

    where = "table"
    """Which commands of the palette apply."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self.typing: Typing | None = None

    # What subclasses answer ---------------------------------------------------

    def order(self, order: Order, now: float) -> bool:
        """Carry out a command that is not everybody's; whether it was known."""
        raise NotImplementedError

    def say(self, text: str | Text, now: float, *, style: str = "message") -> None:
        """Show a sentence."""
        raise NotImplementedError

    def typed(self, kind: str, text: str, now: float) -> None:
        """A line of another kind than commands was typed."""

    # A line being typed -------------------------------------------------------

    def type_line(self, kind: str, label: str, text: str = "") -> None:
        """Begin to type."""
        self.typing = Typing(kind, label, Line(text, len(text)))

    def prompt(self) -> Prompt | None:
        """The line being typed, as it is drawn."""
        typing = self.typing
        if typing is None:
            return None
        above = self._listed(typing)
        line = typing.line
        return Prompt(typing.label, line.text, line.cursor, above, typing.chosen)

    def _listed(self, typing: Typing) -> tuple[Choice, ...]:
        if typing.kind != ORDER:
            return ()
        found = matches(typing.line.text, self.where, self.desk.words)
        first = max(typing.chosen - _LIST_ROWS + 1, 0)
        return found[: first + _LIST_ROWS]

    def typing_key(self, typing: Typing, key: str, now: float) -> None:
        """A key while a line is typed; the name of a listed command takes that."""
        if key == "escape" or (key == "backspace" and not typing.line.text):
            self.typing = None
        elif key == "enter":
            self._taken(typing, self._chosen(typing), now)
        elif key in {"tab", "up", "down", "s-tab"} and typing.kind == ORDER:
            self._choose(typing, -1 if key in {"down", "s-tab"} else 1)
        elif key in {choice.key for choice in self._listed(typing)}:
            self._taken(typing, key, now)
        else:
            line = typing.line.edited(key)
            if line is not None:
                self.typing = replace(typing, line=line, chosen=-1)

    def typed_paste(self, text: str) -> None:
        """Pasted text goes into the line."""
        if self.typing is not None:
            line = self.typing.line.insert(text)
            self.typing = replace(self.typing, line=line, chosen=-1)

    def _choose(self, typing: Typing, step: int) -> None:
        """Mark the next of the list; it stands in the line once it is taken."""
        count = len(matches(typing.line.text, self.where, self.desk.words))
        if count:
            chosen = min(max(typing.chosen + step, -1), count - 1)
            self.typing = replace(typing, chosen=chosen)

    def _chosen(self, typing: Typing) -> str:
        """The marked command, or what is typed."""
        text = typing.line.text
        if typing.kind != ORDER or typing.chosen < 0:
            return text
        return matches(text, self.where, self.desk.words)[typing.chosen].key

    def _taken(self, typing: Typing, text: str, now: float) -> None:
        """Do it; a command from the list that wants a word more is gone on with."""
        if text != typing.line.text and wants_more(text, self.where):
            self.typing = replace(typing, line=line_of(f"{text} "), chosen=-1)
            return
        self.typing = None
        if typing.kind == ORDER:
            self.obey(text, now)
        else:
            self.typed(typing.kind, text, now)

    # Commands -----------------------------------------------------------------

    def obey(self, text: str, now: float) -> None:
        """Carry out a line of the palette."""
        if not text.strip():
            return
        order = parse_order(text, self.where)
        words = self.desk.words
        if isinstance(order, tuple) and is_known(text):  # of a replay, or the menu
            self.say(words("That is not possible here."), now, style="error")
        elif isinstance(order, tuple):
            names = ", ".join(order)
            said = words("No command {name}. Perhaps: {names}", name=text, names=names)
            self.say(said, now, style="error")
        elif order.name in _SETTING_ORDERS:
            self._set(order, now)
        elif not self.order(order, now):
            self.say(words("That is not possible here."), now, style="error")

    def _set(self, order: Order, now: float) -> None:
        key = _SETTING_ORDERS[order.name]
        said, style = order.argument or self._other(key), "message"
        try:
            self.desk.change(key, said)
        except NotKeptError as why:  # in force all the same
            said, style = str(why), "error"
        except ValueError as wrong:
            self.say(f"{order.name}: {self.desk.words(str(wrong))}", now, style="error")
            return
        self.settings_changed()
        self.say(f"{order.name}: {said}", now, style=style)

    def _other(self, key: str) -> str:
        """What the bare name of a switch turns it to; empty for what is no switch."""
        value: object = getattr(self.desk.settings, key)
        if not isinstance(value, bool):
            return ""
        return "off" if value else "on"

    def settings_changed(self) -> None:
        """A command has changed a setting; whatever was made from one is made anew."""
