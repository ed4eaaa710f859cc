"""A log at a glance: what is changed or missing is mostly seen, and nothing else."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crapette_p2p.engine.actions import RESIGN, TURN
from crapette_p2p.gamelog.events import action_to_body
from crapette_p2p.gamelog.glance import glance
from crapette_p2p.gamelog.records import MAGIC, Record, RecordKind, read_records
from crapette_p2p.gamelog.verify import verify_log
from tests.cli.finished import finished_log
from tests.gamelog.test_collisions import EVENT, VOID, finish, mover_of, write
from tests.helpers.fakegame import FakeGame, make_genesis, verify

VECTORS = Path(__file__).parents[2] / "protocol" / "vectors"
LOGS = sorted(VECTORS.rglob("*.crlog"))
RECORDS = read_records(finished_log()).records
IN_THE_MIDDLE = st.integers(1, len(RECORDS) - 2)


def is_linked(records: tuple[Record, ...]) -> bool:
    """Whether nothing is seen."""
    return glance(records).linked


@pytest.mark.parametrize("path", LOGS, ids=lambda path: path.stem)
def test_a_sound_log_is_linked(path: Path) -> None:
    """Also one whose link was cut, or that ends in a fault."""
    data = path.read_bytes()
    assert verify_log(data, verify).level > 0
    seen = glance(read_records(data).records)
    assert seen.linked
    assert len(seen.events) > 0


def logs_in(value: object) -> Iterator[bytes]:
    """Every log that stands somewhere in a file of vectors."""
    if isinstance(value, str) and value.startswith(MAGIC.hex()):
        yield bytes.fromhex(value)
    elif isinstance(value, dict | list):
        for part in value.values() if isinstance(value, dict) else value:
            yield from logs_in(part)


@pytest.mark.parametrize("name", ["logs", "logs-broken", "comparisons"])
def test_what_both_have_signed_is_linked(name: str) -> None:
    """Whatever else is wrong with it: a move against the rules is no damage."""
    vectors = json.loads((VECTORS / f"{name}.json").read_text(encoding="utf-8"))
    counted = 0
    for data in set(logs_in(vectors)):
        verdict = verify_log(data, lambda *_: True)
        if verdict.level > 0:
            assert is_linked(read_records(data).records), verdict
            counted += 1
    assert counted > 1


def test_a_collision_is_no_damage() -> None:
    """The loser stands in the file as an EVENT of the winner's number, or as VOID."""
    for kind in (EVENT, VOID):
        game = FakeGame(make_genesis("russian-bank", k=2, seed=2), seed=2)
        game.set_up()
        mover = mover_of(game)
        turn = game.sign(mover, *action_to_body(TURN))
        resign = game.sign(1 - mover, *action_to_body(RESIGN))
        first, second = (turn, resign) if kind == EVENT else (resign, turn)
        write(game, EVENT, first)
        write(game, kind, second)
        finish(game, resign)
        assert verify_log(game.data, verify).level > 0
        assert is_linked(read_records(game.data).records)


@given(IN_THE_MIDDLE)
def test_a_record_that_is_missing_is_seen(at: int) -> None:
    """Any but the last of them."""
    assert not is_linked(RECORDS[:at] + RECORDS[at + 1 :])


@given(IN_THE_MIDDLE, st.data())
def test_an_event_that_is_edited_is_seen(at: int, data: st.DataObject) -> None:
    """One bit is enough, in the event itself; its signature is for ``verify``."""
    record = RECORDS[at]
    if record.kind != RecordKind.EVENT:
        return
    assert isinstance(record.body[0], bytes)
    body = bytearray(record.body[0])
    body[data.draw(st.integers(0, len(body) - 1))] ^= 1
    edited = Record(record.kind, (bytes(body), *record.body[1:]))
    assert not is_linked((*RECORDS[:at], edited, *RECORDS[at + 1 :]))


@given(IN_THE_MIDDLE, IN_THE_MIDDLE)
def test_a_record_in_another_place_is_seen(one: int, two: int) -> None:
    """Two that change places."""
    records = [*RECORDS]
    records[one], records[two] = records[two], records[one]
    assert is_linked(tuple(records)) == (one == two)
