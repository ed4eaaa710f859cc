"""Random schedules of cuts, crashes, backups and collisions (C5-C12, C19).

``scripts/simulate N`` runs more of them, ``scripts/nightly`` 100,000. The last test
breaks the design on purpose in the three places it rests on: it has to be noticed.
"""

from __future__ import annotations

import os
from typing import Final

import pytest

from tests.helpers.mutants import MUTANTS, schedules_until_caught
from tests.helpers.simulation import Simulation, SimulationError

CHUNK: Final = 125
CHUNKS: Final = 16 if os.environ.get("CRAPETTE_FUZZ") == "minute" else 2
"""2,000 schedules in CI, 250 elsewhere."""


@pytest.mark.slow
@pytest.mark.parametrize("first", range(0, CHUNKS * CHUNK, CHUNK))
def test_every_schedule_ends_with_equal_closed_logs(first: int) -> None:
    """Whatever happens in between, the game ends and nobody is accused."""
    for seed in range(first, first + CHUNK):
        Simulation(seed).run()


@pytest.mark.parametrize("seed", [1, 2])
def test_a_seed_is_one_schedule(seed: int) -> None:
    """What went wrong once can be looked at again, step by step."""
    runs = []
    for _ in range(2):
        schedule = Simulation(seed)
        schedule.run()
        runs.append((schedule.log, [p.disk.logs for p in schedule.pair.players]))
    assert runs[0] == runs[1]
    assert runs[0][0]


@pytest.mark.slow
@pytest.mark.parametrize("mutant", MUTANTS)
def test_a_program_that_is_broken_is_noticed(mutant: str) -> None:
    """Each pillar of the design, taken away, shows within few schedules."""
    assert schedules_until_caught(mutant)


def test_a_schedule_that_fails_names_its_seed() -> None:
    """The seed is all one needs to see it again."""
    schedule = Simulation(1, steps=0)
    for player in schedule.pair.players:
        player.person = lambda _notice: None  # nobody says yes: no game comes up
    with pytest.raises(SimulationError, match="seed 1: "):
        schedule.run()
