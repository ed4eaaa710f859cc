"""What one seat sees of a game in play: the view, and what it is made of."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from crapette_p2p.bot import Hint
from crapette_p2p.engine import Move, Position, Seat
from crapette_p2p.engine.layout import DRAWN, RESERVE, other
from crapette_p2p.session.commands import Command
from crapette_p2p.ui.desk import Desk
from crapette_p2p.ui.input.hand_state import Scene
from crapette_p2p.ui.input.hands import Hands
from crapette_p2p.ui.input.keymap import Binding, key_lines, table_keys
from crapette_p2p.ui.input.table_keys import destinations
from crapette_p2p.ui.play.bar import (
    BarState,
    bar_pieces,
    over_message,
    picked_message,
    usual_message,
)
from crapette_p2p.ui.play.board_screen import BoardScreen
from crapette_p2p.ui.play.boxes import Boxes
from crapette_p2p.ui.play.dealt import SECONDS, partly_dealt
from crapette_p2p.ui.play.feed import Feed
from crapette_p2p.ui.play.flying import Flying
from crapette_p2p.ui.play.link import Link
from crapette_p2p.ui.play.questions import Question
from crapette_p2p.ui.play.scribe import Scribe
from crapette_p2p.ui.render.bars import text_cells
from crapette_p2p.ui.table_view import TableView, View
from crapette_p2p.ui.view import Text


class Advising(Protocol):
    """Thinks about a position and tells what it would do."""

    def ask(self, position: Position, told: Callable[[Hint | None], None]) -> None:
        """Begin to think; ``told`` hears of it unless something else is asked."""

    def call_off(self) -> None:
        """Nobody wants to know any more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableSetup:
    """What a table screen begins with."""

    seat: Seat
    """Ours."""
    names: tuple[str, str]
    """Nicks by seat."""
    position: Position
    """The table now."""
    send: Callable[[Command], None]
    """Hands a command to the session; raises what the session raises."""
    verified: bool = False
    """Whether the opponent's key is vouched for."""
    assist: bool = False
    """Whether hints were agreed."""
    since: float = 0.0
    """When play began (or was resumed)."""
    whole: bool = True
    """Whether it was the beginning; else ``took`` knows how long it was played."""
    info: Callable[[str], tuple[Text, ...]] = lambda _link: ()
    """What ``i`` shows, told the state of the connection."""
    latency: Callable[[], float | None] = lambda: None
    """Seconds a message takes there and back, if that is known."""
    took: Callable[[], float | None] = lambda: None
    """Seconds of play so far, in all runs of the program, if they were kept."""
    log_name: Callable[[], str] = str
    """What the log of this game is called; empty where there is none."""
    save_log: Callable[[str], str] | None = None
    """Copies the log to a path (empty: the usual place); says where it is."""
    has_other_way: bool = False
    """Whether a lost opponent can be reached in another way."""
    adviser: Advising | None = None
    """A bot that advises, where one may."""


class SeatScreen(BoardScreen):
    """One game in play as one seat sees it."""

    def __init__(
        self, desk: Desk, setup: TableSetup, scribe: Scribe | None = None
    ) -> None:
        super().__init__(desk)
        self.setup = setup
        self.seat = setup.seat
        self.scribe = scribe or Scribe(setup.names, desk.words)
        self.feed = Feed(setup.seat, setup.position, pace=desk.settings.pace / 1000)
        self.hands = Hands()
        self.link = Link()
        self.marks: tuple[tuple[int, int], ...] = ()
        """Seat and destination of the last two moves."""
        self.turn_since = setup.since
        self.hinted: frozenset[int] = frozenset()
        self._over: Question | None = None
        """What can be done after the deal."""
        self.match_over = False
        """Whether the deal has ended a match of several."""
        self.after_keys: tuple[Binding, ...] = ()
        """What its keys are."""
        self.turn_timed = setup.whole
        """Whether this turn was seen from its beginning."""
        self._landing = False
        """An own action is final, but not yet what it uncovered."""
        self.flying: Flying | None = None
        """The move that is being watched."""
        self.dealt_at = 0.0
        """When the last card of the deal lies there, for the eye."""
        self._asked = ""
        """The box that the table has already opened by itself."""

    def settings_changed(self) -> None:
        """Pace and language are in force from the next move on."""
        self.feed.pace = self.desk.settings.pace / 1000
        self.scribe.words = self.desk.words

    # What is seen -------------------------------------------------------------

    @property
    def board(self) -> Position:
        """The position on the screen."""
        return self.feed.shown

    @property
    def bottom_seat(self) -> int:
        """Ours."""
        return self.seat

    @property
    def other_name(self) -> str:
        """The opponent's nick."""
        return self.setup.names[other(self.seat)]

    @property
    def boxes(self) -> Boxes:
        """Makes the boxes."""
        return Boxes(words=self.desk.words, names=self.setup.names, seat=self.seat)

    def scene(self) -> Scene:
        """What the input machine has to know."""
        shown = self.feed.shown
        return Scene(
            position=shown,
            latest=self.feed.latest,
            seat=self.seat,
            may_act=(
                not self.feed.is_behind
                and not self.hands.is_waiting
                and shown.active == self.seat
                and shown.end is None
                and shown.unopened() is None
            ),
            confirm_stop=self.desk.settings.confirm_stop,
            words=self.desk.words,
        )

    def view(self, now: float) -> View:
        """The table with whatever lies over it."""
        if self.over is not None:
            self.over.size = self.size
            return self.over.view(now)
        hands = self.hands.state
        question = self.question
        message, style = self._message(now)
        flight = self.flying.flight(now) if self.flying is not None else None
        return TableView(
            position=self._dealt(now) if flight is None else self._before(),
            flight=flight,
            seat=self.seat,
            bar=bar_pieces(self._bar(now), self.desk.words),
            picked=self._picked(),
            cursor=hands.cursor,
            targets=self._targets(),
            marks=frozenset(pile for _, pile in self.marks),
            found=self.found,
            log=self.scribe.entries(),
            log_scroll=self.log_scroll,
            message=message,
            message_style=style,
            prompt=self.prompt(),
            dialog=question.dialog(now) if question is not None else None,
            key_lines=key_lines(self._keys(), self.desk.words),
        )

    def _keys(self) -> tuple[Binding, ...]:
        calls = self.board.rules.has_calls
        return table_keys(calls=calls, after=self.after_keys)

    def _before(self) -> Position:
        return self.flying.before if self.flying is not None else self.board

    def _dealt(self, now: float) -> Position:
        left = self.dealt_at - now
        if left <= 0:
            return self.board
        return partly_dealt(self.board, 1.0 - left / SECONDS)

    def _picked(self) -> int | None:
        sent = self.hands.on_its_way
        return sent.source if isinstance(sent, Move) else self.hands.state.picked

    def _bar(self, now: float) -> BarState:
        self.link.latency = self.setup.latency()
        link, style = self.link.text(self.other_name, now, self.desk.words)
        ended = self.board.end is not None
        clocks = (
            int(now - self.setup.since) if self.setup.whole else None,
            int(now - self.turn_since) if self.turn_timed else None,
        )
        return BarState(
            position=self.board,
            seat=self.seat,
            names=self.setup.names,
            verified=self.setup.verified,
            turn=self.scribe.turn,
            calls=self.scribe.calls,
            link=link,
            link_style=style,
            clocks=None if ended else clocks,
            dealing=now < self.dealt_at,
        )

    def _message(self, now: float) -> tuple[Text, str]:
        words, hands = self.desk.words, self.hands.state
        if self.saying(now):
            return self.saying(now), self.said_style
        if now < self.dealt_at:
            return (words("The cards are dealt; any key shows them all."),), "message"
        if hands.message:
            return hands.message, "error" if hands.is_error else "message"
        if self.hands.on_its_way is not None:
            return (words("… waiting for {name}", name=self.other_name),), "message"
        picked = hands.picked
        if picked is not None and picked != DRAWN + self.seat:
            key = "c" if picked == RESERVE + self.seat else str(picked + 1)
            return picked_message(self.board, picked, key, words), "message"
        if self.feed.is_behind:
            sentence = "{name} plays … Enter shows it faster, l the whole log"
            text = words(sentence, name=self.other_name)
            return (text,), "message"
        if not self.link.is_up and self.board.end is None:
            text = words("There is no connection now; the game is saved.")
            return (text,), "message"
        name, laid_by = self.other_name, picked is None
        usual = usual_message(self.board, self.seat, name, words, laid_by=laid_by)
        full, brief = usual
        if self._over is not None:
            full, brief = over_message(self.after_keys, words, match=self.match_over)
            full = brief if self.question is self._over else full
        fits = text_cells(full, self.desk.theme) <= self.size[0] - 2
        return (full if fits else brief), "message"

    def _targets(self) -> frozenset[int]:
        """Where the picked card can go; only where assistance was agreed."""
        picked = self.hands.state.picked
        if not self.setup.assist or picked is None or not self.scene().may_act:
            return self.hinted
        goals = destinations(self.board, picked)
        return self.hinted | {move.target for move in goals}
