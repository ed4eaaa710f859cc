"""The line mode: whole games by typed commands, over one ``Table``.

Theory of operation. One loop waits for the next notice and, where input is
wanted, for the next typed line; notices go first, so that a line is always
answered from what is true. A person's lines are taken whenever he types them. In
a pipe a line is taken only at the prompt, so that a script is a plain list of
what to do at each; it is read no faster than the game goes. While an own action
is on its way, or a card is being turned up, nothing is taken: the next line
means the position after it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from crapette_p2p.engine import Action, Position, format_action, refusal
from crapette_p2p.errors import IllegalMove, LocalProtocolError
from crapette_p2p.gamelog.state import GameState
from crapette_p2p.net.failures import Exit, Failure
from crapette_p2p.net.news import Closed, GaveUp, TableNotice
from crapette_p2p.session.commands import (
    AcceptTerms,
    Act,
    Command,
    Confirm,
    DeclineTerms,
    Leave,
    MarkAbandoned,
    Propose,
    SayChat,
)
from crapette_p2p.session.notices import (
    ActionDropped,
    CardsToCompare,
    EventFinal,
    EventVoid,
    GameOver,
    GameResumed,
    GameStarted,
    LinkLost,
    LobbyOpened,
    PeerLeft,
    SessionFailed,
    TermsProposed,
)
from crapette_p2p.ui.answers import answer_lines
from crapette_p2p.ui.console import Console
from crapette_p2p.ui.narrator import Narrator
from crapette_p2p.ui.play.questions import yes_no_keys
from crapette_p2p.ui.refusals import refusal_text
from crapette_p2p.ui.table_like import TableLike
from crapette_p2p.ui.typed import (
    Asked,
    Chatted,
    Left,
    Misread,
    Played,
    Typed,
    parse_typed,
)

_ONCE: Final = "1"
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
    on_notice: Callable[[TableNotice], None] = lambda _notice: None
    """Hears every notice before it is told."""


@dataclass(slots=True)
class _Question:
    text: str
    answered: Callable[[str], None]
    """Gets ``y``, ``n`` or ``1``."""


class PlainApp:
    """One table in line mode."""

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
        self._words = narrator.words
        self._question: _Question | None = None
        self._then = ""
        self._on_its_way = False
        self._linked = True
        self._leaving = False
        self._gave_up = False
        self._games = 0

    async def run(self) -> Closed:
        """Play until the table is closed."""
        notice: asyncio.Task[TableNotice] | None = None
        line: asyncio.Task[str | None] | None = None
        try:
            while True:
                notice = notice or asyncio.create_task(self._table.next_notice())
                await asyncio.sleep(0)  # what is known already comes before a prompt
                if not notice.done():
                    if self._is_wanted():
                        self._ask()
                    if line is None and self._takes_lines():
                        line = asyncio.create_task(self._console.next_line())
                    await asyncio.wait(
                        {task for task in (notice, line) if task is not None},
                        return_when=asyncio.FIRST_COMPLETED,
                    )
                if notice.done():
                    known, notice = notice.result(), None
                    self._hear(known)
                    if isinstance(known, Closed):
                        return self._ended(known)
                elif line is not None and line.done():
                    typed, line = line.result(), None
                    self._read(typed)
        finally:
            for task in (notice, line):
                if task is not None:
                    task.cancel()

    def _ended(self, closed: Closed) -> Closed:
        if closed.failure is None and self._gave_up:
            return Closed(Failure("gave-up", Exit.PEER_LOST))
        return closed

    # What is wanted -----------------------------------------------------------

    def _is_wanted(self) -> bool:
        """Whether something waits for this player."""
        if self._question is not None or self._leaving:
            return not self._leaving
        position, seat = self._narrator.position, self._table.seat
        if position is None or seat is None or not self._linked or self._is_busy():
            return False
        if position.end is not None:
            over = self._table.game is not None and self._table.game.done
            return over or position.end.provisional_by == 1 - seat
        return position.active == seat or position.offer == 1 - seat

    def _is_busy(self) -> bool:
        position = self._narrator.position
        owed = position is not None and position.unopened() is not None
        return self._linked and (self._on_its_way or owed)

    def _takes_lines(self) -> bool:
        if self._console.ended:
            return False
        if self._console.interactive:
            return not self._is_busy()
        return self._is_wanted()

    def _ask(self) -> None:
        self._console.ask(self._question.text if self._question else "")

    # Notices ------------------------------------------------------------------

    def _hear(self, notice: TableNotice) -> None:
        self._options.on_notice(notice)
        if isinstance(notice, EventFinal) and not self._narrator.is_seated:
            # The rest of an event comes before the word that the game goes on.
            self._go_on_from(notice.before)
        match notice:
            case GameStarted() | GameResumed():
                self._sit_down(resumed=isinstance(notice, GameResumed))
            case EventFinal(author=author) if author == self._table.seat:
                self._on_its_way = False
            case EventVoid() | ActionDropped():
                self._on_its_way = False
                self._then = ""
            case LinkLost() | PeerLeft() | SessionFailed():
                self._linked = self._on_its_way = False
                self._question = None
            case _:
                pass
        self._console.say(self._narrator.tell(notice))
        match notice:
            case CardsToCompare():
                self._compare_cards()
            case TermsProposed():
                self._consider_terms()
            case LobbyOpened(proposes):
                self._enter_lobby(proposes=proposes)
            case EventFinal():
                self._go_on()
            case GameOver():
                self._finish()
            case GaveUp() if not self._console.interactive:
                self._gave_up = True  # nobody is here to wait any longer
                self._command(Leave())
            case _:
                pass

    def _sit_down(self, *, resumed: bool) -> None:
        game, seat = self._table.game, self._table.seat
        self._linked, self._on_its_way = True, False
        if game is not None and seat is not None and not resumed:
            self._narrator.sit_down(game.genesis, seat)
        elif game is not None and self._narrator.position is None:
            self._go_on_from(game)

    def _go_on_from(self, state: GameState) -> None:
        game, seat = self._table.open_game, self._table.seat
        if game is not None and seat is not None:
            self._narrator.go_on(state, seat, game.log)

    def _compare_cards(self) -> None:
        def answered(key: str) -> None:
            self._command(Confirm(same=key != "n", remember=key == "y"))

        if self._options.accept_unverified:
            answered(_ONCE)
        elif self._options.no_input:
            self._console.say([self._words("nobody is here to compare the cards.")])
            answered("n")
        else:
            text = self._words("same on the other side? [y/n, 1: do not remember]")
            self._question = _Question(text, answered)

    def _consider_terms(self) -> None:
        def answered(key: str) -> None:
            self._command(DeclineTerms() if key == "n" else AcceptTerms())

        if self._options.accept_terms:
            answered("y")
        else:
            self._question = _Question(self._words("play by these? [y/n]"), answered)

    def _enter_lobby(self, *, proposes: bool) -> None:
        self._linked = True
        if not proposes or not self._games:  # a first deal is proposed by itself
            return

        def answered(key: str) -> None:
            self._command(Leave(502) if key == "n" else Propose())

        self._question = _Question(self._words("another deal? [y/n]"), answered)

    def _finish(self) -> None:
        self._games += 1
        path = self._table.log_path
        if path is not None:
            self._console.say([self._words("saved: {path}", path=path)])
        if self._options.once:
            self._command(Leave(502))

    def _go_on(self) -> None:
        """Play the drawn card where the player said before he saw it."""
        position, seat = self._narrator.position, self._table.seat
        if not self._then or self._is_busy() or position is None or seat is None:
            return
        then, self._then = self._then, ""
        if position.end is None and position.active == seat:
            self._obey(parse_typed(then, position, seat, words=self._words))

    # Typed lines --------------------------------------------------------------

    def _read(self, line: str | None) -> None:
        if line is None:
            self._question = None
            self._console.say(
                [self._words("no more input: leaving, the game is saved.")]
            )
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
        if text in yes or text in no or text == _ONCE:
            self._question = None
            question.answered("y" if text in yes else "n" if text in no else text)
        elif text in ("leave", "quit"):
            self._question = None
            self._walk_away()
        elif text:
            self._console.say([self._words("y or n?")])

    def _obey(self, typed: Typed | None) -> None:
        match typed:
            case Played(action, then, sure=sure):
                self._play(action, then, sure=sure)
            case Asked(topic, detail):
                self._console.say(self._lines_about(topic, detail))
            case Chatted(text):
                self._command(SayChat(text))
            case Left(abandoned=True):
                text = self._words("note that the game was abandoned? [y/n]")
                self._question = _Question(text, self._abandon)
            case Left():
                self._walk_away()
            case Misread(sentence):
                self._console.say([sentence])
            case None:
                pass

    def _walk_away(self) -> None:
        """Leave by one's own word; an unfinished game is kept."""
        game = self._table.game
        if game is not None and not game.done:
            text = self._words("the game is saved. go on with: crapette resume")
            self._console.say([text])
        self._command(Leave())

    def _lines_about(self, topic: str, detail: str) -> list[str]:
        if topic in ("mute", "unmute"):
            return [self._narrator.mute(muted=topic == "mute")]
        assist = self._options.assist
        game = self._table.game
        if game is not None and game.genesis.assist:
            assist = True
        return answer_lines(
            topic,
            detail,
            narrator=self._narrator,
            genesis=game.genesis if game is not None else None,
            peer=self._table.peer,
            assist=assist,
        )

    def _play(self, action: Action, then: str, *, sure: bool) -> None:
        position, seat = self._narrator.position, self._table.seat
        if position is None or seat is None:
            return
        why = refusal(position, seat, action)
        if why is not None:
            self._refuse(why, position, action)
        elif not sure:
            text = self._words("{text}? [y/n]", text=format_action(action))
            self._question = _Question(text, lambda key: self._act(action, key))
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
            self._console.say(
                [self._words("not now: the other side has not answered yet.")]
            )
        else:
            self._on_its_way = True

    def _abandon(self, key: str) -> None:
        if key != "n":
            self._command(MarkAbandoned())
            self._command(Leave())

    def _refuse(self, why: str, position: Position, action: Action) -> None:
        pieces = refusal_text(why, position, action, self._words)
        card = self._narrator.speech.card
        text = "".join(card(p) if isinstance(p, int) else p for p in pieces)
        self._console.say([text])

    def _command(self, command: Command) -> None:
        self._leaving = self._leaving or isinstance(command, Leave)
        try:
            self._table.command(command)
        except LocalProtocolError:
            self._console.say(
                [self._words("not now: the other side has not answered yet.")]
            )
