"""The pump and the disk: what waits for an fsync, and what does not."""

from __future__ import annotations

import asyncio

import pytest

from crapette_p2p.session.commands import SayChat
from crapette_p2p.session.effects import (
    Close,
    DropSecrets,
    Effect,
    Emit,
    PersistSecret,
    Send,
)
from crapette_p2p.session.notices import PeerHeard
from tests.net.fakepump import GAME, NOTE, FakeSession, World, make_pump
from tests.net.fasttime import fast


@pytest.mark.parametrize(
    "effect", [Send(b"x"), PersistSecret(GAME, 0, ()), DropSecrets(GAME), Close(0)]
)
@fast
async def test_what_depends_on_a_record_waits_for_the_disk(effect: Effect) -> None:
    """Only telling the owner does not: the record is synced before all else."""
    world, notice = World(), PeerHeard()
    session = FakeSession()
    pump = make_pump(world, session)
    session.effects = [NOTE, Emit(notice), effect]
    pump.data_received(b"x")
    assert world.done[:3] == [("append", b"g", 1), notice, "sync"]
    assert len(world.done) == 4


@fast
async def test_a_record_on_which_nothing_depends_is_synced_soon() -> None:
    """When the loop comes round, or with the next event if that is sooner."""
    world, notice = World(), PeerHeard()
    session = FakeSession()
    pump = make_pump(world, session)
    session.effects = [NOTE, Emit(notice)]
    pump.data_received(b"x")
    assert world.done == [("append", b"g", 1), notice]
    await asyncio.sleep(0)
    assert world.done[2:] == ["sync"]
    world.done.clear()
    session.effects = [NOTE, Emit(notice)]
    pump.data_received(b"x")
    session.effects = [NOTE, Send(b"next")]
    pump.command(SayChat("hello"))
    await asyncio.sleep(0)
    both = [("append", b"g", 1), notice, ("append", b"g", 1), "sync"]
    assert world.done == [*both, ("write", b"next")]


@fast
async def test_a_late_sync_that_fails_is_a_crash_too() -> None:
    """The link is cut and the owner told, as if it had failed at once."""
    world = World(sync_fails=True)
    session = FakeSession()
    pump = make_pump(world, session)
    session.effects = [NOTE]
    pump.data_received(b"x")
    await asyncio.sleep(0)
    assert world.done == [("append", b"g", 1), "abort", "cannot-write"]
    with pytest.raises(RuntimeError):
        pump.command(SayChat("hello"))


@fast
async def test_no_deadline_comes_after_a_failed_sync() -> None:
    """Though it is due in the same moment: the session is not asked any more."""
    session = FakeSession()
    pump = make_pump(World(sync_fails=True), session)
    session.effects, session.due = [NOTE], asyncio.get_running_loop().time()
    pump.data_received(b"x")
    await asyncio.sleep(1)
    assert session.asked[-1] == ("receive", b"x")


@pytest.mark.parametrize("late", [False, True])
@fast
async def test_a_dropped_link_tells_that_the_disk_failed(*, late: bool) -> None:
    """What it had written is taken back: whoever goes on with the game has to know."""
    world = World(sync_fails=True)
    session = FakeSession()
    pump = make_pump(world, session)
    session.effects = [NOTE]
    pump.data_received(b"x")
    session.effects = [] if late else [Close(0)]
    pump.drop()
    await asyncio.sleep(0)
    pump.connection_lost(None)
    assert world.done.count("cannot-write") == 1
    assert "over" not in world.done
