"""Links between two sessions: TLS on loopback, in memory, and the wire of ``Pair``.

The first two are asyncio's, each end with a real pump; the third carries bytes
without a loop.
"""

from __future__ import annotations

import asyncio
import socket
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from functools import lru_cache
from typing import Final, cast

from crapette_p2p.net.pump import Pump
from crapette_p2p.net.recorder import Recorder
from crapette_p2p.net.tls import ServerTls, make_client_context, make_server_tls
from crapette_p2p.session.commands import Leave
from crapette_p2p.session.effects import Effect, Send
from crapette_p2p.session.framing import frame
from crapette_p2p.session.messages import Chat, Ping, Records, encode_message
from crapette_p2p.session.session import Session
from tests.helpers.pair import Pair, Wire
from tests.net.fakelink import linked
from tests.net.fakepump import FakeRecorder, FakeSession, Owner, World

CHATS: Final = [Send(frame(encode_message(Chat("x" * 250)))) for _ in range(8)]
"""What a wire is asked to hold."""
A_LOT: Final = Send(frame(encode_message(Records(0, (bytes(12_000),)))))
"""A big frame; some hundred fill every buffer on the way."""
BUFFER: Final = 16 * 1024
"""What the kernel is asked to hold of a link."""
PATIENCE: Final = 5.0


def ping(number: int) -> Send:
    """A small frame."""
    return Send(frame(encode_message(Ping(number))))


def bytes_of(*sends: Send) -> bytes:
    """What arrives of these."""
    return b"".join(send.data for send in sends)


class Link(ABC):
    """Two ends, 0 and 1, with a session each that writes down what it is told."""

    much = CHATS
    """More than is under way at a time."""

    def __init__(self) -> None:
        self.sessions = FakeSession(), FakeSession()

    def heard(self, side: int) -> bytes:
        """All bytes that have come."""
        told = self._told(side)
        return b"".join(each[1] for each in told if each[0] == "receive")

    def hears(self, side: int) -> int:
        """How many bytes have come."""
        told = self._told(side)
        return sum(len(each[1]) for each in told if each[0] == "receive")

    def ends(self, side: int) -> int:
        """How often the end of the link was told."""
        return sum(each[0] == "eof" for each in self._told(side))

    def last(self, side: int) -> str:
        """What was told last."""
        return str(self._told(side)[-1][0])

    def _told(self, side: int) -> list[tuple[str, bytes]]:
        return [
            cast("tuple[str, bytes]", asked)
            for asked in self.sessions[side].asked
            if cast("tuple[object]", asked)[0] in ("receive", "eof")
        ]

    @abstractmethod
    def do(self, side: int, *effects: Effect) -> None:
        """Have a session answer with these."""

    @abstractmethod
    def cut(self) -> None:
        """Break the link, without a word from either."""

    @abstractmethod
    def hold(self, side: int, *, still: bool) -> None:
        """Whether that end reads nothing for now."""

    @abstractmethod
    def over(self, side: int) -> bool:
        """Whether the link is gone, as that end sees it."""

    @abstractmethod
    async def until(self, done: Callable[[], bool]) -> None:
        """Return once this holds."""


class WireLink(Link):
    """What sessions are tested over."""

    def __init__(self, split: str) -> None:
        super().__init__()
        self._pair = Pair(seed=1, split=split)
        self._wire = self._pair.wire = Wire(1)
        for player, session in zip(self._pair.players, self.sessions, strict=True):
            player.session = cast("Session", session)

    def do(self, side: int, *effects: Effect) -> None:
        """Have a session answer with these, as long as it has a link."""
        self.sessions[side].effects = [*effects]
        if self._pair.players[side].session is not None:
            self._pair.command(side, Leave())

    def cut(self) -> None:
        """Both hear it, and what was on its way is lost."""
        self._pair.cut()

    def hold(self, side: int, *, still: bool) -> None:
        """Nothing is carried to that end."""
        self._pair.held[side] = still

    def over(self, side: int) -> bool:
        """Nothing comes any more."""
        wire = self._wire
        return self._pair.wire is None or wire.closed[side] or wire.ended[side]

    async def until(self, done: Callable[[], bool]) -> None:
        """Carry all that can be."""
        self._pair.pump()
        assert done()


class PumpLink(Link):
    """What programs talk over."""

    much = [A_LOT] * 100

    def __init__(self) -> None:
        super().__init__()
        self.world = World()
        self.pumps = self._pump(0), self._pump(1)

    def _pump(self, side: int) -> Pump:
        session = cast("Session", self.sessions[side])
        recorder = cast("Recorder", FakeRecorder(self.world))
        return Pump(session, recorder, Owner(self.world), address="")

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """The transports are there: begin, and cut them in the end."""
        for pump in self.pumps:
            pump.start(b"d" * 32, dialler=True)
        try:
            yield
        finally:
            for pump in self.pumps:
                pump.abort()
            await self.until(lambda: self.over(0) and self.over(1))

    def transport(self, side: int) -> asyncio.Transport:
        """An end that is not lost."""
        transport = self.pumps[side].transport
        assert transport is not None
        return transport

    def do(self, side: int, *effects: Effect) -> None:
        """Have a session answer with these."""
        self.sessions[side].effects = [*effects]
        self.pumps[side].command(Leave())

    def cut(self) -> None:
        """From one end; the other sees it."""
        self.pumps[0].abort()

    def hold(self, side: int, *, still: bool) -> None:
        """The transport reads nothing."""
        transport = self.transport(side)
        if still:
            transport.pause_reading()
        else:
            transport.resume_reading()

    def over(self, side: int) -> bool:
        """``connection_lost`` was called."""
        return self.pumps[side].transport is None

    async def until(self, done: Callable[[], bool]) -> None:
        """Let the loop go round."""
        async with asyncio.timeout(PATIENCE):
            while not done():  # noqa: ASYNC110 - whoever is told has no event
                await asyncio.sleep(0)


@asynccontextmanager
async def wire(split: str = "whole") -> AsyncIterator[Link]:
    """The fake wire."""
    yield WireLink(split)


@asynccontextmanager
async def memory() -> AsyncIterator[PumpLink]:
    """Two pumps over fake transports."""
    link = PumpLink()
    linked(*link.pumps)
    async with link.running():
        yield link


@asynccontextmanager
async def tls() -> AsyncIterator[PumpLink]:
    """Two pumps over a real link, with little room in the kernel."""
    link, loop = PumpLink(), asyncio.get_running_loop()
    with socket.create_server(("127.0.0.1", 0)) as door:
        dialled = socket.create_connection(door.getsockname())
        accepted, _ = door.accept()
    for sock in (dialled, accepted):
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, BUFFER)
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, BUFFER)
        sock.setblocking(False)
    await asyncio.gather(
        loop.connect_accepted_socket(
            lambda: link.pumps[0], accepted, ssl=_server().context
        ),
        loop.create_connection(
            lambda: link.pumps[1],
            sock=dialled,
            ssl=make_client_context(),
            server_hostname="crapette.invalid",
        ),
    )
    async with link.running():
        yield link


@lru_cache(maxsize=1)
def _server() -> ServerTls:
    return make_server_tls()


Make = Callable[[], AbstractAsyncContextManager[Link]]
MakePumps = Callable[[], AbstractAsyncContextManager[PumpLink]]


def wire_in_bytes() -> AbstractAsyncContextManager[Link]:
    """The fake wire, byte by byte."""
    return wire("bytes")


def wire_in_pieces() -> AbstractAsyncContextManager[Link]:
    """The fake wire, in pieces of any size."""
    return wire("random")
