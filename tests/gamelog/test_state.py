"""The canonical state: every field, one hash a state, the same everywhere."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace

import pytest

from crapette_p2p.canonical import decode, encode
from crapette_p2p.engine import legal_actions
from crapette_p2p.engine.layout import Seat
from crapette_p2p.engine.position import (
    Calls,
    Counters,
    End,
    EndReason,
    OffenceCode,
    OpenOffence,
    Position,
)
from crapette_p2p.engine.ruleset import PRESETS
from crapette_p2p.gamelog.events import EventType
from crapette_p2p.gamelog.state import (
    GameState,
    OpeningDue,
    encode_state,
    state_hash,
)
from tests.helpers.fakegame import FakeGame, make_genesis, play_game, turns

TAG = b"crapette/1/state\0"


def first_state() -> GameState:
    """A state with a position."""
    game = FakeGame(make_genesis(k=2, seed=1), seed=1)
    game.set_up()
    return game.state


def with_position(state: GameState, **changes: object) -> GameState:
    """The state with another position."""
    assert state.position is not None
    position = replace(state.position, **changes)  # type: ignore[arg-type] # fields by name
    return replace(state, position=position, memo=[])


def array(state: GameState) -> list[object]:
    """The encoded state as a list."""
    value = decode(encode_state(state))
    assert isinstance(value, tuple)
    return list(value)


def test_the_first_state_has_the_known_hash() -> None:
    """4.4: the hash of [1, 0], before any event."""
    game = FakeGame(make_genesis(k=2))
    assert encode_state(game.state) == encode((1, 0))
    assert state_hash(game.state).hex() == (
        "512fceb7c77a7259fac3433571db9f55861dee5ed057585e90a4ddef3b5f8d71"
    )


def test_the_set_up_counts_its_events() -> None:
    """[1, n] up to nine events, an array of sixteen from ten on."""
    game = FakeGame(make_genesis(k=2))
    for n in range(10):
        assert array(game.state) == [1, n]
        made = game.owed()
        assert made is not None
        game.event(*made)
    assert len(array(game.state)) == 16


def test_the_lay_out_is_encoded_field_by_field() -> None:
    """Every place of the array, written out by hand."""
    state = first_state()
    position = state.position
    assert position is not None
    shown = [255] * 104
    for slot in (*range(12, 17), *range(64, 69)):
        shown[slot] = position.faces[slot]
        assert shown[slot] < 52
    piles = [b""] * 24
    for deck in (0, 1):
        base = 52 * deck
        for column in range(4):
            piles[4 * deck + column] = bytes([base + 13 + column])
        piles[16 + deck] = bytes(range(base, base + 13))
        piles[18 + deck] = bytes(range(base + 51, base + 16, -1))
    assert array(state) == [
        1,
        10,
        position.active,
        0,
        bytes(shown),
        tuple(piles),
        (1, 72, 96, 0),
        None,
        (),
        (0, 0, 0, 0, 0),
        None,
        0,
        None,
        None,
        0,
        0,
    ]
    made = hashlib.sha256(TAG + encode_state(state)).digest()
    assert state_hash(state) == made


def test_each_field_stands_in_its_place() -> None:
    """Offences, calls, offers, openings owed, the end, audits, done."""
    state = first_state()
    before = state.position
    assert before is not None
    offences = (
        OpenOffence(OffenceCode.MISSED_FOUNDATION, 40, before),
        OpenOffence(OffenceCode.UNFILLED_SPACE, 300, before),
    )
    full = with_position(
        state,
        acts=7,
        counters=Counters(4, False, 60, 81, 1),
        callable=Seat(1),
        offences=offences,
        calls=Calls(True, (2, 5), (0, 1)),
        offer=Seat(0),
        offered=3,
        end=End(Seat(1), EndReason.BLOCKED, Seat(0), 12),
    )
    due = OpeningDue(EventType.OPEN_B, 1, b"\x0e", b"\x21")
    full = replace(full, due=due, audits=2, done=True, memo=[])
    assert array(full)[3] == 7
    assert array(full)[6:] == [
        (5, 60, 81, 1),
        1,
        ((2, 40), (3, 300)),
        (1, 2, 5, 0, 1),
        0,
        3,
        (5, 1, b"\x0e", b"\x21"),
        (1, 1, 0),
        2,
        1,
    ]
    draw = with_position(state, end=End(None, EndReason.AGREED))
    due = OpeningDue(EventType.OPEN_A, 0, b"\x0e")
    draw = replace(draw, due=due, memo=[])
    assert array(draw)[12:14] == [(4, 0, b"\x0e", b""), (None, 2, None)]


def test_progress_and_idle_turns_are_one_number() -> None:
    """0 after progress in the running turn, else the idle turns and this one."""
    state = first_state()
    for counters, expected in (
        (Counters(0, False, 72, 96, 0), (1, 72, 96, 0)),
        (Counters(3, False, 72, 90, 1), (4, 72, 90, 1)),
        (Counters(0, True, 40, 80, 0), (0, 40, 80, 0)),
        (Counters(0, True, 40, 80, 1), (0, 40, 80, 0)),
    ):
        assert array(with_position(state, counters=counters))[6] == expected


def test_what_does_not_matter_is_not_hashed() -> None:
    """Who acted last, a penalty just shown and points follow from the events."""
    state = first_state()
    for changes in (
        {"last_actor": Seat(1)},
        {"penalty": OffenceCode.RESERVE_FIRST},
    ):
        assert state_hash(with_position(state, **changes)) == state_hash(state)


def test_the_hash_is_worked_out_once_and_never_carried_over() -> None:
    """The memo belongs to one state; its successor has none."""
    game = FakeGame(make_genesis(k=2, seed=1), seed=1)
    game.set_up()
    before = state_hash(game.state)
    assert game.state.memo == [before]
    assert state_hash(game.state) is before
    assert game.state.position is not None
    game.act(game.state.position.active, legal_actions(game.state.position)[0])
    assert state_hash(game.state) != before
    assert hashlib.sha256(TAG + encode_state(game.state)).digest() == (
        state_hash(game.state)
    )


def matters(position: Position) -> tuple[object, ...]:
    """What decides how a game goes on, apart from the deal."""
    counters = position.counters
    return (
        position.piles,
        position.faces,
        position.active,
        position.acts,
        (counters.idle, counters.progressed) if not counters.progressed else True,
        counters.limit,
        counters.min_personal,
        counters.passes if not counters.progressed else 0,
        position.callable,
        tuple((o.code, o.seq) for o in position.offences),
        position.calls,
        position.offer,
        position.offered,
        position.end and (position.end.winner, position.end.reason),
        position.end and position.end.provisional_by,
    )


def states(preset: str) -> Iterator[GameState]:
    """Many states of random games."""
    for seed in range(3):
        game = FakeGame(make_genesis(preset, k=2, seed=seed), seed=seed)
        yield from turns(game, 250)


@pytest.mark.slow
@pytest.mark.parametrize("preset", PRESETS)
def test_states_have_one_hash_each_and_share_none(preset: str) -> None:
    """Equal hash if and only if everything that matters is equal."""
    by_hash: dict[bytes, object] = {}
    by_matter: dict[object, bytes] = {}
    count = 0
    for state in states(preset):
        assert state.position is not None
        key = (matters(state.position), state.due)
        made = hashlib.sha256(TAG + encode_state(state)).digest()
        assert encode(decode(encode_state(state))) == encode_state(state)
        assert by_hash.setdefault(made, key) == key
        assert by_matter.setdefault(key, made) == made
        count += 1
    assert count > 300


PROGRAM = """
import locale, sys
sys.path.insert(0, {root!r})
from tests.helpers.fakegame import play_game
game = play_game("crapette", seed=11, k=2, actions=120)
print(game.log.head.hex(), game.log.entries[-1].state_after.hex())
"""


@pytest.mark.slow
def test_hashes_do_not_depend_on_the_process() -> None:
    """R4: another hash seed, locale and time zone give the same bytes."""
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    here = play_game("crapette", seed=11, k=2, actions=120)
    expected = f"{here.log.head.hex()} {here.log.entries[-1].state_after.hex()}"
    for seed, zone, lang in (("0", "UTC", "C"), ("4711", "Asia/Tokyo", "C.UTF-8")):
        env = os.environ | {"PYTHONHASHSEED": seed, "TZ": zone, "LC_ALL": lang}
        done = subprocess.run(
            [sys.executable, "-c", PROGRAM.format(root=root)],
            env=env,
            capture_output=True,
            text=True,
            check=True,
        )
        assert done.stdout.strip() == expected
