"""The recorded games over two links: frames, logs and index tell one story."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from functools import cache

import pytest
from jsonschema import Draft202012Validator

from crapette_p2p.gamelog.compare import Relation, compare_logs
from crapette_p2p.gamelog.records import RecordKind, read_records
from crapette_p2p.gamelog.verify import verify_log
from crapette_p2p.session.messages import (
    EventMessage,
    Message,
    Records,
    Resume,
    Sync,
    decode_message,
)
from tests.helpers.keys import verify
from tests.vectors.making.links import LINKS, record
from tests.vectors.making.plans import CUTS
from tests.vectors.making.writing import VECTORS
from tests.vectors.run_resume import client_of, log_in
from tests.vectors.test_games import undrawn
from tests.vectors.test_vectors import registry
from tests.vectors.values import Json

each = pytest.mark.parametrize("name", CUTS)


@cache
def index_of(name: str) -> Json:
    """The index of a game."""
    found: Json = json.loads((LINKS / f"{name}.json").read_text("utf-8"))
    return found


@cache
def frames_of(name: str, number: int) -> list[tuple[int, Message]]:
    """Who sent what over a link, in order."""
    data = (LINKS / f"{name}.{number}.frames").read_bytes()
    found, at = [], 0
    while at < len(data):
        end = at + 5 + int.from_bytes(data[at + 1 : at + 5], "big")
        found.append((data[at], decode_message(data[at + 5 : end])))
        at = end
    return found


def log_of(name: str, role: int) -> bytes:
    """The log of a role at the end."""
    return (LINKS / f"{name}.{role}.crlog").read_bytes()


@each
def test_index_fits_its_schema(name: str) -> None:
    """The index has the fields that its schema lists."""
    validator = Draft202012Validator({"$ref": "links.json"}, registry=registry())
    assert [error.message for error in validator.iter_errors(index_of(name))] == []


@each
def test_frames_are_counted(name: str) -> None:
    """As many as the index says over each link."""
    counted = [len(frames_of(name, number)) for number in (1, 2)]
    assert counted == [link["frames"] for link in index_of(name)["links"]]


@pytest.mark.slow
@each
def test_both_logs_verify_and_are_equal(name: str) -> None:
    """The cut leaves no trace in what both have signed."""
    one, two = log_of(name, 0), log_of(name, 1)
    for data in (one, two):
        verdict = verify_log(data, verify)
        assert (verdict.level, verdict.why, verdict.torn) == (5, None, False)
    assert compare_logs(one, two, verify).relation is Relation.EQUAL


@each
def test_states_have_their_hashes(name: str) -> None:
    """Each state hashes to what the index lists."""
    data, hashes = (LINKS / f"{name}.states").read_bytes(), []
    while data:
        end = 4 + int.from_bytes(data[:4], "big")
        state, data = data[4:end], data[end:]
        hashes.append(hashlib.sha256(b"crapette/1/state\0" + state).hexdigest())
    assert hashes == index_of(name)["states"]


def test_what_was_lost_on_its_way_is_sent_again() -> None:
    """Two events of one number over both links; one of them is void in each log."""
    first = [m.event for _, m in frames_of("cut", 1) if isinstance(m, EventMessage)]
    second = [m.event for _, m in frames_of("cut", 2) if isinstance(m, EventMessage)]
    again = set(first) & set(second)
    assert len(again) == 2
    named = [m for _, m in frames_of("cut", 2) if isinstance(m, Resume)]
    assert named[0].length == named[1].length == index_of("cut")["links"][0]["events"]
    assert len(index_of("cut")["lost"]) == 1
    kinds = [
        [r.kind for r in read_records(log_of("cut", role)).records if again & {*r.body}]
        for role in (0, 1)
    ]
    void, event = RecordKind.VOID, RecordKind.EVENT
    assert sorted(kinds) == [[event, event], [event, void]]


def test_a_lost_tail_comes_back_in_pieces() -> None:
    """More than one SYNC, some answers hold less than was asked for."""
    frames = [m for _, m in frames_of("restored", 2)]
    named = [m for m in frames if isinstance(m, Resume)]
    asked = [m for m in frames if isinstance(m, Sync)]
    served = [m for m in frames if isinstance(m, Records)]
    assert abs(named[0].length - named[1].length) > 64
    assert len(asked) == len(served) > 2
    pairs = list(zip(asked, served, strict=True))
    assert any(len(r.records) < s.last - s.first for s, r in pairs)
    assert any(s.last - s.first == 64 for s in asked)


@pytest.mark.slow
@each
def test_states_change_as_drawn(name: str) -> None:
    """Also where logs of one game come together."""
    steps = record(name).steps
    assert undrawn(steps) == []
    assert ("RESUMING", "PLAY") in steps or ("SYNCING", "PLAY") in steps


@pytest.mark.slow
def test_states_change_as_drawn_whatever_comes() -> None:
    """Every way to resume that the vectors know is an arrow of its own."""
    steps: set[tuple[str, str]] = set()
    for group in json.loads((VECTORS / "resumes.json").read_text("utf-8"))["groups"]:
        for test in group["tests"]:
            steps |= set(_steps(group["common"], test["input"]["received"]))
    assert undrawn(steps, twice=False) == []
    found = {step for step in steps if step[0] in ("RESUMING", "SYNCING")}
    states = {state for _, state in found}
    assert {"LOBBY", "SYNCING", "COMMIT", "PLAY"} <= states
    assert ("SYNCING", "LOBBY") in found


def _steps(common: Json, payloads: list[str]) -> Iterator[tuple[str, str]]:
    pair = client_of(common)
    me = pair.players[0]
    log_in(pair)
    pair.wire_clear(0)
    pair.held[1] = True
    for payload in payloads:
        before = me.live.state.name
        pair.inject(0, bytes.fromhex(payload))
        pair.deliver(0)
        if me.live.state.name != before:
            yield before, me.live.state.name
