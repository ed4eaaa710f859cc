"""Strangers at a real door: TLS by hand, and what is heard there."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from crapette_p2p.net.tls import make_client_context
from crapette_p2p.session.framing import frame
from crapette_p2p.session.messages import Bye, Message, decode_message, encode_message

LOOPBACK = "127.0.0.1"


@asynccontextmanager
async def tls_client(
    port: int, source: str = LOOPBACK
) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    """A TLS link to a door; the caller speaks (or does not)."""
    reader, writer = await asyncio.open_connection(
        LOOPBACK,
        port,
        ssl=make_client_context(),
        server_hostname="crapette.invalid",
        local_addr=(source, 0),
    )
    try:
        yield reader, writer
    finally:
        writer.transport.abort()
        await asyncio.sleep(0)


async def hear(reader: asyncio.StreamReader) -> Message | None:
    """The next message; None at the end of the stream."""
    try:
        size = int.from_bytes(await reader.readexactly(4), "big")
        return decode_message(await reader.readexactly(size))
    except (asyncio.IncompleteReadError, ConnectionError):
        return None


async def answer_of(reader: asyncio.StreamReader) -> int:
    """The code of the farewell that ends the link, and that nothing follows."""
    while True:
        message = await hear(reader)
        if isinstance(message, Bye):
            assert await hear(reader) is None
            return message.code
        assert message is not None, "the link ended without a word"


def tell(writer: asyncio.StreamWriter, message: Message) -> None:
    """Send a message."""
    writer.write(frame(encode_message(message)))
