"""Connections that are no friends: raw bytes, silence, old TLS, mute servers."""

from __future__ import annotations

import asyncio
import contextlib
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass

from crapette_p2p.net.address import Address
from crapette_p2p.net.tls import make_client_context, make_server_tls

LOOPBACK = "127.0.0.1"


@dataclass
class Stranger:
    """One raw connection."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter

    async def read_to_end(self) -> bytes:
        """Everything until the other side closes or resets."""
        with contextlib.suppress(ConnectionError):
            return await self.reader.read(-1)
        return b""

    def close(self) -> None:
        """Hang up."""
        self.writer.transport.abort()


async def connect(
    port: int, *, source: str = LOOPBACK, context: ssl.SSLContext | None = None
) -> Stranger:
    """Connect from a loopback address, with TLS if a context is given."""
    name = "x" if context is not None else None
    return Stranger(
        *await asyncio.open_connection(
            LOOPBACK,
            port,
            local_addr=(source, 0),
            ssl=context,
            server_hostname=name,
        )
    )


async def send(port: int, data: bytes, *, source: str = LOOPBACK) -> bytes:
    """Connect, send, and return what comes back until the end."""
    stranger = await connect(port, source=source)
    stranger.writer.write(data)
    answer = await stranger.read_to_end()
    stranger.close()
    return answer


def old_tls() -> ssl.SSLContext:
    """A client that speaks TLS 1.2 at most."""
    context = make_client_context()
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.maximum_version = ssl.TLSVersion.TLSv1_2
    return context


Serve = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


@asynccontextmanager
async def server(answer: bytes | None, *, tls: bool = False) -> AsyncIterator[Address]:
    """A server on loopback that answers every connection with ``answer``.

    With None it keeps quiet and the connection open.
    """
    writers: list[asyncio.StreamWriter] = []

    async def serve(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writers.append(writer)
        if answer is not None:
            writer.write(answer)
            writer.close()

    context = make_server_tls().context if tls else None
    listening = await asyncio.start_server(serve, LOOPBACK, 0, ssl=context)
    try:
        yield Address(LOOPBACK, listening.sockets[0].getsockname()[1])
    finally:
        listening.close()
        for writer in writers:
            writer.transport.abort()
        await listening.wait_closed()
