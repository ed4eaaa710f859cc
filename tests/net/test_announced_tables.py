"""An open table and its announcement: beside each other, never in each other's way."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from crapette_p2p.net import discovery
from crapette_p2p.net.endpoint import ResumeOptions, resume
from crapette_p2p.net.failures import Exit, Failure
from crapette_p2p.net.hosting import host
from crapette_p2p.net.joining import join
from crapette_p2p.net.news import Announced
from crapette_p2p.session.keys import fingerprint
from crapette_p2p.session.notices import GameStarted
from tests.net.fakemdns import FakeNetwork, FakeStation
from tests.net.fasttime import fast
from tests.net.tables import (
    host_options,
    join_options,
    make_player,
    play_both,
    playing,
    seat_at,
    seated_pair,
    where,
)


@pytest.fixture
def network(monkeypatch: pytest.MonkeyPatch) -> FakeNetwork:
    """A network of the test's own making."""
    return FakeNetwork.install(monkeypatch)


def seats_said(station: FakeStation) -> list[bool]:
    """Whether the seat was said to be free, each time something was said."""
    return [said.is_open for said in station.published if said is not None]


@fast
async def test_what_is_said_of_the_seat(tmp_path: Path, network: FakeNetwork) -> None:
    """Free, then taken while somebody sits, then free again at a fresh table."""
    ala, olek = make_player(tmp_path, "Ala"), make_player(tmp_path, "Olek")
    async with host(host_options(ala, announce=True)) as hosting:
        assert await hosting.next_notice() == Announced(None)
        await asyncio.sleep(0.1)
        (station,) = network.stations
        assert seats_said(station) == [True]
        said = station.published[0]
        assert said is not None
        assert said.fingerprint == fingerprint(ala.identity.public)
        assert (said.nick, said.rules) == ("Ala", "crapette")
        async with join(where(hosting), join_options(olek)) as guest:
            table = await hosting.seated()
            await asyncio.sleep(0.1)
            assert seats_said(station) == [True, False]
            await play_both(seat_at(table), seat_at(guest, resigns_at=10))
        again = asyncio.ensure_future(hosting.seated())
        await asyncio.sleep(0.1)
        assert seats_said(station) == [True, False, True]
        again.cancel()
    assert station.closed


@fast
async def test_hidden_unless_it_is_wished(tmp_path: Path, network: FakeNetwork) -> None:
    """Without the wish nothing is opened; the host may wish it later, and no more."""
    async with host(host_options(make_player(tmp_path, "Ala"))) as hosting:
        await asyncio.sleep(10)
        assert network.stations == []
        hosting.announcer.show(visible=True)
        await asyncio.sleep(0.1)
        hosting.announcer.show(visible=False)
        await asyncio.sleep(0.1)
        assert network.stations[0].published[1:] == [None]


@fast
async def test_a_slow_network_keeps_nobody_waiting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The table is open and joined while the announcement is still being begun."""
    began = asyncio.Event()

    async def never(_speaking: object) -> FakeStation:
        began.set()
        await asyncio.Event().wait()
        raise AssertionError("nobody sets it")

    monkeypatch.setattr(discovery, "_station", never)
    ala, olek = make_player(tmp_path, "Ala"), make_player(tmp_path, "Olek")
    async with host(host_options(ala, announce=True)) as hosting:
        await began.wait()
        async with join(where(hosting), join_options(olek)):
            assert (await hosting.seated()).linked


@fast
async def test_a_network_that_cannot_be_used(
    tmp_path: Path, network: FakeNetwork
) -> None:
    """The host is told why no list shows the table; the table is as open as ever."""
    network.problem = Failure("cannot-discover", Exit.CANNOT_REACH, {"reason": "x"})
    ala, olek = make_player(tmp_path, "Ala"), make_player(tmp_path, "Olek")
    async with host(host_options(ala, announce=True)) as hosting:
        assert await hosting.next_notice() == Announced(network.problem)
        async with join(where(hosting), join_options(olek)):
            assert (await hosting.seated()).linked
        network.problem = None
        assert await hosting.next_notice() == Announced(None)


@fast
async def test_whoever_waits_for_one_player_has_no_free_seat(
    tmp_path: Path, network: FakeNetwork
) -> None:
    """A resumed game is announced, so that the friend finds it, but as taken."""
    ala, olek = make_player(tmp_path, "Ala"), make_player(tmp_path, "Olek")
    async with seated_pair(ala, olek) as (_, table, guest):
        seats = [seat_at(table), seat_at(guest)]
        async with playing(*seats):
            await seats[0].hears(GameStarted)
        log = Path(table.log_path or "")
    options = ResumeOptions(player=ala, hosted=True, ports=(0,), announce=True)
    async with resume(log, options):
        await asyncio.sleep(0.1)
        assert seats_said(network.stations[-1]) == [False]
