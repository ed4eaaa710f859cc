"""An open table: invites, knocks, the seat, and links that take it over."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from itertools import repeat
from pathlib import Path

import pytest

from crapette_p2p.net.address import Invite
from crapette_p2p.net.failures import NetError, StorageError
from crapette_p2p.net.hosting import INVITE_SECONDS, Hosting, host
from crapette_p2p.net.joining import join
from crapette_p2p.net.listening import open_sockets, parse_ports
from crapette_p2p.net.news import Closed, Connected, Knocked
from crapette_p2p.net.peers import KnownPeer
from crapette_p2p.net.player import Player
from crapette_p2p.net.table import Table
from crapette_p2p.session.commands import Confirm, RefusePlayer
from crapette_p2p.session.notices import CardsToCompare, EventFinal, PeerKnown
from tests.net.fasttime import fast
from tests.net.proxy import proxy_to
from tests.net.tables import (
    LOOPBACK,
    Seat,
    assert_same_games,
    host_options,
    join_options,
    make_player,
    play_both,
    playing,
    seat_at,
    where,
)


@asynccontextmanager
async def bot_at(table: Table) -> AsyncIterator[Seat]:
    """A bot on a table for the time of the body."""
    seat = seat_at(table)
    async with playing(seat):
        yield seat


def knows(player: Player, friend: Player, **changes: object) -> KnownPeer:
    """Let ``player`` know ``friend``."""
    known = KnownPeer(key=friend.identity.public, petname=friend.nick, nick=friend.nick)
    return player.peers.remember(replace(known, **changes))  # type: ignore[arg-type] # the test's business


def test_a_door_that_cannot_be_made_leaves_the_port_free(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The next try, some space made, gets the same one."""
    opened = open_sockets((0,), (LOOPBACK,))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "gone"))
    with pytest.raises(StorageError):
        Hosting(host_options(make_player(tmp_path, "Ala")), opened)
    assert [sock.fileno() for sock in opened.sockets] == [-1]


# The invite -------------------------------------------------------------------


@fast
async def test_an_invite_works_once(tmp_path: Path) -> None:
    """Its first use seats without a question; the second is refused with 207."""
    ala, olek = make_player(tmp_path, "Ala"), make_player(tmp_path, "Olek")
    ela = make_player(tmp_path, "Ela")
    options = host_options(ala, accept_unverified=False, answers_knocks=False)
    async with host(options) as hosting:
        invite = Invite(
            (where(hosting),), hosting.invite.fingerprint, hosting.invite.token
        )
        assert hosting.invite == hosting.invite
        async with join(invite, join_options(olek)) as guest:
            table = await hosting.seated()
            seats = seat_at(table), seat_at(guest, resigns_at=10)
            await play_both(*seats)
        known = [
            n.peer.verified for s in seats for n in s.heard if isinstance(n, PeerKnown)
        ]
        assert known == ["invite", "invite"]
        again = asyncio.ensure_future(hosting.seated())
        await asyncio.sleep(0)
        with pytest.raises(NetError) as error:
            async with join(invite, join_options(ela)):
                pass
        assert error.value.failure.code == "invite-refused"
        assert hosting.invite.token != invite.token
        again.cancel()
    # An invite is a good reason to remember somebody, on both sides.
    assert [p.verified for p in (*ala.peers.all(), *olek.peers.all())] == ["invite"] * 2


@fast
async def test_an_invite_expires(tmp_path: Path) -> None:
    """After half an hour the token opens nothing; a new one is shown."""
    ala, olek = make_player(tmp_path, "Ala"), make_player(tmp_path, "Olek")
    async with host(host_options(ala, invite_only=True)) as hosting:
        shown = hosting.invite
        await asyncio.sleep(INVITE_SECONDS + 1)
        assert hosting.invite.token != shown.token
        invite = replace(shown, addresses=(where(hosting),))
        with pytest.raises(NetError) as error:
            async with join(invite, join_options(olek)):
                pass
    assert error.value.failure.code == "invite-refused"


# Knocks -----------------------------------------------------------------------


async def knock_of(hosting: Hosting) -> Knocked:
    """The next knock."""
    notice = await hosting.next_notice()
    assert isinstance(notice, Knocked)
    return notice


@fast
async def test_a_stranger_is_asked_about(tmp_path: Path) -> None:
    """Both see the same four cards; the person's yes seats and remembers."""
    ala, olek = make_player(tmp_path, "Ala"), make_player(tmp_path, "Olek")
    async with (
        host(host_options(ala, accept_unverified=False)) as hosting,
        join(where(hosting), join_options(olek)) as guest,
    ):
        knock = await knock_of(hosting)
        asked = await guest.next_notice()
        assert isinstance(asked, CardsToCompare)
        assert asked.cards == knock.question.cards
        assert knock.question.peer.nick == "Olek"
        hosting.answer(knock, Confirm(same=True, remember=True))
        table = await hosting.seated()
        guest.command(Confirm(same=True, remember=False))
        async with bot_at(guest) as seat:
            await seat.hears(PeerKnown)
        assert table.linked
    assert [(p.petname, p.verified) for p in ala.peers.all()] == [("Olek", "sas")]
    assert olek.peers.all() == ()  # he did not want to


@fast
async def test_a_no_turns_away(tmp_path: Path) -> None:
    """A refused stranger is told; the door stays open for the next."""
    ala, olek = make_player(tmp_path, "Ala"), make_player(tmp_path, "Olek")
    async with host(host_options(ala, accept_unverified=False)) as hosting:
        async with join(where(hosting), join_options(olek)) as guest:
            hosting.answer(await knock_of(hosting), RefusePlayer())
            async with bot_at(guest) as seat:
                await seat.hears(Closed)
        closed = seat.heard[-1]
        assert isinstance(closed, Closed)
        assert closed.failure is not None
        assert closed.failure.code == "not-let-in"
        assert ala.peers.all() == ()
        async with join(where(hosting), join_options(olek)):
            assert (await knock_of(hosting)).question.peer.nick == "Olek"


@fast
async def test_the_first_answered_gets_the_seat(tmp_path: Path) -> None:
    """Of two who knock the one accepted sits; the other hears that it is taken."""
    ala = make_player(tmp_path, "Ala")
    names = ("Olek", "Ela")
    async with host(host_options(ala, accept_unverified=False)) as hosting:
        options = [join_options(make_player(tmp_path, name)) for name in names]
        async with (
            join(where(hosting), options[0]) as first,
            join(where(hosting), options[1]) as second,
        ):
            knocks = [await knock_of(hosting), await knock_of(hosting)]
            hosting.answer(knocks[1], Confirm(same=True))
            await hosting.seated()
            async with bot_at(first) as seat:
                await seat.hears(Closed)
            closed = seat.heard[-1]
            assert isinstance(closed, Closed)
            assert closed.failure is not None
            assert closed.failure.code == "table-taken"
            assert hosting.table.peer is not None
            assert hosting.table.peer.nick == "Ela"
            hosting.answer(knocks[0], Confirm(same=True))  # too late, no harm
            assert second.closed is None


@fast
async def test_a_known_friend_is_not_asked_about(tmp_path: Path) -> None:
    """Keys both know need no question, and the meeting is noted."""
    ala, olek = make_player(tmp_path, "Ala"), make_player(tmp_path, "Olek")
    knows(ala, olek, verified="sas", last_seen=5)
    knows(olek, ala, verified="invite")
    async with (
        host(host_options(ala, accept_unverified=False)) as hosting,
        join(where(hosting), join_options(olek)) as guest,
    ):
        table = await hosting.seated()
        async with bot_at(guest) as seat:
            await seat.hears(PeerKnown)
        assert "CardsToCompare" not in seat.kinds()
        assert table.peer is not None
        assert table.peer.verified == "sas"
    known = ala.peers.all()[0]
    assert known.last_seen == ala.wall()
    assert known.addresses == (LOOPBACK,)
    assert olek.peers.all()[0].addresses == (str(where(hosting)),)


@fast
async def test_a_namesake_is_a_stranger(tmp_path: Path) -> None:
    """The nick of a friend under another key: asked about, and the friend stays."""
    ala, olek = make_player(tmp_path, "Ala"), make_player(tmp_path, "Olek")
    friend = ala.peers.remember(KnownPeer(key=b"\x07" * 32, petname="Olek"))
    async with (
        host(host_options(ala, accept_unverified=False)) as hosting,
        join(where(hosting), join_options(olek)),
    ):
        knock = await knock_of(hosting)
        assert knock.question.namesake
        hosting.answer(knock, Confirm(same=True, remember=True))
        await hosting.seated()
    assert ala.peers.get(friend.key) == friend
    assert ala.peers.named("Olek 2") is not None


@fast
async def test_only_the_expected_key(tmp_path: Path) -> None:
    """A table kept for one key sends all others away."""
    ala, olek = make_player(tmp_path, "Ala"), make_player(tmp_path, "Olek")
    ela = make_player(tmp_path, "Ela")
    options = host_options(ala, expected=olek.identity.public)
    async with host(options) as hosting:
        with pytest.raises(NetError) as error:
            async with join(where(hosting), join_options(ela)):
                pass
        assert error.value.failure.code == "not-expected-there"
        async with join(where(hosting), join_options(olek)):
            table = await hosting.seated()
            assert table.peer is not None
            assert table.peer.verified == "pin"


@fast
async def test_a_damaged_book_does_not_stop_a_game(tmp_path: Path) -> None:
    """A list of friends that cannot be read is told of, and left as it is."""
    ala, olek = make_player(tmp_path, "Ala"), make_player(tmp_path, "Olek")
    ala.peers.path.write_text("[[peer]]\nname = 3\n")
    async with (
        host(host_options(ala)) as hosting,
        join(where(hosting), join_options(olek)) as guest,
    ):
        seats = seat_at(hosting.table), seat_at(guest, resigns_at=10)
        await play_both(*seats)
    assert "PeersNotSaved" in seats[0].kinds()
    assert_same_games(ala, olek)


# Takeover ---------------------------------------------------------------------


@pytest.mark.slow
@fast
async def test_the_same_key_takes_over(tmp_path: Path) -> None:
    """A friend whose old link is dead but not closed comes back at once."""
    ala, olek = make_player(tmp_path, "Ala"), make_player(tmp_path, "Olek")
    async with host(host_options(ala)) as hosting:
        host_seat = seat_at(hosting.table)
        async with (
            playing(host_seat) as (hers,),
            proxy_to(hosting.port, repeat(None)) as (proxy, address),
            join(address, join_options(olek)) as guest,
        ):
            guest_seat = seat_at(guest, seed=2, resigns_at=60)
            async with playing(guest_seat) as (his,):
                await guest_seat.hears(EventFinal, 30)
                proxy.hold()  # the cable is pulled: no byte, no end of file
                proxy.forget_dialler()
                await guest_seat.hears(Connected, 2)
                assert hosting.table.linked
                ends = [await hers, await his]
    assert ends == [Closed(None)] * 2
    assert_same_games(ala, olek)


# The sockets ------------------------------------------------------------------


def test_ports_as_they_are_written() -> None:
    """N, N-M and 0; nothing else."""
    assert [*parse_ports("0")] == [0]
    assert [*parse_ports("4747")] == [4747]
    assert [*parse_ports("10-12")] == [10, 11, 12]
    wrong = ("", "x", "65536", "12-10", "0-5", "1-", "-1", "1-2-3", "٣", "0000070000")
    for text in wrong:
        with pytest.raises(ValueError, match="port"):
            parse_ports(text)


def test_a_busy_port_is_passed_over_or_named() -> None:
    """Of several ports the next free one is taken; a single busy one is an error."""
    first = open_sockets((0,), (LOOPBACK,))
    second = None
    try:
        with pytest.raises(NetError) as error:
            open_sockets((first.port,), (LOOPBACK,))
        assert error.value.failure.code == "port-in-use"
        assert error.value.failure.facts["port"] == str(first.port)
        second = open_sockets((first.port, 0), (LOOPBACK,))
        assert second.port != first.port
    finally:
        first.close()
        if second is not None:
            second.close()


def test_all_adapters_share_one_port() -> None:
    """Without addresses IPv4 and IPv6 are listened on, at the same port."""
    opened = open_sockets((0,))
    try:
        ports = {sock.getsockname()[1] for sock in opened.sockets}
        assert ports == {opened.port}
    finally:
        opened.close()


def test_an_address_of_somebody_else() -> None:
    """Listening on an address that is not ours says so."""
    with pytest.raises(NetError) as error:
        open_sockets((0,), ("192.0.2.77",))
    assert error.value.failure.code == "address-not-ours"
