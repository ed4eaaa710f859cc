"""A TCP proxy on loopback that cuts, holds or swallows what passes through it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from itertools import repeat

from crapette_p2p.net.address import Address

LOOPBACK = "127.0.0.1"


class Proxy:
    """Forwards connections to ``port`` and ends each after its share of bytes."""

    def __init__(self, port: int, budgets: Iterator[int | None]) -> None:
        self._port = port
        self._budgets = budgets
        self.connections = 0
        """How many were made."""
        self.server: asyncio.Server | None = None
        """What listens; close it, and nobody is there any more."""
        self.refusing = False
        """Whether new connections are closed at once."""
        self._open: set[asyncio.StreamWriter] = set()
        self._near: set[asyncio.StreamWriter] = set()
        self._held: set[asyncio.StreamWriter] = set()
        self._tasks: set[asyncio.Task[None]] = set()

    def hold(self) -> None:
        """Let nothing more through on the connections of now, as a pulled cable."""
        self._held.update(self._open)

    def hold_answers(self) -> None:
        """Let nothing more through to the dialler; what he says still arrives."""
        self._held.update(self._near)

    def forget_dialler(self) -> None:
        """Cut the dialler's end of what is held; the listener's stays open."""
        for writer in self._held & self._near:
            writer.transport.abort()

    def cut(self) -> None:
        """Cut every connection now, without a goodbye."""
        for writer in self._open:
            writer.transport.abort()

    async def serve(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        """One connection of a dialler."""
        self.connections += 1
        if self.refusing:
            writer.transport.abort()
            return
        task = asyncio.current_task()
        if task is not None:
            self._tasks.add(task)
        there = await asyncio.open_connection(LOOPBACK, self._port)
        ends = (writer, there[1])
        self._open.update(ends)
        self._near.add(writer)
        budget = _Budget(next(self._budgets), ends)
        try:
            async with asyncio.TaskGroup() as both:
                both.create_task(self._forward(reader, there[1], budget))
                both.create_task(self._forward(there[0], writer, budget))
        finally:
            for end in ends:
                end.transport.abort()
            self._open.difference_update(ends)

    async def _forward(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        budget: _Budget,
    ) -> None:
        try:
            while data := await reader.read(4096):
                if writer not in self._held:
                    writer.write(budget.allowed(data))
                    await writer.drain()
        except ConnectionError:
            pass
        if writer in self._held:
            await asyncio.Event().wait()  # the other end never learns of it
        writer.transport.close()

    async def close(self) -> None:
        """Cut everything and wait for it to be gone."""
        self.cut()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)


class _Budget:
    """What both directions of one connection may still carry."""

    def __init__(
        self, left: int | None, ends: tuple[asyncio.StreamWriter, ...]
    ) -> None:
        self._left = left
        self._ends = ends

    def allowed(self, data: bytes) -> bytes:
        """The part of ``data`` that still passes; the last of it cuts the link."""
        if self._left is None:
            return data
        passed = data[: self._left]
        self._left -= len(passed)
        if self._left == 0:
            loop = asyncio.get_running_loop()
            for end in self._ends:
                loop.call_soon(end.transport.abort)
        return passed


@asynccontextmanager
async def proxy_to(
    port: int, budgets: Iterator[int | None] | None = None
) -> AsyncIterator[tuple[Proxy, Address]]:
    """A proxy in front of ``port`` and the address to dial instead."""
    proxy = Proxy(port, budgets or repeat(None))
    proxy.server = server = await asyncio.start_server(proxy.serve, LOOPBACK, 0)
    address = Address(LOOPBACK, server.sockets[0].getsockname()[1])
    try:
        yield proxy, address
    finally:
        server.close()
        await proxy.close()
        await server.wait_closed()
