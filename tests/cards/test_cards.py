"""Cards as ints and as text."""

from __future__ import annotations

import pytest

from crapette_p2p.cards import (
    CARD_NAMES,
    UNKNOWN,
    card,
    format_card,
    is_red,
    parse_card,
    rank_of,
    shown,
    suit_of,
)
from crapette_p2p.errors import NotationError


def test_codes_follow_the_protocol() -> None:
    """A card is suit * 13 + rank - 1, suits clubs, diamonds, spades, hearts."""
    assert [format_card(code) for code in (0, 12, 13, 26, 39, 51)] == [
        "AC",
        "KC",
        "AD",
        "AS",
        "AH",
        "KH",
    ]


def test_rank_suit_and_colour_of_every_card() -> None:
    """Rank and suit give the code back, and the lowest suit bit is the colour."""
    for code in range(52):
        assert card(rank_of(code), suit_of(code)) == code
        assert is_red(code) == (CARD_NAMES[code][1] in "DH")


def test_every_card_goes_to_text_and_back() -> None:
    """The two characters of a card name exactly that card."""
    assert len(set(CARD_NAMES)) == 52
    for code in range(52):
        assert parse_card(format_card(code)) == code
    assert format_card(UNKNOWN) == "??"


@pytest.mark.parametrize("text", ["TH", "th", "10H", "10h", "10♥", " tH ", "T♥"])
def test_the_ten_may_be_written_several_ways(text: str) -> None:
    """Case, ``10`` for ``T`` and suit glyphs do not matter."""
    assert format_card(parse_card(text)) == "TH"


@pytest.mark.parametrize(
    "text",
    ["", "H", "1H", "11H", "0S", "AX", "HA", "??", "A", "ASS", "7ſ", "７H", "10", "♥"],
)
def test_anything_else_is_no_card(text: str) -> None:
    """A refused card names its field and the offending token."""
    with pytest.raises(NotationError) as caught:
        parse_card(text, field="A.drawn")
    assert caught.value.field == "A.drawn"
    assert caught.value.token == text


def test_a_huge_token_is_cut() -> None:
    """A message never carries more of a foreign text than a line can hold."""
    with pytest.raises(NotationError) as caught:
        parse_card("A" * 10**6)
    assert len(str(caught.value)) < 100


def test_foreign_values_are_shown_printably() -> None:
    """Whatever comes in, a message about it is short and printable."""
    assert shown("7H") == "7H"
    assert shown("a\nb\ud800") == "a\\nb\\ud800"
    assert shown(None) == "None"
    assert shown(True) == "True"
    assert shown(7) == "7"
    assert shown(10**5000) == "(int)"
    assert shown([[[]]]) == "(list)"
