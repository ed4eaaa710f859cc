"""The course of one link: which part is at work, and what leads to the next.

Theory of operation. Login, then resumption, then lobby and channel in turn. The
state is not stored: it follows from which parts exist. ``take`` looks a message
up in the table of ``states.py`` (104 if it may not come now), hands it to the
part it belongs to, and moves on where that part is done. It neither counts nor
times anything; that is ``session.py``.
"""

from __future__ import annotations

from typing import assert_never

from crapette_p2p.errors import LocalProtocolError, RemoteProtocolError
from crapette_p2p.session import messages as wire
from crapette_p2p.session.channel import Channel
from crapette_p2p.session.config import SessionConfig
from crapette_p2p.session.lobby import Lobby, begin
from crapette_p2p.session.login import Login
from crapette_p2p.session.notices import (
    EndBrought,
    GameResumed,
    GameStarted,
    LobbyOpened,
)
from crapette_p2p.session.opengame import OpenGame
from crapette_p2p.session.outbox import Outbox
from crapette_p2p.session.progress import game_over, tell_progress
from crapette_p2p.session.resume import Resumption, Stage
from crapette_p2p.session.states import ALLOWED, Condition, State, state_of_game

CourseMessage = (
    wire.Hello
    | wire.Host
    | wire.Auth
    | wire.Ready
    | wire.ProposeMessage
    | wire.Accept
    | wire.Start
    | wire.Resume
    | wire.Sync
    | wire.Records
    | wire.EventMessage
    | wire.Ack
)
"""What moves the course on; the rest is talk."""


class Course:
    """Owns the parts of one link."""

    def __init__(
        self,
        config: SessionConfig,
        outbox: Outbox,
        *,
        cert_digest: bytes,
        dialler: bool,
    ) -> None:
        self._config = config
        self._outbox = outbox
        self._kept: OpenGame | None = None
        """The game this link has brought to the fore."""
        self.login = Login(config, outbox, cert_digest=cert_digest, dialler=dialler)
        self.resumption: Resumption | None = None
        self.lobby: Lobby | None = None
        self.channel: Channel | None = None

    @property
    def state(self) -> State:
        """Where the link stands, while it stands."""
        if not self.login.ready:
            return self.login.state
        if self.lobby is not None:
            return State.LOBBY if self.lobby.is_idle else State.PROPOSED
        if self.channel is not None:
            return state_of_game(self.channel.game.state)
        stage = self.resumption.stage if self.resumption is not None else None
        syncing = stage in (Stage.SHORTER, Stage.LONGER)
        return State.SYNCING if syncing else State.RESUMING

    @property
    def open_game(self) -> OpenGame | None:
        """The game at hand, finished or not."""
        if self._kept is not None:
            return self._kept
        return self._config.game or self._config.previous

    # What may come ------------------------------------------------------------

    def allows(self, kind: wire.MessageType) -> bool:
        """Whether the table lets this message in now."""
        condition = ALLOWED[self.state].get(kind)
        return condition is not None and self._holds(condition)

    def _holds(self, condition: Condition) -> bool:
        lobby, channel = self.lobby, self.channel
        stage = self.resumption.stage if self.resumption is not None else None
        match condition:
            case Condition.ALWAYS:
                return True
            case Condition.ROLE_1:
                # The listener may propose a first deal instead of the next one.
                if lobby is None or not lobby.may_be_role_1:
                    return False
                return lobby.is_idle or lobby.may_cross
            case Condition.PROPOSED:
                return lobby is not None and lobby.proposed is not None
            case Condition.ACCEPTED:
                return lobby is not None and lobby.accepted is not None
            case Condition.ACCEPTED_OPEN:
                return stage is Stage.AWAIT_START
            case Condition.FINISHED_GAME:
                return channel is not None
            case Condition.SHORTER:
                return stage is Stage.SHORTER
            case Condition.LONGER:
                return stage is Stage.LONGER
            case Condition.LENGTH_0:
                return channel is not None and channel.game.length == 0
            case _:
                assert_never(condition)

    # What comes ---------------------------------------------------------------

    def take(self, message: CourseMessage, payload: bytes) -> bool:
        """Take a message that is allowed; False if it brought nothing new."""
        match message:
            case wire.Hello() | wire.Host() | wire.Auth() | wire.Ready():
                self._take_login(message, payload)
            case wire.Resume() | wire.Sync() | wire.Records():
                return self._take_resumption(message)
            case wire.ProposeMessage() | wire.Accept() | wire.Start():
                return self._take_lobby(message)
            case wire.EventMessage() | wire.Ack():
                return self._take_event(message)
            case _:
                assert_never(message)
        return True

    def _take_login(
        self, message: wire.Hello | wire.Host | wire.Auth | wire.Ready, payload: bytes
    ) -> None:
        login = self.login
        match message:
            case wire.Hello():
                login.on_hello(message, payload)
            case wire.Host():
                login.on_host(message)
            case wire.Auth():
                login.on_auth(message)
            case wire.Ready():
                login.on_ready(message)
            case _:
                assert_never(message)
        self._after_login()

    def answered(self) -> None:
        """Our person has seated the peer: go on with what waited for it."""
        self._after_login()
        self._outbox.tell_play()
        if self.lobby is not None:
            self.lobby.announce()

    def _after_login(self) -> None:
        """Once READY 0 was sent or received: name the game at hand."""
        peer, game = self.login.peer, self._config.game
        if not self.login.ready or peer is None or self.resumption is not None:
            return
        theirs = game is not None and game.is_open and game.peer_key == peer.idpub
        self.resumption = Resumption(
            self._config,
            self._outbox,
            game=game if theirs else None,
            dialler=self.login.dialler,
            find=self._find,
        )

    def _find(self, game_id: bytes) -> OpenGame | None:
        """A game with this peer, at hand or among those the owner keeps."""
        config, peer = self._config, self.login.peer
        if peer is None:
            return None
        at_hand = (self._kept, config.game, config.previous)
        found = next((g for g in at_hand if g and g.game_id == game_id), None)
        game = found or config.lookup(game_id, peer.idpub)
        if game is None or game.peer_key != peer.idpub:
            return None
        self._outbox.repair(game)
        return game

    def _take_resumption(self, message: wire.Resume | wire.Sync | wire.Records) -> bool:
        resumption = self.resumption
        if resumption is None:
            raise RemoteProtocolError("no logs are compared", code=104)
        match message:
            case wire.Resume():
                resumption.on_resume(message)
            case wire.Sync():
                resumption.on_sync(message)
            case wire.Records():
                resumption.on_records(message)
            case _:
                assert_never(message)
        self._kept = resumption.game
        if resumption.stage is Stage.LOBBY:
            self._open_lobby()
        elif resumption.stage is Stage.EQUAL and resumption.game is not None:
            # Only the longer log is asked: what it serves was not known there.
            self._go_on(resumption.game, served=isinstance(message, wire.Sync))
        return not isinstance(message, wire.Sync)

    def _go_on(self, game: OpenGame, *, served: bool) -> None:
        self.channel = Channel(game, self._config, self._outbox)
        if game.done:
            end = game.state.final_end
            if served and end is not None:
                self._outbox.emit(EndBrought(game_over(game, end)))
            self._open_lobby()
            return
        self._outbox.emit(GameResumed(game.game_id, game.seat))
        note = game.came_back()
        if note is not None:
            self._outbox.add(note)
        self.channel.open()

    def _open_lobby(self) -> None:
        peer, config = self.login.peer, self._config
        if peer is None:
            raise LocalProtocolError("a lobby without a peer")
        done = self.channel.game if self.channel is not None else None
        previous = done or config.previous
        if previous is not None and previous.peer_key != peer.idpub:
            previous = None
        self.lobby = Lobby(
            config,
            self._outbox,
            peer=peer,
            dialler=self.login.dialler,
            previous=previous,
            find=self._find,
        )
        self._outbox.emit(LobbyOpened(self.lobby.proposes))
        if previous is None and config.terms is not None and self.lobby.proposes:
            self.lobby.propose(config.terms)

    def _take_lobby(
        self, message: wire.ProposeMessage | wire.Accept | wire.Start
    ) -> bool:
        if self.lobby is None:
            return isinstance(message, wire.Start) and self._start_again(message)
        match message:
            case wire.ProposeMessage():
                if not self.lobby.on_propose(message):
                    return False
                if not self.login.asking:
                    self.lobby.announce()
            case wire.Accept():
                self._start(self.lobby.on_accept(message))
            case wire.Start():
                self._start(self.lobby.on_start(message))
            case _:
                assert_never(message)
        return True

    def _start_again(self, message: wire.Start) -> bool:
        """START of a game accepted on an earlier link; a repeated one is nothing."""
        resumption = self.resumption
        if resumption is None or resumption.stage is not Stage.AWAIT_START:
            return False
        game = resumption.game if self.channel is None else None
        if game is None:
            return False
        begin(game, message, self._config, self._outbox)
        self._start(game)
        return True

    def _start(self, game: OpenGame) -> None:
        self._kept = game
        self.lobby = None
        self.channel = Channel(game, self._config, self._outbox)
        self._outbox.emit(GameStarted(game.game_id, game.seat))
        tell_progress(game, self._outbox)
        self.channel.open()

    def _take_event(self, message: wire.EventMessage | wire.Ack) -> bool:
        channel = self.channel
        if channel is None:
            raise RemoteProtocolError("no game is open", code=104)
        if isinstance(message, wire.EventMessage):
            final = channel.on_event(message)
        else:
            final = channel.on_ack(message)
        if channel.game.done and self.lobby is None:
            self._open_lobby()
        return final
