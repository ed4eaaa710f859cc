"""``Table``: one seat at one table, over however many links it takes.

Theory of operation. A link and its ``Session`` die easily; the table outlives
them. It owns what has to survive: the games at hand, their locked log files, and
one queue of notices for whoever plays here (a screen, the line mode, a bot).
Every link is a ``Pump``; the one that has the seat is *current*, all others are
candidates that have not proved to be our peer yet. A candidate whose key is
settled (``PeerKnown``) takes the seat: the older link is cut, and the game goes
on where both logs end. Which of two living links stays is a rule both ends
compute alike (protocol.md 12, P18).

How links are made is not the table's business. A lost link sets ``link_wanted``;
whoever made the table (``joining``, ``hosting``) brings the next one, until the
table is closed. A disk that fails closes it: what is in memory is ahead of what
is kept, so the game has to be loaded again.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from dataclasses import replace

from crapette_p2p.engine.layout import Seat
from crapette_p2p.errors import LocalProtocolError
from crapette_p2p.gamelog.state import GameState
from crapette_p2p.net.acquaintances import Acquaintances
from crapette_p2p.net.crypto import verify
from crapette_p2p.net.ending import (
    BUSY,
    GAME_OVER,
    LEFT,
    failure_of,
    is_passing,
    older_stays,
)
from crapette_p2p.net.failures import Exit, Failure, StorageError
from crapette_p2p.net.hints import Hint, Hints
from crapette_p2p.net.news import (
    Closed,
    Connected,
    Expecting,
    GaveUp,
    LogRestored,
    PeersNotSaved,
    TableNotice,
)
from crapette_p2p.net.patience import Patience
from crapette_p2p.net.player import Player
from crapette_p2p.net.policy import Policy
from crapette_p2p.net.pump import Pump
from crapette_p2p.net.recorder import Recorder
from crapette_p2p.net.shelf import Shelf
from crapette_p2p.net.store import LogFile
from crapette_p2p.net.times import TimeKeeper
from crapette_p2p.session.commands import Command, Leave
from crapette_p2p.session.config import SessionConfig
from crapette_p2p.session.notices import (
    EndBrought,
    GameOver,
    GameResumed,
    GameStarted,
    LinkLost,
    LobbyOpened,
    Notice,
    Peer,
    PeerKnown,
    SessionFailed,
)
from crapette_p2p.session.opengame import OpenGame
from crapette_p2p.session.session import Session


class Table:
    """One seat at one table."""

    def __init__(
        self,
        player: Player,
        policy: Policy,
        resumed: tuple[OpenGame, LogFile] | None = None,
    ) -> None:
        self.player = player
        self.policy = policy
        self.link_wanted = asyncio.Event()
        """Set while the table has no link and wants one."""
        self.hint: Hint | None = None
        """How this end can be found again; kept with the game."""
        self.recorder = Recorder(player.store, TimeKeeper(player.wall))
        """Writes the table's logs."""
        self.recorder.on_restored = lambda path: self.put(LogRestored(str(path)))
        self._shelf = Shelf(player, self.recorder, lambda: self.hint)
        self._hints = Hints(player.resume)
        self._friends = Acquaintances(player, lambda f: self.put(PeersNotSaved(f)))
        self._pump: Pump | None = None
        self._peer: Peer | None = None
        self._leaving = False
        self._links = 0
        self._notices: asyncio.Queue[TableNotice] = asyncio.Queue()
        self._closed: Closed | None = None
        self._patience = Patience(
            lambda: self.put(GaveUp(policy.wait)), lambda: self.end(None)
        )
        self._seated = asyncio.Event()
        if resumed is not None:
            self._take_up(*resumed)

    def _take_up(self, game: OpenGame, log: LogFile) -> None:
        """Begin with a game and without a link, as after a lost one."""
        self.recorder.adopt(game.game_id, log)
        self._shelf.put(game)
        self.hint = self._hints.load(game.game_id)
        self._pump = self.make_pump(address="", dialler=False)
        self._want_link()

    # What players ask ---------------------------------------------------------

    @property
    def session(self) -> Session | None:
        """The session of the current link, or of the last one."""
        return self._pump.session if self._pump is not None else None

    @property
    def linked(self) -> bool:
        """Whether the peer is there, its login done."""
        pump = self._pump
        if pump is None or self._peer is None or not pump.alive:
            return False
        return pump.session.peer is not None and not pump.ended

    @property
    def taken(self) -> bool:
        """Whether somebody has sat down; then only the same key gets in."""
        return self._seated.is_set()

    @property
    def open_game(self) -> OpenGame | None:
        """The game at hand, finished or not."""
        session = self.session
        game = session.open_game if session is not None else None
        return game or self._shelf.open or self._shelf.previous

    @property
    def game(self) -> GameState | None:
        """The game after its final events."""
        game = self.open_game
        return game.state if game is not None else None

    @property
    def seat(self) -> Seat | None:
        """Ours in the game at hand."""
        game = self.open_game
        return game.seat if game is not None else None

    @property
    def peer(self) -> Peer | None:
        """Whoever has the other seat, there or not."""
        return self._peer

    @property
    def address(self) -> str:
        """Where the other end of the current or last link is."""
        return self._pump.address if self._pump is not None else ""

    @property
    def log_path(self) -> str | None:
        """The log of the game at hand."""
        game = self.open_game
        path = self.recorder.path_of(game.game_id) if game is not None else None
        return str(path) if path is not None else None

    @property
    def closed(self) -> Closed | None:
        """How the table ended; None while it is open."""
        return self._closed

    def command(self, command: Command) -> None:
        """Hand a command to the session of the current link.

        Raises LocalProtocolError or IllegalMove where it cannot be; nothing has
        changed then. Leaving is always possible.
        """
        if isinstance(command, Leave):
            self._leave(command)
        elif self._closed is not None or self._pump is None:
            raise LocalProtocolError("there is no link")
        else:
            self._pump.command(command)

    def _leave(self, command: Leave) -> None:
        pump, before, self._leaving = self._pump, self._leaving, True
        if pump is None or not pump.alive:
            if before or not self._patience.lingers:  # asked twice: at once
                self.end(None)
        elif not pump.ended:
            pump.command(command)  # the rest follows when the link is gone

    async def next_notice(self) -> TableNotice:
        """What is known next; once ``Closed`` came it comes for ever."""
        if self._closed is not None and self._notices.empty():
            return self._closed
        return await self._notices.get()

    async def seated(self) -> None:
        """Return when the peer has sat down for the first time."""
        await self._seated.wait()

    async def aclose(self) -> None:
        """Say goodbye, keep the game, let go of everything; may be repeated."""
        pump = self._pump
        try:
            if pump is not None and pump.alive:
                self._leaving = True
                pump.bid_farewell(LEFT if self._shelf.goes_on else GAME_OVER)
                await pump.wait_over()
        finally:  # who is in a hurry must not keep the game locked
            self.end(None)
            self.recorder.close()

    # What brings links --------------------------------------------------------

    def make_pump(self, *, address: str, dialler: bool) -> Pump:
        """A link to be made, with a session that knows what this table knows."""
        player, policy = self.player, self.policy
        config = SessionConfig(
            idpub=player.identity.public,
            nick=player.nick,
            sign=player.identity.sign,
            verify=verify,
            rand=player.rand,
            wall=player.wall,
            expected=policy.expected,
            token=policy.token if dialler else None,
            invite=None if dialler else policy.invite(),
            invite_given=policy.invite_given,
            invite_only=policy.invite_only,
            known=self._how_known,
            namesake=self._friends.is_namesake,
            admit=self._admit,
            terms=policy.terms,
            game=self._shelf.open,
            previous=self._shelf.previous,
            lookup=self._shelf.lookup,
        )
        return Pump(Session(config), self.recorder, self, address=address)

    def sit_down(self, pump: Pump, heard: Iterable[Notice]) -> None:
        """Hear a first link that we dialled from its login on.

        ``heard``: what it has said already.
        """
        self._pump = pump
        for notice in heard:
            self.put(notice)

    def put(self, notice: TableNotice) -> None:
        """Add a notice to the queue."""
        if self._closed is None:
            self._notices.put_nowait(notice)

    # What a session asks ------------------------------------------------------

    def _how_known(self, key: bytes) -> str | None:
        """As the book says; whoever has sat here is no stranger to this table."""
        peer = self._peer
        if peer is not None and peer.idpub == key:
            return peer.verified
        return self._friends.how_known(key)

    def _admit(self, key: bytes) -> int | None:
        """Whether a proven key finds the seat free, or its own."""
        if self._closed is not None:
            return BUSY
        if self._peer is None or not self._seated.is_set():
            return None
        if key != self._peer.idpub or self._older_stays(dialler=False):
            return BUSY
        return None

    def _older_stays(self, *, dialler: bool) -> bool:
        """Whether the current link outranks a new one that we dialled or not."""
        pump, peer, game = self._pump, self._peer, self._shelf.open
        if pump is None or peer is None or not self.linked:
            return False
        smaller = self.player.identity.public < peer.idpub
        first = smaller if game is None else game.seat == 1
        return older_stays(older=pump.dialler, newer=dialler, preferred=first)

    # What pumps tell ----------------------------------------------------------

    def on_notice(self, pump: Pump, notice: Notice) -> None:
        """Seat a candidate that is our peer; pass on what the current link says."""
        if isinstance(notice, PeerKnown) and not self._seat(pump, notice):
            return
        if pump is not self._pump:
            self.policy.on_candidate(pump, notice)
            return
        self._note(pump, notice)
        self.put(notice)

    def on_over(self, pump: Pump) -> None:
        """The current link is gone: try again, or close."""
        if pump is self._pump and self._closed is None:
            back = self._links > 1 and self.hint is not None and self.hint.hosted
            if self._may_owe_result(pump):
                self._patience.linger()
                self._want_link()
            elif self._leaving:
                self.end(None)
            elif self._shelf.goes_on and is_passing(pump.ending, back=back):
                self._want_link()
            else:
                self.end(self._failure())

    def on_disk_failure(self, pump: Pump | None, error: StorageError) -> None:
        """Close: the game in memory is ahead of the one on the disk."""
        del pump
        status = Exit.PEER_LOST if self._shelf.open else error.failure.status
        self.end(replace(error.failure, status=status))

    def _seat(self, pump: Pump, notice: PeerKnown) -> bool:
        """Give the seat to a link whose key is settled; False if it is taken."""
        old = self._pump
        if pump is not old:
            if self._is_taken(notice.peer) or self._older_stays(dialler=pump.dialler):
                # Not now: the effects that brought the notice come first.
                asyncio.get_running_loop().call_soon(pump.bid_farewell, BUSY)
                return False
            self._pump = pump
            if old is not None:
                old.drop()
        self._peer = notice.peer
        self.link_wanted.clear()
        self._patience.linked(leaving=self._leaving)
        self.put(Connected(pump.address, again=self._links > 0))
        self._links += 1
        self._seated.set()
        if not pump.seat.done():
            pump.seat.set_result(True)
        self._friends.meet(notice, pump.address, again=self._links > 1)
        self.policy.token = None  # an invite works once
        self.policy.on_seated(pump)
        return True

    def _is_taken(self, peer: Peer) -> bool:
        seated = self._peer if self._seated.is_set() else None
        return self._closed is not None or (seated or peer).idpub != peer.idpub

    def _note(self, pump: Pump, notice: Notice) -> None:
        match notice:
            case LobbyOpened() if self._leaving:
                asyncio.get_running_loop().call_soon(self._leave_again, pump)
            case GameStarted() | GameResumed() | GameOver() | EndBrought():
                game = pump.session.open_game
                if game is not None:
                    self._shelf.put(game)
                    self._hints.follow(game.state, self.hint)
            case SessionFailed(code=code, evidence=bytes(evidence)):
                self._shelf.keep_evidence(self.open_game, code, evidence)
            case _:
                pass

    # How it ends --------------------------------------------------------------

    def _failure(self) -> Failure | None:
        """Why nobody comes back to this table."""
        return failure_of(
            self._pump.ending if self._pump is not None else None,
            played=self._shelf.previous is not None,
            kept=self._shelf.open is not None,
            own=self.player.identity.public,
        )

    def _may_owe_result(self, pump: Pump) -> bool:
        """Whether the last deal is over for us, and perhaps not for the peer."""
        lost = isinstance(pump.ending, LinkLost) and pump.session.unsure
        return lost and not self._shelf.goes_on

    def _leave_again(self, pump: Pump) -> None:
        if pump is self._pump and pump.alive and not pump.ended:
            pump.command(Leave(GAME_OVER))

    def peer_is_gone(self) -> None:
        """Nobody listens where the peer was: do not wait to tell him the result."""
        if self._patience.lingers:
            self.end(None)

    def _want_link(self) -> None:
        self.link_wanted.set()
        if self.hint is not None and self.hint.hosted and self.taken:
            self.put(Expecting(self.hint.port))
        self._patience.wait(self.policy.wait)

    def end(self, failure: Failure | None) -> None:
        """Close the table, if it is open, and tell whoever plays here why."""
        if self._closed is None:
            self._patience.end()
            self.link_wanted.clear()
            self._closed = Closed(failure)
            self._notices.put_nowait(self._closed)
