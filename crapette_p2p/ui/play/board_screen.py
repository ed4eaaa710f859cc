"""What the table in play and the replay have in common.

Layers, the uppermost first: a page to read, a box that asks, a line being typed,
and the board itself. A key goes to the uppermost layer there is, and only there.
"""

from __future__ import annotations

from typing import Final

from crapette_p2p.engine import Position
from crapette_p2p.ui.desk import Desk
from crapette_p2p.ui.faces import parse_screen_card
from crapette_p2p.ui.input.aliases import meant
from crapette_p2p.ui.play.places import look_lines, pile_name, places_of
from crapette_p2p.ui.play.questions import Question
from crapette_p2p.ui.screens.screen import Screen
from crapette_p2p.ui.screens.typing_screen import TypingScreen
from crapette_p2p.ui.view import Choice, Text

TOAST_SECONDS: Final = 6.0


class BoardScreen(TypingScreen):
    """A table with its layers."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self.over: Screen | None = None
        self.question: Question | None = None
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

    def chat(self, text: str, now: float) -> bool:
        """Something was said; whether it was passed on."""
        del text, now
        return False

    def typed(self, kind: str, text: str, now: float) -> None:
        """Something was said, or a card is looked for."""
        if kind == "chat":
            self.chat(text, now)
        else:
            self.find(text, now)

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
            self.typing_key(self.typing, key, now)
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
            self.typed_paste(text)
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
        answer = question.answers.get(meant(key, question.answers))
        if answer is None:
            return
        self.question = None
        answer(now)
        if self.question is None:
            self.box_closed(now)

    def box_closed(self, now: float) -> None:
        """A box was answered and no other is open."""

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
