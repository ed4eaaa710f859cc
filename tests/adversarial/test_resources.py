"""T7 and the like: what strangers and hostile peers can make this machine spend.

Every bound here is generous: a tenfold regression fails, a slow machine does not.
``scripts/resources`` prints the figures themselves.
"""

from __future__ import annotations

import asyncio
import gc
import tracemalloc
from pathlib import Path

import pytest

from crapette_p2p.net.accept import MAX_PENDING
from crapette_p2p.net.hosting import host
from crapette_p2p.net.joining import join
from crapette_p2p.net.news import Closed
from crapette_p2p.session import messages as wire
from crapette_p2p.session.framing import FRAME_MAX, FrameReader, frame
from crapette_p2p.session.notices import EventFinal, LinkLost
from crapette_p2p.session.timers import RATE
from tests.adversarial.crowds import (
    allow_files,
    logged_in,
    resident,
    silent_crowd,
)
from tests.adversarial.stages import at_table, in_lobby
from tests.helpers.keys import key_of
from tests.net.fasttime import fast
from tests.net.tables import (
    assert_same_games,
    host_options,
    join_options,
    make_player,
    playing,
    seat_at,
    where,
)

MIB = 1 << 20


@pytest.mark.slow
@fast
async def test_t07_eight_hundred_silent_connections(tmp_path: Path) -> None:
    """T7: eight are served at a time; the running game does not notice."""
    if not allow_files(1_100):
        pytest.skip("this process may not open as many files")
    ala, olek = make_player(tmp_path, "Ala"), make_player(tmp_path, "Olek")
    async with (
        host(host_options(ala)) as hosting,
        join(where(hosting), join_options(olek)) as guest,
    ):
        seats = seat_at(hosting.table), seat_at(guest, seed=2, resigns_at=60)
        async with playing(*seats) as games:
            await seats[1].hears(EventFinal, 20)
            before = resident()
            with silent_crowd(hosting.port, 800) as crowd:
                assert await asyncio.gather(*games) == [Closed(None), Closed(None)]
                grown = resident() - before
                door = hosting._door
                assert sum(door._pending.values()) <= MAX_PENDING + 1
                assert len(crowd) == 800
            assert grown < 64 * MIB
    for seat in seats:
        assert not [n for n in seat.heard if isinstance(n, LinkLost)]
    assert_same_games(ala, olek)


@pytest.mark.slow
@fast
async def test_strangers_with_good_keys_during_a_game(tmp_path: Path) -> None:
    """Each is told 205 after his login and forgotten; the game does not notice."""
    ala, olek = make_player(tmp_path, "Ala"), make_player(tmp_path, "Olek")
    async with (
        host(host_options(ala)) as hosting,
        join(where(hosting), join_options(olek)) as guest,
    ):
        seats = seat_at(hosting.table), seat_at(guest, seed=2, resigns_at=60)
        async with playing(*seats) as games:
            await seats[1].hears(EventFinal, 20)
            link = hosting.table.session
            for number in range(20):
                key = key_of(f"stranger {number}")
                source = f"127.0.9.{number + 1}"
                async with logged_in(hosting.port, source, key) as (answer, _):
                    assert answer == wire.Bye(205, None, "")
            assert hosting.table.session is link
            assert hosting.waiting == ()
            assert await asyncio.gather(*games) == [Closed(None), Closed(None)]
    assert_same_games(ala, olek)


def test_a_frame_reader_holds_one_frame_at_most() -> None:
    """A length is judged before it is waited for, and read frames are let go."""
    reader = FrameReader()
    whole = frame(bytes(FRAME_MAX))
    tracemalloc.start()
    for _ in range(500):
        for start in range(0, len(whole), 4096):
            reader.feed(whole[start : start + 4096])
            while reader.next_payload(FRAME_MAX) is not None:
                pass
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 8 * len(whole)


@pytest.mark.slow
@pytest.mark.parametrize("what", ["PING", "ACK", "EVENT"])
def test_hours_at_the_allowed_rate_cost_no_memory(what: str) -> None:
    """Whoever stays just below the limit is answered, and leaves nothing behind."""
    hostile = at_table()
    acks = [m for m in hostile.cheat.sent if isinstance(m, wire.Ack)]
    events = [m for m in hostile.cheat.sent if isinstance(m, wire.EventMessage)]
    messages: dict[str, wire.Message] = {
        "PING": wire.Ping(1),
        "ACK": acks[-1],
        "EVENT": events[-1],
    }
    data = frame(wire.encode_message(messages[what])) * int(RATE)
    session, now = hostile.session, hostile.pair.now

    def some_seconds() -> None:
        nonlocal now
        for _ in range(20):
            now += 1.0
            session.receive(now, data)

    some_seconds()
    gc.collect()
    tracemalloc.start()
    some_seconds()
    gc.collect()
    grown, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert session.state.value != "SUSPENDED"
    assert grown < 64 * 1024


@pytest.mark.parametrize("length", [1 << 30, (1 << 30) - 1, 2**32 - 1])
def test_a_gibibyte_that_is_announced_is_not_waited_for(length: int) -> None:
    """A length field alone allocates nothing and ends the link."""
    hostile = in_lobby()
    tracemalloc.start()
    hostile.raw(length.to_bytes(4, "big"))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    hostile.require(100)
    assert peak < MIB
