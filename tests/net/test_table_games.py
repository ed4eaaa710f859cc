"""Whole games between two tables over real loopback links."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from crapette_p2p.net.hosting import host
from crapette_p2p.net.joining import join
from crapette_p2p.net.news import Closed, TableNotice
from crapette_p2p.net.shelf import _MAX_KEPT
from crapette_p2p.session.commands import AcceptPlayer, AcceptTerms
from crapette_p2p.session.notices import (
    CardsToCompare,
    EventFinal,
    GameOver,
    GameStarted,
    TermsProposed,
)
from tests.net.fasttime import fast
from tests.net.tables import (
    assert_same_games,
    host_options,
    join_options,
    make_player,
    play_both,
    playing,
    seat_at,
    seated_pair,
    terms_of,
    where,
)

PRESETS = ["garibaldka", "russian-bank", "russian-bank-knock", "crapette"]


@pytest.mark.slow
@pytest.mark.parametrize("preset", PRESETS)
@fast
async def test_a_game_of_each_preset(tmp_path: Path, preset: str) -> None:
    """Both play to the end; the logs are equal, closed by both and fully proven."""
    ala, olek = make_player(tmp_path, "Ala"), make_player(tmp_path, "Olek")
    async with seated_pair(ala, olek, terms=terms_of(preset)) as (_, first, second):
        ends = await play_both(
            seat_at(first, level="club"), seat_at(second, level="novice", seed=2)
        )
    assert ends == (Closed(None), Closed(None))
    assert_same_games(ala, olek)


@pytest.mark.slow
@pytest.mark.timeout(300)
@fast
async def test_a_match_goes_on_deal_after_deal(tmp_path: Path) -> None:
    """Deals follow each other on one link until a score reaches the target."""
    ala, olek = make_player(tmp_path, "Ala"), make_player(tmp_path, "Olek")
    terms = terms_of(target=150)
    async with seated_pair(ala, olek, terms=terms) as (_, first, second):
        host_seat = seat_at(first, level="club")
        guest_seat = seat_at(second, level="club", seed=2)
        await play_both(host_seat, guest_seat)
    overs = [n for n in guest_seat.heard if isinstance(n, GameOver)]
    assert len(overs) >= 2
    assert [n.match_over for n in overs] == [False] * (len(overs) - 1) + [True]
    assert max(overs[-1].score) >= 150
    assert_same_games(ala, olek, games=len(overs))


@fast
async def test_a_long_sitting_holds_few_games(tmp_path: Path) -> None:
    """Deal after deal at one table: the files of those long past are let go."""
    ala, olek = make_player(tmp_path, "Ala"), make_player(tmp_path, "Olek")
    deals = _MAX_KEPT + 6
    held: list[tuple[int, int]] = []
    terms = terms_of("russian-bank", target=deals)
    async with seated_pair(ala, olek, terms=terms) as (_, *tables):
        seats = seat_at(tables[0]), seat_at(tables[1], resigns_at=30)

        def count(notice: TableNotice) -> None:
            if isinstance(notice, GameOver):
                one, two = (len(table.recorder.held()) for table in tables)
                held.append((one, two))

        seats[0].on_notice = count
        assert await play_both(*seats) == (Closed(None), Closed(None))
    assert len(held) == deals
    assert max(map(max, held)) <= _MAX_KEPT + 2
    assert_same_games(ala, olek, games=deals)


@fast
async def test_both_hear_the_same_events(tmp_path: Path) -> None:
    """Every event is told to both owners once, in order, with both seats known."""
    ala, olek = make_player(tmp_path, "Ala"), make_player(tmp_path, "Olek")
    async with seated_pair(ala, olek) as (_, first, second):
        seats = seat_at(first), seat_at(second, seed=2, resigns_at=60)
        await play_both(*seats)
    told = [
        [(n.seq, n.author, n.type) for n in s.heard if isinstance(n, EventFinal)]
        for s in seats
    ]
    assert told[0] == told[1]
    assert [seq for seq, _, _ in told[0]] == list(range(len(told[0])))
    starts = [n for s in seats for n in s.heard if isinstance(n, GameStarted)]
    assert [int(n.seat) for n in starts] == [0, 1]


@fast
async def test_a_guest_may_think_about_the_terms(tmp_path: Path) -> None:
    """A minute between the proposal and the yes: the game begins all the same."""
    ala, olek = make_player(tmp_path, "Ala"), make_player(tmp_path, "Olek")
    async with seated_pair(ala, olek) as (_, first, second), playing(seat_at(first)):
        heard: TableNotice | None = None
        while not isinstance(heard, GameStarted):
            heard = await second.next_notice()
            assert not isinstance(heard, Closed), heard
            if isinstance(heard, CardsToCompare):
                second.command(AcceptPlayer())
            elif isinstance(heard, TermsProposed):
                await asyncio.sleep(60)
                second.command(AcceptTerms())


@pytest.mark.slow
@fast
async def test_one_door_many_guests(tmp_path: Path) -> None:
    """After a game the same door seats the next guest at a fresh table."""
    ala = make_player(tmp_path, "Ala")
    guests = [make_player(tmp_path, "Olek"), make_player(tmp_path, "Ela")]
    async with host(host_options(ala)) as hosting:
        for guest in guests:
            waiting = asyncio.ensure_future(hosting.seated())
            await asyncio.sleep(0)
            async with join(where(hosting), join_options(guest)) as table:
                first = await waiting
                await play_both(seat_at(first), seat_at(table, seed=2, resigns_at=30))
    for guest in guests:
        assert len(guest.store.logs()) == 1
    assert len(ala.store.logs()) == 2
