"""What sessions and pumps rely on in a link, over TLS, in memory and on the wire."""

from __future__ import annotations

import asyncio

import pytest

from crapette_p2p.net.pump import DRAIN_SECONDS, WRITE_HIGH_WATER
from crapette_p2p.session.effects import Close
from tests.contracts.links import (
    A_LOT,
    Make,
    MakePumps,
    PumpLink,
    bytes_of,
    memory,
    ping,
    tls,
    wire,
    wire_in_bytes,
    wire_in_pieces,
)
from tests.net.fasttime import fast

links = pytest.mark.parametrize(
    "make", [wire, wire_in_bytes, wire_in_pieces, memory, tls]
)
"""All links; the wire cuts what it carries in every way."""
pumps = pytest.mark.parametrize("make", [memory, tls])
"""Links of a loop: they alone press back."""
stuffed = pytest.mark.parametrize(
    "make", [memory, pytest.param(tls, marks=pytest.mark.slow)]
)
"""The same, where the kernel is given time to take all it can."""


@links
@fast
async def test_bytes_arrive_in_order_both_ways(make: Make) -> None:
    """However they are cut on the way, and whoever talks at the same time."""
    async with make() as link:
        there = [ping(number) for number in range(40)]
        back = [ping(number) for number in range(90, 60, -1)]
        for one, other in zip(there, back, strict=False):
            link.do(0, one)
            link.do(1, other, other)
        link.do(0, *there[len(back) :])
        await link.until(lambda: link.hears(1) >= len(bytes_of(*there)))
        await link.until(lambda: link.hears(0) >= 2 * len(bytes_of(*back)))
        assert link.heard(1) == bytes_of(*there)
        assert link.heard(0) == bytes_of(*[each for each in back for _ in (0, 1)])
        assert link.ends(0) == link.ends(1) == 0
        assert not link.over(0)


@links
@fast
async def test_last_words_arrive_before_the_end(make: Make) -> None:
    """What was sent before closing is heard, then the end, once."""
    async with make() as link:
        link.do(0, ping(1), ping(2), Close(501))
        await link.until(lambda: link.over(0) and link.over(1))
        assert link.heard(1) == bytes_of(ping(1), ping(2))
        assert link.last(1) == "eof"
        assert link.ends(1) == 1


@links
@fast
async def test_nothing_is_sent_behind_the_end(make: Make) -> None:
    """Whoever has closed says no more."""
    async with make() as link:
        link.do(0, ping(1), Close(501), ping(2))
        link.do(0, ping(3))
        await link.until(lambda: link.over(0) and link.over(1))
        link.do(0, ping(4))
        await link.until(lambda: True)
        assert link.heard(1) == bytes_of(ping(1))


@links
@fast
async def test_no_link_is_half_closed(make: Make) -> None:
    """Whoever has heard the end is not heard any more either."""
    async with make() as link:
        link.do(0, Close(501))
        await link.until(lambda: link.ends(1) == 1)
        link.do(1, ping(1))
        await link.until(lambda: link.over(0) and link.over(1))
        assert link.heard(0) == b""


@links
@fast
async def test_closing_twice_is_closing_once(make: Make) -> None:
    """By one end, or by both at the same time: each hears one end at most."""
    async with make() as link:
        link.do(0, ping(1), Close(501), Close(501))
        await link.until(lambda: link.over(0) and link.over(1))
        link.do(0, Close(501))
        assert link.ends(1) == 1
    async with make() as link:
        link.do(0, Close(501))
        link.do(1, Close(501))
        await link.until(lambda: link.over(0) and link.over(1))
        assert max(link.ends(0), link.ends(1)) <= 1


@links
@fast
async def test_a_cut_is_heard_by_both_and_loses_the_last_words(make: Make) -> None:
    """What has arrived is a beginning of what was said; nothing can be said after."""
    async with make() as link:
        link.do(0, *link.much)
        link.cut()
        await link.until(lambda: link.over(0) and link.over(1))
        assert (link.ends(0), link.ends(1)) == (1, 1)
        said = bytes_of(*link.much)
        assert link.hears(1) < len(said)
        assert said.startswith(link.heard(1))
        before = link.hears(0), link.hears(1)
        link.cut()
        link.do(0, ping(1))
        link.do(1, ping(1), Close(501))
        await link.until(lambda: True)
        assert (link.hears(0), link.hears(1)) == before
        assert (link.ends(0), link.ends(1)) == (1, 1)


@links
@fast
async def test_whoever_stops_reading_for_a_while_loses_nothing(make: Make) -> None:
    """It all waits, and arrives in order once it is read."""
    async with make() as link:
        link.hold(1, still=True)
        link.do(0, *link.much)
        link.do(1, ping(1))
        await link.until(lambda: link.heard(0) == bytes_of(ping(1)))
        assert link.hears(1) < len(bytes_of(*link.much))
        link.hold(1, still=False)
        await link.until(lambda: link.hears(1) == len(bytes_of(*link.much)))
        assert link.heard(1) == bytes_of(*link.much)
        assert not link.over(0)


# What presses back ----------------------------------------------------------------


async def stuff(link: PumpLink) -> int:
    """Write until the mark is passed and nothing moves; how many bytes that took."""
    writer, written = link.transport(0), 0
    while writer.get_write_buffer_size() <= WRITE_HIGH_WATER:
        link.do(0, A_LOT)
        written += len(A_LOT.data)
        for _ in range(5):
            await asyncio.sleep(0)
        if writer.get_write_buffer_size() > WRITE_HIGH_WATER:
            await asyncio.sleep(0.5)  # there may be some room yet
    return written


@stuffed
@fast
async def test_who_never_reads_is_cut_off_in_time(make: MakePumps) -> None:
    """T_DRAIN after the first bytes beyond the mark; no sooner, and not later."""
    async with make() as link:
        link.hold(1, still=True)
        await stuff(link)
        loop = asyncio.get_running_loop()
        began = loop.time()
        await asyncio.sleep(DRAIN_SECONDS - 1)
        assert not link.over(0)
        async with asyncio.timeout(DRAIN_SECONDS):
            await link.pumps[0].wait_over()
        assert loop.time() - began <= DRAIN_SECONDS
        assert link.ends(0) == 1


@stuffed
@fast
async def test_who_reads_again_in_time_keeps_the_link(make: MakePumps) -> None:
    """A pause is forgiven once what has waited is below the mark again."""
    async with make() as link:
        written = 0
        for _ in range(2):
            link.hold(1, still=True)
            written += await stuff(link)
            await asyncio.sleep(DRAIN_SECONDS - 1)
            link.hold(1, still=False)
            await link.until(lambda: link.hears(1) == written)  # noqa: B023 - now
        await asyncio.sleep(DRAIN_SECONDS + 1)
        assert not link.over(0)
        assert link.transport(0).get_write_buffer_size() == 0


@stuffed
@fast
async def test_last_words_that_nobody_reads_are_not_waited_for(make: MakePumps) -> None:
    """A closing link is gone after T_DRAIN, whatever is unsent; both hear the end."""
    async with make() as link:
        link.hold(1, still=True)
        await stuff(link)
        link.do(0, Close(501))
        async with asyncio.timeout(DRAIN_SECONDS + 0.5):
            await link.pumps[0].wait_over()
        link.hold(1, still=False)
        await link.until(lambda: link.over(1))
        assert (link.ends(0), link.ends(1)) == (1, 1)


@pumps
@fast
async def test_what_is_below_the_mark_may_wait(make: MakePumps) -> None:
    """Little that is unsent is no sign of a peer who does not read."""
    async with make() as link:
        link.hold(1, still=True)
        link.do(0, A_LOT)
        await asyncio.sleep(3 * DRAIN_SECONDS)
        assert not link.over(0)


@pumps
@fast
async def test_a_closing_transport_takes_nothing_more(make: MakePumps) -> None:
    """It says nothing of it either."""
    async with make() as link:
        link.do(0, ping(1), Close(501))
        link.transport(0).write(ping(2).data)
        await link.until(lambda: link.over(0) and link.over(1))
        assert link.heard(1) == bytes_of(ping(1))


@pumps
@fast
async def test_nothing_happens_in_a_call(make: MakePumps) -> None:
    """A list of effects is never interrupted by what a transport has to say."""
    async with make() as link:
        link.do(0, ping(1), Close(501))
        link.pumps[1].abort()
        link.pumps[1].abort()
        assert not link.over(0)
        assert not link.over(1)
        assert not link.pumps[1].alive
        assert not link.transport(0).can_write_eof()
        await link.until(lambda: link.over(0) and link.over(1))
        assert link.world.done.count("over") == 2
