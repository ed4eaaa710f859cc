"""The recorded games: frames, log, states and index tell the same story."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from functools import cache
from itertools import pairwise

import pytest
from jsonschema import Draft202012Validator

from crapette_p2p.canonical import decode
from crapette_p2p.gamelog.records import RecordKind, read_records
from crapette_p2p.gamelog.verify import verify_log
from crapette_p2p.session.messages import (
    Ack,
    Bye,
    EventMessage,
    Message,
    decode_message,
)
from tests.helpers.keys import verify
from tests.vectors.making.games import GAMES, record
from tests.vectors.making.plans import PLANS
from tests.vectors.spec_pages import PROTOCOL, table
from tests.vectors.values import Json

each_game = pytest.mark.parametrize("preset", PLANS)


@cache
def index_of(preset: str) -> Json:
    """The index of a recorded game."""
    found: Json = json.loads((GAMES / f"{preset}.json").read_text("utf-8"))
    return found


@cache
def states_of(preset: str) -> list[bytes]:
    """The canonical states of a game, one before each event and the last."""
    return _pieces((GAMES / f"{preset}.states").read_bytes(), 0)


def frames_of(preset: str) -> list[tuple[int, Message]]:
    """Who sent what, in order."""
    data = (GAMES / f"{preset}.frames").read_bytes()
    found, at = [], 0
    while at < len(data):
        (payload,) = _pieces(data, at + 1, count=1)
        found.append((data[at], decode_message(payload)))
        at += 5 + len(payload)
    return found


def _pieces(data: bytes, at: int, *, count: int = -1) -> list[bytes]:
    found: list[bytes] = []
    while at < len(data) and len(found) != count:
        end = at + 4 + int.from_bytes(data[at : at + 4], "big")
        found.append(data[at + 4 : end])
        at = end
    return found


@each_game
def test_index_fits_its_schema(preset: str) -> None:
    """The index has the fields that its schema lists."""
    schema = json.loads((PROTOCOL / "schema" / "game.json").read_text("utf-8"))
    errors = Draft202012Validator(schema).iter_errors(index_of(preset))
    assert [error.message for error in errors] == []


@pytest.mark.slow
@each_game
def test_log_verifies(preset: str) -> None:
    """The log stands on its own at the highest level."""
    verdict = verify_log((GAMES / f"{preset}.crlog").read_bytes(), verify)
    assert (verdict.level, verdict.why) == (5, None)
    assert verdict.summary is not None
    index = index_of(preset)
    assert verdict.summary.game_id.hex() == index["game_id"]
    assert verdict.summary.events == len(index["events"])


@each_game
def test_states_chain(preset: str) -> None:
    """Every event names the hash of the state before it, every ACK the next."""
    states, index = states_of(preset), index_of(preset)
    hashes = [hashlib.sha256(b"crapette/1/state\0" + s).hexdigest() for s in states]
    assert hashes == index["states"]
    records = read_records((GAMES / f"{preset}.crlog").read_bytes()).records
    for record_ in records:
        if record_.kind == RecordKind.EVENT:
            event = decode(record_.body[0])  # type: ignore[arg-type] # bytes in an EVENT
            assert isinstance(event, tuple)
            assert event[5].hex() == hashes[event[2]]
        elif record_.kind == RecordKind.ACK:
            seq, _, after, _ = record_.body
            assert isinstance(seq, int)
            assert isinstance(after, bytes)
            assert after.hex() == hashes[seq + 1]


@each_game
def test_frames_hold_the_log(preset: str) -> None:
    """What travelled is what was recorded: each event once, all but void ones acked."""
    frames, index = frames_of(preset), index_of(preset)
    assert len(frames) == index["frames"]
    events = [m.event for _, m in frames if isinstance(m, EventMessage)]
    acks = [m for _, m in frames if isinstance(m, Ack)]
    records = read_records((GAMES / f"{preset}.crlog").read_bytes()).records
    signed = (RecordKind.EVENT, RecordKind.VOID)
    logged = [r.body[0] for r in records if r.kind in signed]
    assert sorted(events) == sorted(logged)  # type: ignore[type-var] # all are bytes
    assert len(events) == len(index["events"]) + len(index["lost"])
    assert [ack.seq for ack in acks] == list(range(len(index["events"])))
    assert isinstance(frames[-1][1], Bye)


def undrawn(
    steps: Iterable[tuple[str, str]], *, twice: bool = True
) -> list[tuple[str, str]]:
    """Changes of a session's state that are no arrow of the diagrams, nor two."""
    arrows = {(t["from"], t["to"]) for t in table("session-states")["transitions"]}
    phases = {s["name"]: s["phase"] for s in table("session-states")["states"]}
    in_game = {name for name, phase in phases.items() if phase == "game"}
    arrows |= {(a, s) for a, to in arrows if to == "game" for s in in_game}
    if twice:
        arrows |= {(a, d) for a, b in arrows for c, d in arrows if b == c}
    ended = {name for name, phase in phases.items() if phase == "ended"}
    return [s for s in steps if s not in arrows and s[1] not in ended]


@pytest.mark.slow
def test_states_change_as_drawn() -> None:
    """Every change of a session's state in a game is an arrow of the diagrams."""
    assert undrawn(record("crapette").steps) == []


@each_game
def test_states_differ(preset: str) -> None:
    """No two states of a game in a row have one encoding."""
    assert all(first != second for first, second in pairwise(states_of(preset)))
