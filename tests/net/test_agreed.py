"""A deal that was agreed on and had not begun: START was lost with the link."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from crapette_p2p.net.address import Address
from crapette_p2p.net.endpoint import ResumeOptions, resume
from crapette_p2p.net.hints import Hints
from crapette_p2p.net.hosting import host
from crapette_p2p.net.kept import KeptGame
from crapette_p2p.net.news import Connected, TableNotice
from crapette_p2p.net.player import Player
from crapette_p2p.net.table import Table
from crapette_p2p.session.commands import AcceptPlayer, AcceptTerms
from crapette_p2p.session.notices import (
    CardsToCompare,
    GameResumed,
    GameStarted,
    TermsProposed,
)
from tests.net.fasttime import fast
from tests.net.proxied import proxied_pair
from tests.net.proxy import Proxy
from tests.net.tables import (
    LOOPBACK,
    assert_same_games,
    host_options,
    make_player,
    play_both,
    playing,
    seat_at,
    where,
)


async def until_asked(table: Table) -> None:
    """Go along with everything until the terms lie there."""
    heard: TableNotice | None = None
    while not isinstance(heard, TermsProposed):
        heard = await table.next_notice()
        if isinstance(heard, CardsToCompare):
            table.command(AcceptPlayer())


@asynccontextmanager
async def agreed(
    ala: Player, olek: Player, *, heard: bool
) -> AsyncIterator[tuple[Proxy, int]]:
    """Olek has agreed and no START comes; ``heard``: Ala has begun the deal."""
    async with proxied_pair(ala, olek) as (proxy, hosting, guest):
        seat = seat_at(hosting.table)
        async with playing(seat):
            await until_asked(guest)
            (proxy.hold_answers if heard else proxy.hold)()
            guest.command(AcceptTerms())
            if heard:
                await seat.hears(GameStarted)
            yield proxy, hosting.port


def only_deal(player: Player) -> KeptGame:
    """What there is to be resumed."""
    (game,) = player.kept.resumable()
    return game


@fast
async def test_the_host_resumes_what_it_had_begun(tmp_path: Path) -> None:
    """Both resume: the host names the deal, sends START again, and it is played."""
    ala, olek = make_player(tmp_path, "Ala"), make_player(tmp_path, "Olek")
    async with agreed(ala, olek, heard=True) as (_, port):
        pass
    mine, theirs = only_deal(olek), only_deal(ala)
    assert (mine.status, theirs.status) == ("accepted", "open")
    assert mine.game_id == theirs.game_id
    dialled = ResumeOptions(player=olek, places=[Address(LOOPBACK, port)])
    async with (
        resume(theirs.path, ResumeOptions(player=ala)) as first,
        resume(mine.path, dialled) as second,
    ):
        seats = seat_at(first), seat_at(second, seed=2, resigns_at=20)
        await play_both(*seats)
    assert any(isinstance(n, GameResumed) for n in seats[0].heard)
    (began,) = [n for n in seats[1].heard if isinstance(n, GameStarted)]
    assert began.game_id == mine.game_id
    assert_same_games(ala, olek)


@fast
async def test_the_guest_dials_again_by_himself(tmp_path: Path) -> None:
    """The link is cut after ACCEPT while both programs live: the deal begins."""
    ala, olek = make_player(tmp_path, "Ala"), make_player(tmp_path, "Olek")
    async with proxied_pair(ala, olek) as (proxy, hosting, guest):
        seats = seat_at(hosting.table), seat_at(guest, seed=2, resigns_at=20)
        async with playing(seats[0]) as (first,):
            await until_asked(guest)
            proxy.hold_answers()
            guest.command(AcceptTerms())
            await seats[0].hears(GameStarted)
            proxy.cut()
            async with asyncio.timeout(600):
                await seats[1].play()
                await first
    assert sum(isinstance(n, Connected) for n in seats[1].heard) == 1
    assert_same_games(ala, olek)


@fast
async def test_a_host_that_knows_nothing_proposes_anew(tmp_path: Path) -> None:
    """ACCEPT was lost, too: the guest comes back and is asked again; one game stays."""
    ala, olek = make_player(tmp_path, "Ala"), make_player(tmp_path, "Olek")
    async with agreed(ala, olek, heard=False):
        pass
    mine = only_deal(olek)
    assert mine.status == "accepted"
    assert ala.kept.resumable() == ()
    async with host(host_options(ala)) as hosting:
        dialled = ResumeOptions(player=olek, places=[where(hosting)])
        async with resume(mine.path, dialled) as second:
            seats = seat_at(hosting.table), seat_at(second, seed=2, resigns_at=20)
            await play_both(*seats)
    assert any(isinstance(n, TermsProposed) for n in seats[1].heard)
    assert olek.kept.find(mine.path.name) is None
    assert_same_games(ala, olek)


@pytest.mark.parametrize("heard", [False, True])
@fast
async def test_where_the_deal_was_agreed_on_is_remembered(
    tmp_path: Path, heard: bool
) -> None:
    """Whoever was killed before START dials the same address without a word."""
    ala, olek = make_player(tmp_path, "Ala"), make_player(tmp_path, "Olek")
    async with agreed(ala, olek, heard=heard):
        hint = Hints(olek.resume).load(only_deal(olek).game_id)
    assert hint is not None
    assert not hint.hosted
    assert len(hint.places()) == 1
