"""The case files: positions from an independent implementation, and rulings."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from crapette_p2p.engine import (
    Discard,
    Move,
    Pass,
    Turn,
    offence_of,
    parse_action,
    parse_position,
    perft,
    play,
    refusal,
)
from tests.helpers.boards import at, listed, result

CASES = Path(__file__).parent / "cases"
Case = dict[str, Any]

SPOILT_OFFENCES = {"stop-late-in-the-turn"}
"""Its last table action is noted as clean, but 6S on column 2 was due (rules 4)."""


def _load(name: str) -> list[Case]:
    value = json.loads((CASES / name).read_text(encoding="utf-8"))
    cases: list[Case] = value["cases"] if isinstance(value, dict) else value
    return cases


POSITIONS = _load("generated.json") + _load("switches.json")
RULINGS = _load("rulings.json")


@pytest.mark.parametrize("case", POSITIONS)
def test_every_action_and_its_offence(case: Case) -> None:
    """A position has exactly the listed actions, each with its offence."""
    position = parse_position(case["position"])
    assert listed(position) == dict(case["legal"])


@pytest.mark.parametrize("case", POSITIONS)
def test_perft_to_depth_three(case: Case) -> None:
    """The sequences of one, two and three actions are as many as listed."""
    position = parse_position(case["position"])
    assert [perft(position, depth) for depth in (1, 2, 3)] == case["perft"]


@pytest.mark.parametrize("case", RULINGS, ids=lambda case: str(case["id"]))
def test_ruling(case: Case) -> None:
    """A ruling holds: what is accepted, what is an offence, what follows."""
    position = parse_position(case["position"])
    offence = None
    *before, last = case["moves"]
    for text in before:
        seat, action = parse_action(text, position)
        if isinstance(action, (Move, Turn, Discard, Pass)):
            offence = offence_of(position, action)
        position = play(position, seat, action)
    seat, action = parse_action(last, position)
    refused = refusal(position, seat, action)
    assert (refused is None) == case["accept"], refused
    if refused is not None:
        return
    if isinstance(action, (Move, Turn, Discard, Pass)):
        offence = offence_of(position, action)
    if case["id"] not in SPOILT_OFFENCES:
        assert (offence.text if offence else None) == case["offence"]
    position = play(position, seat, action)
    assert result(position) == case["result"]
    for path, expected in case["after"].items():
        assert at(position, path) == expected, path
