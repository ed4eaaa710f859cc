"""Crowds of strangers on loopback, and what they cost this process."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import os
import resource
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

from crapette_p2p.session import messages as wire
from crapette_p2p.session.handshake import (
    commitment,
    dialler_message,
    first_transcript,
    second_transcript,
)
from tests.adversarial.doors import hear, tell, tls_client
from tests.helpers.keys import Key

_PAGE = os.sysconf("SC_PAGE_SIZE")


def resident() -> int:
    """Bytes of memory this process occupies now."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * _PAGE


def allow_files(count: int) -> bool:
    """Let this process hold that many descriptors; False if it may hold fewer."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY or soft >= count:
        return True
    wanted = count if hard == resource.RLIM_INFINITY else min(count, hard)
    resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    return wanted == count


@contextmanager
def silent_crowd(port: int, count: int) -> Iterator[list[socket.socket]]:
    """``count`` connections that say nothing, two from each of many addresses."""
    allow_files(count + 300)
    with contextlib.ExitStack() as stack:
        crowd = []
        for number in range(count):
            sock = stack.enter_context(socket.socket())
            place = number // 2
            sock.bind((f"127.1.{place // 200}.{place % 200 + 1}", 0))
            sock.setblocking(False)
            with contextlib.suppress(BlockingIOError):
                sock.connect(("127.0.0.1", port))
            crowd.append(sock)
        yield crowd


@asynccontextmanager
async def logged_in(
    port: int, source: str, key: Key
) -> AsyncIterator[tuple[wire.Message | None, asyncio.StreamReader]]:
    """A stranger with a good key: what is answered to AUTH, and the link."""
    async with tls_client(port, source) as (reader, writer):
        nonce = b"\x05" * 32
        hello = wire.Hello("crapette", 1, 1, commitment(nonce, key.public), 0)
        tell(writer, hello)
        heard = await hear(reader)
        assert isinstance(heard, wire.Host)
        th1 = first_transcript(
            cert_digest=_digest(writer),
            hello_payload=wire.encode_message(hello),
            version=1,
            caps=0,
            nonce_l=heard.nonce,
            idpub_l=heard.idpub,
        )
        th2 = second_transcript(
            th1=th1,
            sig_l=heard.sig,
            nonce_d=nonce,
            idpub_d=key.public,
            nick="Guest",
        )
        sig = key.sign(dialler_message(th2))
        tell(writer, wire.Auth(nonce, key.public, "Guest", sig, None))
        yield await hear(reader), reader


def _digest(writer: asyncio.StreamWriter) -> bytes:
    der = writer.get_extra_info("ssl_object").getpeercert(binary_form=True)
    return hashlib.sha256(der).digest()
