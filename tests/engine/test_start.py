"""The start of a deal: the lay-out, and who begins."""

from __future__ import annotations

import pytest

from crapette_p2p.cards import UNKNOWN, parse_card
from crapette_p2p.engine import PRESETS, RuleSet, parse_rules, start
from crapette_p2p.errors import NotationError


def _faces(a: str, b: str, size: int = 13) -> bytes:
    """The lay-out: reserve top, then the four columns in deal order."""
    faces = bytearray([UNKNOWN] * 104)
    for deck, text in ((0, a), (52, b)):
        for offset, token in enumerate(text.split()):
            faces[deck + size - 1 + offset] = parse_card(token)
    return bytes(faces)


def _starter(rules: RuleSet, a: str, b: str, lot: int = 0) -> str:
    return "AB"[start(rules, _faces(a, b), lot=lot).active]


@pytest.mark.parametrize("size", [11, 12, 13])
def test_the_layout_of_a_deal(size: int) -> None:
    """Reserve, columns and stock take the deck's positions in the order dealt."""
    rules = parse_rules({"preset": "crapette", "reserve_size": size})
    faces = _faces("5H 7S 8S 9S TS", "6H 7C 8C 9C TC", size)
    position = start(rules, faces, lot=0)
    for seat in (0, 1):
        deck = 52 * seat
        assert position.piles[16 + seat] == bytes(range(deck, deck + size))
        columns = [position.piles[4 * seat + column] for column in range(4)]
        assert columns == [bytes([deck + size + i]) for i in range(4)]
        stock = position.piles[18 + seat]
        assert stock == bytes(range(deck + 51, deck + size + 3, -1))
        assert len(stock) == 48 - size
        assert position.personal(seat) == 48
    assert sorted(slot for pile in position.piles for slot in pile) == list(range(104))
    assert position.unopened() is None
    assert position.acts == 0
    assert position.callable is None
    assert position.counters.limit == 2 * (48 - size) + 2
    assert position.counters.min_personal == 96


@pytest.mark.parametrize("preset", sorted(PRESETS))
def test_the_reserve_tops_decide_first(preset: str) -> None:
    """The higher or the lower reserve top starts, ace low, whatever the columns."""
    rules = PRESETS[preset]
    a, b = "2H 3S 3D 3H 3C", "AH KS KD KH KC"
    higher_starts = rules.starter == "higher"
    assert _starter(rules, a, b, lot=1) == ("A" if higher_starts else "B")
    assert _starter(rules, b, a, lot=0) == ("B" if higher_starts else "A")


def test_an_ace_may_be_high_for_the_start() -> None:
    """With ``ace_high_for_start`` an ace beats a king in choosing the starter."""
    rules = parse_rules({"preset": "garibaldka", "ace_high_for_start": True})
    a, b = "AH 3S 3D 3H 3C", "KH 3S 3D 3H 3C"
    assert _starter(rules, a, b) == "A"
    assert _starter(PRESETS["garibaldka"], a, b) == "B"
    rules = parse_rules({"preset": "crapette", "ace_high_for_start": True})
    assert _starter(rules, "5H 3S 3D 3H AC", "5C 3S 3D 3H KC") == "B"


def test_ties_go_to_the_columns_in_deal_order_then_to_the_suit() -> None:
    """``columns-then-suit``: first column to last, S > H > D > C, then the lot."""
    rules = PRESETS["garibaldka"]
    assert _starter(rules, "5H 9S 2D 3H 4C", "5S 8S KD KH KC") == "A"
    assert _starter(rules, "5H 9S 2D 3H 4C", "5S 9C 2H 3C 5D") == "B"
    tied = "9S 2D 3H 4C"
    order = ["5S", "5H", "5D", "5C"]
    for place, better in enumerate(order):
        for worse in order[place + 1 :]:
            assert _starter(rules, f"{better} {tied}", f"{worse} {tied}", 1) == "A"
            assert _starter(rules, f"{worse} {tied}", f"{better} {tied}", 0) == "B"
    assert _starter(rules, f"5S {tied}", f"5S {tied}", 0) == "A"
    assert _starter(rules, f"5S {tied}", f"5S {tied}", 1) == "B"


def test_ties_go_to_the_columns_from_the_last_dealt() -> None:
    """``columns-reversed``: last to first, the lower one, no suits, then the lot."""
    rules = PRESETS["crapette"]
    assert _starter(rules, "5H 9S 2D 3H 4C", "5C AS AD AH 5D") == "A"
    assert _starter(rules, "5H 9S 2D 3H 4C", "5C KS KD 2H 4D") == "B"
    tied = "9S 2D 3H 4C"
    for lot in (0, 1):
        for suit in "SHDC":
            assert _starter(rules, f"5H {tied}", f"5{suit} {tied}", lot) == "AB"[lot]


def test_faces_that_are_no_layout_are_refused() -> None:
    """All ten cards of the lay-out have to be known, and be cards."""
    rules = PRESETS["crapette"]
    good = _faces("5H 7S 8S 9S TS", "6H 7C 8C 9C TC")
    for faces in (good[:-1], b"", good[:12] + b"\xff" + good[13:], b"\x34" + good[1:]):
        with pytest.raises(NotationError):
            start(rules, faces, lot=0)
