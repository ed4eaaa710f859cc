"""Positions as JSON: read, written, and everything that is refused."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest

from crapette_p2p.cards import UNKNOWN
from crapette_p2p.engine import (
    End,
    EndReason,
    Seat,
    parse_position,
    position_to_json,
)
from crapette_p2p.errors import NotationError
from tests.helpers.boards import at, board, board_json, played, result

EXAMPLE: dict[str, Any] = {
    "format": "crapette-position/1",
    "rules": "crapette",
    "to_move": "A",
    "turn_opened": True,
    "tableau": [["KH", "QS"], ["5D"], [], ["9C"], ["2H"], ["JD"], ["8S"], ["AC"]],
    "foundations": {"S": [3, 0], "H": [0, 0], "D": [1, 0], "C": [0, 0]},
    "A": {
        "reserve": ["??", "??", "5H"],
        "stock": 30,
        "drawn": "7C",
        "waste": ["QD", "3C"],
    },
    "B": {
        "reserve": ["??", "TS"],
        "stock": ["??", "4D"],
        "drawn": None,
        "waste": [],
    },
}


def _changed(path: str, value: object) -> dict[str, Any]:
    obj: dict[str, Any] = copy.deepcopy(EXAMPLE)
    *keys, last = path.split(".")
    place: Any = obj
    for key in keys:
        place = place[int(key)] if isinstance(place, list) else place[key]
    place[int(last) if isinstance(place, list) else last] = value
    return obj


def test_the_example_is_read() -> None:
    """Every pile of the page's example is where it belongs."""
    position = parse_position(EXAMPLE)
    assert position.active == 0
    assert position.acts == 1
    assert len(position.piles[18]) == 30
    assert position.top(16) == 39 + 4
    assert position.top(20) == 6
    assert position.top(22) == 2
    assert position.top(19) == 13 + 3
    assert position.top(2) == -1
    assert [len(pile) for pile in position.piles[8:16]] == [0, 0, 1, 0, 3, 0, 0, 0]
    assert position.top(12) == 26 + 2
    slots = [slot for pile in position.piles for slot in pile]
    assert sorted(slots) == list(range(len(slots)))


def test_what_is_written_is_read_back() -> None:
    """JSON to position to JSON is the same JSON, and a fixed point after that."""
    once = position_to_json(parse_position(EXAMPLE))
    assert {key: once[key] for key in EXAMPLE} == EXAMPLE
    again = position_to_json(parse_position(json.loads(json.dumps(once))))
    assert again == once


def test_every_counter_goes_there_and_back() -> None:
    """Output holds all counters; read back they are the same position."""
    position = board(columns="7D KH KD AS QS QH QD QC", a="7S / 9S 3D / JC /")
    position = played(position, "5-2", "stop 1-F", "offer-draw B", "discard")
    again = parse_position(position_to_json(position))
    for name in ("counters", "calls", "callable", "last_actor", "offer", "offered"):
        assert getattr(again, name) == getattr(position, name), name
    assert again.active == position.active
    assert again.acts == position.acts


def test_ends_go_there_and_back() -> None:
    """A provisional end waits for its grant after a journey through JSON."""
    won = played(board(a="/ / JS /"), "D-6")
    again = parse_position(position_to_json(won))
    assert again.end == won.end
    assert result(played(again, "grant")) == "A"
    limit = {"winner": None, "reason": "limit", "provisional_by": "B", "points": 0}
    position = board(counters={"end": limit})
    assert position.end == End(None, EndReason.BLOCKED, Seat(1), 0, at_limit=True)
    assert at(position, "counters.end") == limit


def test_without_counters_they_start_afresh() -> None:
    """What is not given is counted from the position itself."""
    position = parse_position(EXAMPLE)
    assert position.counters.idle == 0
    assert position.counters.limit == 2 * 33 + 2
    assert position.counters.min_personal == 36 + 4
    assert position.callable == 0
    assert position.last_actor == 0
    closed = parse_position(_changed("turn_opened", value=False) | {"A": EXAMPLE["B"]})
    assert closed.acts == 0
    assert closed.callable is None


def test_the_first_open_offence_is_written_and_not_read() -> None:
    """``offence`` is output only: the position before it is not in the file."""
    position = played(board(columns="7D KH KD AS QS QH QD QC"), "5-2", "turn")
    value = position_to_json(position)
    assert value["offence"] == {"code": "missed-foundation", "by": "A"}
    assert parse_position(value).offences == ()


def test_a_position_in_which_somebody_has_nothing_left_is_over() -> None:
    """Its player has won it, finally, unless the counters say otherwise."""
    position = board(a="/ / /", to_move="B", opened=False)
    assert result(position) == "A"
    assert result(board(b="/ / /", to_move="B")) == "B"
    assert result(board(a="/ / /", counters={"end": None})) is None


def test_a_wholly_unknown_stock_is_written_as_a_count() -> None:
    """An empty stock is a list, a partly known one too."""
    assert at(board(a="7S / 12 / /"), "A.stock") == 12
    assert at(board(a="7S / ?? ?? / /"), "A.stock") == 2
    assert at(board(a="7S / ?? 5H / /"), "A.stock") == ["??", "5H"]
    assert at(board(a="7S / / / JC"), "A.stock") == []
    assert at(board(a="7S / 0 / / JC"), "A.stock") == []


def test_hidden_cards_are_unknown_faces() -> None:
    """``??`` and counted cards are slots whose face nobody has seen."""
    position = parse_position(EXAMPLE)
    assert {position.faces[slot] for slot in position.piles[18]} == {UNKNOWN}
    assert position.unopened() is None


def test_ten_may_be_written_long() -> None:
    """Tokens are read as everywhere: ``10h`` is TH."""
    assert at(parse_position(_changed("A.drawn", "10h")), "A.drawn") == "TH"


def test_a_column_need_not_be_a_run_and_cards_may_be_missing() -> None:
    """Any cards may lie in a column; fewer than 104 are a position too."""
    position = parse_position(_changed("tableau.0", ["2C", "2D", "KH"]))
    assert at(position, "tableau.0") == ["2C", "2D", "KH"]


def test_a_full_table_of_104_cards_is_accepted() -> None:
    """All foundations complete: 104 cards, and no more."""
    up = {suit: [13, 13] for suit in "SHDC"}
    obj = board_json(columns=". . . . . . . .", up=up, a="/ / /", b="/ / /")
    assert sum(map(len, parse_position(obj).piles)) == 104
    obj["A"] = {"reserve": ["??"], "stock": [], "drawn": None, "waste": []}
    with pytest.raises(NotationError, match="more than 104"):
        parse_position(obj)


REFUSALS: list[tuple[str, object, str, str]] = [
    ("format", "crapette-position/2", "format", "crapette-position/2"),
    ("format", None, "format", "None"),
    ("rules", "whist", "rules", "whist"),
    ("rules", 7, "rules", "7"),
    ("rules", {"preset": "crapette", "colour": 1}, "rules.colour", "colour"),
    ("rules", {"reserve_size": 14}, "rules.reserve_size", "14"),
    ("rules", {"reserve_size": True}, "rules.reserve_size", "True"),
    ("rules", {"enforcement": "strict"}, "rules.enforcement", "strict"),
    ("rules", {"space_sources": ["waste"]}, "rules.space_sources", "waste"),
    ("rules", {"space_sources": "drawn"}, "rules.space_sources", "drawn"),
    ("rules", {"foundation_duty": False}, "rules.reserve_first", "True"),
    (
        "rules",
        {"foundation_duty": False, "reserve_first": False},
        "rules.fill_spaces_before_turn",
        "True",
    ),
    ("to_move", "C", "to_move", "C"),
    ("to_move", "a", "to_move", "a"),
    ("to_move", 0, "to_move", "0"),
    ("turn_opened", 1, "turn_opened", "1"),
    ("turn_opened", None, "turn_opened", "None"),
    ("turn_opened", False, "A.drawn", "7C"),
    ("tableau", [[]] * 7, "tableau", "7"),
    ("tableau", [[]] * 9, "tableau", "9"),
    ("tableau", {}, "tableau", "(dict)"),
    ("tableau", None, "tableau", "None"),
    ("tableau.3", "9C", "tableau.3", "9C"),
    ("tableau.3", ["9X"], "tableau.3", "9X"),
    ("tableau.3", ["??"], "tableau.3", "??"),
    ("tableau.3", [9], "tableau.3", "9"),
    ("tableau.3", [["9C"]], "tableau.3", "(list)"),
    ("tableau.3", [None], "tableau.3", "None"),
    ("tableau.3", ["9C", "9C", "9C"], "tableau.3", "9C"),
    ("foundations", {}, "foundations.C", "C"),
    ("foundations", [], "foundations", "(list)"),
    ("foundations.S", [14, 0], "foundations.S", "14"),
    ("foundations.S", [-1, 0], "foundations.S", "-1"),
    ("foundations.S", [True, 0], "foundations.S", "True"),
    ("foundations.S", [1.0, 0], "foundations.S", "1.0"),
    ("foundations.S", [10**60, 0], "foundations.S", "(int)"),
    ("foundations.S", [1], "foundations.S", "(list)"),
    ("foundations.S", 3, "foundations.S", "3"),
    ("foundations.X", [0, 0], "foundations", "X"),
    ("foundations.C", [3, 3], "foundations.C", "AC"),
    ("A", None, "A", "None"),
    ("B", [], "B", "(list)"),
    ("A.reserve", 3, "A.reserve", "3"),
    ("A.reserve", "5H", "A.reserve", "5H"),
    ("A.stock", -1, "A.stock", "-1"),
    ("A.stock", 105, "A.stock", "105"),
    ("A.stock", 10**60, "A.stock", "(int)"),
    ("A.stock", 86, "B.reserve", "??"),
    ("A.stock", True, "A.stock", "True"),
    ("A.stock", None, "A.stock", "None"),
    ("A.stock", ["5Z"], "A.stock", "5Z"),
    ("A.drawn", ["7C"], "A.drawn", "(list)"),
    ("A.drawn", "", "A.drawn", ""),
    ("A.waste", ["??"], "A.waste", "??"),
    ("B.drawn", "7H", "B.drawn", "7H"),
    ("counters", 3, "counters", "3"),
    ("counters", {"idle": -1}, "counters.idle", "-1"),
    ("counters", {"idle": "3"}, "counters.idle", "3"),
    ("counters", {"idle": 10**9}, "counters.idle", "1000000000"),
    ("counters", {"limit": 7}, "counters.limit", "7"),
    ("counters", {"progressed": 1}, "counters.progressed", "1"),
    ("counters", {"actions": 0}, "counters.actions", "0"),
    ("counters", {"wrong": [1]}, "counters.wrong", "(list)"),
    ("counters", {"wrong": [1, -1]}, "counters.wrong", "(list)"),
    ("counters", {"to_sit_out": None}, "counters.to_sit_out", "None"),
    ("counters", {"offer": "C"}, "counters.offer", "C"),
    ("counters", {"callable": 0}, "counters.callable", "0"),
    ("counters", {"offered": ["C"]}, "counters.offered", "C"),
    ("counters", {"offered": "A"}, "counters.offered", "A"),
    ("counters", {"end": "won"}, "counters.end", "won"),
    ("counters", {"end": {"reason": "luck"}}, "counters.end", "luck"),
    ("counters", {"end": {"reason": "empty", "winner": 1}}, "counters.winner", "1"),
]


@pytest.mark.parametrize(
    ("path", "value", "field", "token"),
    REFUSALS,
    ids=[f"{number}-{case[0]}" for number, case in enumerate(REFUSALS)],
)
def test_a_refusal_names_field_and_token(
    path: str, value: object, field: str, token: str
) -> None:
    """What is wrong is said with the field and the offending token."""
    with pytest.raises(NotationError) as caught:
        parse_position(_changed(path, value))
    assert (caught.value.field, caught.value.token) == (field, token)
    assert field in str(caught.value)
    assert token in str(caught.value)
    if "{" not in token:
        assert "{" not in str(caught.value)  # nothing is left to be filled in


@pytest.mark.parametrize(
    "field",
    ["format", "to_move", "turn_opened", "tableau", "foundations", "A", "B"],
)
def test_a_missing_field_is_named(field: str) -> None:
    """Only rules, drawn cards, offence and counters may be left out."""
    obj = {key: value for key, value in EXAMPLE.items() if key != field}
    with pytest.raises(NotationError) as caught:
        parse_position(obj)
    assert caught.value.field == field


@pytest.mark.parametrize("pile", ["reserve", "stock", "waste"])
def test_a_missing_pile_is_named(pile: str) -> None:
    """A side has all its piles, but for the drawn card."""
    obj = copy.deepcopy(EXAMPLE)
    del obj["B"][pile]
    with pytest.raises(NotationError) as caught:
        parse_position(obj)
    assert caught.value.field == f"B.{pile}"
    del obj["A"]["drawn"]
    obj["B"][pile] = []
    assert at(parse_position(obj), "A.drawn") is None


def test_rules_left_out_are_the_default_preset() -> None:
    """The default preset is ``crapette``; unknown keys are ignored."""
    obj = {key: value for key, value in EXAMPLE.items() if key != "rules"}
    obj["comment"] = "from a friend"
    assert at(parse_position(obj), "rules") == "crapette"


def _nested(depth: int) -> object:
    value: object = []
    for _ in range(depth):
        value = [value]
    return value


@pytest.mark.parametrize(
    "value",
    [
        None,
        True,
        42,
        10**5000,
        float("nan"),
        float("inf"),
        "",
        "\ud800",
        b"AS",
        [],
        {},
        set(),
        object(),
        "A" * 10**6,
        ["AS"] * 10**5,
        _nested(20_000),
        {"A": {"A": {}}},
        {1: 2},
    ],
    ids=range(18),
)
def test_odd_values_anywhere_are_only_refused(value: object) -> None:
    """Whatever stands in any field, nothing but a NotationError comes out."""
    with pytest.raises(NotationError):
        parse_position(value)
    places = [*EXAMPLE, "tableau.0", "foundations.S", "counters", "offence"]
    places += [f"{seat}.{pile}" for seat in "AB" for pile in EXAMPLE["A"]]
    for place in places:
        try:
            parse_position(_changed(place, value))
        except NotationError as error:
            str(error).encode("utf-8")
