"""The line mode's typed lines: what each asks for, and what is answered.

What a line means is found in ``typed``; here it is done, or refused in words. The
loop that reads the lines, and the notices, are ``plain_app``'s.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from crapette_p2p.engine import Action, Position, refusal
from crapette_p2p.engine.actions import OFFER_DRAW
from crapette_p2p.errors import IllegalMove, LocalProtocolError
from crapette_p2p.gamelog.genesis import Genesis
from crapette_p2p.net.news import TableNotice
from crapette_p2p.session.commands import (
    Act,
    Command,
    Leave,
    MarkAbandoned,
    Propose,
    SayChat,
)
from crapette_p2p.session.text import WISH
from crapette_p2p.ui.answers import answer_lines
from crapette_p2p.ui.console import Console
from crapette_p2p.ui.desk import Desk
from crapette_p2p.ui.language import Words
from crapette_p2p.ui.narrator import Narrator
from crapette_p2p.ui.plain_orders import order_lines
from crapette_p2p.ui.play.questions import yes_no_keys
from crapette_p2p.ui.refusals import refusal_text
from crapette_p2p.ui.table_like import TableLike
from crapette_p2p.ui.typed import (
    AGAIN,
    Again,
    Asked,
    Chatted,
    Left,
    Misread,
    Ordered,
    Played,
    Typed,
    parse_typed,
)

if TYPE_CHECKING:  # few games ask a bot
    from crapette_p2p.bot import Hint, TurnMemory

SAME_CARDS: Final = "same on the other side? [y/n, 1: do not remember]"
"""Asked about the four cards, on both sides."""
ONCE: Final = "1"
"""Answer to the four cards: play, but do not remember the player."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlainOptions:
    """What the line mode decides without asking."""

    accept_unverified: bool = False
    """Take the four cards as equal; for loopback and tests."""
    accept_terms: bool = False
    """Play by whatever rules are proposed."""
    assist: bool = False
    """``legal`` answers: against a bot."""
    once: bool = False
    """Leave after one deal."""
    no_input: bool = False
    """Ask nobody about a stranger: he is refused."""
    desk: Desk = field(default_factory=Desk)
    """The settings that can be changed while one plays."""
    on_notice: Callable[[TableNotice], None] = lambda _notice: None
    """Hears every notice before it is told."""


@dataclass(slots=True)
class Question:
    """Something asked, and what the answer does."""

    text: str
    """As it stands there."""
    answered: Callable[[str], None]
    """Gets ``y``, ``n`` or ``1``."""
    again: bool = False
    """Whether it is about another deal: asking for one says yes."""
    rules: Genesis | None = None
    """The game it is about, whose rules can be heard first."""


class PlainCommands:
    """What is typed at one table."""

    def __init__(
        self,
        table: TableLike,
        console: Console,
        narrator: Narrator,
        options: PlainOptions | None = None,
    ) -> None:
        self._table = table
        self._console = console
        self._narrator = narrator
        self._options = options or PlainOptions()
        self._question: Question | None = None
        self._then = ""
        self._on_its_way = False
        self._linked = True
        self._proposes: bool | None = None
        """Whether another deal is this side's to propose; None while one is on."""
        self._wants_again = False
        """Whether the player has asked for another deal."""
        self._agreed = False
        """Whether nothing can be typed for the next deal but waiting for it."""
        self._leaving = False
        self._gave_up = False
        self._nobody_compares = False
        self._waits_for_cards = False
        """Whether the other's person compares cards that ours has not answered for."""
        self._games = 0
        self._advice: asyncio.Task[Hint | None] | None = None
        """A bot that is being asked; nothing else is typed meanwhile."""
        self._advised_on: Position | None = None
        self._advisers_memory: TurnMemory | None = None

    @property
    def _words(self) -> Words:
        """The language in force; it can be changed at any prompt."""
        return self._narrator.words

    def _is_busy(self) -> bool:
        position = self._narrator.position
        owed = position is not None and position.unopened() is not None
        if self._advice is not None:
            return True
        return self._linked and (self._on_its_way or owed)

    # Typed lines --------------------------------------------------------------

    def _read(self, line: str | None) -> None:
        if line is None:
            self._question = None
            said = self._words("no more input: leaving.")
            if self._leaves_a_game():
                said = self._words("no more input: leaving, the game is saved.")
            self._console.say([said])
            self._command(Leave())
        elif self._question is not None:
            self._answer(line.strip().lower())
        else:
            position, seat = self._narrator.position, self._narrator.speech.seat
            self._obey(parse_typed(line, position, seat, words=self._words))

    def _answer(self, text: str) -> None:
        question = self._question
        assert question is not None  # noqa: S101 - the caller has looked
        yes, no = yes_no_keys(self._words)
        if question.again and text in AGAIN:
            text = "y"
        if text in yes or text in no or text == ONCE:
            self._question = None
            question.answered("y" if text in yes else "n" if text in no else text)
        elif text in ("leave", "quit"):
            self._question = None
            self._walk_away()
        elif text == "rules" and question.rules is not None:
            self._console.say(self._lines_about(text, "", question.rules))
        elif text:
            self._console.say([self._words("y or n?")])

    def _obey(self, typed: Typed | None) -> None:
        match typed:
            case Played(action, then, sure=sure):
                self._play(action, then, sure=sure)
            case Asked("hint"):
                self._ask_advice()
            case Asked(topic, detail):
                self._console.say(self._lines_about(topic, detail))
            case Ordered(name, argument):
                self._order(name, argument)
            case Chatted(text):
                self._command(SayChat(text))
            case Again():
                self._ask_for_another()
            case Left(abandoned=True) if self._is_peer_here:
                self._console.say([self._words("the other player is here.")])
            case Left(abandoned=True):
                text = self._words("note that the game was abandoned? [y/n]")
                self._question = Question(text, self._abandon)
            case Left():
                self._walk_away()
            case Misread(sentence):
                self._console.say([sentence])
            case None:
                pass

    def _order(self, name: str, argument: str) -> None:
        desk = self._options.desk
        lines = order_lines(name, argument, desk=desk, log_path=self._table.log_path)
        if name == "lang":
            self._narrator.speak(desk.words)
        self._console.say(lines)

    def _walk_away(self) -> None:
        """Leave by one's own word; an unfinished game is kept."""
        if self._leaves_a_game():
            self._say_how_to_go_on()
        self._command(Leave())

    def _say_how_to_go_on(self) -> None:
        text = self._words("the game is saved. go on with: crapette resume")
        self._console.say([text])

    def _leaves_a_game(self) -> bool:
        game = self._table.game
        return game is not None and not game.done

    # Another deal -------------------------------------------------------------

    def _ask_for_another(self) -> None:
        """Propose the next deal, or tell whoever has to that it is wished for."""
        words = self._words
        if self._leaves_a_game():
            self._console.say([words("the deal is not over yet.")])
        elif not self._is_peer_here:
            self._console.say([words("nobody is here yet.")])
        elif self._wants_again:
            self._console.say([self._narrator.asks_already()])
        elif self._proposes:
            self._propose()
        elif self._command(SayChat(WISH)):
            self._wants_again = self._agreed = True
            self._console.say([self._narrator.wish_told()])

    def _propose(self) -> None:
        if self._command(Propose()):
            self._wants_again = self._agreed = True

    def _lines_about(
        self, topic: str, detail: str, proposed: Genesis | None = None
    ) -> list[str]:
        if topic in ("mute", "unmute"):
            return [self._narrator.mute(muted=topic == "mute")]
        game = self._table.game
        return answer_lines(
            topic,
            detail,
            narrator=self._narrator,
            genesis=proposed or (game.genesis if game is not None else None),
            peer=self._table.peer,
            assist=self._assists,
        )

    @property
    def _assists(self) -> bool:
        """Whether advice was agreed, or needs no agreement."""
        game = self._table.game
        return self._options.assist or (game is not None and game.genesis.assist)

    # Advice -------------------------------------------------------------------

    def _ask_advice(self) -> None:
        """Ask the strongest bot, where that was agreed."""
        position = self._narrator.position
        if not self._assists:
            text = "No hints in this game: both agree to them when a table is opened."
            self._console.say([self._words(text)])
        elif position is None:
            self._console.say([self._words("There is nothing to advise now.")])
        else:
            from crapette_p2p.bot import TurnMemory
            from crapette_p2p.ui.advice import sought  # brings the bots

            self._advisers_memory = self._advisers_memory or TurnMemory()
            seat, memory = self._narrator.speech.seat, self._advisers_memory
            work = sought(position, seat, threading.Event(), memory)
            self._advice = asyncio.create_task(work)
            self._advised_on = position

    def _advised(self, hint: Hint | None) -> None:
        """Say what the bot would do, unless the table has changed meanwhile."""
        from crapette_p2p.ui.hinting import hint_line

        self._advice = None
        position = self._narrator.position
        if position is not None and position is self._advised_on:
            line = hint_line(hint, position, self._narrator.speech)
            self._console.say([line])

    def _play(self, action: Action, then: str, *, sure: bool) -> None:
        position, seat = self._narrator.position, self._table.seat
        if position is None or seat is None:
            return
        why = refusal(position, seat, action)
        if why is not None:
            self._refuse(why, position, action)
        elif not sure:
            offers = action == OFFER_DRAW
            text = self._words("offer a draw? [y/n]" if offers else "resign? [y/n]")
            self._question = Question(text, lambda key: self._act(action, key))
        else:
            self._then = then
            self._act(action, "y")

    def _act(self, action: Action, key: str) -> None:
        if key == "n":
            return
        try:
            self._table.command(Act(action))
        except IllegalMove as error:
            position = self._narrator.position
            if position is not None:
                self._refuse(error.refusal, position, action)
        except LocalProtocolError:
            self._then = ""
            self._not_now()
        else:
            self._on_its_way = True

    @property
    def _is_peer_here(self) -> bool:
        return self._linked and self._table.session is not None

    def _abandon(self, key: str) -> None:
        if key != "n" and self._command(MarkAbandoned()):
            noted = "noted. that is taken back by itself when the other player returns."
            self._console.say([self._words(noted)])
            self._walk_away()

    def _refuse(self, why: str, position: Position, action: Action) -> None:
        pieces = refusal_text(why, position, action, self._words)
        card = self._narrator.speech.card
        text = "".join(card(p) if isinstance(p, int) else p for p in pieces)
        self._console.say([text])

    def _command(self, command: Command) -> bool:
        """Hand it to the table; whether that could be."""
        self._leaving = self._leaving or isinstance(command, Leave)
        try:
            self._table.command(command)
        except LocalProtocolError:
            self._not_now()
            return False
        return True

    def _not_now(self) -> None:
        text = "not now: the other side has not answered yet."
        if not self._linked:
            text = "not now: the other player is not connected."
        text = self._words(text)
        self._console.say([text])
