"""Which of our addresses a friend is shown, from made-up adapter tables."""

from __future__ import annotations

import pytest

from crapette_p2p.net.adapters import Adapter, speaking_addresses
from crapette_p2p.net.addresses import (
    OwnAddress,
    announced_addresses,
    chosen_addresses,
    is_near,
    is_neighbour,
    order_for_dialling,
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


def test_the_further_addresses_of_an_adapter_are_hidden() -> None:
    """One line per adapter and family: temporary addresses do not crowd it."""
    found = rank_addresses(
        (
            Adapter("eth0", "192.168.1.20"),
            Adapter("eth0", "192.168.1.21"),
            Adapter("eth0", "2a01::5"),
            Adapter("eth0", "2a01::abcd"),
            Adapter("eth1", "10.0.0.1"),
        ),
        frozenset({"192.168.1.21", "2a01::abcd"}),
    )
    assert shown(found) == ["192.168.1.21", "10.0.0.1", "2a01::abcd"]
    assert len(found) == 5


@pytest.mark.parametrize(
    ("adapter", "kind"),
    [
        ("Intel(R) Wi-Fi 6 AX201 160MHz", "wireless"),
        ("Realtek Wireless 802.11n", "wireless"),
        ("vEthernet (WSL)", "virtual"),
        ("VMware Virtual Ethernet Adapter for VMnet8", "virtual"),
        ("VirtualBox Host-Only Ethernet Adapter", "virtual"),
        ("Hyper-V Virtual Ethernet Adapter", "virtual"),
        ("TAP-Windows Adapter V9", "vpn"),
        ("WireGuard Tunnel", "vpn"),
        ("Tailscale Tunnel", "vpn"),
        ("utun3", "vpn"),
        ("bridge100", "virtual"),
        ("en0", "network"),
        ("Realtek PCIe GbE Family Controller", "network"),
    ],
)
def test_what_other_systems_call_adapters(adapter: str, kind: str) -> None:
    """Names of macOS and descriptions of Windows are told apart too."""
    assert rank_addresses([Adapter(adapter, "10.0.0.1")])[0].kind == kind


def test_what_a_table_announces_of_itself() -> None:
    """Usable and link-local addresses; never a container's while there are others."""
    home = rank_addresses(
        (
            *LOOPBACK,
            Adapter("docker0", "172.17.0.1"),
            Adapter("wlan0", "192.168.1.20"),
            Adapter("wlan0", "fe80::1", 3),
            Adapter("tun0", "10.8.0.3"),
            Adapter("eth0", "169.254.9.9"),
        )
    )
    assert announced_addresses(home) == ("192.168.1.20", "10.8.0.3", "fe80::1")
    virtual = rank_addresses((*LOOPBACK, Adapter("docker0", "172.17.0.1")))
    assert announced_addresses(virtual) == ("172.17.0.1",)
    assert announced_addresses(rank_addresses(LOOPBACK)) == ("127.0.0.1", "::1")


def test_where_to_dial_first() -> None:
    """Addresses of a network we are on come first; what is no computer is left out."""
    here = (Adapter("wlan0", "192.168.1.20", 0, 24), Adapter("wlan0", "2a01::5", 0, 64))
    announced = (
        "fe80::7%wlan0",
        "10.8.0.3",
        "2a01::7",
        "127.0.0.1",
        "192.168.1.7",
        "fe80::7",
        "224.0.0.1",
        "255.255.255.255",
        "::",
        "a host",
        "192.168.1.7",
    )
    assert order_for_dialling(announced, here) == (
        "192.168.1.7",
        "2a01::7",
        "10.8.0.3",
        "fe80::7%wlan0",
        "127.0.0.1",
    )


def test_binds_that_stand_for_everything() -> None:
    """Listening on the unspecified address is no limit; a scope is no part of one."""
    assert chosen_addresses(["0.0.0.0"]) == ()  # noqa: S104 - it is only read
    assert chosen_addresses(["10.0.0.1", "::"]) == ()
    assert chosen_addresses(["fe80::1%eth0", "box"]) == ("fe80::1", "box")


def test_one_voice_per_adapter_and_family() -> None:
    """The address each speaks mDNS by; link-local IPv6 where there is one."""
    adapters = (
        *LOOPBACK,
        Adapter("lo", "127.0.0.2"),
        Adapter("gone0", "192.0.2.77"),  # no socket can be bound there
    )
    assert "127.0.0.1" in speaking_addresses(adapters)
    assert "127.0.0.2" not in speaking_addresses(adapters)
    assert "::1" not in speaking_addresses(adapters)
    assert "192.0.2.77" not in speaking_addresses(adapters)
    assert speaking_addresses(adapters, ["10.0.0.1"]) == ()


def test_neighbours_on_the_same_ipv6_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """Next door an address of the internet is near; elsewhere it is far."""
    here = [Adapter("eth0", "2a01::5", 0, 64), Adapter("eth0", "8.8.8.9", 0, 24)]
    monkeypatch.setattr("crapette_p2p.net.addresses.listed_adapters", lambda: here)
    assert is_neighbour("2a01::99")
    assert not is_neighbour("2a02::99")
    assert not is_neighbour("8.8.8.8")
    assert is_neighbour("192.168.1.1")
    assert not is_neighbour("")


def test_a_system_that_lists_no_adapters(monkeypatch: pytest.MonkeyPatch) -> None:
    """A table is opened all the same, and its door goes on judging strangers."""

    def refuse() -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("ifaddr.get_adapters", refuse)
    assert own_addresses() == ()
    assert not is_neighbour("2a01::99")
    assert is_neighbour("192.168.1.1")


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
