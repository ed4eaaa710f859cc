"""One stream and one session: feed it, do what it asks, in order, in time.

Theory of operation. A ``Pump`` is the asyncio protocol object of one TLS link
and the only caller of one ``Session``. Whatever comes in (bytes, the end of the
stream, a command, a deadline that has passed) goes to the session, and the
effects that come back are carried out at once, strictly in order, each finished
before the next: a ``Persist`` is on the disk before the ``Send`` that depends on
it is handed to the transport. Neighbouring ``Persist`` effects share one write. A
``Persist`` on which nothing here depends (the ACK of an own event) is written at
once and synced as soon as the loop comes round: by then the next event is often
made, and one fsync serves both. Nothing here awaits, so two inputs can never
interleave.

A lost link does not stop the list: ``Send`` does nothing then, ``Persist`` goes
on. A failed disk does stop it, as a crash would: nothing after the failed effect
is executed, the link is cut, and the game has to be loaded again.

Time is the loop's monotonic clock, which the session gets with every call. A peer
that does not read what we write has T_DRAIN seconds before it is cut off. It is TLS
that counts what waits; what it has handed to the transport below waits uncounted, so
one that takes a little now and then is cut off once we write more than it takes.
"""

from __future__ import annotations

import asyncio
from itertools import groupby
from typing import Final, Protocol, assert_never

from crapette_p2p.net.failures import StorageError
from crapette_p2p.net.recorder import Recorder
from crapette_p2p.session.commands import Command, Leave
from crapette_p2p.session.effects import (
    Close,
    DropSecrets,
    Effect,
    Emit,
    Persist,
    PersistSecret,
    Send,
)
from crapette_p2p.session.notices import (
    GameResumed,
    LinkLost,
    Notice,
    PeerLeft,
    SessionFailed,
)
from crapette_p2p.session.session import Session
from crapette_p2p.session.states import ENDED_STATES, State

DRAIN_SECONDS: Final = 5.0
"""T_DRAIN: how long written bytes may wait for a peer that does not read."""
WRITE_HIGH_WATER: Final = 64 * 1024
"""Unsent bytes from which on the peer counts as not reading."""
MAX_EARLY: Final = 4096
"""Bytes taken before the login begins; its frames are 1,024 at most."""
_LOGIN: Final = frozenset({State.TLS, State.HELLO, State.HOST, State.AUTH, State.READY})


class PumpOwner(Protocol):
    """Whoever the link belongs to; called in the middle of a list of effects.

    None of these may command the session: a list of effects is being executed.
    """

    def on_notice(self, pump: Pump, notice: Notice) -> None:
        """The session says something."""

    def on_over(self, pump: Pump) -> None:
        """The link is gone; nothing comes from it any more."""

    def on_disk_failure(self, pump: Pump, error: StorageError) -> None:
        """A record could not be kept: the session is over as by a crash."""


class Pump(asyncio.Protocol):
    """Drives one session over one link."""

    def __init__(
        self, session: Session, recorder: Recorder, owner: PumpOwner, *, address: str
    ) -> None:
        self.session = session
        self.address = address
        """Where the other end is, for a person to read."""
        self.owner: PumpOwner | None = owner
        """None for a link nobody listens to any more."""
        self._keeper = owner
        """Who hears of the disk all the same: the game goes on over another link."""
        self.dialler = False
        """Whether this end dialled."""
        self._recorder = recorder
        self._loop = asyncio.get_running_loop()
        self._transport: asyncio.Transport | None = None
        self._early = bytearray()
        self._started = False
        self._heard_end = False
        self._crashed = False
        self._timer: asyncio.TimerHandle | None = None
        self._drain: asyncio.TimerHandle | None = None
        self._login_over = asyncio.Event()
        self._over = asyncio.Event()
        self.seat: asyncio.Future[bool] = self._loop.create_future()
        """Whether this link got the seat, once that is decided."""
        self.ending: SessionFailed | PeerLeft | LinkLost | None = None
        """What the session said first about the end of the link."""

    # What others ask ----------------------------------------------------------

    @property
    def alive(self) -> bool:
        """Whether bytes can still be sent."""
        return self._transport is not None and not self._transport.is_closing()

    @property
    def ended(self) -> bool:
        """Whether the session is over."""
        return self.session.state in ENDED_STATES

    @property
    def transport(self) -> asyncio.Transport | None:
        """The link below; None before it is made and after it is lost."""
        return self._transport

    def start(self, cert_digest: bytes, *, dialler: bool) -> None:
        """Begin the login over this link."""
        self.dialler = dialler
        self._started = True
        self._run(self.session.connected(self._now(), cert_digest, dialler))
        if self._early and not self._crashed:
            data, self._early = bytes(self._early), bytearray()
            self._run(self.session.receive(self._now(), data))
        if self._heard_end:  # while the door kept its pace, or with the handshake
            self._run(self.session.eof(self._now()))

    def command(self, command: Command) -> None:
        """Hand a command to the session; raises what the session raises."""
        if self._crashed:
            raise RuntimeError("the disk failed; the game has to be loaded again")
        self._run(self.session.command(self._now(), command))

    async def login_over(self) -> None:
        """Return when the login has ended, well or badly, or waits for a person."""
        await self._login_over.wait()

    async def wait_over(self) -> None:
        """Return when the link is gone."""
        await self._over.wait()

    def bid_farewell(self, code: int) -> None:
        """Say BYE and close, as far as the session still can."""
        if self._crashed or self.ended:
            return
        if self.session.state is State.TLS:
            self.abort()  # nothing to say goodbye with
        else:
            self.command(Leave(code, at_once=True))

    def drop(self) -> None:
        """Cut the link without a word to anybody; the session hears its end."""
        self.owner = None
        self._hear_end()
        self.abort()

    def abort(self) -> None:
        """Cut the link now, whatever is still unsent."""
        if self._transport is not None:
            self._transport.abort()

    # What asyncio calls -------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """The TLS handshake is done."""
        assert isinstance(transport, asyncio.Transport)  # noqa: S101 - TLS is one
        self._transport = transport
        transport.set_write_buffer_limits(high=WRITE_HIGH_WATER)

    def data_received(self, data: bytes) -> None:
        """Bytes of the peer: to the session, or aside until the login begins."""
        if not self._started:
            self._early += data
            if len(self._early) > MAX_EARLY:
                self.abort()
        elif not self._heard_end and not self._crashed:
            self._run(self.session.receive(self._now(), data))

    def eof_received(self) -> None:
        """The peer closed; the transport follows by itself."""
        self._hear_end()

    def connection_lost(self, exc: Exception | None) -> None:
        """The link is gone."""
        self._hear_end()
        self._transport = None
        self._cancel_timers()
        self._login_over.set()
        self._over.set()
        if not self.seat.done():
            self.seat.set_result(False)
        if self.owner is not None:
            self.owner.on_over(self)

    def pause_writing(self) -> None:
        """The peer does not read; give it T_DRAIN."""
        self._await_drain()

    def resume_writing(self) -> None:
        """The peer reads again."""
        if self._drain is not None and self.alive:
            self._drain.cancel()
            self._drain = None

    # The loop -----------------------------------------------------------------

    def _now(self) -> float:
        return self._loop.time()

    def _tick(self) -> None:
        self._timer = None
        self._run(self.session.tick(self._now()))

    def _hear_end(self) -> None:
        if not self._heard_end:
            self._heard_end = True
            if self._started and not self._crashed:
                self._run(self.session.eof(self._now()))

    def _run(self, effects: list[Effect]) -> None:
        """Carry out ``effects``, then wait for what comes or for the deadline."""
        try:
            for kind, group in groupby(effects, key=type):
                if kind is Persist:
                    self._persist([e for e in group if isinstance(e, Persist)])
                else:
                    for effect in group:
                        self._execute(effect)
            if not self._recorder.settled:
                self._loop.call_soon(self._settle)
        except StorageError as error:
            self._crash(error)
        self._recorder.keep_times()
        self._rearm()
        if not self._login_over.is_set() and self.session.state not in _LOGIN:
            self._login_over.set()

    def _persist(self, effects: list[Persist]) -> None:
        for game_id, group in groupby(effects, key=lambda e: e.game_id):
            self._recorder.write(game_id, [(e.kind, e.body) for e in group])

    def _settle(self) -> None:
        if not self._crashed:
            try:
                self._recorder.settle()
            except StorageError as error:
                self._crash(error)

    def _execute(self, effect: Effect) -> None:
        if not isinstance(effect, Emit):
            self._recorder.settle()
        match effect:
            case Send(data):
                if self._transport is not None and not self._transport.is_closing():
                    self._transport.write(data)
            case Emit(notice):
                self._emit(notice)
            case PersistSecret(game_id, deck, seeds):
                self._recorder.store.save_seeds(game_id, deck, seeds)
            case DropSecrets(game_id):
                self._recorder.store.drop_seeds(game_id)
            case Close():
                self._close()
            case Persist():
                self._persist([effect])
            case _:
                assert_never(effect)

    def _emit(self, notice: Notice) -> None:
        if isinstance(notice, SessionFailed | PeerLeft | LinkLost):
            self.ending = self.ending or notice
        elif isinstance(notice, GameResumed):
            self._recorder.joined(notice.game_id)
        # A session has nothing to say before; and while a person there looks at
        # the four cards, ours has to see them too.
        self._login_over.set()
        if self.owner is not None:
            self.owner.on_notice(self, notice)

    def _close(self) -> None:
        """Flush what was sent and close; TLS gives up before T_DRAIN (tls.py)."""
        if self._transport is not None:
            self._transport.close()
            self._await_drain()

    def _crash(self, error: StorageError) -> None:
        self._crashed = True
        self._cancel_timers()
        self.abort()
        self._keeper.on_disk_failure(self, error)

    def _await_drain(self) -> None:
        if self._drain is None:
            self._drain = self._loop.call_later(DRAIN_SECONDS, self.abort)

    def _rearm(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        deadline = self.session.deadline()
        if deadline is not None and not self.ended and not self._crashed:
            self._timer = self._loop.call_at(deadline, self._tick)

    def _cancel_timers(self) -> None:
        for handle in (self._timer, self._drain):
            if handle is not None:
                handle.cancel()
        self._timer = self._drain = None
