"""Tables found between computers: on every adapter, by IPv4 or IPv6, and gone."""

from __future__ import annotations

import pytest

from tests.helpers.pace import Stopwatch
from tests.net.processes import Crapette
from tests.netns.conftest import Players
from tests.netns.lab import Computer, Lab

pytestmark = pytest.mark.slow


def watch(players: Players, at: Computer, name: str = "Olek") -> Crapette:
    """Follow the list of tables there."""
    return players.start(at, name, "lan", "--wait", "100", "--json")


def seen(watcher: Crapette, nick: str) -> dict[str, object]:
    """The first line about the table of ``nick``."""
    while True:
        line = watcher.until("table")
        if line["nick"] == nick:
            return line


def test_seen_at_once_and_gone_in_time(lab: Lab, players: Players) -> None:
    """A table is listed within three seconds and, killed, is gone within ten."""
    switch, ala, olek = lab.switch(), lab.computer(), lab.computer()
    lab.connect(ala, switch, "10.77.0.1/24")
    lab.connect(olek, switch, "10.77.0.2/24")
    watcher = watch(players, olek)
    host = players.host(ala)
    opened = Stopwatch()
    line = seen(watcher, "Ala")
    assert opened.seconds < 3
    assert (line["address"], line["port"], line["open"]) == ("10.77.0.1", 4747, True)
    assert line["rules"] == "crapette"
    killed = Stopwatch()
    host.kill()
    assert watcher.until("gone")["id"] == line["id"]
    assert killed.seconds < 10


def test_every_adapter_speaks(lab: Lab, players: Players) -> None:
    """With Wi-Fi, a VPN and containers each network hears of the table.

    The watcher on each lists the address of its own network first.
    """
    wifi, vpn, docker = lab.switch(), lab.switch(), lab.switch()
    ala = lab.computer()
    lab.connect(ala, docker, "172.17.0.1/16", adapter="docker0")
    lab.connect(ala, vpn, "10.8.0.1/24", adapter="tun0")
    lab.connect(ala, wifi, "192.168.1.1/24", adapter="wlan0")
    watchers: dict[str, Crapette] = {}
    for number, (switch, address) in enumerate(
        ((wifi, "192.168.1.2/24"), (vpn, "10.8.0.2/24"), (docker, "172.17.0.2/16"))
    ):
        friend = lab.computer()
        lab.connect(friend, switch, address)
        watchers[address] = watch(players, friend, f"Friend {number}")
    host = players.host(ala)
    listening = host.lines[0]
    assert listening["address"] == "192.168.1.1"
    assert listening["addresses"] == ["192.168.1.1", "10.8.0.1"]
    assert seen(watchers["192.168.1.2/24"], "Ala")["address"] == "192.168.1.1"
    assert seen(watchers["10.8.0.2/24"], "Ala")["address"] == "10.8.0.1"
    in_a_container = seen(watchers["172.17.0.2/16"], "Ala")
    assert "172.17.0.1" not in str(in_a_container["addresses"])


def test_three_computers(lab: Lab, players: Players) -> None:
    """Each sees the tables of the others, not its own and none that is hidden.

    A hidden table is reached by its address all the same, a shown one by name.
    """
    switch = lab.switch()
    one, two, three = (lab.computer() for _ in range(3))
    for number, computer in enumerate((one, two, three), 1):
        lab.connect(computer, switch, f"10.77.0.{number}/24")
    players.host(one, "Ala")
    players.host(two, "Olek")
    hidden = players.host(two, "Zoe", "--no-announce", "--port", "5000")
    own = watch(players, one, "Ala")
    by_name = players.join(three, "olek", name="Ela")
    by_address = players.join(three, "10.77.0.2", "5000", name="Ida")
    assert by_name.until("peer")["nick"] == "Olek"
    assert by_address.until("peer")["nick"] == "Zoe"
    hidden.until("peer")
    seen(own, "Olek")
    own.kill()
    own.wait()
    assert {line["nick"] for line in own.lines} == {"Olek"}


def listed(players: Players, at: Computer) -> list[dict[str, object]]:
    """The tables that are seen from there; a busy computer may answer too late once."""
    for _ in range(2):
        looking = players.start(at, "Olek", "lan", "--json")
        assert looking.wait() == 0, looking.errors()
        if tables := as_list(looking.lines[0]["tables"]):
            return tables
    return []


def test_a_whole_game(lab: Lab, players: Players) -> None:
    """Found by ``lan`` and played to its end: both logs are whole and equal."""
    switch, ala, olek = lab.switch(), lab.computer(), lab.computer()
    lab.connect(ala, switch, "10.77.0.1/24", "fd77::1/64")
    lab.connect(olek, switch, "10.77.0.2/24", "fd77::2/64")
    host = players.host(ala, "Ala", "--once", "--port", "0")
    (table,) = listed(players, olek)
    guest = players.join(olek, str(table["address"]), str(table["port"]))
    assert guest.wait() == 0, guest.errors()
    assert host.wait() == 0, host.errors()
    assert host.lines[-1]["type"] == "result"
    logs = (str(host.log()), str(guest.log()))
    compared = players.start(olek, "Olek", "compare", *logs, "--json")
    assert compared.wait() == 0, compared.errors()
    assert compared.lines[0]["relation"] == "equal"


def as_list(value: object) -> list[dict[str, object]]:
    """A list that was read from JSON."""
    assert isinstance(value, list)
    return value


@pytest.mark.parametrize("addresses", [("fd77::{}/64",), ()], ids=["ula", "link-local"])
def test_ipv6_only(lab: Lab, players: Players, addresses: tuple[str, ...]) -> None:
    """Without IPv4 a table is found and joined, with nothing but link-local too."""
    switch, ala, olek = lab.switch(), lab.computer(), lab.computer()
    lab.connect(ala, switch, *(text.format(1) for text in addresses))
    lab.connect(olek, switch, *(text.format(2) for text in addresses))
    host = players.host(ala)
    line = seen(watch(players, olek), "Ala")
    address = str(line["address"])
    assert address == "fd77::1" if addresses else address.endswith("%eth0")
    guest = players.join(olek, f"[{address}]:{line['port']}", name="Ela")
    assert guest.until("peer")["nick"] == "Ala"
    peer = host.until("peer")
    assert str(peer["address"]).startswith("fd77::2" if addresses else "fe80::")
