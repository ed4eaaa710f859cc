"""The sample of rulings: one position, and its right answer in each preset."""

from __future__ import annotations

from typing import Any, Final

import pytest

from crapette_p2p.engine import Position, parse_action, refusal
from tests.helpers.boards import at, board, listed, played, result

PRESETS: Final = ("garibaldka", "russian-bank", "russian-bank-knock", "crapette")
REFUSED: Final = "refused"
LEGAL: Final = None
MISSED: Final = "missed-foundation"
RESERVE: Final = "reserve-first"
UNFILLED: Final = "unfilled-space"
KINGS: Final = "KS KH KD KC KS KH KD KC"
UP_H4_S4: Final = {"H": [4, 0], "S": [4, 0]}

Words = dict[str, Any]
Row = tuple[str, Words, str, tuple[str | None, ...]]

# What is ruled, the position, the action, and in each preset: legal, which
# offence, or refused.
ROWS: Final[list[Row]] = [
    (
        "an ace is not loaded on a king",
        {"a": "7S / 9S / AC /", "b": "7D / 4S / / KC"},
        "D-OW",
        (REFUSED,) * 4,
    ),
    (
        "a king is not loaded on an ace",
        {"a": "7S / 9S / KC /", "b": "7D / 4S / / AC"},
        "D-OW",
        (REFUSED,) * 4,
    ),
    (
        "a card that fits no foundation may be loaded",
        {"a": "7S / 9S / 2D /", "b": "5C AD / 4S / /"},
        "D-OR",
        (LEGAL,) * 4,
    ),
    (
        "a card that fits a foundation may not be loaded instead",
        {"a": "7S / 9S / 2D /", "b": "5C AD / 4S / /", "up": {"D": [1, 0]}},
        "D-OR",
        (MISSED, LEGAL, MISSED, MISSED),
    ),
    (
        "an ace goes up before it goes on a black two",
        {"columns": "2S KH KD KC QS QH QD QC", "a": "7S / 9S / AD /"},
        "D-1",
        (MISSED, LEGAL, MISSED, MISSED),
    ),
    (
        "of two fitting cards the reserve's goes first only in crapette",
        {
            "columns": "5S KH KD KC QS QH QD QC",
            "a": "7S 5H / 9S / /",
            "up": UP_H4_S4,
        },
        "1-F",
        (LEGAL, LEGAL, LEGAL, RESERVE),
    ),
    (
        "the turn's opening turn over a duty",
        {
            "columns": "KS KH KD AS QS QH QD QC",
            "opened": False,
        },
        "turn",
        (LEGAL, LEGAL, LEGAL, MISSED),
    ),
    (
        "a second turn while a column's new top fits",
        {"columns": "KS KH KD AS QS QH QD QC"},
        "turn",
        (MISSED, LEGAL, MISSED, MISSED),
    ),
    (
        "discarding a card that fits a foundation",
        {"a": "7S / 9S / 2D /", "up": {"D": [1, 0]}},
        "discard",
        (REFUSED, LEGAL, MISSED, MISSED),
    ),
    (
        "turning with a space and a reserve",
        {"columns": ". KH KD KC QS QH QD QC"},
        "turn",
        (LEGAL, LEGAL, LEGAL, UNFILLED),
    ),
    (
        "the drawn card into a space",
        {"columns": ". KH KD KC QS QH QD QC", "a": "7S / 9S / 9D /"},
        "D-1",
        (LEGAL,) * 4,
    ),
    (
        "a column's top into a space",
        {"columns": ". KH,QS KD KC JS QH QD QC"},
        "2-1",
        (REFUSED, LEGAL, LEGAL, LEGAL),
    ),
    (
        "turning with a space and no reserve",
        {"columns": ". KH KD KC QS QH QD QC", "a": "/ 9S / /"},
        "turn",
        (LEGAL,) * 4,
    ),
    (
        "turning with two spaces and one reserve card",
        {"columns": ". KH . KC QS QH QD QC", "a": "7S / 9S / /"},
        "turn",
        (LEGAL, LEGAL, LEGAL, UNFILLED),
    ),
    (
        "turning after the last reserve card lies in one of two spaces",
        {"columns": "7S KH . KC QS QH QD QC", "a": "/ 9S / /"},
        "turn",
        (LEGAL,) * 4,
    ),
    (
        "passing with nothing left but a reserve",
        {"a": "7S / / /"},
        "pass",
        (LEGAL,) * 4,
    ),
    (
        "passing while a foundation play stands",
        {"a": "7S 5H / / /", "up": UP_H4_S4},
        "pass",
        (REFUSED, LEGAL, MISSED, RESERVE),
    ),
    (
        "passing while a space could be filled",
        {"columns": ". KH KD KC QS QH QD QC", "a": "7S / / /"},
        "pass",
        (LEGAL,) * 4,
    ),
    (
        "the own waste's top is not available and no duty",
        {"a": "7S / 9S / / 5H", "up": UP_H4_S4},
        "turn",
        (LEGAL,) * 4,
    ),
    (
        "nor can it be played",
        {"a": "7S / 9S / / 5H", "up": UP_H4_S4},
        "W-F",
        (REFUSED,) * 4,
    ),
    (
        "only the opponent's reserve fits: no duty of mine",
        {"b": "7C 5H / 4S / /", "up": UP_H4_S4},
        "turn",
        (LEGAL,) * 4,
    ),
]


def _board(preset: str, words: Words) -> Position:
    return board(preset, **words)


@pytest.mark.parametrize("place", range(4), ids=PRESETS)
@pytest.mark.parametrize("row", ROWS, ids=lambda row: str(row[0]).replace(" ", "-"))
def test_ruling(row: Row, place: int) -> None:
    """Legal, an offence of that code, or refused: as the rules say by preset."""
    _, words, text, answers = row
    position = _board(PRESETS[place], words)
    actions = listed(position)
    assert actions.get(text, REFUSED) == answers[place]


def _each(words: Words, *texts: str) -> list[Position]:
    return [played(_board(preset, words), *texts) for preset in PRESETS]


def test_a_stock_that_is_empty_recycles_ten() -> None:
    """Stock empty, ten in the waste, nothing drawn: ``turn`` turns the oldest up."""
    waste = "2S 9D 4H JC TC 3H 8D 6C QD 5S"
    for after in _each({"columns": KINGS, "a": f"/ / / {waste}"}, "turn"):
        assert at(after, "A.drawn") == "2S"
        assert at(after, "A.stock") == waste.split()[:0:-1]
        assert at(after, "A.waste") == []


def test_a_discard_recycles_nothing() -> None:
    """The eleventh card lies on the waste, where the opponent may still load."""
    waste = "2S 9D 4H JC TC 3H 8D 6C QD 5S"
    for after in _each({"columns": KINGS, "a": f"7S / / 7D / {waste}"}, "discard"):
        assert at(after, "A.stock") == []
        assert at(after, "A.waste") == [*waste.split(), "7D"]
        assert at(after, "to_move") == "B"


@pytest.mark.parametrize(
    ("a", "text"), [("/ / JS /", "D-6"), ("JS / / /", "R-6"), ("/ / AC /", "D-F")]
)
def test_the_last_personal_card_wins(a: str, text: str) -> None:
    """At once, and provisionally where there are calls."""
    results = [result(after) for after in _each({"a": a}, text)]
    assert results == ["A", "A", "A?", "A?"]


def test_the_last_card_as_a_load_wins() -> None:
    """A load takes the card away like any other play."""
    words = {"a": "/ / 6C /", "b": "7C / 4S / /"}
    results = [result(after) for after in _each(words, "D-OR")]
    assert results == ["A", "A", "A?", "A?"]


def test_a_discard_of_the_last_card_wins_nothing() -> None:
    """The waste then holds it."""
    words = {"columns": KINGS, "a": "/ / JS /"}
    assert [result(after) for after in _each(words, "discard")] == [None] * 4


def test_a_winning_offence() -> None:
    """Undone, won, or provisional: as offences go in each preset."""
    words = {"columns": "AS KH KD KC QS QH QD QC", "a": "/ / JS /"}
    results = [result(after) for after in _each(words, "D-6")]
    assert results == [None, "A", "A?", "A?"]


def test_the_only_personal_card_is_a_fitting_reserve_top() -> None:
    """A column card is moved instead: undone, or Stop makes the offender win."""
    words = {"a": "5H / / /", "up": UP_H4_S4}
    garibaldka = played(_board("garibaldka", words), "5-2")
    assert at(garibaldka, "A.reserve") == ["5H"]
    assert at(garibaldka, "to_move") == "B"
    for preset in ("russian-bank-knock", "crapette"):
        after = played(_board(preset, words), "5-2", "stop R-F")
        assert result(after) == "A"


def test_a_stop_after_the_callers_first_action_is_too_late() -> None:
    """In both presets with calls; in the others there is nothing to call."""
    words = {"columns": "KS KH KD AS QS QH QD QC", "a": "7S / 9S / JC /"}
    codes = []
    for preset in PRESETS:
        if preset == "garibaldka":
            position = _board(preset, words | {"columns": KINGS})
        else:
            position = _board(preset, words)
        after = played(position, "discard", "turn")
        codes.append(refusal(after, 1, parse_action("B:stop 4-F", after)[1]))
    assert codes == ["no-calls", "no-calls", "nothing-to-call", "nothing-to-call"]


def test_stop_after_a_load_on_the_callers_piles() -> None:
    """The loaded card goes back where it came from, from reserve and waste."""
    words = {"columns": "KS KH KD AS 6C QH QD QC", "b": "7C / 4S / / 5C"}
    for text, pile, back in (("5-OR", "reserve", ["7C"]), ("5-OW", "waste", ["5C"])):
        loaded = played(_board("crapette", words), text)
        assert at(loaded, f"B.{pile}") == [*back, "6C"]
        after = played(loaded, "stop 4-F")
        assert at(after, f"B.{pile}") == back
        assert at(after, "tableau.4") == ["6C"]


def test_stop_when_the_missed_card_has_been_covered_since() -> None:
    """What lies on the missed card now does not matter: that is undone."""
    words = {"columns": "KS KH KD 2S QS QH QD AH", "up": {"S": [1, 0]}}
    covered = played(_board("crapette", words), "8-4")
    assert at(covered, "tableau.3") == ["2S", "AH"]
    after = played(covered, "stop 4-F")
    assert at(after, "foundations.S") == [2, 0]
    assert at(after, "tableau.7") == ["AH"]
