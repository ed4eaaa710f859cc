"""The pump: effects in order, records before sends, deadlines, slow readers."""

from __future__ import annotations

import asyncio
from typing import cast

import pytest

from crapette_p2p.net.pump import DRAIN_SECONDS, MAX_EARLY
from crapette_p2p.session.commands import Leave, SayChat
from crapette_p2p.session.effects import (
    Close,
    DropSecrets,
    Emit,
    Persist,
    PersistSecret,
    Send,
)
from crapette_p2p.session.notices import LinkLost, PeerHeard
from crapette_p2p.session.states import State
from tests.net.fakepump import GAME, NOTE, OTHER, FakeSession, World, make_pump
from tests.net.fasttime import fast


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
        "sync",
        ("write", b"one"),
        notice,
        ("append", b"g", 1),
        ("append", b"h", 1),
        "sync",
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
    before = [("append", b"g", 1), "sync", ("write", b"one")] if fail_at else []
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
    kept = [("append", b"g", 1), "sync"]
    assert world.done == ["over", *kept, *kept]
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
    assert world.done == [("write", b"bye"), "close", "abort", "over"]


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
