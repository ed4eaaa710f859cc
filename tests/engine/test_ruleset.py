"""Rule sets: presets, house rules, JSON and the wire."""

from __future__ import annotations

from dataclasses import replace

import pytest

from crapette_p2p.engine import (
    PRESETS,
    RuleSet,
    parse_rules,
    rules_from_array,
    rules_to_array,
    rules_to_json,
)
from crapette_p2p.engine.ruleset import CHOICES, SWITCHES, problem
from crapette_p2p.errors import NotationError

TABLE = {
    "starter": ("higher", "higher", "higher", "lower"),
    "ace_high_for_start": (False, False, False, False),
    "opens_with_turn": (True, True, True, False),
    "foundation_duty": (True, False, True, True),
    "reserve_first": (False, False, False, True),
    "fill_spaces_before_turn": (False, False, False, True),
    "own_waste_playable": (False, False, False, False),
    "enforcement": ("automatic", "none", "call", "call"),
    "missed_card_played_by": ("nobody", "nobody", "caller", "offender"),
    "stop_window": ("turn", "turn", "turn", "turn"),
    "wrong_call": ("third-costs-turn",) * 4,
    "win_needs_tableau": ("none",) * 4,
    "blocked_result": ("draw", "draw", "draw", "difference"),
    "scoring": ("deal", "deal", "deal", "hoyle"),
    "tie_break": ("columns-then-suit",) * 3 + ("columns-reversed",),
    "reserve_size": (13, 13, 13, 13),
}


def test_the_presets_are_those_of_the_table() -> None:
    """Every switch of every preset has the value of the rules' table."""
    assert list(PRESETS) == [
        "garibaldka",
        "russian-bank",
        "russian-bank-knock",
        "crapette",
    ]
    for switch, values in TABLE.items():
        assert tuple(getattr(r, switch) for r in PRESETS.values()) == values, switch
    sources = [rules.space_sources for rules in PRESETS.values()]
    assert sources[0] == {"drawn", "reserve"}
    assert sources[1:] == [{"drawn", "reserve", "column"}] * 3
    assert set(TABLE) | {"space_sources"} == set(SWITCHES)


def test_every_preset_goes_there_and_back() -> None:
    """By name, by object and as an array of numbers, a preset stays itself."""
    for name, rules in PRESETS.items():
        assert parse_rules(name) == rules
        assert rules_to_json(rules) == name
        assert rules_from_array(rules_to_array(rules)) == rules
        assert problem(rules) is None


@pytest.mark.parametrize("switch", sorted(CHOICES))
def test_every_value_of_a_switch_goes_there_and_back(switch: str) -> None:
    """JSON and wire know every value, which is its place in the list there."""
    for place, value in enumerate(CHOICES[switch]):
        rules = parse_rules({"preset": "russian-bank-knock", switch: value})
        assert getattr(rules, switch) == value
        assert parse_rules(rules_to_json(rules)) == rules
        assert rules_to_array(rules)[SWITCHES.index(switch)] == place
        assert rules_from_array(rules_to_array(rules)) == rules


def test_house_rules_are_written_as_a_preset_and_changes() -> None:
    """The nearest preset's name, and what differs from it."""
    rules = replace(PRESETS["crapette"], reserve_size=11, space_sources=frozenset())
    written = {"preset": "crapette", "reserve_size": 11, "space_sources": []}
    assert rules_to_json(rules) == written
    assert parse_rules(written) == rules


def test_the_wire_array_is_in_the_order_of_the_table() -> None:
    """Booleans 0 and 1, choices by place, space sources as a mask."""
    assert rules_to_array(PRESETS["garibaldka"]) == [
        13, 0, 0, 0, 1, 1, 0, 0, 3, 0, 1, 0, 0, 1, 0, 0, 0
    ]  # fmt: skip
    assert rules_to_array(PRESETS["crapette"]) == [
        13, 1, 1, 0, 0, 1, 1, 1, 7, 0, 2, 2, 0, 1, 0, 1, 1
    ]  # fmt: skip


@pytest.mark.parametrize("place", range(len(SWITCHES)))
@pytest.mark.parametrize("value", [-1, 14, 2**63, True, None, "x", b"", 1.0])
def test_wrong_numbers_on_the_wire_are_refused(place: int, value: object) -> None:
    """A value that no switch has is a NotationError, never a guess."""
    array: list[object] = [*rules_to_array(PRESETS["crapette"])]
    array[place] = value
    with pytest.raises(NotationError):
        rules_from_array(array)


@pytest.mark.parametrize("array", [None, 7, [], [0] * 16, [0] * 18, "0" * 17])
def test_what_is_no_wire_array_is_refused(array: object) -> None:
    """Wrong type or length is refused."""
    with pytest.raises(NotationError):
        rules_from_array(array)


def test_refused_combinations_are_refused_on_the_wire_too() -> None:
    """``reserve_first`` without ``foundation_duty`` does not exist."""
    rules = RuleSet(foundation_duty=False)
    assert problem(rules) is not None
    with pytest.raises(NotationError):
        rules_from_array(rules_to_array(rules))
