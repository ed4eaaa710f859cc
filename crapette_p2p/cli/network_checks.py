"""The checks of ``crapette doctor`` that are about reaching each other."""

from __future__ import annotations

import importlib.util
import platform
from collections.abc import Iterator
from types import MappingProxyType
from typing import Final

from crapette_p2p.cli.check import Check
from crapette_p2p.cli.firewalls import find_firewall
from crapette_p2p.cli.output import printable
from crapette_p2p.cli.speaking import words, words_in_force
from crapette_p2p.net.adapters import Adapter, listed_adapters, speaking_addresses
from crapette_p2p.net.address import DEFAULT_PORT
from crapette_p2p.net.addresses import OwnAddress, is_loopback, own_addresses
from crapette_p2p.net.echo import hears_itself
from crapette_p2p.net.failures import NetError
from crapette_p2p.net.listening import open_sockets
from crapette_p2p.ui.wording import explain

_ABOUT: Final = MappingProxyType(
    {
        "wireless": "Wi-Fi",
        "network": "network",
        "vpn": "VPN – only for people on that VPN",
    }
)


SYMPTOMS: Final = (
    "'No answer' there: a firewall here, or another Wi-Fi (a guest network?)",
    "'No table is open' there: the way is clear, but nobody hosts",
    "'Not on a network that reaches' there: a wrong address, or this one is asleep",
)
"""What a friend reads who cannot sit down, and what it means here."""


def network_checks(port: int) -> Iterator[Check]:
    """Addresses, the port, what stands before it, and finding each other."""
    own = own_addresses()
    shown = [address for address in own if address.shown]
    yield from map(_address, shown)
    if not shown:
        yield Check(
            "address",
            ok=False,
            detail="this computer is on no network",
            hint="A bot needs none: crapette bot",
        )
    if _is_wsl():
        yield _wsl(port)
    yield _port(port or DEFAULT_PORT)
    yield _firewall(port or DEFAULT_PORT)
    yield _discovery(listed_adapters())
    for symptom in SYMPTOMS:
        yield Check("friends", ok=None, detail=symptom)


def _address(own: OwnAddress) -> Check:
    about = words(_ABOUT.get(own.kind, own.kind))
    detail = f"{own.address} ({printable(own.adapter)}, {about})"
    return Check("address", ok=True, detail=detail)


def _port(port: int) -> Check:
    try:
        open_sockets((port,)).close()
    except NetError as error:
        told = explain(error.failure.code, error.failure.facts, words_in_force())
        return Check("port", ok=False, detail=told.sentence, hint=told.hint)
    return Check("port", ok=True, detail=words("{port} is free", port=port))


def _firewall(port: int) -> Check:
    found = find_firewall(port)
    if found is None:
        return Check("firewall", ok=None, detail="none was seen (not all can be)")
    hint = words("Opens the port: {command}", command=found.opening)
    if found.lets_in is None:
        detail = words(
            "{name} is on; whether it lets friends in is not for everybody to see",
            name=found.name,
        )
        return Check("firewall", ok=None, detail=detail, hint=hint)
    if not found.lets_in:
        detail = words("{name} keeps friends out", name=found.name)
        return Check("firewall", ok=False, detail=detail, hint=hint)
    detail = words("{name} lets port {port} in", name=found.name, port=port)
    return Check("firewall", ok=True, detail=detail)


def _discovery(adapters: list[Adapter]) -> Check:
    if importlib.util.find_spec("zeroconf") is None:
        return Check(
            "discovery",
            ok=None,
            detail="not installed; joining by address works without it",
            hint="pip install zeroconf",
        )
    speaking = [a for a in speaking_addresses(adapters) if not is_loopback(a)]
    deaf = [a for a in speaking if hears_itself(a) is False]
    if not deaf:
        return Check("discovery", ok=True, detail="this computer hears announcements")
    return Check(
        "discovery",
        ok=False,
        detail=words(
            "no announcement is heard on {addresses}", addresses=", ".join(deaf)
        ),
        hint="A firewall drops UDP port 5353; joining by address works without it.",
    )


def _is_wsl() -> bool:
    return "microsoft" in platform.release().lower()


def _wsl(port: int) -> Check:
    command = (
        "netsh interface portproxy add v4tov4 "
        f"listenport={port} connectport={port} connectaddress=<address above>"
    )
    return Check(
        "windows",
        ok=None,
        detail="this is Linux inside Windows (WSL): friends reach Windows' address",
        hint=words("In Windows, as administrator: {command}", command=command),
    )
