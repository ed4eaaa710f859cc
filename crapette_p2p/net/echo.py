"""Does this computer hear its own mDNS? Where it does not, nobody's is heard.

A question that nobody can answer is sent to the group from one address and has to
come back: the kernel loops it through the same filter as what others send. It
cannot tell whether the network carries it any further.
"""

from __future__ import annotations

import secrets
import socket
import struct
import time
from typing import Final

GROUP_V4: Final = "224.0.0.251"
GROUP_V6: Final = "ff02::fb"
PORT: Final = 5353
PATIENCE: Final = 0.4
"""Seconds; what is looped back comes within a millisecond."""
_LONGEST: Final = 9000


def hears_itself(address: str) -> bool | None:
    """Whether a question sent from ``address`` comes back; None if it cannot be sent.

    A link-local address has its adapter's number as its scope.
    """
    label = f"_crapette-{secrets.token_hex(4)}"
    try:
        with _joined(address) as sock:
            where = _group(address)
            sock.sendto(_question(label), where)
            return _comes_back(sock, label.encode())
    except (OSError, ValueError):
        return None


def can_join(address: str) -> bool:
    """Whether the mDNS group can be joined by the adapter of ``address``."""
    try:
        _joined(address).close()
    except (OSError, ValueError):
        return False
    return True


def _joined(address: str) -> socket.socket:
    """A socket in the group, by the adapter of ``address``."""
    is_v6 = ":" in address
    family = socket.AF_INET6 if is_v6 else socket.AF_INET
    sock = socket.socket(family, socket.SOCK_DGRAM)
    try:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if hasattr(socket, "SO_REUSEPORT"):
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        if is_v6:
            _join_v6(sock, int(address.partition("%")[2] or 0))
        else:
            _join_v4(sock, socket.inet_aton(address))
    except BaseException:
        sock.close()
        raise
    return sock


def _join_v4(sock: socket.socket, adapter: bytes) -> None:
    sock.bind(("", PORT))
    member = socket.inet_aton(GROUP_V4) + adapter
    sock.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, member)
    sock.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, adapter)
    sock.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_LOOP, 1)


def _join_v6(sock: socket.socket, adapter: int) -> None:
    sock.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
    sock.bind(("", PORT))
    number = struct.pack("@I", adapter)
    member = socket.inet_pton(socket.AF_INET6, GROUP_V6) + number
    sock.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_JOIN_GROUP, member)
    sock.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_MULTICAST_IF, number)
    sock.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_MULTICAST_LOOP, 1)


def _group(address: str) -> tuple[str, int] | tuple[str, int, int, int]:
    if ":" not in address:
        return GROUP_V4, PORT
    return GROUP_V6, PORT, 0, int(address.partition("%")[2] or 0)


def _comes_back(sock: socket.socket, label: bytes) -> bool:
    until = time.monotonic() + PATIENCE
    while (left := until - time.monotonic()) > 0:
        sock.settimeout(left)
        try:
            if label in sock.recv(_LONGEST):
                return True
        except TimeoutError:
            break
    return False


def _question(label: str) -> bytes:
    """Who offers a service that does not exist?"""
    labels = (label.encode(), b"_tcp", b"local")
    name = b"".join(bytes([len(part)]) + part for part in labels) + b"\0"
    return struct.pack("!HHHHHH", 0, 0, 1, 0, 0, 0) + name + struct.pack("!HH", 12, 1)
