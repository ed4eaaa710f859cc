"""What a table says about itself: read strictly, shown harmlessly."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crapette_p2p.net.announcement import (
    MAX_TXT,
    Announcement,
    parse_announcement,
    shown_label,
)
from crapette_p2p.session.keys import format_fingerprint
from tests.net.spoofing import txt_of

KEY = bytes(range(10))
SAID = Announcement(fingerprint=KEY, nick="Ala", rules="crapette")
GOOD: dict[str, str | bytes] = {
    "v": "1",
    "fp": format_fingerprint(KEY),
    "nick": "Ala",
    "rules": "crapette",
    "open": "1",
}


def test_entries_there_and_back() -> None:
    """What is announced is read as it was meant, and is what the spec names."""
    assert SAID.entries() == GOOD
    assert parse_announcement(txt_of(dict(SAID.entries()))) == SAID


@pytest.mark.parametrize(
    "nick",
    [
        "\x1b]52;c;aGk=\x07",
        "\x1b[2J",
        "a\x9bb",
        "",
        " ",
        "a\u202eb",
        "a\u200bb",
        "x" * 21,
        "a" + "\u0301" * 3,
        "../..",
        "[@click=x]",
        b"\xff\xfe",
        "a\nb",
    ],
)
def test_a_name_no_player_could_have(nick: str | bytes) -> None:
    """Escape sequences, bidi, marks and paths in a name: no table of ours."""
    entries = {**GOOD, "nick": nick}
    assert parse_announcement(txt_of(entries)) is None


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("fp", "not a key"),
        ("fp", ""),
        ("fp", "0" * 17),
        ("v", "one"),
        ("v", "0"),
        ("v", "-1"),
        ("v", "1234"),
        ("v", "\u0663"),
        ("v", ""),
    ],
)
def test_damaged_entries(key: str, value: str) -> None:
    """Without a whole fingerprint and a version there is no table."""
    assert parse_announcement(txt_of({**GOOD, key: value})) is None


def test_missing_entries() -> None:
    """Name, key and version are needed; a seat counts as free unless said taken."""
    for key in ("v", "fp", "nick"):
        rest = {name: value for name, value in GOOD.items() if name != key}
        assert parse_announcement(txt_of(rest)) is None
    short = parse_announcement(txt_of({k: GOOD[k] for k in ("v", "fp", "nick")}))
    assert short is not None
    assert (short.is_open, short.rules) == (True, "?")


def test_other_versions_and_taken_seats() -> None:
    """A table of a later version is seen for what it is."""
    seen = parse_announcement(txt_of({**GOOD, "v": "2", "open": "0"}))
    assert seen is not None
    assert (seen.version, seen.is_open) == (2, False)


def test_the_first_of_two_entries_counts() -> None:
    """A second entry of one key changes nothing, nor does its case."""
    both = txt_of(GOOD) + txt_of({"NICK": "Eve"})
    assert parse_announcement(both) == SAID
    assert parse_announcement(txt_of({k.upper(): v for k, v in GOOD.items()})) == SAID


def test_too_much_is_nothing() -> None:
    """A record far longer than ours is not taken apart."""
    assert parse_announcement(txt_of(GOOD) + b"\0" * MAX_TXT) is None


@pytest.mark.parametrize(
    ("label", "shown"),
    [
        ("russian-bank", "russian-bank"),
        ("house rules (1)", "house rules (1)"),
        ("a\x1b[2J", "?"),
        ("a\u202eb", "?"),
        ("", "?"),
        ("x" * 33, "?"),
        ("<b>", "?"),
        ("\u3164", "?"),
        ("crapette\uffa0", "?"),
        (" ", "?"),
    ],
)
def test_labels_are_made_harmless(label: str, shown: str) -> None:
    """A label that cannot be shown to everybody is a question mark."""
    assert shown_label(label) == shown


@given(st.binary(max_size=MAX_TXT + 10))
def test_any_bytes_are_read_or_left(data: bytes) -> None:
    """No bytes raise, and what is read can be shown."""
    seen = parse_announcement(data)
    assert seen is None or (seen.nick + seen.rules).isprintable()
