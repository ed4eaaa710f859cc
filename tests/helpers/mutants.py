"""The design broken on purpose in the three places it rests on.

A simulation that does not notice these is worth nothing; ``scripts/simulate
--mutants`` says after how many schedules it does.
"""

from __future__ import annotations

from typing import Any
from unittest import mock

from crapette_p2p.session import channel, resume
from crapette_p2p.session.messages import Resume
from crapette_p2p.session.opengame import OpenGame
from crapette_p2p.session.resume import Resumption, Stage
from tests.helpers.simulation import Simulation, SimulationError

ENOUGH = 200
"""Schedules within which a broken design has to show (some 40 at the most do)."""


def _go_on(self: Resumption, game: OpenGame, message: Resume) -> None:
    """Play goes on before both logs are equal: no gate (L2)."""
    del message
    self.game, self.stage = game, Stage.EQUAL


def _own_wins(_mine: object, over: object) -> bool:
    """Each side believes its own event; the two never agree again."""
    return bool(over)


MUTANTS: dict[str, tuple[dict[str, Any], tuple[Any, str, Any] | None]] = {
    "sends before it records": ({"forgetful": True, "backups": False}, None),
    "has no resume gate": ({}, (resume.Resumption, "_compare", _go_on)),
    "lets its own event win": ({}, (channel, "wins", _own_wins)),
}
"""What the schedules are run with, and what is replaced in the program."""


def schedules_until_caught(name: str, first: int = 0) -> int | None:
    """How many schedules it takes; None if ``ENOUGH`` do not do."""
    options, change = MUTANTS[name]
    if change is not None:
        with mock.patch.object(*change):
            return _until_caught(options, first)
    return _until_caught(options, first)


def _until_caught(options: dict[str, Any], first: int) -> int | None:
    for count in range(1, ENOUGH + 1):
        try:
            Simulation(first + count - 1, **options).run()
        except SimulationError:
            return count
    return None
