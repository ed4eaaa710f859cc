"""Links that break: the game goes on, and both logs stay the same."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from itertools import chain, repeat
from pathlib import Path

import pytest

from crapette_p2p.gamelog.compare import Relation, compare_logs
from crapette_p2p.gamelog.verify import verify_log
from crapette_p2p.net.crypto import verify
from crapette_p2p.net.failures import NetError
from crapette_p2p.net.hosting import host
from crapette_p2p.net.joining import join
from crapette_p2p.net.news import Closed, Connected, GaveUp, Redialling
from crapette_p2p.session.commands import Leave
from crapette_p2p.session.notices import (
    EventFinal,
    GameOver,
    GameResumed,
    LinkLost,
    PeerQuiet,
    SessionFailed,
)
from tests.net.fasttime import fast, sleep_for
from tests.net.proxied import proxied_pair
from tests.net.proxy import proxy_to
from tests.net.tables import (
    Seat,
    assert_same_games,
    host_options,
    join_options,
    logs_of,
    make_player,
    play_both,
    playing,
    seat_at,
    terms_of,
    where,
)


async def play_through(
    tmp_path: Path,
    budgets: list[int | None],
    *,
    preset: str = "crapette",
    resigns_at: int | None = 60,
) -> tuple[Seat, Seat, int]:
    """A game through a proxy that ends its links after so many bytes each."""
    ala, olek = make_player(tmp_path, "Ala"), make_player(tmp_path, "Olek")
    shares = chain(budgets, repeat(None))
    async with proxied_pair(ala, olek, shares, terms=terms_of(preset)) as (
        proxy,
        hosting,
        guest,
    ):
        seats = (
            seat_at(hosting.table),
            seat_at(guest, seed=2, resigns_at=resigns_at),
        )
        ends = await play_both(*seats)
    assert ends == (Closed(None), Closed(None))
    assert_same_games(ala, olek)
    return *seats, proxy.connections


@pytest.mark.slow
@pytest.mark.parametrize("share", [9_001, 9_973, 14_009])
@fast
async def test_cut_again_and_again(tmp_path: Path, share: int) -> None:
    """However often the stream is cut, wherever in a frame, the game ends."""
    budgets: list[int | None] = [share + 7 * n for n in range(200)]
    *_, links = await play_through(
        tmp_path, budgets, preset="russian-bank-knock", resigns_at=None
    )
    assert links > 5


@pytest.mark.slow
@pytest.mark.parametrize("start", [5_000, 12_000, 20_000])
@fast
async def test_cut_within_an_opening(tmp_path: Path, start: int) -> None:
    """Cuts a few bytes apart, in set-up and play, lose and double nothing."""
    for step in range(6):
        root = tmp_path / str(step)
        await play_through(root, [start + 131 * step, 9_500 + 17 * step])


@fast
async def test_what_the_owners_hear(tmp_path: Path) -> None:
    """A cut is told with its attempts, then the link again, then the game again."""
    host_seat, guest_seat, links = await play_through(tmp_path, [30_000])
    assert links == 2
    kinds = guest_seat.kinds()
    lost = kinds.index("LinkLost")
    assert kinds[lost + 1 : lost + 5] == [
        "Redialling",
        "Connected",
        "PeerKnown",
        "GameResumed",
    ]
    assert "Expecting" in host_seat.kinds()
    for seat in (host_seat, guest_seat):
        connected = [n for n in seat.heard if isinstance(n, Connected)]
        assert [n.again for n in connected] == [False, True]
        numbers = [n.seq for n in seat.heard if isinstance(n, EventFinal)]
        assert numbers == list(range(len(numbers)))


@fast
async def test_attempts_are_spread_and_given_up(tmp_path: Path) -> None:
    """0.5, 1, 2, 4, 8, 8 … seconds; after ten minutes the table says so."""
    ala, olek = make_player(tmp_path, "Ala"), make_player(tmp_path, "Olek")
    async with proxied_pair(ala, olek) as (proxy, hosting, guest):
        seats = seat_at(hosting.table), seat_at(guest, seed=2, resigns_at=60)

        def cut_for_good(notice: object) -> None:
            if isinstance(notice, EventFinal) and notice.seq == 30:
                proxy.refusing = True
                proxy.cut()

        seats[1].on_notice = cut_for_good
        async with playing(*seats) as tasks:
            for seat in seats:
                await seat.hears(GaveUp)
            pauses = [n.seconds for n in seats[1].heard if isinstance(n, Redialling)]
            assert pauses[:6] == [0.5, 1.0, 2.0, 4.0, 8.0, 8.0]
            assert sum(pauses) == pytest.approx(600, abs=10)
            failed = [n.failure for n in seats[1].heard if isinstance(n, Redialling)]
            assert failed[0] is None
            assert failed[1] is not None
            assert failed[1].code == "not-crapette"
            # Giving up is no end: the friend comes back later.
            await seats[1].hears(Redialling, count=90)
            proxy.refusing = False
            ends = await asyncio.gather(*tasks)
    assert ends == [Closed(None), Closed(None)]
    assert GaveUp(600.0) in seats[0].heard
    assert any(isinstance(n, GameResumed) for n in seats[0].heard)
    assert_same_games(ala, olek)


@pytest.mark.parametrize(("jitter", "factor"), [(0.0, 0.75), (1.0, 1.25)])
@fast
async def test_spread_is_a_quarter(
    tmp_path: Path, jitter: float, factor: float
) -> None:
    """The pauses differ by up to a quarter, so that two ends do not keep step."""
    ala, olek = make_player(tmp_path, "Ala"), make_player(tmp_path, "Olek")
    async with (
        host(host_options(ala)) as hosting,
        proxy_to(hosting.port, iter([20_000, None])) as (_, address),
        join(address, join_options(olek, jitter=lambda: jitter)) as guest,
    ):
        seats = seat_at(hosting.table), seat_at(guest, seed=2, resigns_at=60)
        await play_both(*seats)
    pauses = [n.seconds for n in seats[1].heard if isinstance(n, Redialling)]
    assert pauses[0] == 0.5 * factor
    assert where(hosting).port == hosting.port


@pytest.mark.slow
@fast
async def test_a_pulled_cable(tmp_path: Path) -> None:
    """Packets vanish without an end of file: told after 10 s, dead after 15 s."""
    ala, olek = make_player(tmp_path, "Ala"), make_player(tmp_path, "Olek")
    loop = asyncio.get_running_loop()
    async with proxied_pair(ala, olek) as (proxy, hosting, guest):
        seats = seat_at(hosting.table), seat_at(guest, seed=2, resigns_at=60)
        async with playing(*seats) as tasks:
            await seats[1].hears(EventFinal, 30)
            proxy.hold()
            pulled = loop.time()
            await seats[1].hears(PeerQuiet)
            assert loop.time() - pulled == pytest.approx(10, abs=1.5)
            await seats[1].hears(LinkLost)
            assert loop.time() - pulled == pytest.approx(15, abs=1.5)
            ends = await asyncio.gather(*tasks)
    assert ends == [Closed(None), Closed(None)]
    assert LinkLost(106) in seats[1].heard
    assert_same_games(ala, olek)


@pytest.mark.slow
@fast
async def test_a_laptop_that_slept(tmp_path: Path) -> None:
    """After a gap of eight hours the link is made anew, and the game goes on."""
    ala, olek = make_player(tmp_path, "Ala"), make_player(tmp_path, "Olek")
    async with (
        host(host_options(ala)) as hosting,
        join(where(hosting), join_options(olek)) as guest,
    ):
        seats = seat_at(hosting.table), seat_at(guest, seed=2, resigns_at=60)
        async with playing(*seats) as tasks:
            await seats[1].hears(EventFinal, 30)
            sleep_for(8 * 3600)
            ends = await asyncio.gather(*tasks)
    assert ends == [Closed(None), Closed(None)]
    assert_same_games(ala, olek)


@pytest.mark.slow
@fast
async def test_a_wall_clock_that_jumps(tmp_path: Path) -> None:
    """Ten years forward and back in mid-game change nothing."""
    ala, olek = make_player(tmp_path, "Ala"), make_player(tmp_path, "Olek")
    years = iter([0, 315_360_000, -315_360_000] * 200)
    mad = replace(olek, wall=lambda: 1_796_000_000 + next(years))
    async with (
        host(host_options(ala)) as hosting,
        join(where(hosting), join_options(mad)) as guest,
    ):
        seats = seat_at(hosting.table), seat_at(guest, seed=2, resigns_at=60)
        ends = await play_both(*seats)
    assert ends == (Closed(None), Closed(None))
    assert "LinkLost" not in seats[0].kinds()
    assert_same_games(ala, olek)


@fast
async def test_the_same_player_from_a_computer_without_the_game(tmp_path: Path) -> None:
    """He gets the seat and cannot go on; the game does, with where it is kept."""
    ala, olek = make_player(tmp_path, "Ala"), make_player(tmp_path, "Olek")
    elsewhere = make_player(tmp_path / "elsewhere", "Olek")
    elsewhere = replace(elsewhere, identity=olek.identity)
    async with (
        host(host_options(ala)) as hosting,
        join(where(hosting), join_options(olek)) as guest,
    ):
        seats = seat_at(hosting.table), seat_at(guest, seed=2, resigns_at=60)
        both = asyncio.gather(*(seat.play() for seat in seats))
        await seats[0].hears(EventFinal, 20)
        with pytest.raises(NetError) as error:
            async with join(where(hosting), join_options(elsewhere)):
                pass
        ends = await both
    assert error.value.failure.code == "game-not-here"
    assert ends == [Closed(None), Closed(None)]
    heard = [n.code for n in seats[0].heard if isinstance(n, SessionFailed)]
    assert heard == [410]
    assert_same_games(ala, olek)


@pytest.mark.slow
@fast
async def test_a_cut_between_two_deals(tmp_path: Path) -> None:
    """Strangers who accepted each other once are not asked again in their match."""
    ala, olek = make_player(tmp_path, "Ala"), make_player(tmp_path, "Olek")
    async with proxied_pair(ala, olek, terms=terms_of(target=500)) as (
        proxy,
        hosting,
        guest,
    ):
        seats = seat_at(hosting.table), seat_at(guest, seed=2, resigns_at=40)

        def cut(notice: object) -> None:
            if isinstance(notice, GameOver) and proxy.connections < 3:
                proxy.cut()

        seats[1].on_notice = cut
        ends = await play_both(*seats)
    assert ends == (Closed(None), Closed(None))
    overs = [n for n in seats[1].heard if isinstance(n, GameOver)]
    assert len(overs) > 2
    assert seats[1].kinds().count("CardsToCompare") == 1
    assert seats[1].kinds().count("Connected") == 3
    assert ala.peers.all() == olek.peers.all() == ()
    assert_same_games(ala, olek, games=len(overs))


@pytest.mark.parametrize("last", [0, 1])
@fast
async def test_cut_before_the_last_ack(tmp_path: Path, last: int) -> None:
    """Whoever has signed last comes back with the result before he leaves."""
    ala, olek = make_player(tmp_path, "Ala"), make_player(tmp_path, "Olek")
    async with proxied_pair(ala, olek) as (proxy, hosting, guest):
        tables = (hosting.table, guest)
        seats = [seat_at(table, seed=n) for n, table in enumerate(tables)]
        seats[last].resigns_at = 40  # the winner writes RESULT, the loser signs it

        def cut(notice: object) -> None:
            if isinstance(notice, GameOver):
                assert "GameOver" not in seats[1 - last].kinds()
                proxy.cut()

        seats[last].on_notice = cut
        assert await play_both(*seats) == (Closed(None), Closed(None))
    assert proxy.connections == 2
    kinds = seats[1 - last].kinds()
    assert kinds.index("LinkLost") < kinds.index("GameOver")
    assert_same_games(ala, olek)


@pytest.mark.parametrize(("gone", "seconds"), [(False, 20), (True, 0.5)])
@fast
async def test_nobody_is_there_for_the_last_ack(
    tmp_path: Path, *, gone: bool, seconds: float
) -> None:
    """Who cannot tell the result leaves after a while, at once where nobody listens."""
    ala, olek = make_player(tmp_path, "Ala"), make_player(tmp_path, "Olek")
    loop = asyncio.get_running_loop()
    async with proxied_pair(ala, olek) as (proxy, hosting, guest):
        seats = (seat_at(hosting.table), seat_at(guest, resigns_at=40))
        cut_at = [0.0]

        def cut_for_good(notice: object) -> None:
            if isinstance(notice, GameOver):
                cut_at[0] = loop.time()
                proxy.refusing = True
                proxy.cut()
                if gone and proxy.server is not None:
                    proxy.server.close()

        seats[1].on_notice = cut_for_good
        async with playing(seats[0]) as (other,):
            assert await seats[1].play() == Closed(None)
            # The clock of the loop counts work, too.
            assert seconds * 0.8 <= loop.time() - cut_at[0] < seconds + 8
            hosting.table.command(Leave(501))
            assert await other == Closed(None)
    (mine,), (theirs,) = logs_of(olek), logs_of(ala)
    assert verify_log(mine, verify).level == 5
    assert compare_logs(mine, theirs, verify).relation is Relation.PREFIX
