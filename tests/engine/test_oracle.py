"""The oracle itself is held to the case files before it judges the engine."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.helpers import oracle

CASES = Path(__file__).parent / "cases"
Case = dict[str, Any]
MOST_NODES = 400
"""The oracle is slow: deeper counts are checked against the engine alone."""


def load(name: str) -> list[Case]:
    """The cases of a file."""
    value = json.loads((CASES / name).read_text(encoding="utf-8"))
    cases: list[Case] = value["cases"] if isinstance(value, dict) else value
    return cases


def case_id(case: Case) -> str:
    """What a case is called."""
    return str(case["id"])


@pytest.mark.slow
@pytest.mark.parametrize("name", ["generated.json", "switches.json"])
def test_positions(name: str) -> None:
    """Legal actions, their offences and the shallow counts are those of the file."""
    for case in load(name):
        state = oracle.state_of(case["position"])
        found = [list(pair) for pair in oracle.legal(state)]
        assert found == case["legal"], case["id"]
        for depth, nodes in enumerate(case["perft"], 1):
            if nodes <= MOST_NODES:
                assert oracle.perft(state, depth) == nodes, (case["id"], depth)


@pytest.mark.parametrize("case", load("rulings.json"), ids=case_id)
def test_rulings(case: Case) -> None:
    """Each ruling's last move is accepted or not, and leads where it says."""
    state = oracle.state_of(case["position"])
    *before, last = case["moves"]
    for text in before:
        state = oracle.play(state, *seated(state, text))
    seat, action = seated(state, last)
    assert oracle.may(state, seat, action) == case["accept"]
    if not case["accept"]:
        with pytest.raises(oracle.Refused):
            oracle.play(state, seat, action)
        return
    state = oracle.play(state, seat, action)
    for path, expected in case["after"].items():
        assert at(state, path) == expected, path
    assert result(state) == case["result"]


def seated(state: oracle.State, text: str) -> tuple[str, str]:
    """Whose action a text is, and the action."""
    if text[1:2] == ":":
        return text[0], text[2:]
    if text.startswith("stop ") and state["callable"]:
        return "BA"["AB".index(state["callable"])], text
    return state["to_move"], text


def at(state: oracle.State, path: str) -> object:
    """A field by its path in the position's JSON."""
    if path == "turn_opened":
        return state["acts"] > 0
    value: Any = state
    for key in path.split("."):
        value = value[int(key)] if isinstance(value, list) else value[key]
    return value


def result(state: oracle.State) -> str | None:
    """The result as the case files write it."""
    end = state["end"]
    if end is None:
        return None
    mark = "?" if end["provisional_by"] else ""
    return f"{end['winner'] or 'draw'}{mark}"
