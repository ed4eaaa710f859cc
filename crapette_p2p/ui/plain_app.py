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
import contextlib

from crapette_p2p.gamelog.genesis import Genesis
from crapette_p2p.gamelog.state import GameState
from crapette_p2p.net.failures import Exit, Failure
from crapette_p2p.net.matches import has_next_deal
from crapette_p2p.net.news import Closed, GaveUp, TableNotice
from crapette_p2p.session.commands import (
    AcceptTerms,
    Confirm,
    DeclineTerms,
    Leave,
    RefusePlayer,
)
from crapette_p2p.session.notices import (
    ActionDropped,
    CardsToCompare,
    EndBrought,
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
    WaitingForPeer,
)
from crapette_p2p.session.states import State
from crapette_p2p.ui.matches import terms_of
from crapette_p2p.ui.plain_commands import (
    ONCE,
    SAME_CARDS,
    PlainCommands,
    Question,
)
from crapette_p2p.ui.typed import (
    parse_typed,
)


class PlainApp(PlainCommands):
    """One table in line mode."""

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
                    waited = (notice, line, self._advice)
                    await asyncio.wait(
                        {task for task in waited if task is not None},
                        return_when=asyncio.FIRST_COMPLETED,
                    )
                if notice.done():
                    known, notice = self._truly(notice.result()), None
                    self._hear(known)
                    if isinstance(known, Closed):
                        return self._ended(known)
                elif self._advice is not None and self._advice.done():
                    self._advised(self._advice.result())
                elif line is not None and line.done():
                    typed, line = line.result(), None
                    self._read(typed)
        except asyncio.CancelledError:
            with contextlib.suppress(OSError):  # the terminal itself may be gone
                self._stopped()
            raise
        finally:
            for task in (notice, line, self._advice):
                if task is not None:
                    task.cancel()

    def _truly(self, notice: TableNotice) -> TableNotice:
        """A notice, with the reason that only we know."""
        if self._nobody_compares and isinstance(notice, Closed):
            return Closed(Failure("nobody-compares", Exit.IDENTITY))
        return notice

    def _ended(self, closed: Closed) -> Closed:
        if closed.failure is None and self._gave_up:
            return Closed(Failure("gave-up", Exit.PEER_LOST))
        return closed

    def _stopped(self) -> None:
        """The program was told to end: by a signal, mostly."""
        self._console.end_line()
        if self._leaves_a_game():
            self._say_how_to_go_on()

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
            over = over and not self._agreed
            return over or position.end.provisional_by == 1 - seat
        return position.active == seat or position.offer == 1 - seat

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
        if notice == WaitingForPeer("login") and self._question is not None:
            self._waits_for_cards = True  # said once our own person has answered
            return
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
                self._no_other_deal_yet()
                self._question = None
            case _:
                pass
        self._console.say(self._narrator.tell(notice))
        match notice:
            case CardsToCompare():
                self._compare_cards()
            case TermsProposed(genesis):
                self._consider_terms(genesis)
            case EndBrought():
                self._games += 1  # another deal is no first one, which proposes itself
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

    def _no_other_deal_yet(self) -> None:
        """What was asked and agreed is done, or has died with its link."""
        self._proposes, self._wants_again, self._agreed = None, False, False

    def _sit_down(self, *, resumed: bool) -> None:
        game, seat = self._table.game, self._table.seat
        self._linked, self._on_its_way = True, False
        self._no_other_deal_yet()
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
            session, waits = self._table.session, self._waits_for_cards
            self._waits_for_cards = False
            if waits and session is not None and session.state == State.READY:
                self._console.say(self._narrator.tell(WaitingForPeer("login")))

        if self._options.accept_unverified:
            answered(ONCE)
        elif self._options.no_input:
            self._nobody_compares = True
            self._command(RefusePlayer())  # they may well be the same
        else:
            self._question = Question(self._words(SAME_CARDS), answered)

    def _consider_terms(self, genesis: Genesis) -> None:
        def answered(key: str) -> None:
            self._command(DeclineTerms() if key == "n" else AcceptTerms())
            self._agreed = True

        game = self._table.game
        alike = game is not None and terms_of(game.genesis) == terms_of(genesis)
        if self._options.accept_terms or (self._wants_again and alike):
            answered("y")
        else:
            text = self._words("play by these? [y/n, rules: hear them]")
            again = self._games > 0
            self._question = Question(text, answered, again=again, rules=genesis)

    def _enter_lobby(self, *, proposes: bool) -> None:
        self._linked = True
        self._proposes, self._agreed = proposes, False
        game = self._table.game
        goes_on = game is not None and has_next_deal(game)  # perhaps another day's
        if not proposes or not (self._games or goes_on):
            return  # a first deal is proposed by itself

        def answered(key: str) -> None:
            if key == "n":
                self._command(Leave(502))
            else:
                self._propose()

        text = self._words("another deal? [y/n]")
        self._question = Question(text, answered, again=True)

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
