"""Announcing and looking, with a station of the test's own and a clock that jumps."""

from __future__ import annotations

import asyncio
import sys

import pytest

from crapette_p2p.net import discovery
from crapette_p2p.net.discovery import Announcer, announced, browse
from crapette_p2p.net.failures import Exit, Failure
from tests.net.fakemdns import FakeNetwork, FakeStation, raw
from tests.net.fasttime import fast
from tests.net.spoofing import ON_LOOPBACK, make_said, until


@pytest.fixture
def network(monkeypatch: pytest.MonkeyPatch) -> FakeNetwork:
    """A network of the test's own making."""
    return FakeNetwork.install(monkeypatch)


@fast
async def test_a_killed_table_vanishes_in_time(network: FakeNetwork) -> None:
    """A table that stops answering without a goodbye is gone in ten seconds."""
    loop = asyncio.get_running_loop()
    async with browse() as tables:
        await asyncio.sleep(0.05)
        station = network.stations[0]
        station.raws["t"] = raw(make_said())
        tables.ask()
        await until(tables, lambda seen: len(seen) == 1)
        await asyncio.sleep(60)
        assert len(tables.tables) == 1  # it answers, so it stays
        killed = loop.time()
        station.raws.clear()
        await until(tables, lambda seen: not seen)
        assert loop.time() - killed < 10.0


@fast
async def test_what_is_missing_is_asked_for(network: FakeNetwork) -> None:
    """A table of which only the name was heard is asked about, and then seen."""
    async with browse() as tables:
        await asyncio.sleep(0.05)
        station = network.stations[0]
        station.raws["t"] = None
        await asyncio.sleep(4)
        assert ["t"] in station.asked
        station.raws["t"] = raw(make_said())
        await until(tables, lambda seen: len(seen) == 1)


@fast
async def test_a_network_that_comes_later(network: FakeNetwork) -> None:
    """A problem is said once, and over when the network can be used."""
    network.problem = Failure("cannot-discover", Exit.CANNOT_REACH, {"reason": "x"})
    told: list[Failure | None] = []
    announcer = Announcer(make_said, 4747, on_change=told.append)
    async with announced(announcer), browse() as tables:
        await tables.changed()
        assert tables.problem == network.problem
        await asyncio.sleep(30)
        assert told == [network.problem]
        network.problem = None
        await tables.changed()
        assert tables.problem is None
        await asyncio.sleep(5)
    assert told[1:] == [None]
    assert announcer.problem is None


@fast
async def test_other_adapters_other_station(network: FakeNetwork) -> None:
    """When the adapters change everything begins afresh on the new ones."""
    announcer = Announcer(make_said, 4747)
    async with announced(announcer), browse() as tables:
        await asyncio.sleep(0.05)
        first, second = network.stations
        second.raws["t"] = raw(make_said())
        tables.ask()
        await until(tables, lambda seen: len(seen) == 1)
        network.speaking = ("10.1.0.9",)
        await until(tables, lambda seen: not seen)
        await asyncio.sleep(3)
        assert first.closed
        assert second.closed
        assert len(network.stations) == 4
        assert any(station.published for station in network.stations[2:])


@fast
async def test_nothing_begins_before_there_is_a_wish(network: FakeNetwork) -> None:
    """A hidden table opens no station until it is to be shown."""
    announcer = Announcer(make_said, 4747, visible=False)
    async with announced(announcer):
        await asyncio.sleep(60)
        assert network.stations == []
        announcer.show(visible=True)
        await asyncio.sleep(1)
        assert len(network.stations[0].published) == 1
        announcer.show(visible=False)
        await asyncio.sleep(1)
    assert network.stations[0].published[-1] is None


async def test_without_zeroconf(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where it is not installed both sides say so, and nothing else fails."""
    monkeypatch.setitem(sys.modules, "crapette_p2p.net.multicast", None)
    announcer = Announcer(make_said, 4747, binds=ON_LOOPBACK)
    async with announced(announcer), browse(binds=ON_LOOPBACK) as tables:
        assert await tables.changed() == ()
        assert tables.problem is not None
        assert tables.problem.code == "no-discovery"
    assert announcer.problem == tables.problem


async def test_a_computer_without_adapters(monkeypatch: pytest.MonkeyPatch) -> None:
    """With nothing to speak by the problem is that there is no network."""
    monkeypatch.setattr(discovery, "listed_adapters", list)
    async with browse() as tables:
        await tables.changed()
        assert tables.problem == Failure("no-network", Exit.CANNOT_REACH)


@fast
async def test_a_bug_in_the_search_is_a_problem_not_the_end(
    network: FakeNetwork, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What discovery dies of is told, and whoever asked goes on."""
    del network
    monkeypatch.setattr(FakeStation, "ask", lambda *_args: 1 / 0)
    async with browse() as tables:
        await tables.changed()
        assert tables.problem is not None
        assert tables.problem.facts == {"reason": "ZeroDivisionError"}
