"""The adapters of this computer as the system lists them, and what is near them."""

from __future__ import annotations

import contextlib
import socket
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from ipaddress import IPv6Address, ip_address, ip_interface

import ifaddr


@dataclass(frozen=True, slots=True)
class Adapter:
    """One address of one adapter, as the system lists it."""

    name: str
    """``wlan0``, or what Windows calls it."""
    address: str
    """An IPv4 or IPv6 number, without scope."""
    scope: int = 0
    """Interface number of a link-local IPv6 address."""
    prefix: int = 0
    """Length of the network's part; 0 where it is not known."""

    @property
    def is_link_local(self) -> bool:
        """Whether the address means something on this adapter's link only."""
        return ip_address(self.address).is_link_local

    @property
    def is_loopback(self) -> bool:
        """Whether the address is this computer's alone."""
        return ip_address(self.address).is_loopback


def listed_adapters() -> list[Adapter]:
    """Every address of every adapter, in the system's order.

    None where the system does not tell (Android): nothing is found there, and an
    address that is typed still works.
    """
    found: list[Adapter] = []
    try:
        adapters = list(ifaddr.get_adapters())
    except OSError:
        return found
    for adapter in adapters:
        for ip in adapter.ips:
            name, prefix = ip.nice_name, ip.network_prefix
            if isinstance(ip.ip, str):
                found.append(Adapter(name, ip.ip, 0, prefix))
            else:
                number, _, scope = ip.ip
                found.append(Adapter(name, number, scope, prefix))
    return found


def is_on_link(address: str, adapters: Iterable[Adapter]) -> bool:
    """Whether ``address`` belongs to a network that one of ``adapters`` is on."""
    try:
        number = ip_address(address.partition("%")[0])
    except ValueError:
        return False
    if isinstance(number, IPv6Address) and number.ipv4_mapped is not None:
        number = number.ipv4_mapped
    networks = (
        ip_interface(f"{adapter.address}/{adapter.prefix}").network
        for adapter in adapters
        if adapter.prefix
    )
    return any(
        number.version == network.version and number in network for network in networks
    )


def speaking_addresses(
    adapters: Sequence[Adapter], binds: Sequence[str] = ()
) -> tuple[str, ...]:
    """One address by which each adapter can be told to send to its whole link.

    An adapter gets one IPv4 and one IPv6 address, link-local where there is one:
    who hears from it learns through which adapter we are reached. With ``binds``
    only the adapters of those addresses speak.
    """
    names = {a.name for a in adapters if not binds or a.address in binds}
    return tuple(
        address
        for name in dict.fromkeys(a.name for a in adapters if a.name in names)
        for address in _speakers([a for a in adapters if a.name == name])
        if _is_usable(address)
    )


def _speakers(adapters: Sequence[Adapter]) -> Iterator[str]:
    """The addresses of one adapter to speak by."""
    v4 = [a.address for a in adapters if ":" not in a.address]
    # Multicast does not leave by ::1; two players on one computer use 127.0.0.1.
    speaking = (a for a in adapters if ":" in a.address and not a.is_loopback)
    v6 = sorted(speaking, key=lambda a: not a.is_link_local)
    yield from v4[:1]
    for adapter in v6[:1]:
        scope = f"%{adapter.scope}" if adapter.scope else ""
        yield f"{adapter.address}{scope}"


def _is_usable(address: str) -> bool:
    """Whether a socket can be bound there now: a new IPv6 address cannot yet."""
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    with contextlib.suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as sock:
        number, _, scope = address.partition("%")
        where = (number, 0, 0, int(scope or 0)) if ":" in number else (number, 0)
        sock.bind(where)
        return True
    return False
