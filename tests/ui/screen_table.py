"""A table in memory for the screen: a real session on a fake wire, and a robot."""

from __future__ import annotations

import random

from crapette_p2p.session.session import Session
from tests.helpers.pair import Pair, make_player, terms
from tests.ui.plain_table import PairTable


class ScreenTable(PairTable):
    """A ``PairTable`` with what the screen asks besides."""

    @property
    def session(self) -> Session | None:
        """The session of our side."""
        return self.pair.players[self.side].session

    @property
    def address(self) -> str:
        """Where the other end is."""
        return "127.0.0.1"


def screen_table(
    preset: str = "crapette", *, seed: int = 0, side: int = 1, robot: bool = True
) -> ScreenTable:
    """A table whose link has just been made; nothing is answered yet on our side."""
    pair = Pair(
        make_player("Ala", seed=seed), make_player("Olek", seed=seed), seed=seed
    )
    pair.players[0].options["terms"] = terms(preset)
    pair.players[side].person = lambda _notice: None
    dice = random.Random(seed) if robot else None  # noqa: S311 - a repeatable robot
    table = ScreenTable(pair, side, robot=dice)
    pair.connect()
    table.settle()
    return table
