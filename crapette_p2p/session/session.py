"""``Session``: one side of one link, from the first byte to the last.

Theory of operation. Bytes, ticks and commands go in, effects come out; nothing
in here reads a clock, draws entropy or touches a file. ``course.py`` knows where
the link stands and what may come there; this module frames, counts, times and
ends it. Whatever the peer does wrong surfaces as one kind of error and is
converted in the single ``except`` of ``receive``: the game is marked as failed
if the fault lies in the game, the proof is recorded, and the link closes with
BYE. A session never outlives its link; the game (``OpenGame``) does.
"""

from __future__ import annotations

from typing import Final

from crapette_p2p.engine.actions import Action
from crapette_p2p.engine.layout import Seat
from crapette_p2p.errors import DecodeError, LocalProtocolError, RemoteProtocolError
from crapette_p2p.gamelog.evidence import encode_evidence
from crapette_p2p.gamelog.log import GameLog
from crapette_p2p.gamelog.nicks import is_valid_nick
from crapette_p2p.gamelog.state import GameState
from crapette_p2p.session import messages as wire
from crapette_p2p.session.ackwatch import AckWatch
from crapette_p2p.session.channel import GameFaultError, fail_game
from crapette_p2p.session.commands import (
    AcceptPlayer,
    AcceptTerms,
    Act,
    Command,
    Confirm,
    DeclineTerms,
    Leave,
    MarkAbandoned,
    Propose,
    RefusePlayer,
    SayChat,
)
from crapette_p2p.session.config import SessionConfig
from crapette_p2p.session.course import Course
from crapette_p2p.session.effects import Effect
from crapette_p2p.session.farewells import heard_bye
from crapette_p2p.session.framing import FRAME_MAX, FRAME_MAX_LOGIN, FrameReader
from crapette_p2p.session.liveness import Liveness
from crapette_p2p.session.notices import (
    ChatReceived,
    LinkLost,
    Peer,
    SessionFailed,
)
from crapette_p2p.session.opengame import OpenGame
from crapette_p2p.session.outbox import Outbox
from crapette_p2p.session.parting import Parting
from crapette_p2p.session.states import GAME_STATES, TALK_STATES, State
from crapette_p2p.session.text import cut, displayable
from crapette_p2p.session.timers import chat_bucket
from crapette_p2p.session.waits import awaits_person, wait_limit

_Fault = RemoteProtocolError | DecodeError | LocalProtocolError
_SILENT_STATES: Final = frozenset({State.HELLO, State.HOST, State.AUTH})
"""Before AUTH nobody pings (P15)."""


class Session:
    """One side of one link; see the module's theory of operation."""

    def __init__(self, config: SessionConfig) -> None:
        if not is_valid_nick(config.nick):
            raise LocalProtocolError("a nick no peer would accept")
        self._config = config
        self._outbox = Outbox()
        self._reader = FrameReader()
        self._chat = chat_bucket()
        self._course: Course | None = None
        self._live = Liveness(0.0, self._outbox)
        self._ended: State | None = None
        self._began = 0.0
        self._since = 0.0
        """When the link last came further."""
        self._acks, self._parting = AckWatch(self._outbox), Parting()

    # What the owner may ask ---------------------------------------------------

    @property
    def state(self) -> State:
        """Where this link stands."""
        if self._ended is not None:
            return self._ended
        return self._course.state if self._course is not None else State.TLS

    @property
    def peer(self) -> Peer | None:
        """Who sits on the other side, once its key is proven."""
        return self._course.login.peer if self._course is not None else None

    @property
    def open_game(self) -> OpenGame | None:
        """The game at hand, finished or not; hand it to the next session."""
        if self._course is not None:
            return self._course.open_game
        return self._config.game or self._config.previous

    @property
    def game(self) -> GameState | None:
        """The game at hand after its final events."""
        game = self.open_game
        return game.state if game is not None else None

    @property
    def log(self) -> GameLog | None:
        """The log of the game at hand."""
        game = self.open_game
        return game.log if game is not None else None

    @property
    def seat(self) -> Seat | None:
        """Ours in the game at hand."""
        game = self.open_game
        return game.seat if game is not None else None

    @property
    def latency(self) -> float | None:
        """Seconds the last PING took to come back."""
        return self._live.latency

    @property
    def unsure(self) -> bool:
        """Whether the deal is closed here, and the peer may not know it."""
        return self._parting.unsure

    def may(self, action: Action) -> bool:
        """Whether ``Act(action)`` would be taken now."""
        channel = self._course.channel if self._course is not None else None
        return channel is not None and self.state in GAME_STATES and channel.may(action)

    # What happens -------------------------------------------------------------

    def connected(self, now: float, cert_digest: bytes, dialler: bool) -> list[Effect]:
        """TLS is up; ``cert_digest`` is SHA-256 of the listener's certificate."""
        if self._course is not None:
            raise LocalProtocolError("a session has one link")
        self._began = self._since = now
        self._live = Liveness(now, self._outbox)
        self._outbox.repair(self._config.game)
        self._course = Course(
            self._config, self._outbox, cert_digest=cert_digest, dialler=dialler
        )
        return self._outbox.drain()

    def receive(self, now: float, data: bytes) -> list[Effect]:
        """Bytes of the peer, cut in any way."""
        course = self._course
        if self._ended is None and course is not None:
            self._reader.feed(data)
            try:
                self._take_frames(course, now)
            except (RemoteProtocolError, DecodeError, LocalProtocolError) as error:
                # The last one is our own: seeds are lost, or the engine refuses
                # what it has called for. The peer hears 500 then.
                self._fail(error)
            self._after(now)
        return self._outbox.drain()

    def eof(self, now: float) -> list[Effect]:
        """The link is gone; that is never an event of the game."""
        if self._ended is None:
            self._lose(0)
        return self._outbox.drain()

    def tick(self, now: float) -> list[Effect]:
        """Time has passed; see ``deadline``."""
        if self._ended is None and self._course is not None:
            if self._may_ping() and self._live.is_dead(now):
                self._lose(106)
            elif any(now >= limit for limit in self._limits(self._course)):
                self._say_bye(106)
                self._lose(106, unanswered=awaits_person(self._course))
            else:
                if self._may_ping():
                    self._live.tick(now)
                self._acks.remind(now)
                self._part_if_due(now)
        return self._outbox.drain()

    def deadline(self) -> float | None:
        """When ``tick`` has something to do next; None if never."""
        if self._ended is not None or self._course is None:
            return None
        waits = self._limits(self._course)
        if self._may_ping():
            waits.append(self._live.deadline())
        waits += [*self._acks.reminders(), *self._parting.reminders()]
        return min(waits, default=None)

    def command(self, now: float, command: Command) -> list[Effect]:
        """What the owner wants; LocalProtocolError or IllegalMove if it cannot be."""
        if isinstance(command, MarkAbandoned):
            self._mark_abandoned()
            return self._outbox.drain()
        if self._ended is not None or self._course is None:
            raise LocalProtocolError("there is no link")
        before = self.state
        self._obey(self._course, command, now)
        if self.state is not before or isinstance(command, AcceptTerms):
            self._since = now  # START is waited for from ACCEPT on, not from PROPOSE
        self._after(now)
        return self._outbox.drain()

    # Frames -------------------------------------------------------------------

    def _take_frames(self, course: Course, now: float) -> None:
        while self._ended is None:
            limit = FRAME_MAX if course.login.ready else FRAME_MAX_LOGIN
            payload = self._reader.next_payload(limit)
            if payload is None:
                return
            self._live.hear(now)
            message = wire.decode_message(payload)
            is_bye = isinstance(message, wire.Bye)
            if not is_bye and not course.allows(wire.type_of(message)):
                raise RemoteProtocolError("not in this state", code=104)
            self._take(course, message, payload, now)

    def _take(
        self, course: Course, message: wire.Message, payload: bytes, now: float
    ) -> None:
        further = False
        match message:
            case wire.Ping(n):
                self._outbox.send(wire.Pong(n))
            case wire.Pong():
                self._live.on_pong(message, now)
                self._parting.on_pong(message.n)
            case wire.Chat(text):
                line = displayable(text)
                if line and self._live.may_show(now):
                    self._outbox.emit(ChatReceived(line))
            case wire.Bye():
                self._on_bye(message, course)
                return
            case _:
                further = course.take(message, payload)
                if further or isinstance(message, wire.Sync):
                    self._since = now
                    self._parting.note(message, course.open_game, self._live.pings)
        if not further and not self._live.may_idle(now):
            raise RemoteProtocolError("too many frames", code=105)

    def _on_bye(self, message: wire.Bye, course: Course) -> None:
        self._parting.on_bye(message)
        asked, refused = awaits_person(course), course.login.refused
        self._outbox.emit(heard_bye(message, asked=asked, refused=refused))
        self._end(message.code)

    # Endings ------------------------------------------------------------------

    def _fail(self, error: _Fault, *, cards: bool = False) -> None:
        """Record what can be proven, say why, close; ``cards``: they differ."""
        code = 500 if isinstance(error, LocalProtocolError) else error.code
        seq, evidence, failed = None, None, False
        if isinstance(error, GameFaultError):
            game, seq = error.game, error.seq
            if error.proof is not None:
                evidence = encode_evidence(game.log, error.proof)
            failed = fail_game(game, code, error.proof, self._outbox)
        self._say_bye(code, seq)
        self._outbox.emit(
            SessionFailed(
                code=code,
                by_peer=False,
                game_failed=failed,
                evidence=evidence,
                key=getattr(error, "key", None),
                cards=cards,
            )
        )
        self._end(code)

    def _lose(self, code: int, *, unanswered: bool = False) -> None:
        self._outbox.emit(LinkLost(code, unanswered))
        self._end(code)

    def _say_bye(self, code: int, seq: int | None = None) -> None:
        text = wire.SPOKEN if code == 200 else ""
        self._outbox.send(wire.Bye(code, seq, text))

    def _end(self, code: int) -> None:
        self._outbox.close(code)
        self._reader.clear()
        game = self.open_game
        if game is not None and game.failed is not None:
            self._ended = State.FAILED
        elif game is not None and game.is_open:
            self._ended = State.SUSPENDED
        else:
            self._ended = State.CLOSED

    # Time ---------------------------------------------------------------------

    def _may_ping(self) -> bool:
        return self.state not in _SILENT_STATES

    def _after(self, now: float) -> None:
        channel = self._course.channel if self._course is not None else None
        playing = channel is not None and channel.opened and self._ended is None
        self._acks.watch(self.open_game if playing else None, now)
        self._part_if_due(now)

    def _part_if_due(self, now: float) -> None:
        code = self._parting.code
        if code is not None and self._ended is None and self._parting.is_due(now):
            self._say_bye(code)
            self._end(code)

    def _limits(self, course: Course) -> list[float]:
        """When the waits that would end the link run out."""
        limit = wait_limit(course, began=self._began, since=self._since)
        return ([] if limit is None else [limit]) + self._acks.limits()

    # Commands -----------------------------------------------------------------

    def _obey(self, course: Course, command: Command, now: float) -> None:
        match command:
            case Confirm() | AcceptPlayer() | RefusePlayer():
                self._answer_login(course, command)
            case Propose() | AcceptTerms() | DeclineTerms():
                self._negotiate(course, command)
            case Act(action):
                if course.channel is None or course.lobby is not None:
                    raise LocalProtocolError("no game is open")
                course.channel.act(action)
            case SayChat(text):
                self._say(text, now)
            case Leave(code, at_once=at_once):
                self._leave(code, now, at_once=at_once)
            case MarkAbandoned():
                self._mark_abandoned()

    def _answer_login(
        self, course: Course, command: Confirm | AcceptPlayer | RefusePlayer
    ) -> None:
        login = course.login
        match command:
            case Confirm(same=True, remember=remember):
                login.answer(verified=True, remember=remember)
            case AcceptPlayer():
                login.answer(verified=False, remember=False)
            case Confirm():
                login.require_asking()
                self._fail(RemoteProtocolError("other cards", code=201), cards=True)
            case RefusePlayer():
                login.turn_away()
                self._say_bye(206)
                self._end(206)
        if self._ended is None:
            course.answered()

    def _negotiate(
        self, course: Course, command: Propose | AcceptTerms | DeclineTerms
    ) -> None:
        lobby = course.lobby
        if lobby is None or course.login.asking:
            raise LocalProtocolError("nothing can be agreed now")
        match command:
            case Propose(terms):
                lobby.propose(terms)
            case AcceptTerms():
                lobby.accept()
            case DeclineTerms(code):
                if lobby.offered is None:
                    raise LocalProtocolError("nothing was proposed")
                self._say_bye(code)
                self._end(code)

    def _say(self, text: str, now: float) -> None:
        if self.state not in TALK_STATES:
            raise LocalProtocolError("nobody can hear that yet")
        if not self._chat.take(now):
            raise LocalProtocolError("too many lines")
        line = cut(displayable(text), wire.CHAT_MAX)
        self._outbox.send(wire.Chat(line))

    def _leave(self, code: int, now: float, *, at_once: bool) -> None:
        if self._parting.unsure and not at_once:
            self._live.ping(now)
            self._parting.wait(code, now)
        else:
            self._say_bye(code)
            self._end(code)

    def _mark_abandoned(self) -> None:
        game = self.open_game
        if game is None or not game.is_open:
            raise LocalProtocolError("no game is open")
        note = game.abandon()
        if note is not None:
            self._outbox.add(note)
