"""``crapette lan``, with a network of the test's own making."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from crapette_p2p.net.addresses import OwnAddress
from crapette_p2p.net.announcement import Announcement
from crapette_p2p.net.failures import Exit, Failure
from crapette_p2p.net.paths import find_paths
from crapette_p2p.net.peers import KnownPeer, PeerBook
from crapette_p2p.session.keys import fingerprint
from tests.cli.commands import Crapette
from tests.cli.networks import KEY, SAID, Canned

HERE = OwnAddress("10.0.0.2", "eth0", "network", shown=True)


@pytest.fixture(autouse=True)
def _canned(network: Canned) -> None:
    """No test of these looks at the real network."""


def befriend(home: Path) -> None:
    """Have met the player of KEY in 2001."""
    book = PeerBook(find_paths(str(home), {}).peers_file)
    book.remember(KnownPeer(key=KEY, petname="My Ala", first_seen=1_000_000_000))


def test_a_table_is_listed(crapette: Crapette) -> None:
    """One line a table: who, rules, address, seat, what we call them."""
    lines = crapette("lan").out.splitlines()
    assert lines[0].split() == ["name", "rules", "address", "seat", "known", "as"]
    assert lines[1].split() == ["Ala", "crapette", "10.0.0.1", "free", "-"]
    assert len(lines) == 2


def test_names_are_left_for_a_tab(crapette: Crapette) -> None:
    """What was listed can be completed: crapette join A<Tab>."""
    crapette("lan")
    path = find_paths(str(crapette.home), {}).tables
    assert json.loads(path.read_text()) == ["Ala"]


def test_whoever_is_known_is_named(crapette: Crapette) -> None:
    """A key that was met before is shown by our name and the day of the meeting."""
    befriend(crapette.home)
    assert "My Ala, since 2001-09-" in crapette("lan").out
    table = json.loads(crapette("lan", "--json").out)["tables"][0]
    assert (table["known"], table["known_since"]) == ("My Ala", 1_000_000_000)
    assert (table["name"], table["nick"]) == ("My Ala", "Ala")


def test_a_damaged_list_of_friends_hides_nobody(crapette: Crapette) -> None:
    """Without the book everybody is a stranger, and is listed."""
    book = find_paths(str(crapette.home), {}).peers_file
    book.parent.mkdir(parents=True)
    book.write_text("not toml")
    assert "Ala" in crapette("lan").out


def test_json(crapette: Crapette) -> None:
    """One object, or with --wait one line as soon as a table is seen."""
    answer = json.loads(crapette("lan", "--json").out)
    assert answer["v"] == 1
    line = json.loads(crapette("lan", "--wait", "0.05", "--json").out)
    assert (line["v"], line["type"], line["nick"]) == (1, "table", "Ala")
    assert (line["port"], line["open"], line["known"]) == (4747, True, None)
    assert line == {"v": 1, "type": "table", **answer["tables"][0]}


def test_taken_and_later_tables(crapette: Crapette, network: Canned) -> None:
    """A taken seat and a table of another version are shown for what they are."""
    key = fingerprint(bytes(32))
    network.said = [
        Announcement(fingerprint=key, nick="Bo", rules="x", is_open=False),
        Announcement(fingerprint=key, nick="Cy", rules="x", version=2),
    ]
    lines = crapette("lan").out.splitlines()
    assert "speaks crapette/2" in lines[1]
    assert "taken" in lines[2]


def test_nothing_that_was_announced_drives_the_terminal(crapette: Crapette) -> None:
    """Not even the announcement's own name comes out."""
    for flags in ((), ("--json",), ("--json", "--wait", "0.05")):
        done = crapette("lan", *flags)
        assert "\x1b" not in done.out + done.err
        assert "[2J" not in done.out


@pytest.mark.parametrize(
    ("here", "said"),
    [
        ([HERE], "joining by address still works"),
        ([], "this computer is on no network"),
    ],
)
def test_nobody_is_there(
    crapette: Crapette,
    network: Canned,
    monkeypatch: pytest.MonkeyPatch,
    here: list[OwnAddress],
    said: str,
) -> None:
    """An empty list says what still works, or why it cannot be otherwise."""
    network.said = []
    monkeypatch.setattr("crapette_p2p.net.addresses.own_addresses", lambda: here)
    assert said in crapette("lan").out
    assert json.loads(crapette("lan", "--json").out) == {"v": 1, "tables": []}


def test_ones_own_table_is_left_out(crapette: Crapette, network: Canned) -> None:
    """The table of this key is not listed to this key."""
    own = json.loads(crapette("id", "--json").out)["key"]
    said = Announcement(
        fingerprint=fingerprint(bytes.fromhex(own)), nick="Me", rules="crapette"
    )
    network.said = [said, SAID]
    tables = json.loads(crapette("lan", "--json").out)["tables"]
    assert [table["nick"] for table in tables] == ["Ala"]


def test_a_network_that_cannot_be_searched(crapette: Crapette, network: Canned) -> None:
    """The reason is said, the answer is empty, and the exit status is 5."""
    network.said = []
    network.problem = Failure(
        "cannot-discover", Exit.CANNOT_REACH, {"reason": "No buffer space"}
    )
    done = crapette("lan", "--json")
    assert done.code == 5
    assert json.loads(done.out) == {"v": 1, "tables": []}
    assert "No buffer space" in done.err


def test_without_zeroconf(crapette: Crapette, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the library the command says what to install; exit 5."""
    monkeypatch.undo()
    monkeypatch.setitem(sys.modules, "crapette_p2p.net.multicast", None)
    done = crapette("lan")
    assert done.code == 5
    assert "pip install zeroconf" in done.err
    assert len(done.err.splitlines()) == 2


@pytest.mark.parametrize("wait", ["0", "-1", "nan"])
def test_there_is_no_waiting_for_less_than_nothing(
    crapette: Crapette, wait: str
) -> None:
    """As everywhere else, what is no length of time is wrong usage."""
    done = crapette("lan", "--wait", wait)
    assert done.code == Exit.USAGE
    assert "more than 0 seconds" in done.err
