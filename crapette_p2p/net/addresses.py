"""Which of this computer's addresses a friend can use, best first.

No address is *the* address: a player sees one line per usable adapter. Adapters
of containers and virtual machines, loopback and link-local addresses are hidden
(``shown`` is False) but not withheld. Nothing is sent to find out.
"""

from __future__ import annotations

import contextlib
import re
import socket
from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntEnum
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import Final

import ifaddr

_VIRTUAL: Final = re.compile(
    r"(docker|veth|virbr|br-|vmnet|vboxnet|lxc|lxd|cni|flannel|podman|vnet)",
    re.IGNORECASE,
)
_VPN: Final = re.compile(
    r"(tun|tap|wg|ppp|utun|zt|tailscale|nordlynx|ipsec)", re.IGNORECASE
)
_WIRELESS: Final = re.compile(r"(wl|wifi|wi-fi|ath|ra\d)", re.IGNORECASE)
# Documentation addresses: a datagram socket "connected" there sends nothing, but
# the kernel says which of our addresses it would use.
_PROBES: Final = (
    (socket.AF_INET, "192.0.2.1"),
    (socket.AF_INET6, "2001:db8::1"),
)


class Reach(IntEnum):
    """How good an address is for a friend, best first."""

    DEFAULT_V4 = 0
    PRIVATE_V4 = 1
    PUBLIC_V4 = 2
    GLOBAL_V6 = 3
    VPN = 4
    VIRTUAL = 5
    LINK_LOCAL = 6
    LOOPBACK = 7


@dataclass(frozen=True, slots=True)
class Adapter:
    """One address of one adapter, as the system lists it."""

    name: str
    """``wlan0``, or what Windows calls it."""
    address: str
    """An IPv4 or IPv6 number, without scope."""
    scope: int = 0
    """Interface number of a link-local IPv6 address."""


@dataclass(frozen=True, slots=True)
class OwnAddress:
    """An address of this computer and what it is good for."""

    address: str
    """As a friend types it; link-local IPv6 carries its scope."""
    adapter: str
    """The adapter's name."""
    kind: str
    """``wireless``, ``network``, ``vpn``, ``virtual``, ``link-local``, ``loopback``."""
    shown: bool
    """Whether a friend is likely to reach it."""


def own_addresses() -> tuple[OwnAddress, ...]:
    """This computer's addresses now, best first."""
    return rank_addresses(_listed(), _default_sources())


def rank_addresses(
    adapters: Iterable[Adapter], defaults: frozenset[str] = frozenset()
) -> tuple[OwnAddress, ...]:
    """Order ``adapters``; ``defaults`` are the sources of the default routes."""
    ranked = sorted(
        ((_reach(adapter, defaults), adapter) for adapter in adapters),
        key=lambda pair: (
            pair[0],
            pair[1].address not in defaults,
            ":" in pair[1].address,
        ),
    )
    return tuple(_described(adapter, reach) for reach, adapter in ranked)


def _described(adapter: Adapter, reach: Reach) -> OwnAddress:
    address = adapter.address
    if reach is Reach.LINK_LOCAL and adapter.scope:
        address = f"{address}%{adapter.name}"
    return OwnAddress(address, adapter.name, _kind(adapter, reach), reach <= Reach.VPN)


def _kind(adapter: Adapter, reach: Reach) -> str:
    if reach >= Reach.VPN:
        return reach.name.lower().replace("_", "-")
    return "wireless" if _WIRELESS.match(adapter.name) else "network"


def _reach(adapter: Adapter, defaults: frozenset[str]) -> Reach:
    address = ip_address(adapter.address)
    if address.is_loopback:
        return Reach.LOOPBACK
    if address.is_link_local:
        return Reach.LINK_LOCAL
    if _VIRTUAL.match(adapter.name):
        return Reach.VIRTUAL
    if _VPN.match(adapter.name):
        return Reach.VPN
    return _reach_by_number(address, defaults)


def _reach_by_number(
    address: IPv4Address | IPv6Address, defaults: frozenset[str]
) -> Reach:
    if address.version == 6:
        return Reach.GLOBAL_V6
    if str(address) in defaults:
        return Reach.DEFAULT_V4
    return Reach.PRIVATE_V4 if address.is_private else Reach.PUBLIC_V4


def _listed() -> list[Adapter]:
    found: list[Adapter] = []
    for adapter in ifaddr.get_adapters():
        for ip in adapter.ips:
            if isinstance(ip.ip, str):
                found.append(Adapter(ip.nice_name, ip.ip))
            else:
                number, _, scope = ip.ip
                found.append(Adapter(ip.nice_name, number, scope))
    return found


def _default_sources() -> frozenset[str]:
    """The addresses that packets to the world would leave from."""
    found: set[str] = set()
    for family, probe in _PROBES:
        with contextlib.suppress(OSError):
            found.add(_source_towards(family, probe))
    return frozenset(found)


def _source_towards(family: int, probe: str) -> str:
    with socket.socket(family, socket.SOCK_DGRAM) as sock:
        sock.connect((probe, 9))
        return str(sock.getsockname()[0])


def is_near(address: str) -> bool:
    """Whether ``address`` is private, link-local or loopback: not the internet's.

    The shared range 100.64.0.0/10 counts as near: private networks over the
    internet hand it out.
    """
    try:
        number = ip_address(address.partition("%")[0])
    except ValueError:
        return False
    if isinstance(number, IPv6Address) and number.ipv4_mapped is not None:
        number = number.ipv4_mapped
    return not number.is_global
