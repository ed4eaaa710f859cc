"""Announcements made by hand: what anybody on a network can send, byte by byte."""

from __future__ import annotations

import secrets
import socket
import struct
from collections.abc import Callable, Iterable, Sequence
from ipaddress import ip_address

from crapette_p2p.net.announcement import SERVICE, Announcement
from crapette_p2p.net.discovery import Tables
from crapette_p2p.net.sightings import SeenTable

GROUP = ("224.0.0.251", 5353)
LOOPBACK = "127.0.0.1"
ON_LOOPBACK = (LOOPBACK,)
_PTR, _TXT, _SRV, _A, _AAAA, _IN = 12, 16, 33, 1, 28, 1


def make_said(nick: str = "Ala") -> Announcement:
    """A table of a key that nobody else announces."""
    key = secrets.token_bytes(10)
    return Announcement(fingerprint=key, nick=nick, rules="crapette")


async def until(
    tables: Tables, wanted: Callable[[tuple[SeenTable, ...]], bool]
) -> tuple[SeenTable, ...]:
    """The list once it is as ``wanted``."""
    while not wanted(seen := tables.tables):
        await tables.changed()
    return seen


def of(said: Announcement, seen: Sequence[SeenTable]) -> SeenTable | None:
    """The table on the list that has the key of ``said``."""
    found = (t for t in seen if t.said.fingerprint == said.fingerprint)
    return next(found, None)


def txt_of(entries: dict[str, str | bytes]) -> bytes:
    """Entries as the TXT record writes them."""
    texts = (
        key.encode() + b"=" + (value.encode() if isinstance(value, str) else value)
        for key, value in entries.items()
    )
    return b"".join(bytes([len(text)]) + text for text in texts)


def forged(
    label: str,
    txt: bytes,
    *,
    port: int = 4747,
    addresses: Iterable[str] = ("10.0.0.1",),
    ttl: int = 8,
) -> bytes:
    """The packet that announces ``label`` as a table."""
    return _packet(_records(label, txt, port, addresses, ttl))


def pieces(label: str, txt: bytes) -> list[bytes]:
    """The same as one packet a record."""
    records = _records(label, txt, 4747, ("10.0.0.1",), 8)
    return [_packet([record]) for record in records]


def _records(
    label: str, txt: bytes, port: int, addresses: Iterable[str], ttl: int
) -> list[bytes]:
    name, server = f"{label}.{SERVICE}", f"{label}.local."
    records = [
        _record(SERVICE, _PTR, ttl, _name(name)),
        _record(name, _SRV, ttl, struct.pack("!HHH", 0, 0, port) + _name(server)),
        _record(name, _TXT, ttl, txt),
    ]
    for address in map(ip_address, addresses):
        kind = _A if address.version == 4 else _AAAA
        records.append(_record(server, kind, ttl, address.packed))
    return records


def _packet(records: Sequence[bytes]) -> bytes:
    header = struct.pack("!HHHHHH", 0, 0x8400, 0, len(records), 0, 0)
    return header + b"".join(records)


def spoofer() -> socket.socket:
    """A socket that sends to everybody who listens on loopback."""
    sock = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    sock.setsockopt(
        socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton(LOOPBACK)
    )
    sock.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_LOOP, 1)
    sock.connect(GROUP)
    return sock


def _record(name: str, kind: int, ttl: int, data: bytes) -> bytes:
    return _name(name) + struct.pack("!HHIH", kind, _IN, ttl, len(data)) + data


def _name(name: str) -> bytes:
    """A domain name; the service's own labels are the last three."""
    first, *rest = name.rstrip(".").rsplit(".", 3 if name.endswith(SERVICE) else 1)
    labels = [first, *rest] if name != SERVICE else name.rstrip(".").split(".")
    encoded = (label.encode() for label in labels)
    return b"".join(bytes([len(label)]) + label for label in encoded) + b"\0"
