"""A seat before the first card: the cards to compare, the terms, the waiting.

The base of ``TableFlow``; what it knows of the table, and how it shows a screen.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from typing import Final

from crapette_p2p.engine.layout import Seat
from crapette_p2p.errors import IllegalMove, LocalProtocolError
from crapette_p2p.gamelog.genesis import Genesis
from crapette_p2p.net.news import Closed, TableNotice
from crapette_p2p.session.commands import (
    AcceptTerms,
    Command,
    Confirm,
    DeclineTerms,
)
from crapette_p2p.session.notices import (
    CardsToCompare,
    PeerKnown,
    TermsProposed,
    WaitingForPeer,
)
from crapette_p2p.ui.matches import terms_of
from crapette_p2p.ui.other_way import DIAL, LISTEN, OtherWay
from crapette_p2p.ui.play.table_screen import TableScreen
from crapette_p2p.ui.screens.asking import Answer
from crapette_p2p.ui.screens.meeting import (
    ONCE,
    PLAY,
    Cards,
    Dealing,
    Terms,
)
from crapette_p2p.ui.screens.screen import Screen
from crapette_p2p.ui.screens.waiting import OTHER_WAY, Waiting
from crapette_p2p.ui.surface import Surface
from crapette_p2p.ui.table_like import FlowOptions, TableLike
from crapette_p2p.ui.told_apart import told_apart

DONE: Final = 0
_PATIENCE: Final = 0.4
"""A deal that takes less than this many seconds has no screen of its own."""


class MeetingFlow:
    """Shows screens of one table on one surface, and asks what play waits for."""

    def __init__(
        self,
        shell: Surface,
        table: TableLike,
        options: FlowOptions | None = None,
        waiting: Waiting | None = None,
    ) -> None:
        self._shell = shell
        self._table = table
        self._options = options or FlowOptions()
        self._desk = shell.desk
        self._board: TableScreen | None = None
        self._finished: Callable[[object], None] = self._ignored
        self._waiting = waiting or Waiting(self._desk, self._desk.words("The table"))
        self._code: int | None = None
        self._closed: Closed | None = None
        self.cards: tuple[int, ...] = ()
        """The four cards that were compared, if any were."""
        self.reopens = False
        """Whether the table is free for somebody else; ``why`` says what happened."""
        self.why = ""
        self._agreed_again = False
        """The player wants the next deal, whoever proposes it."""
        self._offered: Callable[[object], None] | None = None
        """Answers the next deal that the other has proposed meanwhile."""
        self._brought: Screen | None = None
        """Says that the other has got the end of an earlier deal."""
        self._dealing: Dealing | None = None
        self._choosing: Screen | None = None
        """What asks for another way."""
        ways = self._options.ways
        self._other_way = OtherWay(shell, table, ways) if ways is not None else None

    # Screens ------------------------------------------------------------------

    def _put(self, screen: Screen, finished: Callable[[object], None]) -> None:
        self._finished = finished
        self._shell.put(screen)

    def _wait_for(self, text: str) -> None:
        """The next step of waiting; a question or a table that is open stays."""
        self._waiting.step(text)
        shown = self._shell.screen
        stays = isinstance(shown, Cards | Terms | TableScreen) or self._is_elsewhere()
        if not stays and shown is not self._brought:
            self._put(self._waiting, self._leave)

    def _answered(self, text: str) -> None:
        """A question is answered; what comes now."""
        self._waiting.step(text)
        self._put(self._waiting, self._leave)

    def _leave(self, done: object) -> None:
        if done == OTHER_WAY:
            self._meet_elsewhere()
        else:
            self._give_back()

    def _give_back(self, why: str = "") -> None:
        """Leave; before the first deal a table of ours is open to others again."""
        self.reopens = self._options.stays_open and self._is_before_play()
        self.why, self._code = why, DONE

    # Another way ----------------------------------------------------------------

    def _meet_elsewhere(self) -> None:
        """Let the player choose how else the other can be reached."""
        other_way, name = self._other_way, self._other_name()
        if other_way is None:
            return

        def dialled(answer: object) -> None:
            if isinstance(answer, Answer):
                other_way.dial(answer, self._told)
            self._waits_again()

        def chosen(done: object) -> None:
            if done == DIAL:
                self._choosing = other_way.asking(name)
                self._put(self._choosing, dialled)
                return
            if done == LISTEN:
                other_way.listen(self._told)
            self._waits_again()

        self._choosing = other_way.menu(name)
        self._put(self._choosing, chosen)

    def _is_elsewhere(self) -> bool:
        """Whether the player is choosing another way just now."""
        return self._choosing is not None and self._shell.screen is self._choosing

    def _other_name(self) -> str:
        game = self._table.open_game
        if game is None:
            return self._desk.words("the other player")
        return game.log.genesis.nicks[1 - game.seat]

    def _waits_again(self) -> None:
        """Back to where the other is waited for."""
        self._put(self._waiting, self._leave)

    def _told(self, text: str) -> None:
        """Why another way did not open."""
        self._waiting.step(text)

    def _ignored(self, _done: object) -> None:
        return None

    def _send(self, command: Command) -> bool:
        """Hand a command on; whether it could be done."""
        # What the session cannot do any more it has said in a notice.
        with contextlib.suppress(LocalProtocolError, IllegalMove):
            self._table.command(command)
            return True
        return False

    def _hear_meeting(self, notice: TableNotice) -> None:
        words = self._desk.words
        match notice:
            case CardsToCompare(cards=cards):
                self.cards = tuple(cards)
                self._compare(notice)
            case PeerKnown(peer=peer):
                self._wait_for(words("connected to {name}", name=peer.nick))
            case WaitingForPeer(what="login"):
                self._wait_for(words("the other player compares the cards"))
            case WaitingForPeer():
                self._wait_for(words("the other player reads the rules"))
            case TermsProposed(genesis):
                self._consider(genesis)
            case _:
                pass

    # Meeting ------------------------------------------------------------------

    def _compare(self, question: CardsToCompare) -> None:
        def answered(done: object) -> None:
            same = done in {PLAY, ONCE}
            self._send(Confirm(same=same, remember=done == PLAY))
            # Where they differ, the table closes and says what that means.
            self._answered(self._desk.words("waiting for the answer"))

        if self._options.accept_unverified:
            answered(ONCE)
        else:
            cards = Cards(self._desk, question, self._table.address, self._shell.now)
            self._put(cards, answered)

    def _consider(self, genesis: Genesis) -> None:
        def answered(done: object) -> None:
            self._send(AcceptTerms() if done == PLAY else DeclineTerms())
            if done == PLAY:
                self._answered(self._desk.words("waiting for the answer"))
            else:
                self._code = DONE

        again = genesis.match.previous is not None or self._board is not None
        alike = again and self._is_alike(genesis)
        if self._options.accept_terms or (self._agreed_again and alike):
            answered(PLAY)
        elif alike and self._board is not None:
            # What just ended stays in sight, and its keys mean what they meant.
            self._desk.ring()
            self._offered = answered
            self._board.proposed(self._asked_again(genesis), self._shell.now)
        else:
            self._desk.ring()
            terms = Terms(self._desk, genesis, self._shell.now, again=again)
            self._put(terms, answered)

    # The deal -------------------------------------------------------------------

    def _deal(self, seat: Seat) -> None:
        """A deal is being made; if that takes its time, show it."""
        game = self._table.game
        if game is not None:
            names = told_apart(game.genesis.nicks, seat, self._desk.words)
            self._dealing = Dealing(self._desk, names, seat, self._shell.now)
            loop = asyncio.get_running_loop()
            loop.call_later(_PATIENCE, self._show_dealing, self._dealing)

    def _show_dealing(self, dealing: Dealing) -> None:
        """The deal takes its time: show whose work is awaited."""
        if self._dealing is dealing and self._board is None:
            self._put(dealing, self._leave)

    def _deal_broken(self, *, left: bool) -> None:
        """The link has gone meanwhile: say so; the deal is shown again later."""
        dealing, self._dealing = self._dealing, None
        if dealing is not None:
            words, name = self._desk.words, dealing.names[1 - dealing.seat]
            lost = words("Connection to {name} lost", name=name)
            self._waiting.begin(words("{name} has left", name=name) if left else lost)

    def _is_before_play(self) -> bool:
        return self._board is None and self._table.open_game is None

    def _is_alike(self, genesis: Genesis) -> bool:
        """Whether what is proposed is what was played: only then is "next" enough."""
        game = self._table.game
        return game is not None and terms_of(game.genesis) == terms_of(genesis)

    def _asked_again(self, genesis: Genesis) -> str:
        words, name = self._desk.words, genesis.nicks[0]
        if genesis.match.previous is not None:
            return words("{name} proposes the next deal.", name=name)
        return words("{name} proposes a rematch.", name=name)
