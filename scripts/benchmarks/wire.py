"""The link: a login against a bare TLS link, an event against a bare TLS echo.

The floors do what cannot be left out: the same TLS, two signatures and two
verifications, and the two fsyncs that make it safe before it counts: each side's of an
event, each side's of whom it has met.
"""

from __future__ import annotations

import asyncio
import os
import tempfile
from pathlib import Path

from games import LOOPBACK, play_events, player_in
from measuring import Benchmark, Floor, clock_time
from proofs import signed

from crapette_p2p.net.address import Address
from crapette_p2p.net.crypto import signer, verify
from crapette_p2p.net.hosting import HostOptions, host
from crapette_p2p.net.joining import JoinOptions, join
from crapette_p2p.net.tls import make_client_context, make_server_tls
from crapette_p2p.session.notices import LobbyOpened

LOGINS_A_DOOR = 4
"""A door that lets more strangers try would slow them down."""
EVENT = bytes(220)
"""An event with its signature is about as long."""


def prove() -> None:
    """Two signatures and two verifications."""
    public, signature, message = signed()
    _, sign = signer(bytes([7]) * 32)
    for _ in range(2):
        sign(message)
        verify(public, signature, message)


async def _echo(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while data := await reader.read(1024):
        writer.write(data)
        await writer.drain()
    writer.close()


async def _dial(port: int) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    context = make_client_context()
    return await asyncio.open_connection(
        LOOPBACK, port, ssl=context, server_hostname="crapette.invalid"
    )


async def _bare_links(times: int, path: Path) -> None:
    for first in range(0, times, LOGINS_A_DOOR):
        tls = make_server_tls()
        server = await asyncio.start_server(_echo, LOOPBACK, 0, ssl=tls.context)
        async with server:
            port = server.sockets[0].getsockname()[1]
            for _ in range(min(LOGINS_A_DOOR, times - first)):
                reader, writer = await _dial(port)
                for _ in range(2):  # HELLO and HOST, AUTH and READY
                    writer.write(EVENT)
                    await reader.readexactly(len(EVENT))
                prove()
                keep_twice(path)
                writer.close()
                await writer.wait_closed()


def keep_twice(path: Path) -> None:
    """Two writes, each on the disk before anything goes on."""
    fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    try:
        for _ in range(2):
            os.write(fd, EVENT)
            os.fsync(fd)
    finally:
        os.close(fd)


def bare_links(times: int) -> None:
    """TLS links: two round trips, signatures, verifications and fsyncs each."""
    with tempfile.TemporaryDirectory() as directory:
        asyncio.run(_bare_links(times, Path(directory) / "log"))


async def _bare_events(times: int, path: Path) -> None:
    tls = make_server_tls()
    server = await asyncio.start_server(_echo, LOOPBACK, 0, ssl=tls.context)
    async with server:
        reader, writer = await _dial(server.sockets[0].getsockname()[1])
        for _ in range(times):
            writer.write(EVENT)
            await reader.readexactly(len(EVENT))
            prove()
            keep_twice(path)
        writer.close()
        await writer.wait_closed()


def bare_events(times: int) -> None:
    """Echoes over one TLS link, each proved and written to the disk twice."""
    with tempfile.TemporaryDirectory() as directory:
        asyncio.run(_bare_events(times, Path(directory) / "log"))


async def _logins(times: int, directory: Path) -> None:
    ala, olek = player_in(directory, "Ala"), player_in(directory, "Olek")
    door = HostOptions(
        player=ala, ports=(0,), binds=(LOOPBACK,), expected=olek.identity.public
    )
    options = JoinOptions(player=olek, expected=ala.identity.public)
    for first in range(0, times, LOGINS_A_DOOR):
        async with host(door) as hosting:
            for _ in range(min(LOGINS_A_DOOR, times - first)):
                seated = asyncio.create_task(hosting.seated())
                async with join(Address(LOOPBACK, hosting.port), options) as table:
                    while not isinstance(await table.next_notice(), LobbyOpened):
                        pass
                    theirs = await seated
                await theirs.aclose()


def logins(times: int) -> None:
    """Dial, log in both ways, sit down, leave."""
    with tempfile.TemporaryDirectory() as directory:
        asyncio.run(_logins(times, Path(directory)))


def events(times: int) -> None:
    """Play random games until so many events are final on both sides."""
    left, seed = times, 1
    with tempfile.TemporaryDirectory() as directory:
        while left > 0:
            game = asyncio.run(play_events(Path(directory), left, seed))
            left -= max(game[0], 1)
            seed += 2


FLOORS = {
    "bare link": Floor(bare_links),
    "bare event": Floor(bare_events),
}
BENCHMARKS = (
    Benchmark("wire.logins", "logins", 2, logins, "bare link", cost=clock_time),
    Benchmark(
        "wire.events", "events", 20, events, "bare event", cost=clock_time, aim=2
    ),
)
