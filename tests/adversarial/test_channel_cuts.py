"""C: links that break and programs that die: at every byte and every write."""

from __future__ import annotations

import itertools
import os
import random
from pathlib import Path

import pytest

from crapette_p2p.engine.actions import RESIGN
from crapette_p2p.net.failures import StorageError
from crapette_p2p.session import messages as wire
from crapette_p2p.session.notices import GameResumed
from tests.adversarial.scripted import (
    cut_at,
    fresh,
    judge,
    message_borders,
    play_on,
)
from tests.helpers.driving import act, drive, position_of, require_equal, state_of
from tests.helpers.forging import require_one_signature
from tests.helpers.mutants import MUTANTS, schedules_until_caught
from tests.helpers.pair import play_pair
from tests.helpers.simulation import Simulation
from tests.net.tables import make_player as make_real_player

EVERY_BYTE = "CRAPETTE_EVERY_BYTE" in os.environ
"""Cut at each byte and crash at each step, instead of at many of them."""


def places(borders: list[int]) -> list[int]:
    """Where to cut a stream: around the borders of its messages."""
    if EVERY_BYTE:
        return list(range(borders[-1]))
    found: set[int] = set()
    for start, end in itertools.pairwise(borders):
        found |= {start, start + 1, end - 1}
    return sorted(found)


@pytest.mark.slow
@pytest.mark.parametrize("to", [0, 1])
def test_c09_a_cut_in_every_message(to: int) -> None:
    """C9: wherever a stream ends, the game goes on and ends the same for both."""
    reference = fresh()
    play_on(reference)
    judge(reference)
    borders = message_borders(reference, to)
    assert len(borders) > 15
    for budget in places(borders):
        judge(cut_at(to, budget))


@pytest.mark.slow
@pytest.mark.parametrize("side", [0, 1])
def test_c10_a_crash_before_every_write_and_send(side: int) -> None:
    """C10: restart from the disk after a power cut; nothing is signed twice.

    Every other step here; tests/session/test_boundaries.py ends the program alone.
    """
    reference = fresh()
    play_on(reference)
    every = 1 if EVERY_BYTE else 2
    for step in range(1 + side, reference.players[side].steps + 1, every):
        pair = fresh()
        pair.players[side].crash_before = step
        pair.players[side].loses_power = True
        play_on(pair)
        judge(pair)


@pytest.mark.slow
def test_c10_both_crash() -> None:
    """C10: each at a step of his own, also both at the same."""
    reference = fresh()
    play_on(reference)
    steps = min(player.steps for player in reference.players)
    for step in range(1, steps, 5):
        for other in (step, steps - step):
            pair = fresh()
            pair.players[0].crash_before = step
            pair.players[1].crash_before = other
            play_on(pair)
            judge(pair)


@pytest.mark.parametrize("length", [12, 20, 40])
def test_c12_a_backup_of_last_week(length: int) -> None:
    """C12: it catches up by SYNC before it signs anything, and signs nothing twice."""
    pair = play_pair("russian-bank", seed=1)
    rng = random.Random(9)  # noqa: S311 - a repeatable game
    drive(pair, rng, until=lambda state: state.length >= length)
    backup = pair.players[1].disk.copy()
    drive(pair, rng, until=lambda state: state.length >= length + 80, talk=0)
    far = state_of(pair.players[0]).length
    pair.cut()
    pair.players[1].crash()
    pair.players[1].disk = backup
    sent = len(pair.players[1].sent)
    pair.connect()
    after = pair.players[1].sent[sent:]
    kinds = [type(message) for message in after]
    assert wire.Sync in kinds
    if wire.EventMessage in kinds:
        first = kinds.index(wire.EventMessage)
        assert wire.Sync not in kinds[first:]
    assert state_of(pair.players[1]).length >= far
    require_equal(pair)
    require_one_signature(pair)


@pytest.mark.parametrize("restarted", [(0,), (1,), (0, 1)])
@pytest.mark.parametrize("dialler", [0, 1])
def test_c13_restarts_with_swapped_roles(
    restarted: tuple[int, ...], dialler: int
) -> None:
    """C13: whoever listens now, seats and state are as they were."""
    pair = play_pair("russian-bank", seed=1)
    rng = random.Random(4)  # noqa: S311 - a repeatable game
    drive(pair, rng, until=lambda state: state.length >= 30)
    before = position_of(pair.players[0])
    pair.cut()
    for side in restarted:
        pair.players[side].crash()
    pair.connect(dialler=dialler)
    for side, player in enumerate(pair.players):
        assert player.of(GameResumed)
        assert player.live.seat == side
        assert position_of(player) == before
    act(pair, 0, RESIGN)
    require_equal(pair)
    require_one_signature(pair)


def test_c18_one_game_two_processes(tmp_path: Path) -> None:
    """C18: the log is locked while a table plays it; others may still read it."""
    player = make_real_player(tmp_path, "Ala")
    pair = play_pair("russian-bank", seed=1)
    (data,) = pair.players[0].disk.logs.values()
    player.store.games.mkdir(parents=True)
    path = player.store.games / "20261130-0123456789abcdef.crlog"
    path.write_bytes(data)
    first = player.store.open(path)
    with pytest.raises(StorageError) as error:
        player.store.open(path)
    assert error.value.failure.code == "game-in-use"
    with pytest.raises(StorageError):
        player.kept.load(path)
    assert path.read_bytes() == data
    first.close()
    player.store.open(path).close()


@pytest.mark.slow
def test_c19_random_schedules() -> None:
    """C19: a hundred here, more in tests/session; scripts/nightly runs 10^5."""
    for seed in range(100_000, 100_100):
        Simulation(seed).run()


@pytest.mark.slow
@pytest.mark.parametrize("mutant", MUTANTS)
def test_c19_the_mutants_fail(mutant: str) -> None:
    """C19: the simulation is worth something: it finds each broken pillar."""
    assert schedules_until_caught(mutant, first=100_000)
