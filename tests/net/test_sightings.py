"""The list of tables: bounded, in order, and quick to forget."""

from __future__ import annotations

from crapette_p2p.net.announcement import Announcement
from crapette_p2p.net.sightings import (
    ASK_SECONDS,
    FORGET_SECONDS,
    MOST_ADDRESSES,
    MOST_TABLES,
    MOURNING_SECONDS,
    SeenTable,
    Sightings,
)

FRIEND = b"friend's k"


def table(
    name: str = "t", nick: str = "Ala", *, key: bytes = bytes(10), is_open: bool = True
) -> SeenTable:
    """A table as it was announced."""
    said = Announcement(fingerprint=key, nick=nick, rules="crapette", is_open=is_open)
    return SeenTable(name=name, said=said, port=4747, addresses=("10.0.0.1",))


def names(seen: Sightings) -> list[str]:
    """The nicks on the list, in its order."""
    return [found.said.nick for found in seen.tables]


def test_a_table_comes_and_goes() -> None:
    """Heard: on the list; heard again: no news; goodbye: off the list."""
    seen = Sightings()
    assert seen.hear(table(), 1.0)
    assert not seen.hear(table(), 2.0)
    assert seen.tables[0].since == 1.0
    assert seen.hear(table(is_open=False), 3.0)
    assert seen.part("T", 3.0)
    assert not seen.part("t", 3.0)
    assert seen.tables == ()


def test_an_answer_on_its_way_does_not_bring_it_back() -> None:
    """After a goodbye a late answer is ignored, a later one is not."""
    seen = Sightings()
    seen.hear(table(), 0.0)
    seen.part("t", 1.0)
    assert not seen.hear(table(), 1.1)
    assert seen.hear(table(), 1.0 + MOURNING_SECONDS)


def test_a_killed_table_is_gone_within_ten_seconds() -> None:
    """Not heard of for seven seconds is gone, at the latest a question later."""
    seen = Sightings()
    seen.hear(table(), 0.0)
    assert not seen.forget(FORGET_SECONDS - 0.1)
    assert seen.forget(FORGET_SECONDS)
    assert FORGET_SECONDS + ASK_SECONDS < 10.0


def test_several_lost_answers_change_nothing() -> None:
    """Three questions in a row may be lost, as on a bad Wi-Fi."""
    assert FORGET_SECONDS > 4 * ASK_SECONDS


def test_order_of_the_list() -> None:
    """Friends first, then free seats, then by name."""
    seen = Sightings(lambda key: key == FRIEND)
    seen.hear(table("1", "Zoe"), 0.0)
    seen.hear(table("2", "bob"), 0.0)
    seen.hear(table("3", "Ada", is_open=False), 0.0)
    seen.hear(table("4", "Olek", key=FRIEND, is_open=False), 0.0)
    assert names(seen) == ["Olek", "bob", "Zoe", "Ada"]


def test_ten_thousand_announcements_stay_bounded() -> None:
    """A flood fills the list and no more; a friend still gets in."""
    seen = Sightings(lambda key: key == FRIEND)
    for number in range(10_000):
        seen.hear(table(f"spoof {number}", "Eve"), 0.0)
    assert len(seen.tables) == MOST_TABLES
    assert seen.hear(table("friend", "Olek", key=FRIEND), 0.0)
    assert len(seen.tables) == MOST_TABLES
    assert names(seen)[0] == "Olek"


def test_friends_do_not_push_each_other_out() -> None:
    """A list full of friends takes nobody else."""
    seen = Sightings(lambda _: True)
    for number in range(MOST_TABLES + 5):
        seen.hear(table(f"{number}", "Olek", key=FRIEND), 0.0)
    assert len(seen.tables) == MOST_TABLES


def test_addresses_are_bounded() -> None:
    """Of a thousand addresses the first few are kept."""
    seen = Sightings()
    many = tuple(f"10.0.{n // 250}.{n % 250}" for n in range(1000))
    said = Announcement(fingerprint=bytes(10), nick="Ala", rules="x")
    seen.hear(SeenTable(name="t", said=said, port=1, addresses=many), 0.0)
    assert seen.tables[0].addresses == many[:MOST_ADDRESSES]


def test_another_network_begins_with_an_empty_list() -> None:
    """What was seen through adapters that are gone is forgotten."""
    seen = Sightings()
    seen.hear(table(), 0.0)
    seen.clear()
    assert seen.tables == ()
