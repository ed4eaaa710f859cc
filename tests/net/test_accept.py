"""The door: strangers cost little, disturb nobody, and friends still get in."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import socket
import ssl
from pathlib import Path

import pytest

from crapette_p2p.net import accept
from crapette_p2p.net.accept import Pace
from crapette_p2p.net.hosting import Hosting, host
from crapette_p2p.net.joining import join
from crapette_p2p.net.news import Closed, TurnedAway
from crapette_p2p.net.tls import make_client_context
from crapette_p2p.session.notices import EventFinal
from tests.net.fasttime import fast
from tests.net.strangers import Stranger, connect, old_tls, send
from tests.net.tables import (
    LOOPBACK,
    assert_same_games,
    host_options,
    join_options,
    make_player,
    play_both,
    seat_at,
    where,
)


async def reason(hosting: Hosting) -> str:
    """Why the next stranger was turned away."""
    notice = await hosting.next_notice()
    assert isinstance(notice, TurnedAway)
    return notice.failure.code


async def assert_open(tmp_path: Path, hosting: Hosting) -> None:
    """A friend still gets in, and the game comes to its end."""
    olek = make_player(tmp_path, "Olek")
    async with join(where(hosting), join_options(olek)) as guest:
        table = await hosting.seated()
        seats = seat_at(table), seat_at(guest, seed=2, resigns_at=30)
        ends = await play_both(*seats)
    assert ends == (Closed(None), Closed(None))


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"GET / HTTP/1.1\r\nHost: x\r\n\r\n", "spoke-http"),
        (b"SSH-2.0-scanner\r\n", "stranger"),
        (b"\x00" * 1_000_000, "stranger"),
        (bytes(range(256)) * 50, "stranger"),
    ],
)
@fast
async def test_bytes_that_are_not_ours(tmp_path: Path, data: bytes, code: str) -> None:
    """A browser, a scanner or noise is turned away; the door stays open."""
    async with host(host_options(make_player(tmp_path, "Ala"))) as hosting:
        await send(hosting.port, data)
        assert await reason(hosting) == code
        await assert_open(tmp_path, hosting)


@fast
async def test_silence_is_not_waited_for(tmp_path: Path) -> None:
    """A connection that says nothing is closed after five seconds."""
    loop = asyncio.get_running_loop()
    async with host(host_options(make_player(tmp_path, "Ala"))) as hosting:
        began = loop.time()
        assert await send(hosting.port, b"") == b""
        assert loop.time() - began == pytest.approx(5, abs=0.5)
        assert await reason(hosting) == "silent"
        await assert_open(tmp_path, hosting)


@pytest.mark.filterwarnings("ignore:ssl.TLSVersion.TLSv1_2:DeprecationWarning")
@fast
async def test_old_tls_is_turned_away(tmp_path: Path) -> None:
    """There is no older version to fall back to."""
    async with host(host_options(make_player(tmp_path, "Ala"))) as hosting:
        with pytest.raises((ssl.SSLError, ConnectionError)):
            await connect(hosting.port, context=old_tls())
        assert await reason(hosting) == "stranger"
        await assert_open(tmp_path, hosting)


@pytest.mark.parametrize("drip", [None, 1.0])
@fast
async def test_tls_and_then_nothing(tmp_path: Path, drip: float | None) -> None:
    """A client that logs in too slowly, a byte a second, is dropped after 10 s."""
    loop = asyncio.get_running_loop()
    async with host(host_options(make_player(tmp_path, "Ala"))) as hosting:
        stranger = await connect(hosting.port, context=make_client_context())
        began = loop.time()
        dripping = asyncio.ensure_future(_drip(stranger, drip)) if drip else None
        await stranger.read_to_end()
        assert loop.time() - began == pytest.approx(10, abs=1)
        if dripping is not None:
            dripping.cancel()
        stranger.close()
        assert await reason(hosting) == "silent"
        await assert_open(tmp_path, hosting)


async def _drip(stranger: Stranger, seconds: float) -> None:
    for byte in b"\x00\x00\x00\x40" + b"\x96" * 60:
        stranger.writer.write(bytes([byte]))
        await asyncio.sleep(seconds)


@fast
async def test_two_of_one_address(tmp_path: Path) -> None:
    """The third pending connection of an address is closed at once."""
    loop = asyncio.get_running_loop()
    async with host(host_options(make_player(tmp_path, "Ala"))) as hosting:
        waiting = [await connect(hosting.port) for _ in range(2)]
        began = loop.time()
        assert await send(hosting.port, b"") == b""
        assert loop.time() - began < 1
        assert await reason(hosting) == "too-many"
        # Another address has its own two places.
        other = await connect(hosting.port, source="127.0.0.2")
        for stranger in (*waiting, other):
            stranger.close()


@fast
async def test_eight_of_all_addresses(tmp_path: Path) -> None:
    """The ninth pending connection waits until one of the eight is gone."""
    async with host(host_options(make_player(tmp_path, "Ala"))) as hosting:
        sources = [f"127.0.0.{n}" for n in range(11, 15)] * 2
        held = [await connect(hosting.port, source=source) for source in sources]
        late = asyncio.ensure_future(
            connect(hosting.port, context=make_client_context())
        )
        for _ in range(20):
            await asyncio.sleep(0)
        assert not late.done()  # accepted, but nobody shakes its hand yet
        held[0].close()
        (await late).close()
        for stranger in held:
            stranger.close()


@fast
async def test_a_crowd(tmp_path: Path) -> None:
    """Fifty connections at once leave the door as it was."""
    async with host(host_options(make_player(tmp_path, "Ala"))) as hosting:
        crowd = [
            send(hosting.port, b"\x16\x03\x01", source=f"127.0.1.{n}")
            for n in range(50)
        ]
        await asyncio.gather(*crowd)
        await assert_open(tmp_path, hosting)


@pytest.mark.slow
@fast
async def test_a_running_game_is_not_disturbed(tmp_path: Path) -> None:
    """Strangers of all kinds during a game: it ends as if they were not there."""
    ala, olek = make_player(tmp_path, "Ala"), make_player(tmp_path, "Olek")
    visits: list[asyncio.Future[object]] = []
    async with (
        host(host_options(ala)) as hosting,
        join(where(hosting), join_options(olek)) as guest,
    ):
        seats = seat_at(hosting.table), seat_at(guest, seed=2, resigns_at=90)

        def visit(notice: object) -> None:
            if isinstance(notice, EventFinal) and notice.seq % 10 == 0:
                data = b"GET / HTTP/1.0\r\n\r\n" if notice.seq % 20 else b"\xff" * 99
                source = f"127.0.2.{notice.seq % 250 + 1}"
                work = send(hosting.port, data, source=source)
                visits.append(asyncio.ensure_future(work))

        seats[0].on_notice = visit
        await play_both(*seats)
        await asyncio.gather(*visits)
    assert len(visits) >= 9
    assert "LinkLost" not in seats[1].kinds()
    assert_same_games(ala, olek)


@pytest.mark.parametrize("turns", range(6))
@fast
async def test_a_door_closes_in_somebodys_face(tmp_path: Path, turns: int) -> None:
    """At whatever turn of the loop: he hears at once that nobody is there."""
    async with host(host_options(make_player(tmp_path, "Ala"))) as hosting:
        await asyncio.sleep(0.1)
        with socket.create_connection((LOOPBACK, hosting.port), 60) as came:
            for _ in range(turns):
                await asyncio.sleep(0)
            await hosting._door.aclose()
            with contextlib.suppress(ConnectionError):
                await asyncio.sleep(0.1)
                assert came.recv(1) == b""
    gc.collect()  # a connection that was kept by nobody would be told of here


@fast
async def test_strangers_from_afar(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Addresses of the internet are answered by a public table only."""
    monkeypatch.setattr(accept, "is_neighbour", lambda _: False)
    async with host(host_options(make_player(tmp_path, "Ala"))) as hosting:
        assert await send(hosting.port, b"") == b""
        assert await reason(hosting) == "far-away"
    options = host_options(make_player(tmp_path, "Ela"), public=True)
    async with host(options) as hosting:
        await assert_open(tmp_path, hosting)


@fast
async def test_host_is_shown_eight_times_then_once_a_second(tmp_path: Path) -> None:
    """Who opens many links to match the four cards gets one guess a second."""
    loop = asyncio.get_running_loop()
    async with host(host_options(make_player(tmp_path, "Ala"))) as hosting:
        began = loop.time()
        for number in range(12):
            stranger = await connect(
                hosting.port,
                source=f"127.0.3.{number + 1}",
                context=make_client_context(),
            )
            stranger.writer.write(HELLO)
            host_frame = await stranger.reader.readexactly(4)
            assert int.from_bytes(host_frame) > 100
            stranger.close()
            if number == 7:
                assert loop.time() - began < 1
        assert loop.time() - began == pytest.approx(4, abs=1)


HELLO = bytes.fromhex(
    "00000030"
    "9601a863726170657474650101c42000ef61fcef142d96782ce341202b6af9a92a9ec6"
    "25436d4b9f64fafc3ee3bf0400"
)
"""A known HELLO with its length in front."""


async def test_a_loop_that_watches_no_sockets(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The one of Windows can only accept; a friend gets in all the same."""

    def unwatched(*_: object) -> None:
        raise NotImplementedError

    ala = make_player(tmp_path, "Ala")
    monkeypatch.setattr(accept, "_somebody_at", unwatched)
    async with host(host_options(ala)) as hosting:
        await assert_open(tmp_path, hosting)


def test_pace() -> None:
    """A burst at once, then one per interval, and the burst again after a rest."""
    pace = Pace(burst=3, interval=2.0)
    assert [pace.delay(10.0) for _ in range(5)] == [0, 0, 0, 2, 4]
    assert pace.delay(100.0) == 0
    assert [pace.delay(100.0) for _ in range(3)] == [0, 0, 2]


@fast
async def test_small_frames_leave_at_once(tmp_path: Path) -> None:
    """TCP_NODELAY is set on both ends: no move waits for a delayed ACK."""
    ala, olek = make_player(tmp_path, "Ala"), make_player(tmp_path, "Olek")
    async with (
        host(host_options(ala)) as hosting,
        join(where(hosting), join_options(olek)) as guest,
    ):
        table = await hosting.seated()
        for side in (table, guest):
            pump = side._pump
            assert pump is not None
            assert pump.transport is not None
            sock = pump.transport.get_extra_info("socket")
            assert sock.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
