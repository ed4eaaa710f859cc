"""What the table in play and the replay have in common.

Layers, the uppermost first: a page to read, a box that asks, a line being typed,
and the board itself. A key goes to the uppermost layer there is, and only there.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Final

from crapette_p2p.engine import Position
from crapette_p2p.ui.desk import Desk
from crapette_p2p.ui.faces import parse_screen_card
from crapette_p2p.ui.input.editing import Line
from crapette_p2p.ui.input.palette import Order, matches, parse_order
from crapette_p2p.ui.play.places import look_lines, pile_name, places_of
from crapette_p2p.ui.play.questions import Question
from crapette_p2p.ui.screens.screen import Screen
from crapette_p2p.ui.view import Choice, Prompt, Text

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
TOAST_SECONDS: Final = 6.0


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


class BoardScreen(Screen):
    """A table with its layers."""

    where = "table"
    """Which commands of the palette apply."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self.over: Screen | None = None
        self.question: Question | None = None
        self.typing: Typing | None = None
        self.found: int | None = None
        self.log_scroll = 0
        self.said: Text = ()
        self.said_style = "message"
        self._said_until = 0.0

    # What subclasses answer ---------------------------------------------------

    @property
    def board(self) -> Position:
        """The position on the screen."""
        raise NotImplementedError

    @property
    def bottom_seat(self) -> int:
        """Whose side is at the bottom."""
        raise NotImplementedError

    @property
    def opened(self) -> bytes | None:
        """The faces of all slots, where even cards that lie face down are shown."""
        return None

    def board_key(self, key: str, now: float) -> None:
        """A key for the board itself."""
        raise NotImplementedError

    def order(self, order: Order, now: float) -> bool:
        """Carry out a command that is not everybody's; whether it was known."""
        raise NotImplementedError

    def chat(self, text: str, now: float) -> None:
        """Something was said."""

    def leaving(self, now: float) -> None:
        """The player wants to leave; the second Ctrl-C leaves at once."""
        raise NotImplementedError

    # Layers -------------------------------------------------------------------

    def key(self, key: str, now: float) -> None:
        """Give the key to the uppermost layer."""
        if key == "c-l":
            self.desk.clear()
        elif self.over is not None:
            self.over.size = self.size
            self.over.key(key, now)
            self._close_over()
        elif key == "c-c":
            self.leaving(now)
        elif self.question is not None:
            self._answer(self.question, key, now)
        elif self.typing is not None:
            self._typing_key(self.typing, key, now)
        else:
            self.board_key(key, now)

    def _close_over(self) -> None:
        if self.over is not None and self.over.done is not None:
            self.over = None

    def paste(self, text: str, now: float) -> None:
        """Text goes into a line, never to the board."""
        if self.over is not None:
            self.over.paste(text, now)
        elif self.typing is not None and self.question is None:
            line = self.typing.line.insert(text)
            self.typing = replace(self.typing, line=line, chosen=-1)
        else:
            self.say(self.desk.words("Pasted text is not taken for keys."), now)

    def say(self, text: str | Text, now: float, *, style: str = "message") -> None:
        """Show a sentence on the message line for a while."""
        self.said = (text,) if isinstance(text, str) else text
        self.said_style = style
        self._said_until = now + TOAST_SECONDS

    def saying(self, now: float) -> Text:
        """The sentence that still stands there."""
        return self.said if now < self._said_until else ()

    def said_until(self, now: float) -> float | None:
        """When the sentence goes."""
        return self._said_until if self.said and now < self._said_until else None

    # Boxes --------------------------------------------------------------------

    def ask(self, question: Question | None) -> None:
        """Open a box (or close what is open)."""
        self.question = question

    def _answer(self, question: Question, key: str, now: float) -> None:
        if not question.listens(now):
            return
        answer = question.answers.get(key)
        if answer is None:
            return
        self.question = None
        answer(now)
        if self.question is None:
            self.box_closed(now)

    def box_closed(self, now: float) -> None:
        """A box was answered and no other is open."""

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
        if typing.kind != "order":
            return ()
        found = matches(typing.line.text, self.where, self.desk.words)
        first = max(typing.chosen - _LIST_ROWS + 1, 0)
        return found[: first + _LIST_ROWS]

    def _typing_key(self, typing: Typing, key: str, now: float) -> None:
        if key == "escape" or (key == "backspace" and not typing.line.text):
            self.typing = None
        elif key == "enter":
            self.typing = None
            self._typed(typing, now)
        elif key in {"tab", "up", "down", "s-tab"} and typing.kind == "order":
            self._choose(typing, -1 if key in {"down", "s-tab"} else 1)
        else:
            line = typing.line.edited(key)
            if line is not None:
                self.typing = replace(typing, line=line, chosen=-1)

    def _choose(self, typing: Typing, step: int) -> None:
        """Mark the next of the list; it stands in the line once it is taken."""
        count = len(matches(typing.line.text, self.where, self.desk.words))
        if count:
            chosen = min(max(typing.chosen + step, -1), count - 1)
            self.typing = replace(typing, chosen=chosen)

    def _typed(self, typing: Typing, now: float) -> None:
        text = typing.line.text
        if typing.kind == "order" and typing.chosen >= 0:
            found = matches(text, self.where, self.desk.words)
            text = found[typing.chosen].key
        if typing.kind == "chat":
            self.chat(text, now)
        elif typing.kind == "find":
            self.find(text, now)
        else:
            self.obey(text, now)

    # Commands -----------------------------------------------------------------

    def obey(self, text: str, now: float) -> None:
        """Carry out a line of the palette."""
        if not text.strip():
            return
        order = parse_order(text, self.where)
        words = self.desk.words
        if isinstance(order, tuple):
            names = ", ".join(order)
            said = words("No command {name}. Perhaps: {names}", name=text, names=names)
            self.say(said, now, style="error")
        elif order.name in _SETTING_ORDERS:
            self._set(order, now)
        elif not self.order(order, now):
            self.say(words("That is not possible here."), now, style="error")

    def _set(self, order: Order, now: float) -> None:
        words = self.desk.words
        key = _SETTING_ORDERS[order.name]
        try:
            self.desk.change(key, order.argument)
        except ValueError as wrong:
            said = f"{order.name}: {words(str(wrong))}"
            self.say(said, now, style="error")
            return
        self.settings_changed()
        self.say(f"{order.name}: {order.argument}", now)

    def settings_changed(self) -> None:
        """A command has changed a setting; whatever was made from one is made anew."""

    # Finding and looking ------------------------------------------------------

    def find(self, text: str, now: float) -> None:
        """Light up both copies of a card and say where they lie."""
        words = self.desk.words
        if not text.strip():
            self.found = None
            return
        face = parse_screen_card(text, self.desk.theme)
        if face is None:
            said = words("{text} is no card: type 7h or 10♥", text=text)
            self.say(said, now, style="error")
            return
        self.found = face
        piles = places_of(self.board, face)
        names = [pile_name(pile, self.bottom_seat, words) for pile in piles]
        where = ", ".join(names) or words("nowhere in sight")
        self.say((face, ": ", where), now)

    def look(self, pile: int, now: float) -> None:
        """Show a pile in full, its cards in words."""
        words, board = self.desk.words, self.board
        close = Choice("escape", words("back"), "Esc")
        self.ask(
            Question(
                name="look",
                title=pile_name(pile, self.bottom_seat, words),
                lines=look_lines(board, pile, words, self.opened),
                choices=(close,),
                answers=dict.fromkeys(("escape", "enter", "v", "q"), _close),
                opened=now,
            )
        )


def _close(_now: float) -> None:
    return None
