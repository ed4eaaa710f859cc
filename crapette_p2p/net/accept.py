"""The door of a table: what a stranger may cost us, and nothing more.

Theory of operation. Every connection is somebody unknown until the session's
login says otherwise. So the door keeps its own accept loop instead of
``asyncio.start_server``: at most eight connections are between accept and the
end of their login, at most two of one address; the TLS handshake has five
seconds, since a silent connection costs about 317 kB (threats.md S7). Addresses
of the internet are turned away unless the table is public. HOST, which shows our
key and offers one guess at the four cards, goes out eight times at once and then
once a second (A8). Who is let in lives on in its ``Pump``; the door forgets him.

What happens at the door is told to ``on_knock`` with the address and a stable
code, never with a byte the stranger sent.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
import ssl
from collections import Counter
from collections.abc import Callable, Coroutine
from ipaddress import IPv6Address, ip_address
from typing import Final

from crapette_p2p.net.addresses import is_neighbour
from crapette_p2p.net.pump import Pump
from crapette_p2p.net.tls import HANDSHAKE_SECONDS, SHUTDOWN_SECONDS, ServerTls

MAX_PENDING: Final = 8
"""Connections between accept and the end of their login."""
MAX_PER_ADDRESS: Final = 2
HOST_BURST: Final = 8
HOST_INTERVAL: Final = 1.0
"""Seconds per HOST in the long run: each is one guess at the four cards."""
_OUT_OF_FILES_SECONDS: Final = 1.0


class Door:
    """Accepts connections on listening sockets until it is closed."""

    def __init__(
        self,
        sockets: tuple[socket.socket, ...],
        tls: ServerTls,
        *,
        welcome: Callable[[str], Pump],
        on_knock: Callable[[str, str], None],
        public: bool = False,
        paced: Callable[[], bool] = lambda: True,
    ) -> None:
        self._sockets = sockets
        self._tls = tls
        self._welcome = welcome
        self._on_knock = on_knock
        self._public = public
        self._paced = paced
        self._slots = asyncio.Semaphore(MAX_PENDING)
        self._pending: Counter[str] = Counter()
        self._pace_of_hosts = Pace(burst=HOST_BURST, interval=HOST_INTERVAL)
        self._serving: set[asyncio.Task[None]] = set()
        self._tasks: set[asyncio.Task[None]] = set()

    def open(self) -> None:
        """Start accepting."""
        for sock in self._sockets:
            self._spawn(self._serve(sock), self._serving)

    async def aclose(self) -> None:
        """Stop accepting and drop whoever is not let in yet."""
        await _end(self._serving)
        await asyncio.sleep(0)  # a task that never began would keep its socket
        await _end(self._tasks)
        for sock in self._sockets:
            sock.close()

    def _spawn(
        self, work: Coroutine[object, object, None], among: set[asyncio.Task[None]]
    ) -> asyncio.Task[None]:
        task = asyncio.get_running_loop().create_task(work)
        among.add(task)
        task.add_done_callback(among.discard)
        return task

    async def _serve(self, sock: socket.socket) -> None:
        while True:
            try:
                conn, where = await _next_of(sock)
            except OSError:
                # Out of descriptors, or the stranger hung up while in the queue.
                await asyncio.sleep(_OUT_OF_FILES_SECONDS)
                continue
            address = str(where[0])
            refusal = self._refusal(address)
            if refusal is not None:
                conn.close()
                self._on_knock(address, refusal)
                continue
            await self._take(conn, address)

    def _refusal(self, address: str) -> str | None:
        if not self._public and not is_neighbour(address):
            return "far-away"
        if self._pending[neighbourhood(address)] >= MAX_PER_ADDRESS:
            return "too-many"
        return None

    async def _take(self, conn: socket.socket, address: str) -> None:
        """Wait for a free place, and go on with the next connection meanwhile."""
        place = neighbourhood(address)
        self._pending[place] += 1
        try:
            await self._slots.acquire()
        except BaseException:
            conn.close()
            raise
        task = self._spawn(self._admit(conn, address), self._tasks)
        task.add_done_callback(lambda _: self._leave(place))

    def _leave(self, place: str) -> None:
        self._slots.release()
        self._pending[place] -= 1
        self._pending += Counter()  # forget places with nobody left

    async def _admit(self, conn: socket.socket, address: str) -> None:
        """Shake hands and see one login to its end."""
        pump = await self._shake_hands(conn, address)
        if pump is None:
            return
        try:
            await self._pace()
            pump.start(self._tls.digest, dialler=False)
            await pump.login_over()
        except asyncio.CancelledError:
            pump.abort()
            raise

    async def _shake_hands(self, conn: socket.socket, address: str) -> Pump | None:
        loop = asyncio.get_running_loop()
        try:
            _, pump = await loop.connect_accepted_socket(
                lambda: self._welcome(address),
                conn,
                ssl=self._tls.context,
                ssl_handshake_timeout=HANDSHAKE_SECONDS,
                ssl_shutdown_timeout=SHUTDOWN_SECONDS,
            )
        except OSError as error:  # SSLError and the timeout are OSErrors too
            self._on_knock(address, _handshake_failure(error))
            return None
        return pump

    async def _pace(self) -> None:
        """Wait until HOST may be shown once more; not while a game runs."""
        if self._paced():
            now = asyncio.get_running_loop().time()
            await asyncio.sleep(self._pace_of_hosts.delay(now))


async def _end(tasks: set[asyncio.Task[None]]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


async def _next_of(sock: socket.socket) -> tuple[socket.socket, tuple[str, int]]:
    """Whoever is next in the queue of a listening socket, and from where.

    ``sock_accept`` takes him out of it at one turn of the loop and hands him over at
    the next: a door that is closed in between would leave him hanging, neither let
    in nor sent away.
    """
    while True:
        with contextlib.suppress(BlockingIOError, InterruptedError):
            conn, where = sock.accept()
            conn.setblocking(False)
            return conn, where
        try:
            await _somebody_at(sock)
        except NotImplementedError:
            # The loop of Windows watches no sockets; it can only accept.
            return await asyncio.get_running_loop().sock_accept(sock)


async def _somebody_at(sock: socket.socket) -> None:
    loop = asyncio.get_running_loop()
    there = asyncio.Event()
    loop.add_reader(sock, there.set)
    try:
        await there.wait()
    finally:
        loop.remove_reader(sock)


class Pace:
    """Lets ``burst`` through at once and one per ``interval`` in the long run."""

    def __init__(self, *, burst: int, interval: float) -> None:
        self._ahead = (burst - 1) * interval
        self._interval = interval
        self._due = 0.0

    def delay(self, now: float) -> float:
        """Take a turn; how many seconds to wait for it."""
        self._due = max(self._due, now)
        wait = self._due - self._ahead - now
        self._due += self._interval
        return max(0.0, wait)


def neighbourhood(address: str) -> str:
    """What counts as one address: an IPv4 number, the /64 of an IPv6 one."""
    number = ip_address(address.partition("%")[0])
    if isinstance(number, IPv6Address):
        if number.ipv4_mapped is not None:
            return str(number.ipv4_mapped)
        return number.packed[:8].hex()
    return str(number)


def _handshake_failure(error: OSError) -> str:
    if isinstance(error, ssl.SSLError):
        return "spoke-http" if error.reason == "HTTP_REQUEST" else "stranger"
    if isinstance(error, ConnectionAbortedError):
        return "silent"  # asyncio's name for a handshake that took too long
    return "hung-up"
