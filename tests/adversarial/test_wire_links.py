"""W: links of the operating system: who does not read, who does not speak."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from crapette_p2p.net.accept import MAX_PENDING, MAX_PER_ADDRESS
from crapette_p2p.net.hosting import Hosting, host
from crapette_p2p.net.news import TurnedAway
from crapette_p2p.net.pump import DRAIN_SECONDS, WRITE_HIGH_WATER, Pump
from crapette_p2p.net.recorder import Recorder
from crapette_p2p.session.messages import Ping, encode_message
from crapette_p2p.session.notices import LinkLost, Notice
from crapette_p2p.session.session import Session
from tests.adversarial.doors import answer_of, tls_client
from tests.adversarial.stages import in_lobby
from tests.net.fakelink import FakeTransport
from tests.net.fasttime import fast
from tests.net.tables import host_options, make_player


class Owner:
    """Hears what the pump has to say."""

    def __init__(self) -> None:
        self.heard: list[Notice] = []

    def on_notice(self, _pump: Pump, notice: Notice) -> None:
        """Keep it."""
        self.heard.append(notice)

    def on_over(self, _pump: Pump) -> None:
        """Nothing."""

    def on_disk_failure(self, _pump: Pump, error: Exception) -> None:
        """None is expected."""
        raise error


def stuck_pump(tmp_path: Path) -> tuple[Pump, FakeTransport, Owner]:
    """A link in the lobby whose other end has stopped reading."""
    hostile = in_lobby()
    config = hostile.honest.config()
    store = make_player(tmp_path, "Ala").store
    owner = Owner()
    pump = Pump(Session(config), Recorder(store), owner, address="")
    pump.session = hostile.session  # logged in already, over the pair's wire
    transport = FakeTransport(pump)  # without another end
    pump.connection_made(transport)
    pump._started = True
    return pump, transport, owner


def ping(pump: Pump, count: int) -> None:
    """The stuck peer still sends PINGs, each of which is owed an answer."""
    payload = encode_message(Ping(2**62))
    pump.data_received((len(payload).to_bytes(4, "big") + payload) * count)


@fast
async def test_w18_who_never_reads_is_cut_off(tmp_path: Path) -> None:
    """W18: T_DRAIN after what is unsent passes 64 KiB, however much he sends."""
    pump, transport, owner = stuck_pump(tmp_path)
    loop = asyncio.get_running_loop()
    seconds = 0
    while transport.written <= WRITE_HIGH_WATER:
        ping(pump, 50)
        await asyncio.sleep(1)
        seconds += 1
        assert seconds < 200
    full = loop.time()
    while not transport.is_closing():
        ping(pump, 50)
        await asyncio.sleep(1)
    await pump.wait_over()
    assert DRAIN_SECONDS - 1 <= loop.time() - full <= DRAIN_SECONDS + 1.1
    assert owner.heard == [LinkLost(0)]
    assert transport.written < WRITE_HIGH_WATER + 10_000


@fast
async def test_w18_a_farewell_nobody_reads_is_cut_off_too(tmp_path: Path) -> None:
    """W18: closing waits T_DRAIN for the last bytes, not for ever."""
    pump, transport, _ = stuck_pump(tmp_path)
    loop = asyncio.get_running_loop()
    before = loop.time()
    pump.bid_farewell(501)
    assert transport.is_closing()
    await pump.wait_over()
    assert loop.time() - before <= DRAIN_SECONDS + 0.5


@fast
async def test_w18_a_pause_that_ends_in_time_is_forgiven(tmp_path: Path) -> None:
    """W18: whoever reads again within T_DRAIN keeps his link."""
    pump, transport, owner = stuck_pump(tmp_path)
    pump.pause_writing()
    await asyncio.sleep(DRAIN_SECONDS - 1)
    pump.resume_writing()
    ping(pump, 1)
    await asyncio.sleep(DRAIN_SECONDS)
    assert not transport.is_closing()
    assert owner.heard == []
    pump.abort()
    await pump.wait_over()


# At the door ----------------------------------------------------------------------


@asynccontextmanager
async def open_door(tmp_path: Path) -> AsyncIterator[Hosting]:
    """A table of Ala's that nobody sits at."""
    ala = make_player(tmp_path, "Ala")
    async with host(host_options(ala, accept_unverified=False)) as hosting:
        yield hosting


def connect(hosting: Hosting, number: int) -> socket.socket:
    """A TCP connection from the loopback address 127.0.0.``number``."""
    sock = socket.socket()
    sock.bind((f"127.0.0.{number}", 0))
    sock.connect(("127.0.0.1", hosting.port))
    sock.setblocking(False)
    return sock


async def knocks(hosting: Hosting, count: int) -> list[TurnedAway]:
    """What the door has to say about ``count`` connections."""
    found = [await hosting.next_notice() for _ in range(count)]
    assert all(isinstance(notice, TurnedAway) for notice in found)
    return [notice for notice in found if isinstance(notice, TurnedAway)]


@fast
async def test_w19_a_slow_tls_handshake_is_dropped(tmp_path: Path) -> None:
    """W19: a byte of ClientHello a second: gone after T_TLS, reported as silent."""
    loop = asyncio.get_running_loop()
    async with open_door(tmp_path) as hosting:
        before = loop.time()
        with connect(hosting, 1) as sock:
            for byte in b"\x16\x03\x01\x02\x00":
                await loop.sock_sendall(sock, bytes([byte]))
                await asyncio.sleep(1)
            (told,) = await knocks(hosting, 1)
            assert told.failure.code == "silent"
            assert loop.time() - before <= 6.5
            assert await loop.sock_recv(sock, 100) == b""


@fast
async def test_w19_a_silent_tls_client_is_dropped(tmp_path: Path) -> None:
    """W19: TLS is up, no HELLO: T_LOGIN, BYE 106."""
    loop = asyncio.get_running_loop()
    async with open_door(tmp_path) as hosting:
        before = loop.time()
        async with tls_client(hosting.port) as (reader, _):
            assert await answer_of(reader) == 106
        assert loop.time() - before <= 10.5


@fast
async def test_w20_the_third_of_one_address_and_the_ninth_of_all(
    tmp_path: Path,
) -> None:
    """W20: two of one address are served, eight in all; the ninth waits its turn."""
    loop = asyncio.get_running_loop()
    async with open_door(tmp_path) as hosting:
        with contextlib.ExitStack() as stack:
            silent = [
                stack.enter_context(connect(hosting, 1 + number // MAX_PER_ADDRESS))
                for number in range(MAX_PENDING)
            ]
            await asyncio.sleep(0.01)
            third = stack.enter_context(connect(hosting, 1))
            (told,) = await knocks(hosting, 1)
            assert (told.address, told.failure.code) == ("127.0.0.1", "too-many")
            assert await loop.sock_recv(third, 10) == b""
            ninth = stack.enter_context(connect(hosting, 9))
            hello = b"GET / HTTP/1.1\r\n\r\n"
            await loop.sock_sendall(ninth, hello)
            tolds = await knocks(hosting, MAX_PENDING + 1)
            codes = [told.failure.code for told in tolds]
            assert codes[0] == "silent"  # only then there was room
            assert sorted(codes) == ["silent"] * MAX_PENDING + ["spoke-http"]
            for sock in silent:
                assert await loop.sock_recv(sock, 10) == b""


@pytest.mark.parametrize("address", ["::1"])
@fast
async def test_w20_a_64_of_ipv6_is_one_address(tmp_path: Path, address: str) -> None:
    """W20: whoever has a whole network of addresses counts once."""
    ala = make_player(tmp_path, "Ala")
    try:
        socket.create_server((address, 0), family=socket.AF_INET6).close()
    except OSError:
        pytest.skip("no IPv6 on this machine")
    options = host_options(ala, binds=(address,))
    async with host(options) as hosting:
        with contextlib.ExitStack() as stack:
            for _ in range(MAX_PER_ADDRESS + 1):
                sock = stack.enter_context(
                    socket.create_connection((address, hosting.port))
                )
                sock.setblocking(False)
            (told,) = await knocks(hosting, 1)
            assert told.failure.code == "too-many"
