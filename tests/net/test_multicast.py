"""Real mDNS, on loopback only: seen, changed, hidden, gone; forged and flooded."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import resource
from collections.abc import Sequence
from dataclasses import replace

import pytest
from zeroconf.asyncio import AsyncZeroconf

from crapette_p2p.net import multicast
from crapette_p2p.net.discovery import Announcer, announced, browse
from crapette_p2p.net.sightings import MOST_TABLES
from tests.net.spoofing import (
    ON_LOOPBACK,
    forged,
    make_said,
    of,
    pieces,
    spoofer,
    txt_of,
    until,
)

pytestmark = pytest.mark.slow


async def test_a_table_is_seen_changed_hidden_and_gone() -> None:
    """It appears with what it said, follows what it says, and goes with a word."""
    said = make_said()
    now = [said]
    announcer = Announcer(lambda: now[0], 4747, binds=ON_LOOPBACK)
    async with asyncio.timeout(60), browse(binds=ON_LOOPBACK) as tables:
        async with announced(announcer):
            seen = of(said, await until(tables, lambda s: of(said, s) is not None))
            assert seen is not None
            assert (seen.said, seen.port) == (said, 4747)
            assert seen.addresses == ON_LOOPBACK
            assert [str(place) for place in seen.places] == ["127.0.0.1:4747"]
            now[0] = replace(said, is_open=False)
            announcer.refresh()
            taken = await until(tables, lambda s: of(now[0], s) not in (None, seen))
            assert of(said, taken) == replace(seen, said=now[0])
            announcer.show(visible=False)
            await until(tables, lambda s: of(said, s) is None)
            announcer.show(visible=True)
            await until(tables, lambda s: of(said, s) is not None)
        await until(tables, lambda s: of(said, s) is None)


async def test_ones_own_tables_are_left_out() -> None:
    """Two tables of one key are two tables, and neither is shown to that key."""
    mine, other = make_said("Ala"), make_said("Olek")
    async with (
        asyncio.timeout(60),
        announced(Announcer(lambda: mine, 1, binds=ON_LOOPBACK)),
        announced(Announcer(lambda: mine, 2, binds=ON_LOOPBACK)),
        announced(Announcer(lambda: other, 3, binds=ON_LOOPBACK)),
        browse(own=mine.fingerprint, binds=ON_LOOPBACK) as mine_left_out,
        browse(binds=ON_LOOPBACK) as everybody,
    ):
        seen = await until(
            everybody,
            lambda s: {1, 2, 3} <= {t.port for t in s if t.said in (mine, other)},
        )
        assert of(mine, seen) is not None
        await until(mine_left_out, lambda s: of(other, s) is not None)
        assert of(mine, mine_left_out.tables) is None


async def test_hostile_announcements_reach_no_list() -> None:
    """Forged packets with escapes for names leave the list and the search alone."""
    said = make_said()
    good = txt_of(dict(said.entries()))
    hostile = [
        forged("esc\x1b[2J", good.replace(b"nick=Ala", b"nick=\x1b[2")),
        forged("no txt", b"\0"),
        forged("torn", good[:-3]),
        forged("mask", good, addresses=("224.0.0.1", "0.0.0.0", "fe80::1")),  # noqa: S104 - on purpose
        forged("no port", good, port=0),
        b"\xff" * 40,
    ]
    with spoofer() as sock:
        async with asyncio.timeout(60), browse(binds=ON_LOOPBACK) as tables:
            while of(said, tables.tables) is None:  # until the search has begun
                for packet in hostile:
                    sock.send(packet)
                sock.send(forged("\x1b]52;c;x\x07 good", good))
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(tables.changed(), 0.2)
            ours = [t for t in tables.tables if t.said.fingerprint == said.fingerprint]
    assert [t.said for t in ours] == [said]


@pytest.mark.timeout(300)
async def test_ten_thousand_spoofed_announcements() -> None:
    """A flood fills the list and no more; a friend is still seen, and memory holds."""
    friend = make_said("Olek")
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with spoofer() as sock:
        async with (
            asyncio.timeout(240),
            browse(
                is_known=lambda key: key == friend.fingerprint, binds=ON_LOOPBACK
            ) as tables,
        ):
            for number in range(10_000):
                said = make_said("Eve")
                sock.send(forged(f"{number:x}", txt_of(dict(said.entries()))))
                await asyncio.sleep(0)
            while of(friend, tables.tables) is None:
                sock.send(forged("friend", txt_of(dict(friend.entries()))))
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(tables.changed(), 0.5)
            assert len(tables.tables) <= MOST_TABLES
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert grown < 64 * 1024  # KiB; zeroconf's cache alone may hold 10,000 records


async def test_an_announcement_in_pieces() -> None:
    """What another program sends in several packets is put together."""
    said = make_said()
    parts = pieces("in pieces", txt_of(dict(said.entries())))
    with spoofer() as sock:
        async with asyncio.timeout(60), browse(binds=ON_LOOPBACK) as tables:
            while of(said, tables.tables) is None:
                for part in parts:
                    sock.send(part)
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(tables.changed(), 0.2)
            seen = of(said, tables.tables)
    assert seen is not None
    assert seen.addresses == ("10.0.0.1",)


async def test_an_adapter_that_takes_no_multicast(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """One that fails does not keep the others from speaking; none left is said."""
    opened = []

    def broken(speaking: Sequence[str]) -> AsyncZeroconf:
        opened.append(tuple(speaking))
        if "192.0.2.77" in speaking:
            raise OSError(errno.EPERM, "Operation not permitted")
        return real(speaking)

    real = multicast._open
    monkeypatch.setattr(multicast, "_open", broken)
    station = await multicast.open_station(["192.0.2.77", "127.0.0.1"])
    await station.aclose()
    assert opened == [("192.0.2.77", "127.0.0.1"), ("127.0.0.1",)]
    with pytest.raises(OSError, match="not permitted"):
        await multicast.open_station(["192.0.2.77"])
