"""The pump: effects in order, records before sends, deadlines, slow readers."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import Any, cast

import pytest

from crapette_p2p.net.failures import StorageError, storage_error
from crapette_p2p.net.pump import DRAIN_SECONDS, MAX_EARLY, Pump
from crapette_p2p.net.store import Recorder
from crapette_p2p.session.commands import Command, Leave, SayChat
from crapette_p2p.session.effects import (
    Close,
    DropSecrets,
    Effect,
    Emit,
    Persist,
    PersistSecret,
    Send,
)
from crapette_p2p.session.notices import LinkLost, Notice, PeerHeard
from crapette_p2p.session.session import Session
from crapette_p2p.session.states import State
from tests.net.fasttime import fast

GAME, OTHER = b"g" * 32, b"h" * 32
NOTE = Persist(GAME, 5, (501, "note"))


@dataclass
class World:
    """Everything a pump touches, writing down what happens to it."""

    done: list[object] = field(default_factory=list)
    fail_at: int | None = None
    """Which append fails, counted from 0."""
    appends: int = 0


class FakeTransport(asyncio.Transport):
    """Writes down what is written to it."""

    def __init__(self, world: World) -> None:
        super().__init__()
        self._world = world
        self._closing = False

    def write(self, data: Any) -> None:  # noqa: ANN401 - asyncio's signature
        """Bytes for the peer."""
        self._world.done.append(("write", bytes(data)))

    def close(self) -> None:
        """Flush and close."""
        self._world.done.append("close")
        self._closing = True

    def abort(self) -> None:
        """Close at once."""
        self._world.done.append("abort")
        self._closing = True

    def is_closing(self) -> bool:
        """Whether either was asked."""
        return self._closing

    def set_write_buffer_limits(
        self, high: int | None = None, low: int | None = None
    ) -> None:
        """Nothing is buffered here."""


class FakeRecorder:
    """A recorder whose disk fails when it is told to."""

    def __init__(self, world: World) -> None:
        self._world = world
        self.store = self

    def append(self, game_id: bytes, records: list[tuple[int, object]]) -> None:
        """Write down a batch."""
        self._world.appends += 1
        if self._world.appends - 1 == self._world.fail_at:
            raise storage_error("cannot-write", "log", "full")
        self._world.done.append(("append", game_id[:1], len(records)))

    def save_seeds(self, game_id: bytes, deck: int, seeds: object) -> None:
        """Write down seeds."""
        del seeds
        self._world.done.append(("seeds", game_id[:1], deck))

    def drop_seeds(self, game_id: bytes) -> None:
        """Write down that they are gone."""
        self._world.done.append(("drop", game_id[:1]))


class FakeSession:
    """Answers everything with the effects a test has put in."""

    def __init__(self, *effects: Effect) -> None:
        self.effects = list(effects)
        self.asked: list[object] = []
        self.state = State.PLAY
        self.due: float | None = None

    def _answer(self, *asked: object) -> list[Effect]:
        self.asked.append(asked)
        effects, self.effects = self.effects, []
        return effects

    def connected(self, now: float, digest: bytes, dialler: bool) -> list[Effect]:
        """The link is up."""
        del now
        return self._answer("connected", digest, dialler)

    def receive(self, now: float, data: bytes) -> list[Effect]:
        """Bytes came."""
        del now
        return self._answer("receive", data)

    def eof(self, now: float) -> list[Effect]:
        """The end came."""
        del now
        return self._answer("eof")

    def tick(self, now: float) -> list[Effect]:
        """Time passed."""
        self.due = None
        return self._answer("tick", now)

    def command(self, now: float, command: Command) -> list[Effect]:
        """The owner wants something."""
        del now
        return self._answer(command)

    def deadline(self) -> float | None:
        """When to tick."""
        return self.due


class Owner:
    """Writes down what it is told."""

    def __init__(self, world: World) -> None:
        self._world = world

    def on_notice(self, pump: Pump, notice: Notice) -> None:
        """A notice."""
        del pump
        self._world.done.append(notice)

    def on_over(self, pump: Pump) -> None:
        """The link is gone."""
        del pump
        self._world.done.append("over")

    def on_disk_failure(self, pump: Pump, error: StorageError) -> None:
        """The disk failed."""
        del pump
        self._world.done.append(error.failure.code)


def make_pump(world: World, session: FakeSession, *, started: bool = True) -> Pump:
    """A pump over fakes, its link up."""
    pump = Pump(
        cast("Session", session),
        cast("Recorder", FakeRecorder(world)),
        Owner(world),
        address="somewhere",
    )
    pump.connection_made(FakeTransport(world))
    if started:
        pump.start(b"d" * 32, dialler=True)
    return pump


@fast
async def test_effects_happen_in_order() -> None:
    """Each effect is finished before the next; neighbours share one write."""
    world, notice = World(), PeerHeard()
    session = FakeSession()
    pump = make_pump(world, session)
    session.effects = [
        PersistSecret(GAME, 0, (b"s" * 32,)),
        PersistSecret(GAME, 1, (b"s" * 32,)),
        NOTE,
        NOTE,
        Send(b"one"),
        Emit(notice),
        NOTE,
        Persist(OTHER, 5, (1, "x")),
        Send(b"two"),
        DropSecrets(GAME),
        Close(502),
    ]
    pump.data_received(b"x")
    assert world.done == [
        ("seeds", b"g", 0),
        ("seeds", b"g", 1),
        ("append", b"g", 2),
        ("write", b"one"),
        notice,
        ("append", b"g", 1),
        ("append", b"h", 1),
        ("write", b"two"),
        ("drop", b"g"),
        "close",
    ]


@pytest.mark.parametrize("fail_at", [0, 1])
@fast
async def test_nothing_follows_a_failed_record(fail_at: int) -> None:
    """The send behind a record that could not be kept does not happen, ever."""
    world = World(fail_at=fail_at)
    session = FakeSession()
    pump = make_pump(world, session)
    session.effects = [NOTE, Send(b"one"), NOTE, Send(b"two"), Emit(PeerHeard())]
    pump.data_received(b"x")
    before = [("append", b"g", 1), ("write", b"one")] if fail_at else []
    assert world.done == [*before, "abort", "cannot-write"]
    session.effects = [Send(b"three")]
    asked = len(session.asked)
    pump.data_received(b"more")
    pump.connection_lost(None)
    with pytest.raises(RuntimeError):
        pump.command(SayChat("hello"))
    assert len(session.asked) == asked  # the session is as good as dead
    assert ("write", b"three") not in world.done


@fast
async def test_a_lost_link_does_not_stop_the_list() -> None:
    """Without a link nothing is sent, but everything is kept."""
    world = World()
    session = FakeSession()
    pump = make_pump(world, session)
    pump.connection_lost(None)
    session.effects = [NOTE, Send(b"one"), NOTE, Close(501)]
    pump.command(Leave())
    assert world.done == ["over", ("append", b"g", 1), ("append", b"g", 1)]
    assert session.asked[-2:] == [("eof",), (Leave(),)]


@fast
async def test_the_end_is_heard_once() -> None:
    """End of file and loss of the link are one end to the session."""
    world = World()
    session = FakeSession()
    pump = make_pump(world, session)
    lost = LinkLost(0)
    session.effects = [Emit(lost)]
    pump.eof_received()
    pump.connection_lost(None)
    assert session.asked.count(("eof",)) == 1
    assert world.done == [lost, "over"]
    assert pump.ending is lost
    assert pump.seat.result() is False
    await pump.wait_over()


@fast
async def test_the_deadline_is_kept() -> None:
    """The session is asked again at its own deadline, and only then."""
    loop = asyncio.get_running_loop()
    session = FakeSession()
    session.due = loop.time() + 600
    make_pump(World(), session)
    await asyncio.sleep(599)
    assert len(session.asked) == 1
    await asyncio.sleep(2)
    name, now = cast("tuple[str, float]", session.asked[-1])
    assert name == "tick"
    assert now == pytest.approx(loop.time() - 1, abs=0.5)


@fast
async def test_no_deadline_after_the_end() -> None:
    """A session that is over is not asked any more, whatever it says."""
    session = FakeSession()
    session.due = asyncio.get_running_loop().time() + 5
    pump = make_pump(World(), session)
    session.state = State.SUSPENDED
    pump.data_received(b"x")
    await asyncio.sleep(10)
    assert ("tick",) not in [
        asked[:1] for asked in cast("list[tuple[object, ...]]", session.asked)
    ]


@fast
async def test_a_peer_that_does_not_read() -> None:
    """Written bytes wait T_DRAIN seconds; reading again in time saves the link."""
    world = World()
    pump = make_pump(world, FakeSession())
    pump.pause_writing()
    await asyncio.sleep(DRAIN_SECONDS - 1)
    pump.resume_writing()
    await asyncio.sleep(DRAIN_SECONDS + 1)
    assert "abort" not in world.done
    pump.pause_writing()
    await asyncio.sleep(DRAIN_SECONDS + 1)
    assert "abort" in world.done


@fast
async def test_a_farewell_is_not_waited_for_for_ever() -> None:
    """A closing link that cannot be flushed is cut after T_DRAIN."""
    world = World()
    session = FakeSession()
    pump = make_pump(world, session)
    session.effects = [Send(b"bye"), Close(501)]
    pump.command(Leave())
    pump.resume_writing()  # says nothing about a link that is closing
    await asyncio.sleep(DRAIN_SECONDS + 1)
    assert world.done == [("write", b"bye"), "close", "abort"]


@fast
async def test_bytes_before_the_login_begins() -> None:
    """What arrives while the door keeps its pace is kept aside, within bounds."""
    world = World()
    session = FakeSession()
    pump = make_pump(world, session, started=False)
    pump.data_received(b"hel")
    pump.data_received(b"lo")
    assert session.asked == []
    pump.start(b"d" * 32, dialler=False)
    assert session.asked == [("connected", b"d" * 32, False), ("receive", b"hello")]
    flood = make_pump(world, session, started=False)
    flood.data_received(b"x" * (MAX_EARLY + 1))
    assert world.done == ["abort"]


@fast
async def test_an_end_before_the_login_begins_is_heard() -> None:
    """Who hangs up while the door keeps its pace ends the session all the same."""
    session = FakeSession()
    pump = make_pump(World(), session, started=False)
    pump.data_received(b"hello")
    pump.eof_received()
    pump.connection_lost(None)
    assert session.asked == []
    pump.start(b"d" * 32, dialler=False)
    heard = [("connected", b"d" * 32, False), ("receive", b"hello"), ("eof",)]
    assert session.asked == heard


@fast
async def test_a_dropped_link_says_nothing_more() -> None:
    """A link that lost its seat is cut, and its owner hears nothing of it."""
    world = World()
    session = FakeSession()
    pump = make_pump(world, session)
    session.effects = [Emit(LinkLost(0)), Close(0)]
    pump.drop()
    pump.connection_lost(None)
    assert world.done == ["close", "abort"]


@fast
async def test_a_login_is_over_when_the_session_speaks() -> None:
    """The door waits for a login until it is settled or asks a person."""
    session = FakeSession()
    session.state = State.AUTH
    pump = make_pump(World(), session)
    waiting = asyncio.ensure_future(pump.login_over())
    await asyncio.sleep(0)
    assert not waiting.done()
    session.effects = [Emit(PeerHeard())]
    pump.data_received(b"x")
    await asyncio.sleep(0)
    assert waiting.done()
