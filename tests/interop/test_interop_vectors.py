"""An independent checker gives the vectors' answers."""

import json
from typing import Any

import pytest

from tests.interop import checker_vectors as plain
from tests.interop import checker_vectors_rules as rules
from tests.interop.checker_canonical import ProtocolError
from tests.interop.checker_folder import PROTOCOL, vectors
from tests.interop.checker_vectors import Json, RefusedError, Runner

RUNNERS: dict[str, Runner] = {
    "beacons": plain.beacons,
    "canonical": plain.canonical,
    "cards": rules.cards,
    "collisions": plain.collisions,
    "comparisons": plain.comparisons,
    "duties": rules.duties,
    "events": plain.events,
    "evidence": plain.evidence,
    "framing": plain.framing,
    "genesis": plain.genesis,
    "handshake": plain.handshake,
    "invites": plain.invites,
    "keys": plain.keys,
    "layers": plain.layers,
    "logins": plain.logins,
    "logs": plain.logs,
    "messages": plain.messages,
    "moves": rules.moves,
    "nicks": plain.nicks,
    "openings": plain.openings,
    "perft": rules.perft,
    "positions": rules.positions,
    "proposals": plain.proposals,
    "rates": plain.rates,
    "received": plain.received,
    "records": plain.records,
    "resumes": plain.resumes,
    "rulesets": rules.rulesets,
    "rulings": rules.rulings,
    "session-states": plain.session_states,
    "shown-text": plain.shown_text,
    "signatures": plain.signatures,
    "signed-events": plain.signed_events,
    "starters": rules.starters,
    "state-hashes": plain.state_hashes,
    "timers": plain.timers,
}

COUNTED = 600
"""Sequences of actions that are counted one by one; more are left to others."""


def _differs(wanted: Any, got: Any) -> bool:  # noqa: ANN401
    """Whether something that is wanted is not there; a result may say more."""
    if isinstance(wanted, dict) and isinstance(got, dict):
        return any(_differs(value, got.get(key)) for key, value in wanted.items())
    return bool(wanted != got)


def _judge(runner: Runner, test: Json) -> str:
    """What is wrong with the answer to a test, or nothing."""
    wanted = test.get("output") or {}
    if "legal" in wanted:
        wanted = {**wanted, "legal": sorted(wanted["legal"])}
    code: int | str | None = None
    try:
        got = runner(test["input"], test["common"])
    except RefusedError as refused:
        code, got = refused.code, refused.output
    except ProtocolError as error:
        code, got = error.code, {}
    if code != test.get("code"):
        return f"code {code} instead of {test.get('code')}"
    wrong = [key for key, value in wanted.items() if _differs(value, got.get(key))]
    return ", ".join(wrong)


def _within_reach(test: Json) -> Json:
    """A count of sequences only as deep as takes no time; anything else as it is."""
    nodes = (test.get("output") or {}).get("nodes")
    if nodes is None:
        return test
    short = [count for count in nodes if count < COUNTED] or nodes[:1]
    given = {**test["input"], "depth": len(short)}
    return {**test, "input": given, "output": {"nodes": short}}


@pytest.mark.slow
@pytest.mark.parametrize("kind", sorted(RUNNERS))
def test_every_vector_of_a_kind_gets_its_answer(kind: str) -> None:
    """The checker accepts, refuses and computes what the vectors of a kind say."""
    found = vectors(kind)
    run = RUNNERS[kind]
    answers = {name: _judge(run, _within_reach(test)) for name, test in found}
    assert found
    assert {name: wrong for name, wrong in answers.items() if wrong} == {}


def test_no_kind_is_left_out() -> None:
    """Every vector file of the folder has a runner here; skipping is failing."""
    kinds = {
        json.loads(path.read_text("utf-8"))["schema"].removesuffix(".json")
        for path in (PROTOCOL / "vectors").glob("*.json")
    }
    assert kinds == set(RUNNERS)


def test_files_hold_as_many_tests_as_they_say() -> None:
    """The count of each vector file is the number of its tests."""
    for path in (PROTOCOL / "vectors").glob("*.json"):
        content = json.loads(path.read_text("utf-8"))
        assert content["count"] == sum(len(g["tests"]) for g in content["groups"]), path


def test_a_wrong_answer_is_noticed() -> None:
    """A test whose output or code is changed does not pass any more."""
    (_, test), *_ = vectors("handshake")
    assert not _judge(RUNNERS["handshake"], test)
    other = {**test, "output": {**test["output"], "cards": [0, 0, 0, 0]}}
    assert _judge(RUNNERS["handshake"], other) == "cards"
    assert _judge(RUNNERS["handshake"], {**test, "code": 201}) == (
        "code None instead of 201"
    )
