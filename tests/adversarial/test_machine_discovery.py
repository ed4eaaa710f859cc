"""T10: whoever shares the network can announce anything, as often as he likes."""

from __future__ import annotations

import random
import sys

import pytest

from crapette_p2p.net.announcement import MAX_TXT, parse_announcement
from crapette_p2p.net.discovery import Announcer, announced, browse
from crapette_p2p.net.sightings import MOST_TABLES, SeenTable, Sightings
from tests.net.fasttime import fast
from tests.net.spoofing import make_said, txt_of


def good_entries() -> dict[str, str | bytes]:
    """What a table of ours says."""
    return dict(make_said().entries())


def entry(text: bytes) -> bytes:
    """One TXT entry."""
    return bytes([len(text)]) + text


@pytest.mark.parametrize(
    "changes",
    [
        {"nick": "\x1b[2J"},
        {"nick": "a\x9bb"},
        {"nick": ""},
        {"nick": "x" * 21},
        {"fp": "nothing"},
        {"fp": ""},
        {"v": "0"},
        {"v": "1000"},
        {"v": "-1"},
        {"v": "٣"},
        {"v": ""},
    ],
)
def test_t10_hostile_entries_are_no_table(changes: dict[str, str | bytes]) -> None:
    """T10: a name, key or version that no table of ours has."""
    good = good_entries()
    assert parse_announcement(txt_of(good)) is not None
    assert parse_announcement(txt_of(good | changes)) is None


def test_t10_hostile_labels_and_bytes() -> None:
    """T10: a label is shown as a question mark; noise and giants are nothing."""
    good = good_entries()
    for label in ("\x1b]52;c;aGk=\x07", "\u202ex", "x" * 33, "[@click=x]"):
        said = parse_announcement(txt_of(good | {"rules": label}))
        assert said is not None
        assert said.rules == "?"
    rng = random.Random(10)  # noqa: S311 - repeatable noise
    assert parse_announcement(txt_of(good) + entry(b"x" * 250) * 2) is None
    for _ in range(2000):
        bent = bytearray(txt_of(good))
        for _ in range(rng.randint(1, 5)):
            bent[rng.randrange(len(bent))] = rng.randrange(256)
        said = parse_announcement(bytes(bent[: rng.randrange(MAX_TXT)]))
        assert said is None or said.rules.isprintable()


def test_t10_ten_thousand_tables() -> None:
    """T10: at most 64 are kept, and a friend still finds his place among them."""
    friend = make_said("Friend")
    sightings = Sightings(lambda key: key == friend.fingerprint)
    for number in range(10_000):
        table = SeenTable(
            name=f"spoof {number}", said=make_said("X"), port=1, addresses=("10.0.0.1",)
        )
        sightings.hear(table, 0.0)
    assert len(sightings.tables) == MOST_TABLES
    mine = SeenTable(name="f", said=friend, port=1, addresses=("10.0.0.2",))
    assert sightings.hear(mine, 0.0)
    assert len(sightings.tables) == MOST_TABLES
    assert sightings.tables[0].said == friend
    sightings.forget(60.0)
    assert sightings.tables == ()


@fast
async def test_t10_without_the_library(monkeypatch: pytest.MonkeyPatch) -> None:
    """T10: where zeroconf is not installed a table opens all the same."""
    monkeypatch.setitem(sys.modules, "crapette_p2p.net.multicast", None)
    announcer = Announcer(make_said, 4747, binds=("127.0.0.1",))
    async with announced(announcer), browse(binds=("127.0.0.1",)) as tables:
        assert await tables.changed() == ()
        assert tables.problem is not None
        assert tables.problem.code == "no-discovery"
