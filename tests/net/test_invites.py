"""Invites: single use, half an hour, and always one on the screen that works."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from crapette_p2p.net.failures import Exit, NetError
from crapette_p2p.net.hosting import INVITE_SECONDS, host
from crapette_p2p.net.joining import join
from crapette_p2p.net.news import InviteChanged
from crapette_p2p.net.peers import KnownPeer
from tests.net.fasttime import fast
from tests.net.tables import (
    host_options,
    join_options,
    make_player,
    play_both,
    seat_at,
    where,
)


@fast
async def test_whoever_waits_long_is_shown_a_fresh_one(tmp_path: Path) -> None:
    """Every half hour the old invite dies and the door says which works now."""
    ala, olek = make_player(tmp_path, "Ala"), make_player(tmp_path, "Olek")
    loop = asyncio.get_running_loop()
    async with host(host_options(ala, invite_only=True)) as hosting:
        shown, began = hosting.invite, loop.time()
        for number in range(1, 4):
            notice = await hosting.next_notice()
            assert isinstance(notice, InviteChanged)
            assert notice.invite == hosting.invite
            assert notice.invite.token != shown.token
            assert loop.time() - began == pytest.approx(number * INVITE_SECONDS, abs=1)
            shown = notice.invite
        invite = replace(shown, addresses=(where(hosting),))
        async with join(invite, join_options(olek)) as table:
            assert table.linked


@fast
async def test_a_used_one_is_replaced_with_the_table(tmp_path: Path) -> None:
    """After the game the next guest is invited anew; meanwhile nobody is."""
    ala, olek = make_player(tmp_path, "Ala"), make_player(tmp_path, "Olek")
    async with host(host_options(ala, invite_only=True)) as hosting:
        invite = replace(hosting.invite, addresses=(where(hosting),))
        async with join(invite, join_options(olek)) as guest:
            table = await hosting.seated()
            await play_both(seat_at(table), seat_at(guest, resigns_at=10))
        waiting = asyncio.ensure_future(hosting.seated())
        notice = await hosting.next_notice()
        assert isinstance(notice, InviteChanged)
        assert notice.invite.token != invite.token
        waiting.cancel()


@fast
async def test_a_friend_uses_it_up_too(tmp_path: Path) -> None:
    """Somebody known who comes with the invite leaves none for others."""
    ala, olek = make_player(tmp_path, "Ala"), make_player(tmp_path, "Olek")
    ela = make_player(tmp_path, "Ela")
    key = olek.identity.public
    ala.peers.remember(KnownPeer(key=key, petname="Olek", verified="sas"))
    async with host(host_options(ala, invite_only=True)) as hosting:
        invite = replace(hosting.invite, addresses=(where(hosting),))
        async with join(invite, join_options(olek)) as guest:
            table = await hosting.seated()
            await play_both(seat_at(table), seat_at(guest, resigns_at=10))
        waiting = asyncio.ensure_future(hosting.seated())
        await asyncio.sleep(0)
        with pytest.raises(NetError) as error:
            async with join(invite, join_options(ela)):
                pass
        waiting.cancel()
    assert error.value.failure.code == "invite-refused"
    assert error.value.failure.status is Exit.IDENTITY


@fast
async def test_nothing_is_renewed_while_somebody_sits(tmp_path: Path) -> None:
    """A game that takes longer than the invite disturbs nobody at the door."""
    ala, olek = make_player(tmp_path, "Ala"), make_player(tmp_path, "Olek")
    async with host(host_options(ala)) as hosting:
        assert hosting.invite.token
        async with join(where(hosting), join_options(olek)):
            await hosting.seated()
            notice = asyncio.ensure_future(hosting.next_notice())
            done, _ = await asyncio.wait({notice}, timeout=3 * INVITE_SECONDS)
            assert done == set()
            notice.cancel()
