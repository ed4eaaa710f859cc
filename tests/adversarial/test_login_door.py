"""A: the same over real TLS links: men in the middle, old TLS, full tables."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from crapette_p2p.net import tls
from crapette_p2p.net.accept import HOST_BURST, Pace
from crapette_p2p.net.address import Address, Invite
from crapette_p2p.net.failures import Exit, Failure, NetError
from crapette_p2p.net.hosting import INVITE_SECONDS, Hosting, host
from crapette_p2p.net.joining import JoinOptions, join
from crapette_p2p.net.news import Closed, Knocked, TurnedAway
from crapette_p2p.net.peers import KnownPeer
from crapette_p2p.net.player import Player
from crapette_p2p.net.tls import make_client_context, make_server_tls
from crapette_p2p.session import messages as wire
from crapette_p2p.session.commands import Confirm
from crapette_p2p.session.handshake import commitment
from crapette_p2p.session.messages import encode_message
from crapette_p2p.session.notices import CardsToCompare, EventFinal
from tests.adversarial.crowds import logged_in
from tests.adversarial.doors import LOOPBACK, hear, tell, tls_client
from tests.helpers.keys import Key, key_of
from tests.net.fasttime import fast
from tests.net.tables import (
    assert_same_games,
    host_options,
    join_options,
    make_player,
    playing,
    seat_at,
    where,
)

HELLO = wire.Hello("crapette", 1, 1, commitment(bytes(32), key_of("Eve").public), 0)


async def refused(
    target: Address | Invite, player: Player, **changes: object
) -> Failure:
    """Why a table cannot be joined."""
    options: JoinOptions = join_options(player, **changes)
    with pytest.raises(NetError) as error:
        async with join(target, options):
            pass
    return error.value.failure


@asynccontextmanager
async def listening(
    serve: object, context: ssl.SSLContext | None = None
) -> AsyncIterator[Address]:
    """A server on loopback."""
    server = await asyncio.start_server(serve, LOOPBACK, 0, ssl=context)  # type: ignore[arg-type] # a coroutine function
    try:
        yield Address(LOOPBACK, server.sockets[0].getsockname()[1])
    finally:
        server.close()
        await server.wait_closed()


@asynccontextmanager
async def man_in_the_middle(hosting: Hosting) -> AsyncIterator[Address]:
    """TLS of his own towards both, every byte inside passed on unchanged."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        async with tls_client(hosting.port) as (other_reader, other_writer):

            async def pass_on(
                source: asyncio.StreamReader, target: asyncio.StreamWriter
            ) -> None:
                while data := await source.read(4096):
                    target.write(data)
                target.transport.abort()

            async with asyncio.TaskGroup() as both:
                both.create_task(pass_on(reader, other_writer))
                both.create_task(pass_on(other_reader, writer))

    async with listening(serve, make_server_tls().context) as address:
        yield address


@fast
async def test_a02_a_man_in_the_middle_of_two_tls_links(tmp_path: Path) -> None:
    """A2: he relays everything, and is found out by his certificate: 201."""
    ala, olek = make_player(tmp_path, "Ala"), make_player(tmp_path, "Olek")
    async with host(host_options(ala)) as hosting:
        async with man_in_the_middle(hosting) as address:
            failure = await refused(address, olek)
        assert (failure.code, failure.status) == ("login-not-proven", Exit.IDENTITY)
        assert not hosting.table.taken


@fast
async def test_a08_a_host_is_one_guess_a_second(tmp_path: Path) -> None:
    """A8: eight HOSTs at once, then one a second, from wherever they are asked."""
    loop = asyncio.get_running_loop()
    ala = make_player(tmp_path, "Ala")
    async with host(host_options(ala)) as hosting:
        began = loop.time()
        for number in range(HOST_BURST + 3):
            source = f"127.0.4.{number + 1}"
            async with tls_client(hosting.port, source) as (reader, writer):
                tell(writer, HELLO)
                assert isinstance(await hear(reader), wire.Host)
            if number == HOST_BURST - 1:
                assert loop.time() - began < 1
        assert loop.time() - began >= 2.5


def test_a08_a_thousand_guesses_take_a_quarter_of_an_hour() -> None:
    """A8: while the victim waits two minutes, at most 128 are made: 1.8e-5."""
    pace, now = Pace(burst=HOST_BURST, interval=1.0), 0.0
    times = []
    for _ in range(1000):
        now += pace.delay(now)
        times.append(now)
    assert times[-1] >= 990
    guesses = sum(time <= 120 for time in times)
    assert guesses <= 128
    assert guesses / 52**4 < 1.8e-5


@fast
async def test_a11_an_invite_opens_once_and_for_half_an_hour(tmp_path: Path) -> None:
    """A11: used, and expired: 207 both times."""
    ala, olek = make_player(tmp_path, "Ala"), make_player(tmp_path, "Olek")
    ela = make_player(tmp_path, "Ela")
    async with host(host_options(ala, invite_only=True)) as hosting:
        used = replace(hosting.invite, addresses=(where(hosting),))
        async with join(used, join_options(olek)):
            await hosting.seated()
        again = asyncio.ensure_future(hosting.seated())
        await asyncio.sleep(0)
        assert (await refused(used, ela)).code == "invite-refused"
        fresh = replace(hosting.invite, addresses=(where(hosting),))
        assert fresh.token != used.token
        await asyncio.sleep(INVITE_SECONDS + 1)
        assert (await refused(fresh, ela)).code == "invite-refused"
        again.cancel()


@pytest.mark.filterwarnings("ignore:ssl.TLSVersion.TLSv1_2:DeprecationWarning")
@fast
async def test_a12_other_programs_at_our_door(tmp_path: Path) -> None:
    """A12: TLS 1.2, HTTP and our own protocol in clear text get no byte of it."""
    old = make_client_context()
    old.minimum_version = old.maximum_version = ssl.TLSVersion.TLSv1_2
    plain_hello = len(encode_message(HELLO)).to_bytes(4, "big") + encode_message(HELLO)
    async with host(host_options(make_player(tmp_path, "Ala"))) as hosting:
        with pytest.raises((ssl.SSLError, ConnectionError)):
            await asyncio.open_connection(
                LOOPBACK, hosting.port, ssl=old, server_hostname="x"
            )
        for data in (b"GET / HTTP/1.1\r\n\r\n", plain_hello, bytes(3000)):
            reader, writer = await asyncio.open_connection(LOOPBACK, hosting.port)
            writer.write(data)
            answer = b""
            with suppress(ConnectionError):
                answer = await reader.read(-1)
            assert len(answer) <= 7  # at most a TLS alert
            writer.transport.abort()
        told = [await hosting.next_notice() for _ in range(4)]
        assert all(isinstance(notice, TurnedAway) for notice in told)
        async with join(where(hosting), join_options(make_player(tmp_path, "Olek"))):
            await hosting.seated()


@fast
async def test_a12_tables_that_are_none(tmp_path: Path) -> None:
    """A12: a web server, a mute one and a mute one with TLS each have a reason."""
    olek = make_player(tmp_path, "Olek")

    async def web(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.0 400 Bad Request\r\n\r\n")
        writer.close()

    async def mute(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(ConnectionError):
            await reader.read(-1)
        writer.transport.abort()

    async with listening(web) as address:
        assert (await refused(address, olek)).code == "not-crapette"
    async with listening(mute) as address:
        assert (await refused(address, olek)).status is Exit.PROTOCOL
    async with listening(mute, make_server_tls().context) as address:
        failure = await refused(address, olek)
        assert failure.status is Exit.PROTOCOL
        assert failure.facts["wire"] == "106"


@pytest.mark.slow
@fast
async def test_a13_a14_a_taken_table_and_a_takeover(tmp_path: Path) -> None:
    """A13, A14: another key is 205 and disturbs nothing; the same key takes over."""
    ala, olek = make_player(tmp_path, "Ala"), make_player(tmp_path, "Olek")
    thief = key_of("Thief")
    async with (
        host(host_options(ala)) as hosting,
        join(where(hosting), join_options(olek)) as guest,
    ):
        seats = seat_at(hosting.table), seat_at(guest, seed=2, resigns_at=60)
        async with playing(*seats) as games:
            await seats[1].hears(EventFinal, 25)
            link = hosting.table.session
            async with logged_in(hosting.port, "127.0.0.7", thief) as (answer, _):
                assert answer == wire.Bye(205, None, "")
            assert hosting.table.session is link  # the game has heard nothing of it
            mine = Key(olek.identity.public, olek.identity.sign, key_of("x").verify)
            async with logged_in(hosting.port, "127.0.0.8", mine) as (answer, _):
                assert answer == wire.Ready("Ala", 0)
                assert hosting.table.session is not link  # the newer link has the seat
            assert await asyncio.gather(*games) == [Closed(None), Closed(None)]
    assert_same_games(ala, olek)


@fast
async def test_a16_a_known_name_with_a_new_key(tmp_path: Path) -> None:
    """A16: a warning, the cards again, and the friend's entry as it was."""
    ala, olek = make_player(tmp_path, "Ala"), make_player(tmp_path, "Olek")
    friend = ala.peers.remember(
        KnownPeer(key=b"\x07" * 32, petname="Olek", nick="Olek", verified="sas")
    )
    before = ala.peers.path.read_bytes()
    async with (
        host(host_options(ala, accept_unverified=False)) as hosting,
        join(where(hosting), join_options(olek)),
    ):
        knock = await hosting.next_notice()
        assert isinstance(knock, Knocked)
        assert knock.question.namesake
        assert knock.question.peer.verified == "none"
        assert ala.peers.path.read_bytes() == before
        hosting.answer(knock, Confirm(same=True, remember=True))
        await hosting.seated()
    assert ala.peers.get(friend.key) == friend
    assert [peer.petname for peer in ala.peers.all()] == ["Olek", "Olek 2"]


@pytest.mark.parametrize(
    ("first", "last"),
    [(2000, 2001), (2090, 2091)],
    ids=["expired", "not yet valid"],
)
@fast
async def test_a17_the_dates_of_the_certificate_say_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, first: int, last: int
) -> None:
    """A17: such a certificate binds the link as well as any other."""
    monkeypatch.setattr(tls, "_NOT_BEFORE", datetime(first, 1, 1, tzinfo=UTC))
    monkeypatch.setattr(tls, "_NOT_AFTER", datetime(last, 1, 1, tzinfo=UTC))
    ala, olek = make_player(tmp_path, "Ala"), make_player(tmp_path, "Olek")
    async with host(host_options(ala)) as hosting:
        async with join(where(hosting), join_options(olek)) as guest:
            asked = await guest.next_notice()
            assert isinstance(asked, CardsToCompare)
            assert asked.peer.idpub == ala.identity.public
        async with man_in_the_middle(hosting) as address:
            ela = make_player(tmp_path, "Ela")
            assert (await refused(address, ela)).code == "login-not-proven"
