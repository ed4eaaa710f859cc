"""Memory: what a finished game leaves in this process, what an idle table holds.

A door lets eight strangers wait at a time, so a crowd before it costs no more than
eight do; what one link holds shows at tables where two have sat down.

Resident memory is measured in a process forked for it: what an earlier benchmark
has freed would be used again, and nothing would seem to grow.
"""

from __future__ import annotations

import asyncio
import gc
import os
import ssl
import struct
import tempfile
from collections.abc import AsyncIterator, Callable
from contextlib import (
    AbstractAsyncContextManager,
    AsyncExitStack,
    asynccontextmanager,
)
from functools import cache
from pathlib import Path

from games import LOOPBACK, play_events, player_in, two_seats
from measuring import Benchmark, Cost, Floor, Work

from crapette_p2p.net.hosting import HostOptions, host
from crapette_p2p.net.table import Table
from crapette_p2p.net.tls import make_client_context, make_server_tls
from crapette_p2p.session.notices import LobbyOpened
from tests.adversarial.crowds import allow_files, resident, silent_crowd

ACTIONS = 10
"""Of each player, until he resigns: games that are soon over."""
WARMING = 20
"""Games before the first that counts: until then the allocator takes what it later
gives out again."""
_SETTLED = 5
"""Looks at the open files without a change until a crowd is in."""
PAGE = 4096
"""Bytes; less growth cannot be seen, and nothing is not divided by."""
_RESULT = struct.Struct("d")


def in_child(measured: Callable[[], float]) -> float:
    """What a function returns in a process of its own."""
    source, target = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            os.write(target, _RESULT.pack(measured()))
        finally:
            os._exit(0)
    os.close(target)
    try:
        (result,) = _RESULT.unpack(os.read(source, _RESULT.size))
    finally:
        os.close(source)
        os.waitpid(pid, 0)
    return float(result)


def growth(work: Work, amount: int) -> float:
    """How much larger this process is after some work."""
    gc.collect()
    before = resident()
    work(amount)
    gc.collect()
    return max(resident() - before, PAGE)


# Games -----------------------------------------------------------------------------


def played_out(games: int) -> None:
    """Play so many games over the loopback, deal to result, both seats here."""
    with tempfile.TemporaryDirectory() as name:
        for number in range(games):
            _play(Path(name), number)


def _play(directory: Path, number: int) -> bytes:
    _, log = asyncio.run(play_events(directory, 20_000, 2 * number, ACTIONS))
    return Path(log).read_bytes()


@cache
def short_log() -> int:
    """How many bytes the log of such a game has."""
    with tempfile.TemporaryDirectory() as name:
        return len(_play(Path(name), 0))


def games_growth(_work: Work, games: int) -> float:
    """What so many finished games leave in memory."""

    def measured() -> float:
        played_out(WARMING)
        return growth(played_out, games)

    return in_child(measured)


def on_the_disk(_work: Work, games: int) -> float:
    """What they leave on the disk."""
    return short_log() * games


# Tables in play --------------------------------------------------------------------


@asynccontextmanager
async def our_tables(count: int) -> AsyncIterator[None]:
    """So many tables, both seats of each in this process, where nobody plays."""
    async with AsyncExitStack() as stack:
        with tempfile.TemporaryDirectory() as name:
            for number in range(count):
                place = Path(name) / str(number)
                seats = await stack.enter_async_context(two_seats(place))
                for seat in seats:
                    await _seated(seat)
            yield


async def _seated(seat: Table) -> None:
    """Return once the log-in of both is behind the seat."""
    while not isinstance(await seat.next_notice(), LobbyOpened):
        pass


@asynccontextmanager
async def bare_tables(count: int) -> AsyncIterator[None]:
    """So many TLS servers of asyncio, each with one client that says nothing."""
    loop = asyncio.get_running_loop()
    async with AsyncExitStack() as stack:
        for _ in range(count):
            port = await stack.enter_async_context(bare_door())
            transport, _ = await loop.create_connection(
                asyncio.Protocol,
                LOOPBACK,
                port,
                ssl=make_client_context(),
                server_hostname="crapette.invalid",
            )
            stack.callback(transport.abort)
        yield


def tables_growth(
    tables: Callable[[int], AbstractAsyncContextManager[None]],
) -> Cost:
    """A cost: what so many idle tables occupy."""

    async def seated(count: int) -> float:
        async with tables(1):
            gc.collect()
            before = resident()
            async with tables(count):
                gc.collect()
                return max(resident() - before, PAGE)

    return lambda _work, count: in_child(lambda: asyncio.run(seated(count)))


# Strangers -------------------------------------------------------------------------


@asynccontextmanager
async def our_door() -> AsyncIterator[int]:
    """A table that waits for a guest."""
    with tempfile.TemporaryDirectory() as name:
        door = HostOptions(
            player=player_in(Path(name), "Ala"), ports=(0,), binds=(LOOPBACK,)
        )
        async with host(door) as hosting:
            yield hosting.port


@asynccontextmanager
async def bare_door() -> AsyncIterator[int]:
    """A TLS server of asyncio that listens to nobody."""
    context: ssl.SSLContext = make_server_tls().context
    server = await asyncio.get_running_loop().create_server(
        asyncio.Protocol, LOOPBACK, 0, ssl=context, backlog=2000
    )
    async with server:
        yield server.sockets[0].getsockname()[1]


def crowd_growth(door: Callable[[], AbstractAsyncContextManager[int]]) -> Cost:
    """A cost: what so many silent connections to a door occupy."""

    async def crowded(count: int) -> float:
        allow_files(2 * count + 300)
        async with door() as port:
            with silent_crowd(port, 1):
                await _settled()
            gc.collect()
            before = resident()
            with silent_crowd(port, count):
                await _settled()
                return max(resident() - before, PAGE)

    return lambda _work, count: in_child(lambda: asyncio.run(crowded(count)))


async def _settled() -> None:
    """Return once no more connections come in."""
    same, last = 0, -1
    while same < _SETTLED:
        await asyncio.sleep(0.02)
        count = len(os.listdir("/proc/self/fd"))
        same, last = (same + 1, last) if count == last else (0, count)


def _nothing(_amount: int) -> None:
    return None


FLOORS = {
    "log on disk": Floor(_nothing, cost=on_the_disk),
    "bare tables": Floor(_nothing, cost=tables_growth(bare_tables)),
    "bare server": Floor(_nothing, cost=crowd_growth(bare_door)),
}
BENCHMARKS = (
    Benchmark(
        "memory.games",
        "games",
        1,
        _nothing,
        "log on disk",
        cost=games_growth,
        judged=100,
        in_bytes=True,
    ),
    Benchmark(
        "memory.tables",
        "tables",
        1,
        _nothing,
        "bare tables",
        cost=tables_growth(our_tables),
        judged=100,
        in_bytes=True,
    ),
    Benchmark(
        "memory.strangers",
        "strangers",
        8,
        _nothing,
        "bare server",
        cost=crowd_growth(our_door),
        judged=100,
        in_bytes=True,
    ),
)
