"""One table from sitting down to leaving: its notices, its screens, its commands.

Theory of operation. ``TableFlow`` listens to one ``Table`` and puts on the shell
whatever screen the newest notice calls for; what a screen comes to goes back as
a command. It decides nothing about the game: the session does.
"""

from __future__ import annotations

import asyncio
import contextlib

from crapette_p2p.engine.layout import other
from crapette_p2p.gamelog.events import EventType
from crapette_p2p.gamelog.state import GameState
from crapette_p2p.net.failures import Failure
from crapette_p2p.net.matches import has_next_deal
from crapette_p2p.net.news import (
    Closed,
    Connected,
    Expecting,
    GaveUp,
    LogRestored,
    PeersNotSaved,
    Redialling,
    TableNotice,
)
from crapette_p2p.session.commands import Propose
from crapette_p2p.session.notices import (
    AckLate,
    ActionDropped,
    CardsToCompare,
    ChatReceived,
    DealEnded,
    DealProgress,
    EndBrought,
    EventFinal,
    EventVoid,
    GameOver,
    GameResumed,
    GameStarted,
    LinkLost,
    LobbyOpened,
    PeerHeard,
    PeerKnown,
    PeerLeft,
    PeerQuiet,
    SessionFailed,
    TermsProposed,
    WaitingForPeer,
)
from crapette_p2p.session.text import WISH
from crapette_p2p.ui.matches import match_text
from crapette_p2p.ui.meeting_flow import DONE, MeetingFlow
from crapette_p2p.ui.other_way import here_text
from crapette_p2p.ui.play.after_deal import NEXT, REPLAY
from crapette_p2p.ui.play.history import recall
from crapette_p2p.ui.play.table_screen import TableScreen
from crapette_p2p.ui.screens.meeting import PLAY, Notice, Terms
from crapette_p2p.ui.screens.waiting import OTHER_WAY, Waiting
from crapette_p2p.ui.table_setup import setup_of
from crapette_p2p.ui.told_apart import told_apart
from crapette_p2p.ui.wording import brought_text, explain, restored_text


class TableFlow(MeetingFlow):
    """Follows one table on one shell."""

    async def run(self) -> int:
        """Play until somebody leaves; the exit code."""
        listener = asyncio.get_running_loop().create_task(self._listen())
        if not self._waiting.steps:
            self._wait_for(self._desk.words("waiting for the other player"))
        try:
            while self._code is None:
                await self._shell.next_change()
                if listener.done():
                    listener.result()
                screen = self._shell.screen
                if screen.done is not None:
                    done, screen.done = screen.done, None
                    self._finished(done)
        finally:
            self._dealing = None  # it must not come over what is shown next
            self._desk.afterword = self._afterword()
            listener.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await listener
            if self._other_way is not None:
                await self._other_way.aclose()
        return self._code

    def _afterword(self) -> str:
        """How to come back to a game that is left open; the screen is gone then."""
        game = self._table.open_game
        if game is None or not game.is_open:
            return ""
        words = self._desk.words
        saved = words("The game is saved. Go on with: crapette resume")
        if not game.abandoned:
            return saved
        name = game.state.genesis.nicks[other(game.seat)]
        noted = words(
            "Noted as abandoned by {name}; that is taken back when {name} returns.",
            name=name,
        )
        return f"{noted}\n{saved}"

    async def _listen(self) -> None:
        try:
            while self._closed is None:
                self._hear(await self._table.next_notice())
                self._shell.changed()
        finally:
            self._shell.changed()

    # Notices ------------------------------------------------------------------

    def _hear(self, notice: TableNotice) -> None:
        match notice:
            case EventFinal() | EventVoid() | ActionDropped() | ChatReceived():
                self._hear_play(notice)
            case GameStarted() | GameResumed() | DealProgress():
                self._hear_deal(notice)
            case GameOver() | DealEnded():
                self._hear_end(notice)
            case CardsToCompare() | PeerKnown() | WaitingForPeer() | TermsProposed():
                self._hear_meeting(notice)
            case EndBrought() if self._board is None:
                self._hear_brought()
            case LobbyOpened():
                self._hear_lobby()
            case _:
                self._hear_link(notice)

    def _hear_deal(self, notice: TableNotice) -> None:
        now = self._shell.now
        match notice:
            case GameStarted(seat=seat):
                self._board = None
                self._deal(seat)
            case DealProgress() if self._dealing is not None:
                self._dealing.progress(notice, now)
            case GameResumed(seat=seat) if self._board is None:
                self._sit_down()
                if self._board is None:
                    self._deal(seat)  # the link broke before the first card lay there
            case GameResumed() if self._board is not None:
                self._board.back(now, pending=self._is_pending())
                if self._is_elsewhere():
                    self._put(self._board, self._left_board)
            case _:
                pass

    def _hear_lobby(self) -> None:
        """Who takes a match up between two deals, or has asked, wants the next one."""
        game, wanted = self._table.game, self._board is None or self._agreed_again
        self._withdrawn()
        if wanted and game is not None and has_next_deal(game):
            self._next_deal()

    def _hear_brought(self) -> None:
        """Who sat down, and only the end of an earlier deal was fetched, reads so."""
        game, words = self._table.game, self._desk.words
        if game is None or has_next_deal(game):  # else the lobby comes next
            return
        text = brought_text(self._other_name(), words)

        def read(_done: object) -> None:
            self.reopens, self.why = self._options.stays_open, text
            self._code = DONE

        self._brought = Notice(self._desk, words("The table"), [text])
        self._put(self._brought, read)

    def _withdrawn(self) -> None:
        """What was proposed has died with its link."""
        self._offered = None
        if self._board is not None:
            self._board.proposal = ""

    def _hear_play(self, notice: TableNotice) -> None:
        board, now = self._board, self._shell.now
        match notice:
            case EventFinal(state=state) if state.position is None:
                pass
            case EventFinal(state=state, action=action, author=author):
                if board is None:
                    self._sit_down(state)
                elif action is not None or notice.type == EventType.OPEN_B:
                    assert state.position is not None  # noqa: S101 - the case above
                    board.feed.push(author, action, state.position)
                    board.happened(now)
            case EventVoid(action) if board is not None:
                board.void(action, now)
            case ActionDropped(action, why) if board is not None:
                board.void(action, now, why=why)
            case ChatReceived(text) if board is not None:
                if text != WISH or not board.heard_wish(now):
                    board.heard_chat(text, now)
            case _:
                pass

    def _hear_end(self, notice: TableNotice) -> None:
        board, words = self._board, self._desk.words
        if board is None:
            return
        match notice:
            case DealEnded():
                text = words("The end is final; the shuffles are being proven …")
                board.say(text, self._shell.now)
            case GameOver(end=end, score=score):
                self._agreed_again, self._offered = False, None
                game = self._table.game
                match = ""
                if game is not None:
                    match = match_text(game.genesis, notice, words, seat=board.seat)
                over = bool(match) and notice.match_over
                if game is not None:  # what this deal has added
                    had = game.genesis.match.scores
                    score = (score[0] - had[0], score[1] - had[1])
                board.deal_over(
                    end, score, self._shell.now, match=match, match_over=over
                )
            case _:
                pass

    def _hear_link(self, notice: TableNotice) -> None:
        board, now, words = self._board, self._shell.now, self._desk.words
        match notice:
            case Closed():
                self._close(notice)
            case PeersNotSaved(failure) if board is not None:
                told = explain(failure.code, failure.facts, words)
                board.say(told.sentence, now, style="error")
            case LogRestored(path) if board is not None:
                board.say(restored_text(path, words), now, style="error")
            case LinkLost() | PeerLeft() if board is None:
                left = isinstance(notice, PeerLeft) and not notice.timed_out
                self._deal_broken(left=left)
            case Connected(again=False):
                self._wait_for(words("connected, encrypted"))
            case Connected() if board is not None:
                board.link.heard()
            case Expecting(port):
                place = here_text(port, self._table.hint, words)
                if board is not None:
                    board.link.place = place
                self._waiting.has_other_way = self._other_way is not None
                self._wait_for(words("expecting the other player on port {n}", n=port))
                self._waiting.note = place
            case Redialling() if board is None or self._shell.screen is self._waiting:
                self._waiting.has_other_way = self._other_way is not None
                self._wait_for(words("looking for the other player"))
            case (
                LinkLost()
                | PeerLeft()
                | SessionFailed()
                | GaveUp()
                | Redialling()
                | PeerQuiet()
                | PeerHeard()
                | AckLate()
            ) if board is not None:
                board.heard_of_link(notice, now)
            case _:
                pass

    # The board ----------------------------------------------------------------

    def _is_pending(self) -> bool:
        game = self._table.open_game
        return game is not None and (game.mine is not None or game.waiting is not None)

    def _sit_down(self, state: GameState | None = None) -> None:
        game, begins = self._table.open_game, state is not None
        state = state or (game.state if game is not None else None)
        if game is None or state is None or state.position is None:
            return
        words, genesis = self._desk.words, game.log.genesis
        names = told_apart(genesis.nicks, game.seat, words)
        scribe, moves = recall(game.log, state.length, names, words)
        setup = setup_of(
            self._table,
            game,
            state.position,
            self._options,
            self._shell,
            self.cards,
            whole=begins and not moves,
        )
        board = TableScreen(self._desk, setup, scribe)
        self._board, self._dealing = board, None
        self._put(board, self._left_board)
        board.begin(self._shell.now, moves)

    def _left_board(self, done: object) -> None:
        if done == OTHER_WAY:
            self._meet_elsewhere()
        elif done == NEXT:
            self._next_deal()
        elif done == REPLAY:
            self._replay()
        elif self._offered is not None:
            self._offered(done)  # no: the other need not wait
        else:
            self._code = DONE

    def _waits_again(self) -> None:
        if self._board is None:
            super()._waits_again()
            return
        self._put(self._board, self._left_board)
        self._board.still_lost(self._shell.now)

    def _told(self, text: str) -> None:
        super()._told(text)
        if self._board is not None:
            self._board.say(text, self._shell.now, style="error")

    def _replay(self) -> None:
        make, path, seat = self._options.replay, self._table.log_path, self._table.seat
        if make is None or path is None or seat is None:
            self._back_to_board(None)
        else:
            self._put(make(path, seat), self._back_to_board)

    def _back_to_board(self, _done: object) -> None:
        if self._board is not None:
            self._put(self._board, self._left_board)
            self._board.what_next()

    def _next_deal(self) -> None:
        if self._closed is not None:
            self.reopens = self._options.stays_open
            self._code = DONE
            return
        self._agreed_again = True
        if self._offered is not None:
            offered, self._offered = self._offered, None
            offered(PLAY)
            return
        proposed = self._send(Propose())  # refused where the other player proposes
        words, name = self._desk.words, self._other_name()
        self._waiting.begin(words("The table"))
        self._waiting.note = ""
        text = words("waiting for the answer")
        if not proposed:
            text = words("waiting for {name} to propose the same", name=name)
            self._waiting.note = self._wish(name)
        self._answered(text)

    def _wish(self, name: str) -> str:
        """Tell whoever has to propose that we would play; what is to be said of it.

        One side proposes, and the protocol has no word for the other's wish but
        a line of talk, which his program says in its own words.
        """
        words, board = self._desk.words, self._board
        if board is None:
            return ""  # a match that is taken up: both want its next deal
        if not board.chat(WISH, self._shell.now, shown=words(WISH)):
            return words("Only {name} can propose it.", name=name)
        return words("Only {name} can propose it, and was told your wish.", name=name)

    # The end ------------------------------------------------------------------

    def _close(self, closed: Closed) -> None:
        self._closed, self._dealing = closed, None
        self._withdrawn()
        words, board, failure = self._desk.words, self._board, closed.failure
        if failure is not None and self._options.stays_open and self._is_before_play():
            self._give_back(explain(failure.code, failure.facts, words).sentence)
        elif board is not None and (failure is None or failure.code == "refused"):
            self._has_left(board, failure)
        elif failure is not None:
            told = explain(failure.code, failure.facts, words)
            lines = [told.sentence, *([told.hint] if told.hint else [])]

            def read(_done: object) -> None:
                self._code = int(failure.status)

            self._put(Notice(self._desk, words("The table is closed"), lines), read)
        elif self._shell.screen is not self._brought:
            self._code = DONE

    def _has_left(self, board: TableScreen, failure: Failure | None) -> None:
        """The deal was played and there is no next one: back to its end."""
        words, now = self._desk.words, self._shell.now
        board.nobody_there(stays_open=self._options.stays_open)
        if isinstance(self._shell.screen, Waiting | Terms):
            self._back_to_board(None)
        name = board.setup.names[other(board.seat)]
        text = words("{name} has left the table.", name=name)
        if failure is not None:
            text = explain(failure.code, failure.facts, words).sentence
        board.say(text, now)
