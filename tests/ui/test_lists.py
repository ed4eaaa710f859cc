"""The lists of the menu: games with what became of them, tables with their age."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

import pytest

from crapette_p2p.net.announcement import Announcement
from crapette_p2p.net.discovery import Tables
from crapette_p2p.net.peers import KnownPeer
from crapette_p2p.net.sightings import SeenTable
from crapette_p2p.session.keys import fingerprint
from crapette_p2p.ui.app import Shell
from crapette_p2p.ui.catalogues import words_of
from crapette_p2p.ui.desk import Desk
from crapette_p2p.ui.lan_flow import Looking
from crapette_p2p.ui.language import ENGLISH
from crapette_p2p.ui.outcomes import ago_text, outcome_text
from crapette_p2p.ui.render import render
from crapette_p2p.ui.screens.menu import Item, Menu
from tests.cli.test_stats import OLEK, game


class Place:
    """As much of a shell as the list needs."""

    now = 125.0
    desk = Desk()


@pytest.mark.parametrize(
    ("result", "status", "english", "german"),
    [
        ((0, 0, 61), "finished", "won", "gewonnen"),
        ((1, 0, 61), "finished", "lost", "verloren"),
        ((None, 2, 0), "finished", "a draw", "unentschieden"),
        ((0, 0, 61), "open", "won, unsigned", "gewonnen, ohne Unterschrift"),
        ((1, 0, 61), "open", "lost, unsigned", "verloren, ohne Unterschrift"),
        ((None, 2, 0), "open", "a draw, unsigned", "unentschieden, ohne Unterschrift"),
        (None, "open", "open", "offen"),
        (None, "damaged", "damaged", "beschädigt"),
    ],
)
def test_the_outcome_of_a_game_is_said_in_words(
    result: tuple[object, ...] | None, status: str, english: str, german: str
) -> None:
    """As the owner sees it, in the language of the menu."""
    kept = replace(game(OLEK, "Olek", result), status=status)
    assert outcome_text(kept, ENGLISH) == english
    assert outcome_text(kept, words_of("de")) == german


def test_an_abandoned_game_says_so() -> None:
    """It can still be gone on with, but the note stands there."""
    kept = replace(game(OLEK, "Olek", None), abandoned=True)
    assert outcome_text(kept, ENGLISH) == "abandoned"


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        (-5, "just now"),
        (59, "just now"),
        (60, "1 minute ago"),
        (12 * 60, "12 minutes ago"),
        (90 * 60, "1 hour ago"),
        (47 * 3600, "47 hours ago"),
        (72 * 3600, "3 days ago"),
    ],
)
def test_how_long_ago_something_was(seconds: float, said: str) -> None:
    """In the largest unit that says enough; a clock that was set back is no riddle."""
    assert ago_text(seconds, ENGLISH) == said


def seen(*, version: int = 1) -> SeenTable:
    """A table of Olek's, seen two minutes ago for the first time."""
    said = Announcement(
        fingerprint=fingerprint(OLEK), nick="Olek", rules="crapette", version=version
    )
    return SeenTable(
        name="x", said=said, port=4747, addresses=("192.168.1.20",), since=5.0
    )


def looking(friend: KnownPeer | None) -> Looking:
    """The list of somebody who knows Olek, or does not."""
    place, tables = cast("Shell", Place()), cast("Tables", None)
    return Looking(place, tables, lambda _code: friend)


def test_a_strangers_table_says_so_and_how_long_it_is_seen() -> None:
    """Name, rules, address, seat, key, age."""
    item = looking(None)._item(seen())
    assert item.label == "Olek"
    assert item.detail.startswith("crapette · 192.168.1.20 · free · a stranger · ")
    assert item.detail.endswith(" · seen for 02:00")


def test_a_friends_table_has_our_name_and_since_when_we_know_it() -> None:
    """The petname, not what the announcement says."""
    friend = KnownPeer(key=OLEK, petname="Cousin", first_seen=1_700_000_000)
    item = looking(friend)._item(seen())
    assert item.label == "Cousin"
    assert "known since 2023-11-1" in item.detail
    assert "✓" in item.detail


def test_a_friends_table_is_listed_with_a_day_that_somebody_has_edited() -> None:
    """A number that is no date in the book of friends does not end the program."""
    friend = KnownPeer(key=OLEK, petname="Cousin", first_seen=10**18)
    assert "known since ?" in looking(friend)._item(seen()).detail
    edited = replace(game(OLEK, "Olek", None), modified=1e20)
    assert edited.date == "?"


def test_a_table_of_another_version_says_which() -> None:
    """Before anybody has dialled it in vain."""
    item = looking(None)._item(seen(version=2))
    assert "speaks crapette/2, you do not" in item.detail


def shown(menu: Menu, rows: int = 18) -> list[str]:
    """The menu at 60 columns."""
    menu.size = (60, rows)
    view = menu.view(0.0)
    return render(view, 60, rows, menu.desk.theme).text()


LONG = "what there is to say about it goes on for more than one row of these"


def test_a_long_detail_hangs_below_itself() -> None:
    """Its further rows begin where it began."""
    menu = Menu(Desk(), "t", [Item("a", "Label", LONG, "a")])
    first, second = (row for row in shown(menu) if "what there" in row or "more" in row)
    assert second[: first.index("what")].strip() == ""
    assert second[first.index("what")] != " "


def test_a_menu_that_gets_too_long_tells_about_the_marked_line_only() -> None:
    """Every line stays in reach, and the marked one in sight with all it says."""
    items = [Item(str(n), f"Label {n}", LONG, str(n)) for n in range(9)]
    menu = Menu(Desk(), "t", items)
    rows = shown(menu)
    assert all(any(f"Label {n}" in row for row in rows) for n in range(9))
    assert sum("what there is" in row for row in rows) == 1
    many = Menu(Desk(), "t", [*items, *items, *items])
    for _ in range(26):
        many.key("down", 0.0)
        rows = shown(many)
        assert any("►" in row for row in rows)
        assert "row of these" in " ".join(" ".join(rows).split())


def test_a_list_without_keys_of_its_own_keeps_no_room_for_them() -> None:
    """A game with a long name and a long state stands in one row of 80 columns."""
    detail = "russian-bank-knock · turn 12 · open · 2026-11-30 12:08"
    menu = Menu(Desk(), "t", [Item("0", "root – novice bot", detail)])
    assert any(
        line.rstrip().endswith("12:08") and "root" in line
        for line in menu.draw(80, 24, 0.0).text()
    )


@pytest.mark.parametrize("letter", ["x", "界"])
@pytest.mark.parametrize(
    ("cols", "second", "detail"),
    [
        (80, True, "russian-bank-knock · turn 112 · 2026-11-30"),
        (60, False, "crapette · lost · 2026-11-30"),
    ],
)
def test_long_names_leave_the_rest_of_a_game_its_row(
    letter: str, cols: int, *, second: bool, detail: str
) -> None:
    """Of two that do not fit the longer is cut first, both if they are alike."""
    wide = letter * 12 if letter == "界" else letter * 20
    other = wide if second else "Ala"
    menu = Menu(Desk(), "Replays", [Item("0", f"{wide} – {other}", detail)])
    rows = [row for row in menu.draw(cols, 24, 0.0).text() if letter in row]
    assert len(rows) == 1
    assert rows[0].rstrip().endswith(detail)
    names = rows[0].split(" – ")
    assert letter * 4 in names[0]
    assert (letter * 4 if second else "Ala ") in names[1]
