"""Lines being typed, and the palette that is typed into."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crapette_p2p.ui.faces import Theme, card_name, parse_screen_card
from crapette_p2p.ui.input.editing import LONGEST, Line, line_of
from crapette_p2p.ui.input.palette import (
    COMMANDS,
    Order,
    commands_at,
    matches,
    parse_order,
)
from crapette_p2p.ui.language import ENGLISH, Words

KEYS = ["a", "ж", " ", "left", "right", "home", "end", "backspace", "delete"]
KEYS += ["c-a", "c-e", "c-u", "c-k", "c-w", "c-b", "c-f", "c-d", "up", "f5"]


def typed(keys: list[str]) -> Line:
    """The line after some keys."""
    line = Line()
    for key in keys:
        line = line.edited(key) or line
    return line


def test_the_usual_keys_edit() -> None:
    """Insert in the middle, delete both ways, whole words, to the ends."""
    assert typed([*"ab", "left", "X"]) == Line("aXb", 2)
    assert typed([*"ab", "backspace", "c"]) == Line("ac", 2)
    assert typed([*"ab", "home", "delete"]) == Line("b", 0)
    assert typed([*"one two ", "c-w"]) == Line("one ", 4)
    assert typed([*"one two", "home", "c-k"]) == Line("", 0)
    assert typed([*"one", "c-u", "x"]) == Line("x", 1)
    assert Line("a").edited("f5") is None


@given(st.lists(st.sampled_from(KEYS), max_size=40))
def test_the_cursor_stays_in_the_text(keys: list[str]) -> None:
    """Whatever is typed."""
    line = typed(keys)
    assert 0 <= line.cursor <= len(line.text)


def test_pasting_is_one_clean_line_with_an_end() -> None:
    """Line breaks become blanks, control characters go, a book is cut."""
    assert line_of("").insert("a\nb\x1b[31m") == Line("a b[31m", 7)
    assert len(line_of("").insert("x" * 100_000).text) == LONGEST


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("theme mono", Order("theme", "mono")),
        ("res", Order("resign")),
        ("four-color on", Order("four-color", "on")),
        ("QUIT", Order("quit")),
    ],
)
def test_a_beginning_that_fits_one_command_is_enough(text: str, order: Order) -> None:
    """Capitals do not matter."""
    assert parse_order(text, "table") == order


def test_an_unknown_word_names_the_nearest_three() -> None:
    """Without a traceback, and only what can be said here."""
    near = parse_order("resing", "table")
    assert isinstance(near, tuple)
    assert near[0] == "resign"
    assert len(near) == 3
    assert isinstance(parse_order("flip", "table"), tuple)
    assert parse_order("flip", "replay") == Order("flip")


def test_any_letters_in_order_find_a_command() -> None:
    """Prefixes first; after a blank its values are offered."""
    assert matches("th", "table", ENGLISH)[0].key == "theme"
    assert "four-color" in [choice.key for choice in matches("fcol", "table", ENGLISH)]
    assert [c.key for c in matches("suits l", "table", ENGLISH)] == ["suits letters"]
    assert len(matches("", "table", ENGLISH)) == len(commands_at("table"))


def test_an_empty_palette_begins_with_what_is_wanted_most() -> None:
    """The table's own order, which is not that of the shortest words."""
    names = [choice.key for choice in matches("", "table", ENGLISH)]
    assert names == [c.name for c in COMMANDS if c.where not in {"replay", "menu"}]
    assert names[0] == "draw"


@given(st.text(max_size=30), st.sampled_from(["table", "replay", "menu"]))
def test_no_line_breaks_the_palette(text: str, where: str) -> None:
    """Anything typed is an order, or names what is near."""
    parse_order(text, where)
    matches(text, where, ENGLISH)


@pytest.mark.parametrize(
    ("text", "lang", "face"),
    [
        ("7h", "en", 45),
        ("10♥", "en", 48),
        ("TH", "en", 48),
        ("Dh", "pl", 50),
        ("qh", "pl", 50),
        ("Тh", "ru", 39),
        ("10d", "ru", 22),
        ("xx", "en", None),
        ("", "en", None),
        ("h", "en", None),
    ],
)
def test_a_card_is_typed_in_the_screens_letters_or_in_english(
    text: str, lang: str, face: int | None
) -> None:
    """Local faces, A K Q J T, and 10."""
    assert parse_screen_card(text, Theme(words=Words(lang))) == face


def test_cards_have_names() -> None:
    """For the pile that is looked at, and for the ear."""
    assert card_name(45) == "seven of hearts"
    assert card_name(255) == "a face-down card"
