"""Strangers who have got as far as the four cards: few wait, friends pass by."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from crapette_p2p.net import hosting as hosting_module
from crapette_p2p.net.hosting import Hosting, host
from crapette_p2p.net.joining import join
from crapette_p2p.net.knocks import MAX_OF_ADDRESS, MAX_WAITING
from crapette_p2p.net.news import Closed, Knocked, TurnedAway
from crapette_p2p.net.player import Player
from crapette_p2p.session import messages as wire
from crapette_p2p.session.commands import Confirm, RefusePlayer
from tests.adversarial.crowds import logged_in
from tests.helpers.keys import key_of
from tests.net.fasttime import fast
from tests.net.strangers import send
from tests.net.tables import (
    host_options,
    join_options,
    make_player,
    play_both,
    seat_at,
    where,
)
from tests.net.test_hosting import knows

ASKED = wire.Ready("Ala", 1)
BUSY = wire.Bye(205, None, "")
OVER = wire.Bye(502, None, "")


def source(number: int) -> str:
    """An address of loopback; two strangers share each."""
    return f"127.0.7.{number // MAX_OF_ADDRESS + 1}"


async def crowd(stack: AsyncExitStack, hosting: Hosting, count: int) -> None:
    """So many strangers who wait for the person to look at the cards."""
    for number in range(count):
        who = logged_in(hosting.port, source(number), key_of(f"stranger {number}"))
        answer, _ = await stack.enter_async_context(who)
        assert answer == ASKED


async def heard(hosting: Hosting, count: int) -> list[object]:
    """The next news of the door."""
    return [await hosting.next_notice() for _ in range(count)]


def closed_table(tmp_path: Path) -> Player:
    """Ala, whose table asks about strangers."""
    return make_player(tmp_path, "Ala")


@fast
async def test_eight_wait_and_the_ninth_is_sent_away(tmp_path: Path) -> None:
    """He hears that the table is taken; the host hears of it; nobody else does."""
    options = host_options(closed_table(tmp_path), accept_unverified=False)
    async with AsyncExitStack() as stack, host(options) as hosting:
        await crowd(stack, hosting, MAX_WAITING)
        async with logged_in(hosting.port, "127.0.8.1", key_of("ninth")) as (said, _):
            assert said == ASKED
            *knocks, last = await heard(hosting, MAX_WAITING + 1)
        assert all(isinstance(knock, Knocked) for knock in knocks)
        assert list(hosting.waiting) == knocks
        assert isinstance(last, TurnedAway)
        assert (last.address, last.failure.code) == ("127.0.8.1", "too-many")


@fast
async def test_two_of_one_address_wait(tmp_path: Path) -> None:
    """One computer cannot take all the places."""
    options = host_options(closed_table(tmp_path), accept_unverified=False)
    async with AsyncExitStack() as stack, host(options) as hosting:
        await crowd(stack, hosting, MAX_OF_ADDRESS)
        async with logged_in(hosting.port, source(0), key_of("third")) as (said, link):
            assert said == ASKED
            *_, last = await heard(hosting, MAX_OF_ADDRESS + 1)
            assert isinstance(last, TurnedAway)
            rest = await link.read()
            assert rest.endswith(wire.encode_message(BUSY))
        async with logged_in(hosting.port, "127.0.8.1", key_of("other")) as (said, _):
            assert said == ASKED
            (knock,) = await heard(hosting, 1)
            assert knock in hosting.waiting


@fast
async def test_a_friend_passes_a_full_house(tmp_path: Path) -> None:
    """Whom the host knows is not asked about, sits down and plays."""
    ala, olek = closed_table(tmp_path), make_player(tmp_path, "Olek")
    knows(ala, olek, verified="sas")
    knows(olek, ala, verified="sas")
    options = host_options(ala, accept_unverified=False)
    async with AsyncExitStack() as stack, host(options) as hosting:
        await crowd(stack, hosting, MAX_WAITING)
        async with join(where(hosting), join_options(olek)) as guest:
            table = await hosting.seated()
            assert hosting.waiting == ()
            seats = seat_at(table), seat_at(guest, seed=2, resigns_at=30)
            assert await play_both(*seats) == (Closed(None), Closed(None))


@fast
async def test_whoever_goes_or_is_answered_makes_room(tmp_path: Path) -> None:
    """The list is of those who wait now, the longest first."""
    options = host_options(closed_table(tmp_path), accept_unverified=False)
    async with host(options) as hosting:
        async with AsyncExitStack() as stack:
            await crowd(stack, hosting, MAX_WAITING)
            knocks = await heard(hosting, MAX_WAITING)
            assert isinstance(knocks[0], Knocked)
            hosting.answer(knocks[0], RefusePlayer())
            assert list(hosting.waiting) == knocks[1:]
            again = logged_in(hosting.port, "127.0.8.1", key_of("late"))
            said, _ = await stack.enter_async_context(again)
            assert said == ASKED
            hosting.answer(knocks[0], Confirm(same=True))  # he is gone: no harm
            assert len(hosting.waiting) == MAX_WAITING
        while hosting.waiting:
            await hosting.next_notice()


@fast
async def test_whoever_waits_hears_that_the_table_is_closed(tmp_path: Path) -> None:
    """Not that it is taken: who is asked about by a window that shuts plays no one."""
    options = host_options(closed_table(tmp_path), accept_unverified=False)
    async with AsyncExitStack() as stack:
        async with host(options) as hosting:
            who = logged_in(hosting.port, source(0), key_of("stranger"))
            said, link = await stack.enter_async_context(who)
            assert said == ASKED
            await heard(hosting, 1)
        assert (await link.read()).endswith(wire.encode_message(OVER))


@fast
async def test_nobody_reads_and_strangers_knock_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While a game runs the door's news of strangers do not pile up."""
    monkeypatch.setattr(hosting_module, "_MAX_UNREAD", 5)
    async with host(host_options(closed_table(tmp_path))) as hosting:
        noise = (send(hosting.port, b"\0" * 9, source=source(n)) for n in range(40))
        await asyncio.gather(*noise)
        assert hosting._notices.qsize() == 5
