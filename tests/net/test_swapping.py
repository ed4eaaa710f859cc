"""Links the other way round: after a loss, and beside one that lives."""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path

import pytest

from crapette_p2p.net.address import Address
from crapette_p2p.net.failures import StorageError
from crapette_p2p.net.hints import Hints
from crapette_p2p.net.hosting import host
from crapette_p2p.net.joining import join
from crapette_p2p.net.listening import open_sockets, parse_ports
from crapette_p2p.net.news import Closed, Connected, Expecting, Redialling
from crapette_p2p.net.policy import Policy
from crapette_p2p.net.swapping import also_dialling, also_listening
from crapette_p2p.net.table import Table
from crapette_p2p.session.notices import EventFinal, GameResumed
from tests.helpers.ports import own_ports
from tests.net.fasttime import fast
from tests.net.proxied import proxied_pair
from tests.net.tables import (
    LOOPBACK,
    Seat,
    assert_same_games,
    host_options,
    join_options,
    make_player,
    playing,
    seat_at,
    where,
)


def connections(seat: Seat) -> int:
    """How many links the seat had."""
    return sum(isinstance(notice, Connected) for notice in seat.heard)


@pytest.mark.slow
@fast
async def test_the_guest_becomes_the_host(tmp_path: Path) -> None:
    """The old way is barred; the guest opens a door, and the host comes to it."""
    ala, olek = make_player(tmp_path, "Ala"), make_player(tmp_path, "Olek")
    async with proxied_pair(ala, olek) as (proxy, hosting, guest):
        seats = seat_at(hosting.table), seat_at(guest, seed=2, resigns_at=60)
        async with playing(*seats) as tasks:
            await seats[0].hears(EventFinal, 30)
            proxy.refusing = True
            proxy.cut()
            await seats[1].hears(Redialling, 3)
            async with also_listening(guest, ports=(0,), binds=(LOOPBACK,)) as port:
                await seats[1].hears(Expecting)
                async with also_dialling(hosting.table, [Address(LOOPBACK, port)]):
                    await seats[0].hears(GameResumed)
                    game = guest.open_game
                    assert game is not None
                    hint = Hints(olek.resume).load(game.game_id)
                    assert hint is not None
                    assert (hint.hosted, hint.port) == (True, port)
                    assert game.seat == 1  # the role in the game is what it was
                    ends = await asyncio.gather(*tasks)
    assert [*ends] == [Closed(None)] * 2
    assert_same_games(ala, olek)


@fast
async def test_without_a_place_for_a_temporary_file_no_port_is_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A full or missing /tmp: the reason is said, and nothing is left open."""
    table = Table(make_player(tmp_path, "Ala"), Policy())
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "gone"))
    ports = parse_ports(own_ports())
    with pytest.raises(StorageError, match="cannot-write"):
        async with also_listening(table, ports=ports, binds=(LOOPBACK,)):
            pass
    again = open_sockets(ports, (LOOPBACK,))
    again.close()
    assert again.port == ports[0]
    assert table.hint is None
    await table.aclose()


@pytest.mark.slow
@fast
async def test_both_dial_each_other(tmp_path: Path) -> None:
    """The host dials while the guest's link lives: that one stays, none dies."""
    ala, olek = make_player(tmp_path, "Ala"), make_player(tmp_path, "Olek")
    async with (
        host(host_options(ala)) as hosting,
        join(where(hosting), join_options(olek)) as guest,
        also_listening(guest, ports=(0,), binds=(LOOPBACK,)) as port,
    ):
        seats = seat_at(hosting.table), seat_at(guest, seed=2, resigns_at=70)
        async with playing(*seats) as tasks:
            await seats[0].hears(EventFinal, 20)
            hosting.table.link_wanted.set()  # it believes that its link is dead
            async with also_dialling(hosting.table, [Address(LOOPBACK, port)]):
                await seats[0].hears(EventFinal, 40)
                ends = await asyncio.gather(*tasks)
    assert [*ends] == [Closed(None)] * 2
    assert [connections(seat) for seat in seats] == [1, 1]
    assert_same_games(ala, olek)
