"""Which of our addresses a friend is shown, from made-up adapter tables."""

from __future__ import annotations

import pytest

from crapette_p2p.net.addresses import (
    Adapter,
    OwnAddress,
    is_near,
    own_addresses,
    rank_addresses,
)

LOOPBACK = (Adapter("lo", "127.0.0.1"), Adapter("lo", "::1"))


def shown(found: tuple[OwnAddress, ...]) -> list[str]:
    """The addresses a friend is told at once."""
    return [own.address for own in found if own.shown]


def test_wireless_before_the_bridge_of_a_container() -> None:
    """docker0 is hidden, whatever the system lists first."""
    found = rank_addresses(
        (
            *LOOPBACK,
            Adapter("docker0", "172.17.0.1"),
            Adapter("wlan0", "192.168.1.20"),
            Adapter("veth12", "fe80::2", 7),
        ),
        frozenset({"192.168.1.20"}),
    )
    assert shown(found) == ["192.168.1.20"]
    assert found[0].kind == "wireless"
    assert {own.adapter: own.kind for own in found}["docker0"] == "virtual"


def test_default_route_first_then_vpn_last() -> None:
    """The default route's address leads; a VPN's is shown with its label."""
    found = rank_addresses(
        (
            Adapter("tun0", "10.8.0.3"),
            Adapter("eth1", "10.0.0.9"),
            Adapter("eth0", "192.168.1.20"),
            Adapter("eth0", "2001:db9::5"),
        ),
        frozenset({"192.168.1.20"}),
    )
    assert shown(found) == ["192.168.1.20", "10.0.0.9", "2001:db9::5", "10.8.0.3"]
    assert found[3].kind == "vpn"


def test_a_vpn_that_takes_the_default_route_stays_behind() -> None:
    """With a full-tunnel VPN the home network's address still comes first."""
    found = rank_addresses(
        (Adapter("wg0", "10.8.0.3"), Adapter("wlan0", "192.168.1.20")),
        frozenset({"10.8.0.3"}),
    )
    assert shown(found) == ["192.168.1.20", "10.8.0.3"]


def test_only_ipv6() -> None:
    """Without IPv4 the global IPv6 address is shown."""
    found = rank_addresses(
        (*LOOPBACK, Adapter("eth0", "fe80::1", 2), Adapter("eth0", "2a01::5"))
    )
    assert shown(found) == ["2a01::5"]
    assert [own.address for own in found][1] == "fe80::1%eth0"


def test_offline_says_so() -> None:
    """With nothing but loopback and link-local there is nothing to show."""
    assert shown(rank_addresses((*LOOPBACK, Adapter("eth0", "169.254.3.4")))) == []


def test_this_machine_is_listed() -> None:
    """The real table of this machine is read, loopback included."""
    assert "127.0.0.1" in [own.address for own in own_addresses()]


@pytest.mark.parametrize(
    ("address", "near"),
    [
        ("127.0.0.1", True),
        ("10.1.2.3", True),
        ("172.31.0.1", True),
        ("172.32.0.1", False),
        ("192.168.1.1", True),
        ("169.254.1.1", True),
        ("100.64.0.1", True),
        ("8.8.8.8", False),
        ("::1", True),
        ("fe80::1%eth0", True),
        ("fd00::1", True),
        ("2a01::5", False),
        ("::ffff:192.168.1.1", True),
        ("::ffff:8.8.8.8", False),
        ("", False),
        ("somewhere", False),
    ],
)
def test_near_and_far(address: str, *, near: bool) -> None:
    """Private, link-local and loopback are near; the internet is not."""
    assert is_near(address) is near
