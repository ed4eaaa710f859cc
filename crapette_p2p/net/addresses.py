"""Which of this computer's addresses a friend can use, best first.

No address is *the* address: a player sees one line per usable adapter and family.
Adapters of containers and virtual machines, loopback and link-local addresses and
the further addresses of an adapter are hidden (``shown`` is False) but not
withheld. Nothing is sent to find out.
"""

from __future__ import annotations

import contextlib
import re
import socket
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import Final

from crapette_p2p.net.adapters import Adapter, is_on_link, listed_adapters

# Names of Linux and macOS begin with these; Windows has descriptions instead.
_VIRTUAL: Final = re.compile(
    r"^(docker|veth|virbr|br-|bridge\d{3}|vmnet|vboxnet|lxc|lxd|cni|flannel|podman"
    r"|vnet)|virtualbox|vmware|hyper-v",
    re.IGNORECASE,
)
_VPN: Final = re.compile(
    r"^(tun|tap|wg|wireguard|openvpn|ppp|utun|zt|zerotier|tailscale|nordlynx|ipsec)",
    re.IGNORECASE,
)
_WIRELESS: Final = re.compile(r"^(wl|ath|ra\d)|wi-?fi|wireless|802\.11", re.IGNORECASE)
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
    return rank_addresses(listed_adapters(), _default_sources())


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
    seen: set[tuple[str, bool]] = set()
    found: list[OwnAddress] = []
    for reach, adapter in ranked:
        line = (adapter.name, ":" in adapter.address)
        found.append(_described(adapter, reach, further=line in seen))
        seen.add(line)
    return tuple(found)


def _described(adapter: Adapter, reach: Reach, *, further: bool) -> OwnAddress:
    address = adapter.address
    if reach is Reach.LINK_LOCAL and adapter.scope:
        address = f"{address}%{adapter.name}"
    shown = reach <= Reach.VPN and not further
    return OwnAddress(address, adapter.name, _kind(adapter, reach), shown=shown)


def _kind(adapter: Adapter, reach: Reach) -> str:
    if reach >= Reach.VPN:
        return reach.name.lower().replace("_", "-")
    return "wireless" if _WIRELESS.search(adapter.name) else "network"


def _reach(adapter: Adapter, defaults: frozenset[str]) -> Reach:
    address = ip_address(adapter.address)
    if address.is_loopback:
        return Reach.LOOPBACK
    if address.is_link_local:
        return Reach.LINK_LOCAL
    if _VIRTUAL.search(adapter.name):
        return Reach.VIRTUAL
    if _VPN.search(adapter.name):
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


def chosen_addresses(binds: Iterable[str]) -> tuple[str, ...]:
    """The addresses that a table's ``binds`` limit it to, without scopes.

    None where one of them stands for all addresses there are.
    """
    plain = tuple(bind.partition("%")[0] for bind in binds)
    if any(_is_number(bind) and ip_address(bind).is_unspecified for bind in plain):
        return ()
    return plain


def announced_addresses(own: Iterable[OwnAddress]) -> tuple[str, ...]:
    """What a table says about itself to others on its networks, without scopes.

    The addresses a friend is shown and the link-local IPv6 ones; where there are
    none, those of virtual machines' networks, and at last loopback: two players
    on a computer without a network find each other too.
    """
    own = tuple(own)
    lan = [a for a in own if a.shown or (a.kind == "link-local" and ":" in a.address)]
    virtual = [a for a in own if a.kind == "virtual"]
    chosen = lan or virtual or [a for a in own if a.kind == "loopback"]
    numbers = (a.address.partition("%")[0] for a in chosen)
    return tuple(dict.fromkeys(number for number in numbers if _is_number(number)))


def order_for_dialling(
    addresses: Iterable[str], adapters: Sequence[Adapter]
) -> tuple[str, ...]:
    """A table's ``addresses`` in the order to dial them from here.

    Those of a network we are on come first, IPv4 before IPv6, link-local last.
    What nobody can be reached at is left out.
    """
    return tuple(
        sorted(
            filter(_can_be_dialled, dict.fromkeys(addresses)),
            key=lambda text: (
                is_loopback(text),
                not is_on_link(text, adapters),
                ip_address(text.partition("%")[0]).is_link_local,
                ":" in text,
            ),
        )
    )


def _can_be_dialled(text: str) -> bool:
    """Whether ``text`` is the number of one computer, with a scope if it needs one."""
    if not _is_number(text.partition("%")[0]):
        return False
    number = ip_address(text.partition("%")[0])
    if number.is_multicast or number.is_unspecified:
        return False
    if number.version == 4:
        return not number.is_reserved
    return "%" in text or not number.is_link_local


def _is_number(text: str) -> bool:
    try:
        ip_address(text)
    except ValueError:
        return False
    return True


def is_loopback(address: str) -> bool:
    """Whether ``address`` is this computer's own."""
    return _is_number(address) and ip_address(address).is_loopback


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


def is_neighbour(address: str) -> bool:
    """Whether ``address`` is near, or on the same IPv6 network as this computer.

    At home IPv6 addresses are the internet's, though they live next door.
    """
    if is_near(address):
        return True
    return ":" in address and is_on_link(address, listed_adapters())
