"""Open the sockets of a table: every adapter or chosen ones, one port for all."""

from __future__ import annotations

import errno
import os
import socket
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from crapette_p2p.net.address import DEFAULT_PORT, LAST_PORT
from crapette_p2p.net.failures import Exit, Failure, NetError
from crapette_p2p.net.unreachable import listen_failure

ANY_V4: Final = "0.0.0.0"  # noqa: S104 - who is answered is decided at the door
ANY_V6: Final = "::"
BACKLOG: Final = 16
_TRIES: Final = 8
"""How often a port that is free for IPv4 may turn out to be taken for IPv6."""
_MOVE_ON: Final = 16
"""How many ports after the default one are tried."""
_NO_FAMILY: Final = frozenset(
    {errno.EAFNOSUPPORT, errno.EADDRNOTAVAIL, errno.EPROTONOSUPPORT}
)

Ports = Sequence[int]
"""Ports to try in this order; 0 lets the system choose."""
DEFAULT_PORTS: Final[Ports] = range(DEFAULT_PORT, DEFAULT_PORT + _MOVE_ON)
"""The usual port, else the next free one."""


@dataclass(frozen=True, slots=True)
class Opened:
    """The listening sockets of one table."""

    sockets: tuple[socket.socket, ...]
    port: int
    """The same for all of them."""

    def close(self) -> None:
        """Stop listening."""
        for sock in self.sockets:
            sock.close()


def parse_ports(text: str) -> Ports:
    """``N`` or ``N-M``; raise ValueError for anything else. 0 means any free one."""
    first, dash, last = text.partition("-")
    low, high = _number(first), _number(last) if dash else _number(first)
    if low > high or (dash and low == 0):
        raise ValueError(f"no range of ports: {text!r}")
    return range(low, high + 1)


def _number(text: str) -> int:
    written = text.isascii() and text.isdigit() and len(text) <= len(str(LAST_PORT))
    if not written or int(text) > LAST_PORT:
        raise ValueError(f"no port: {text!r}")
    return int(text)


def open_sockets(ports: Ports, binds: Sequence[str] = ()) -> Opened:
    """Listen on the first free port of ``ports``; raise NetError if none is.

    Without ``binds`` every adapter is listened on, by IPv4 and, where the system
    has it, IPv6.
    """
    failure: Failure | None = None
    for port in ports:
        try:
            return _open_all(port, binds)
        except NetError as error:
            failure = error.failure
            if failure.code != "port-in-use":
                raise
    if failure is None:
        raise NetError(Failure("cannot-listen", Exit.CANNOT_LISTEN))
    raise NetError(failure)


def _open_all(port: int, binds: Sequence[str]) -> Opened:
    for attempt in range(_TRIES):
        try:
            return _open_once(port, binds)
        except NetError as error:
            # With port 0 the number was the system's; ask for another.
            taken = error.failure.code == "port-in-use"
            if port or not taken or attempt == _TRIES - 1:
                raise
    raise AssertionError("the last attempt returns or raises")


def _open_once(port: int, binds: Sequence[str]) -> Opened:
    opened: list[socket.socket] = []
    try:
        for host in binds or (ANY_V4, ANY_V6):
            try:
                sock = _listen(host, port)
            except OSError as error:
                if not binds and host == ANY_V6 and error.errno in _NO_FAMILY:
                    continue  # a machine without IPv6
                raise NetError(listen_failure(error, host=host, port=port)) from error
            opened.append(sock)
            port = int(sock.getsockname()[1])
    except BaseException:
        _close(opened)
        raise
    return Opened(tuple(opened), port)


def _close(sockets: Iterable[socket.socket]) -> None:
    for sock in sockets:
        sock.close()


def _listen(host: str, port: int) -> socket.socket:
    family, kind, protocol, _, where = socket.getaddrinfo(
        host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
    )[0]
    # With the protocol spelt out asyncio sets TCP_NODELAY on what is accepted;
    # otherwise each small frame waits some 40 ms for the peer's delayed ACK.
    sock = socket.socket(family, kind, protocol)
    try:
        if os.name == "posix":
            # A port whose last table was closed a moment ago is free again.
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6:
            sock.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        sock.bind(where)
        sock.listen(BACKLOG)
        sock.setblocking(False)
    except BaseException:
        sock.close()
        raise
    return sock
