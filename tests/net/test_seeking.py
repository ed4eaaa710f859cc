"""A player found on this network by key or by name, and followed when lost."""

from __future__ import annotations

import asyncio
import socket
from dataclasses import replace
from pathlib import Path

import pytest

from crapette_p2p.net.address import Address, Invite
from crapette_p2p.net.endpoint import ResumeOptions, resume
from crapette_p2p.net.failures import Exit, Failure, NetError
from crapette_p2p.net.hosting import Hosting, host
from crapette_p2p.net.joining import join
from crapette_p2p.net.multicast import Raw
from crapette_p2p.net.news import Connected, Expecting
from crapette_p2p.net.seeking import search_for, search_for_key, search_for_name
from crapette_p2p.net.sightings import MOST_TABLES
from crapette_p2p.session.keys import fingerprint
from crapette_p2p.session.notices import GameStarted
from tests.net.fakemdns import FakeNetwork, raw
from tests.net.fasttime import fast
from tests.net.spoofing import make_said, txt_of
from tests.net.tables import (
    LOOPBACK,
    host_options,
    join_options,
    make_player,
    seat_at,
    where,
)

KEY = bytes(range(32))


@pytest.fixture
def network(monkeypatch: pytest.MonkeyPatch) -> FakeNetwork:
    """A network of the test's own making."""
    return FakeNetwork.install(monkeypatch)


def said_by(hosting: Hosting, port: int) -> Raw:
    """What is received of a table's announcement."""
    return Raw(txt_of(dict(hosting._say().entries())), port, (LOOPBACK,))


@fast
async def test_found_by_key_and_by_name(network: FakeNetwork) -> None:
    """By a whole key, a fingerprint, or a name in any case; nobody else."""
    network.air["t"] = raw(replace(make_said("Ala"), fingerprint=fingerprint(KEY)))
    network.air["u"] = raw(make_said("Olek"))
    there = [Address("10.0.0.1", 4747)]
    assert await search_for_key(KEY)() == there
    assert await search_for_key(fingerprint(KEY))() == there
    assert await search_for_name("ALA")() == there
    assert await search_for_name("Ela")() == ()
    assert await search_for_key(bytes(32))() == ()


@fast
async def test_two_of_one_name_are_nobody(network: FakeNetwork) -> None:
    """Which of two namesakes is meant is not guessed."""
    network.air["t"], network.air["u"] = raw(make_said("Ala")), raw(make_said("Ala"))
    assert await search_for_name("Ala")() == ()


@fast
async def test_a_crowd_hides_nobody_who_is_looked_for(network: FakeNetwork) -> None:
    """As many others as a list holds were there first; none has that name or key."""
    for number in range(MOST_TABLES + 10):
        network.air[f"s{number}"] = raw(make_said(f"Ela{number}"))
    network.air["t"] = raw(replace(make_said("Ala"), fingerprint=fingerprint(KEY)))
    there = [Address("10.0.0.1", 4747)]
    assert await search_for_name("Ala")() == there
    assert await search_for_key(KEY)() == there


@fast
async def test_a_search_that_cannot_be_made(network: FakeNetwork) -> None:
    """Where the network cannot be searched it is not waited for."""
    network.problem = Failure("no-network", Exit.CANNOT_REACH)
    began = asyncio.get_running_loop().time()
    assert await search_for_name("Ala")() == ()
    assert asyncio.get_running_loop().time() - began < 1


def test_what_is_searched_for() -> None:
    """A pinned key, an invite's key, a name; a bare number is not searched for."""
    place = Address("192.168.1.20", 4747)
    assert search_for(place, None) is None
    assert search_for(Address("fe80::a%eth0"), None) is None
    assert search_for((place,), None) is None
    assert search_for((place,), KEY) is not None
    assert search_for(Invite((place,), fingerprint(KEY)), None) is not None
    assert search_for(Address("Olek"), None) is not None


@fast
async def test_joined_by_name(tmp_path: Path, network: FakeNetwork) -> None:
    """A name that is no computer's leads to the table of whoever has it."""
    ala, olek = make_player(tmp_path, "Ala"), make_player(tmp_path, "Olek")
    async with host(host_options(ala)) as hosting:
        network.air["t"] = said_by(hosting, hosting.port)
        options = join_options(olek, search=search_for_name("Ala"))
        async with join((), options) as table:
            assert table.address == str(where(hosting))


@fast
async def test_nobody_of_that_name(
    tmp_path: Path, network: FakeNetwork, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where nobody is found the failure is that of the address that was tried."""
    del network

    def unknown(*_: object, **__: object) -> None:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", unknown)
    player = make_player(tmp_path, "Olek")
    options = join_options(player, search=search_for_name("Ala"))
    for target, code in (((), "no-address"), (Address("x.invalid"), "unknown-host")):
        with pytest.raises(NetError) as error:
            async with join(target, options):
                pass
        assert error.value.failure.code == code
        assert error.value.failure.status is Exit.CANNOT_REACH


@fast
async def test_a_friend_who_moved_is_followed(
    tmp_path: Path, network: FakeNetwork
) -> None:
    """A lost link comes back at the address the peer announces himself at now."""
    ala, olek = make_player(tmp_path, "Ala"), make_player(tmp_path, "Olek")
    async with host(host_options(ala)) as old:
        seat = join(where(old), join_options(olek, follow=True))
        async with seat as guest:
            mine, his = seat_at(old.table), seat_at(guest)
            playing = asyncio.ensure_future(his.play())
            hers = asyncio.ensure_future(mine.play())
            await his.hears(GameStarted)
            log = Path(old.table.log_path or "")
            moved = said_by(old, 0)
            await old.aclose()  # the laptop is carried to another network …
            await hers
            network.air["x"] = raw(make_said())  # somebody else is there too
            options = ResumeOptions(player=ala, hosted=True, ports=(0,))
            async with resume(log, options) as table:
                expecting = await table.next_notice()
                assert isinstance(expecting, Expecting)
                network.air["t"] = replace(moved, port=expecting.port)
                again = seat_at(table, resigns_at=10)
                both = asyncio.gather(again.play(), playing)
                await his.hears(Connected, 2)
                await both
            assert guest.address == f"{LOOPBACK}:{expecting.port}"
