"""The one door to zeroconf: speak mDNS on all adapters of one moment.

Loaded by ``discovery`` when it is needed and in a thread, since zeroconf takes a
tenth of a second to import. A ``Station`` says what a table announces, asks who
else is there, and tells a listener which announcements were heard; what they say
is judged elsewhere. Instance names are random: no two tables ever share one, so
nobody has to be asked whether it is free, and nobody can claim it first.

An announcement is put together from one packet, since ours are whole; only one
that came in pieces is looked up in zeroconf's cache. That has room for a certain
number of records, and whoever floods it with long-lived ones keeps others out.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import socket
from collections.abc import Sequence
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Final, Protocol, cast

from zeroconf import (  # type: ignore[attr-defined] # some are there, not listed
    DNSAddress,
    DNSOutgoing,
    DNSPointer,
    DNSQuestion,
    DNSRecord,
    DNSService,
    DNSText,
    Error,
    IPVersion,
    RecordUpdate,
    RecordUpdateListener,
    Zeroconf,
)
from zeroconf.asyncio import AsyncServiceInfo, AsyncZeroconf

from crapette_p2p.net.announcement import SERVICE, Announcement
from crapette_p2p.net.echo import can_join

TTL: Final = 8
"""Seconds: any cache forgets a table whose program was killed after so long."""
MOST_NAMES: Final = 64
"""Announcements looked at in one packet."""
MOST_ASKED: Final = 8
"""Incomplete announcements asked about in one question."""
_PTR, _TXT, _SRV, _IN = 12, 16, 33, 1
_LONGEST_LABEL: Final = 63
_OF_SERVICE: Final = f".{SERVICE}".lower()


@dataclass(frozen=True, slots=True)
class Raw:
    """The parts of one announcement, as they were received."""

    txt: bytes
    port: int
    addresses: tuple[str, ...]
    """Numbers, link-local ones with their scope where it is known."""


class Ears(Protocol):
    """Whoever listens to a station."""

    def heard(self, name: str, raw: Raw | None) -> None:
        """An announcement was received; None where something of it is missing."""

    def parted(self, name: str) -> None:
        """An announcement was taken back."""


class Station:
    """mDNS on the given adapters; made by ``open_station``."""

    def __init__(self, zeroconf: AsyncZeroconf) -> None:
        self._zeroconf = zeroconf
        self._info: AsyncServiceInfo | None = None
        self._label = f"crapette-{secrets.token_hex(8)}"
        self._sending: set[asyncio.Future[None]] = set()

    async def publish(
        self, said: Announcement, port: int, addresses: Sequence[str]
    ) -> None:
        """Announce a table, or say what has changed about it."""
        info = AsyncServiceInfo(
            SERVICE,
            f"{self._label}.{SERVICE}",
            port=port,
            properties=said.entries(),
            server=f"{self._label}.local.",
            addresses=[ip_address(address).packed for address in addresses],
            host_ttl=TTL,
            other_ttl=TTL,
        )
        if self._info is None:
            sent = await self._zeroconf.async_register_service(
                info, cooperating_responders=True
            )
        else:
            sent = await self._zeroconf.async_update_service(info)
        self._info = info
        task = asyncio.ensure_future(cast("asyncio.Future[None]", sent))
        self._sending.add(task)
        task.add_done_callback(self._sending.discard)

    async def withdraw(self) -> None:
        """Say goodbye."""
        self._info = None
        await self._zeroconf.async_unregister_all_services()

    def listen(self, ears: Ears) -> None:
        """Tell ``ears`` of every announcement from now on."""
        self._zeroconf.zeroconf.async_add_listener(_Listener(ears), None)

    def ask(self, incomplete: Sequence[str] = ()) -> None:
        """Ask which tables there are, and for what is missing of some."""
        out = DNSOutgoing(0)
        out.add_question(DNSQuestion(SERVICE, _PTR, _IN))
        for name in filter(_can_be_asked, incomplete[:MOST_ASKED]):
            for kind in (_SRV, _TXT):
                out.add_question(DNSQuestion(name, kind, _IN))
        self._zeroconf.zeroconf.async_send(out)

    async def aclose(self) -> None:
        """Say goodbye and be silent."""
        for task in list(self._sending):
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task
        await self._zeroconf.async_close()


async def open_station(speaking: Sequence[str]) -> Station:
    """Speak by these addresses; raises OSError where that is impossible."""
    try:
        zeroconf = _open(speaking)
    except OSError as error:
        zeroconf = _open_some(speaking, error)
    try:
        await zeroconf.zeroconf.async_wait_for_start()
    except Error as error:
        await zeroconf.async_close()
        raise OSError("multicast does not start") from error
    return Station(zeroconf)


def _open_some(speaking: Sequence[str], error: OSError) -> AsyncZeroconf:
    """Do without the adapters, or the family, on which the group cannot be joined."""
    joined = [address for address in speaking if can_join(address)]
    v4 = [address for address in joined if ":" not in address]
    for some in (joined, v4):
        if some and len(some) < len(speaking):
            with contextlib.suppress(OSError):
                return _open(some)
    raise error


def _open(speaking: Sequence[str]) -> AsyncZeroconf:
    families = {":" in address for address in speaking}
    version = IPVersion.V6Only if families == {True} else IPVersion.V4Only
    if len(families) > 1:
        version = IPVersion.All
    try:
        return AsyncZeroconf(interfaces=list(speaking), ip_version=version)
    except RuntimeError as error:  # an adapter has gone since it was listed
        raise OSError(str(error)) from error


class _Listener(RecordUpdateListener):
    """Picks the announcements of tables out of what is received."""

    def __init__(self, ears: Ears) -> None:
        self._ears = ears
        self._zeroconf: Zeroconf | None = None
        self._packet = _Packet()

    def async_update_records(
        self, zc: Zeroconf, now: float, records: list[RecordUpdate]
    ) -> None:
        """One packet was received; the cache has not got it yet."""
        self._zeroconf = zc
        for update in records:
            record = update.new
            if record.ttl == 0 or not record.is_expired(now):  # expiring is no news
                self._packet.take(record)

    def async_update_records_complete(self) -> None:
        """The cache has got it."""
        packet, self._packet = self._packet, _Packet()
        for name, gone in packet.names.items():
            if gone:
                self._ears.parted(name)
            else:
                self._ears.heard(name, packet.raw(name) or self._look_up(name))

    def _look_up(self, name: str) -> Raw | None:
        """What has come in several packets."""
        try:
            info = AsyncServiceInfo(SERVICE, name)
        except Error:  # a name that could not be registered
            return None
        if self._zeroconf is None or not info.load_from_cache(self._zeroconf):
            return None
        addresses = map(_with_named_scope, info.parsed_scoped_addresses())
        return Raw(info.text, info.port or 0, tuple(addresses))


class _Packet:
    """What one packet says of tables."""

    def __init__(self) -> None:
        self.names: dict[str, bool] = {}
        """Announcements, and whether they said goodbye."""
        self._services: dict[str, DNSService] = {}
        self._texts: dict[str, bytes] = {}
        self._addresses: dict[str, list[str]] = {}

    def take(self, record: DNSRecord) -> None:
        """Keep a record that may belong to a table."""
        if isinstance(record, DNSAddress):
            self._take_address(record)
            return
        name = record.name
        if isinstance(record, DNSPointer):
            name = record.alias if name.lower() == SERVICE else ""
        if not name.lower().endswith(_OF_SERVICE) or len(self.names) >= MOST_NAMES:
            return
        self.names[name] = record.ttl == 0
        if isinstance(record, DNSService):
            self._services[name.lower()] = record
        elif isinstance(record, DNSText):
            self._texts[name.lower()] = record.text

    def raw(self, name: str) -> Raw | None:
        """An announcement that is whole in this packet."""
        service = self._services.get(name.lower())
        text = self._texts.get(name.lower())
        if service is None or text is None:
            return None
        addresses = self._addresses.get(service.server.lower(), ())
        return Raw(text, service.port, tuple(addresses)) if addresses else None

    def _take_address(self, record: DNSAddress) -> None:
        if len(self._addresses) < MOST_NAMES and len(record.address) in (4, 16):
            found = self._addresses.setdefault(record.name.lower(), [])
            scope = f"%{record.scope_id}" if record.scope_id else ""
            number = str(ip_address(record.address))
            found.append(_with_named_scope(f"{number}{scope}"))


def _can_be_asked(name: str) -> bool:
    """Whether a name can stand in a question: anything may be in an answer."""
    label = name[: -len(_OF_SERVICE)]
    return label.isprintable() and len(label.encode()) <= _LONGEST_LABEL


def _with_named_scope(address: str) -> str:
    """``fe80::1%4`` as a person would write it, ``fe80::1%eth0``."""
    number, percent, scope = address.partition("%")
    if percent and scope.isascii() and scope.isdigit():
        with contextlib.suppress(OSError, AttributeError):
            return f"{number}%{socket.if_indextoname(int(scope))}"
    return address
