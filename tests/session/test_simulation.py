"""Random schedules of cuts, crashes, backups and collisions (C5-C12, C19).

``scripts/simulate N`` runs more of them. The last tests break the design on
purpose in the three places it rests on: the simulation has to notice.
"""

from __future__ import annotations

import pytest

from crapette_p2p.session import channel, resume
from crapette_p2p.session.messages import Resume
from crapette_p2p.session.opengame import OpenGame
from crapette_p2p.session.resume import Resumption, Stage
from tests.helpers.simulation import Simulation, SimulationError

ENOUGH = 60
"""Schedules within which a broken design has to show."""


@pytest.mark.slow
@pytest.mark.parametrize("first", range(0, 120, 20))
@pytest.mark.parametrize("backups", [True, False])
def test_every_schedule_ends_with_equal_closed_logs(first: int, backups: bool) -> None:
    """Whatever happens in between, the game ends and nobody is accused."""
    for seed in range(first, first + 20):
        Simulation(seed, backups=backups).run()


def seeds_that_fail(**options: bool) -> list[int]:
    """The first schedule that goes wrong, as a list of at most one."""
    for seed in range(ENOUGH):
        try:
            Simulation(seed, **options).run()  # type: ignore[arg-type] # fields by name
        except SimulationError:
            return [seed]
    return []


@pytest.mark.slow
def test_sending_before_recording_is_noticed() -> None:
    """Mutant: a crash between EVENT and its record signs the number again (L1)."""
    assert seeds_that_fail(forgetful=True, backups=False)


@pytest.mark.slow
def test_a_missing_resume_gate_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Mutant: going on before both logs are equal leaves gaps (L2)."""

    def go_on(self: Resumption, game: OpenGame, message: Resume) -> None:
        del message
        self.game = game
        self.stage = Stage.EQUAL

    monkeypatch.setattr(resume.Resumption, "_compare", go_on)
    assert seeds_that_fail()


@pytest.mark.slow
def test_letting_the_own_event_win_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Mutant: each side believes its own event; the two never agree again."""
    monkeypatch.setattr(channel, "wins", lambda _mine, over: bool(over))
    assert seeds_that_fail()
