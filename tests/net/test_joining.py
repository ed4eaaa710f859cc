"""Reaching a table: whatever is there instead has its own reason."""

from __future__ import annotations

import asyncio
import errno
import gc
import os
import socket
import weakref
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from crapette_p2p.net.address import Address, Invite
from crapette_p2p.net.failures import Exit, Failure, NetError
from crapette_p2p.net.hosting import host
from crapette_p2p.net.joining import join
from crapette_p2p.net.news import Closed
from crapette_p2p.session.keys import fingerprint
from crapette_p2p.session.notices import LinkLost, PeerKnown
from tests.net.fasttime import fast
from tests.net.strangers import server
from tests.net.tables import (
    LOOPBACK,
    host_options,
    join_options,
    make_player,
    playing,
    seat_at,
    where,
)


async def refused(
    tmp_path: Path, target: Address | Invite, **changes: object
) -> Failure:
    """Why ``target`` is not reached."""
    options = join_options(make_player(tmp_path, "Olek"), **changes)
    with pytest.raises(NetError) as error:
        async with join(target, options):
            pass
    return error.value.failure


@pytest.fixture(name="closed")
def a_closed_port() -> Iterator[Address]:
    """Where nobody listens, nor can while the test lasts: the port is taken."""
    with socket.socket() as sock:
        sock.bind((LOOPBACK, 0))
        yield Address(LOOPBACK, sock.getsockname()[1])


@asynccontextmanager
async def changed_host(
    tmp_path: Path, name: str = "Ala", **changes: object
) -> AsyncIterator[tuple[Address, bytes]]:
    """A table, its address and its key."""
    player = make_player(tmp_path, name)
    async with host(host_options(player, **changes)) as hosting:
        yield where(hosting), player.identity.public


@fast
async def test_a_closed_port(tmp_path: Path, closed: Address) -> None:
    """Nobody listens there: at once, and exit 5."""
    failure = await refused(tmp_path, closed)
    assert (failure.code, failure.status) == ("no-table-there", Exit.CANNOT_REACH)
    assert failure.facts["host"] == LOOPBACK


@pytest.mark.parametrize("answer", [b"HTTP/1.0 400 Bad Request\r\n\r\n", b"\x00", b""])
@fast
async def test_something_else_answers(tmp_path: Path, answer: bytes) -> None:
    """A server of another kind is not taken for a table."""
    async with server(answer) as address:
        failure = await refused(tmp_path, address)
    assert (failure.code, failure.status) == ("not-crapette", Exit.PROTOCOL)


@pytest.mark.parametrize(("limit", "given"), [(10.0, 5), (2.0, 2)])
@fast
async def test_a_server_that_never_answers(
    tmp_path: Path, limit: float, given: float
) -> None:
    """A mute TCP server took the call: no firewall, and not "no answer"."""
    loop = asyncio.get_running_loop()
    began = loop.time()
    async with server(None) as address:
        failure = await refused(tmp_path, address, timeout=limit)
    assert (failure.code, failure.status) == ("silent-there", Exit.PROTOCOL)
    assert failure.facts["port"] == str(address.port)
    assert loop.time() - began == pytest.approx(given, abs=0.5)


@fast
async def test_a_mute_tls_server(tmp_path: Path) -> None:
    """TLS, and then nothing: the login is given ten seconds."""
    async with server(None, tls=True) as address:
        failure = await refused(tmp_path, address)
    assert (failure.code, failure.status) == ("not-crapette", Exit.PROTOCOL)


@pytest.mark.parametrize(
    ("answer", "wire"),
    [(b"HTTP/1.1 200 OK\r\n\r\n", "100"), (b"\0\0\0\x02\xcc\x05", "101")],
)
@fast
async def test_a_tls_server_of_another_kind(
    tmp_path: Path, answer: bytes, wire: str
) -> None:
    """Bytes that are no frame, or no message, are told apart from silence."""
    async with server(answer, tls=True) as address:
        failure = await refused(tmp_path, address)
    assert failure.status is Exit.PROTOCOL
    assert failure.facts["wire"] == wire


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (TimeoutError(), "no-answer"),
        (socket.gaierror(socket.EAI_NONAME, "unknown"), "unknown-host"),
        (OSError(errno.ENETUNREACH, os.strerror(errno.ENETUNREACH)), "no-route"),
    ],
)
@fast
async def test_what_the_system_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: OSError, code: str
) -> None:
    """No answer, an unknown name and no network each have their own reason."""

    async def fail(*_args: object, **_options: object) -> None:
        raise error

    loop = asyncio.get_running_loop()
    monkeypatch.setattr(loop, "create_connection", fail)
    failure = await refused(tmp_path, Address("olek-pc", 5))
    assert (failure.code, failure.status) == (code, Exit.CANNOT_REACH)


@fast
async def test_no_answer_within_the_timeout(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A dropped connection request is given ``timeout`` seconds, no more."""
    loop = asyncio.get_running_loop()

    async def hang(*_args: object, **_options: object) -> None:
        await asyncio.Event().wait()

    monkeypatch.setattr(loop, "create_connection", hang)
    began = loop.time()
    failure = await refused(tmp_path, Address("192.0.2.1"), timeout=3.0)
    assert failure.code == "no-answer"
    assert loop.time() - began == pytest.approx(3, abs=0.1)


@fast
async def test_another_key_than_expected(tmp_path: Path) -> None:
    """A wrong pinned key fails closed, and the dialler has shown nothing."""
    async with changed_host(tmp_path) as (address, _):
        failure = await refused(tmp_path, address, expected=b"\x01" * 32)
    assert (failure.code, failure.status) == ("other-key", Exit.IDENTITY)


@fast
async def test_an_invite_of_somebody_else(tmp_path: Path) -> None:
    """The fingerprint in an invite is a pin too."""
    async with changed_host(tmp_path) as (address, _):
        invite = Invite((address,), b"\x02" * 10, b"\x03" * 10)
        failure = await refused(tmp_path, invite)
    assert failure.code == "other-key"


@fast
async def test_our_own_table(tmp_path: Path) -> None:
    """One cannot sit down at one's own table."""
    async with changed_host(tmp_path, "Olek") as (address, _):
        failure = await refused(tmp_path, address)
    assert (failure.code, failure.status) == ("own-key", Exit.IDENTITY)


@fast
async def test_the_next_address_of_an_invite(tmp_path: Path, closed: Address) -> None:
    """Addresses that lead nowhere, or to others, are passed over."""
    olek = make_player(tmp_path, "Olek")
    ala = make_player(tmp_path, "Ala")
    async with (
        server(b"HTTP/1.0 400\r\n\r\n") as web,
        changed_host(tmp_path, "Ela") as (other, _),
        host(host_options(ala)) as hosting,
    ):
        token = hosting.invite.token
        places = (closed, web, other, where(hosting))
        invite = Invite(places, fingerprint(ala.identity.public), token)
        async with join(invite, join_options(olek)) as table:
            seat = seat_at(table, resigns_at=10)
            async with playing(seat):
                await seat.hears(PeerKnown)
            known = next(n for n in seat.heard if isinstance(n, PeerKnown))
            assert known.peer.idpub == ala.identity.public
            assert known.peer.verified == "invite"


def has_ipv6() -> bool:
    """Whether this machine has an IPv6 loopback."""
    try:
        with socket.socket(socket.AF_INET6) as sock:
            sock.bind(("::1", 0))
    except OSError:
        return False
    return True


needs_ipv6 = pytest.mark.skipif(not has_ipv6(), reason="no IPv6 here")


@pytest.mark.parametrize("bind", [pytest.param("::1", marks=needs_ipv6), LOOPBACK])
@fast
async def test_ipv4_and_ipv6(tmp_path: Path, bind: str) -> None:
    """A table on either kind of address is reached by it."""
    ala, olek = make_player(tmp_path, "Ala"), make_player(tmp_path, "Olek")
    async with host(host_options(ala, binds=(bind,))) as hosting:
        assert [own.address for own in hosting.addresses] == [bind]
        async with join(Address(bind, hosting.port), join_options(olek)):
            table = await hosting.seated()
            assert table.address == bind


@needs_ipv6
@fast
async def test_a_mapped_address(tmp_path: Path) -> None:
    """An IPv4 address in IPv6 clothes leads to the same table."""
    ala, olek = make_player(tmp_path, "Ala"), make_player(tmp_path, "Olek")
    async with host(host_options(ala)) as hosting:
        place = Address("::ffff:127.0.0.1", hosting.port)
        async with join(place, join_options(olek)):
            assert (await hosting.seated()).linked


@fast
async def test_the_best_reason_of_several(tmp_path: Path, closed: Address) -> None:
    """An answer that was wrong says more than silence elsewhere."""
    async with changed_host(tmp_path) as (address, key):
        invite = Invite((address, closed), fingerprint(key[::-1]), None)
        failure = await refused(tmp_path, invite)
    assert failure.code == "other-key"
    assert (await refused(tmp_path, Invite((closed,), b"x" * 10))).code == (
        "no-table-there"
    )


@fast
async def test_a_taken_table(tmp_path: Path) -> None:
    """Whoever comes second is told so, and the first plays on."""
    olek, ela = make_player(tmp_path, "Olek"), make_player(tmp_path, "Ela")
    ala = make_player(tmp_path, "Ala")
    async with (
        host(host_options(ala)) as hosting,
        join(where(hosting), join_options(olek)) as first,
    ):
        seat = seat_at(first)
        async with playing(seat):
            await seat.hears(PeerKnown)
            with pytest.raises(NetError) as error:
                async with join(where(hosting), join_options(ela)):
                    pass
            assert error.value.failure.code == "table-taken"
            assert error.value.failure.status is Exit.CANNOT_REACH
            assert first.linked
    assert isinstance(first.closed, Closed)


@fast
async def test_joining_and_leaving_before_the_game(tmp_path: Path) -> None:
    """Leaving in the lobby ends both tables and keeps no game."""
    ala, olek = make_player(tmp_path, "Ala"), make_player(tmp_path, "Olek")
    async with host(host_options(ala)) as hosting:
        async with join(where(hosting), join_options(olek)):
            table = await hosting.seated()
        seat = seat_at(table)
        closed = await seat.play()
    assert closed.failure is not None
    assert closed.failure.code == "peer-hung-up"
    assert [*olek.kept.open_games()] == [*ala.kept.open_games()] == []


class Word(LinkLost):
    """A notice that tells whether anybody keeps it."""


@fast
async def test_no_link_that_is_made_later_is_remembered(tmp_path: Path) -> None:
    """Only what the first said before it had the seat is kept, to be told then."""
    ala, olek = make_player(tmp_path, "Ala"), make_player(tmp_path, "Olek")
    async with (
        host(host_options(ala)) as hosting,
        join(where(hosting), join_options(olek)) as guest,
    ):
        notice = Word(0)
        told = weakref.ref(notice)
        pump = guest.make_pump(address="", dialler=True)
        guest.policy.on_candidate(pump, notice)
        del notice
        gc.collect()
        assert told() is None
