"""A finished game, as the file its log is kept in."""

from __future__ import annotations

import random
from functools import cache

from crapette_p2p.session.commands import Act
from tests.helpers.pair import Pair, play_pair
from tests.helpers.policy import choose


@cache
def finished_log() -> bytes:
    """A short game that ends by resignation, audited and closed."""
    pair = play_pair("crapette", seed=5)
    dice = random.Random(5)  # noqa: S311 - a repeatable game
    for number in range(60):
        for side in (0, 1):
            _act(pair, side, dice, resign=0.5 if number > 40 else 0.0)
    return next(iter(pair.players[0].disk.logs.values()))


def _act(pair: Pair, side: int, dice: random.Random, *, resign: float) -> None:
    session = pair.players[side].live
    game, seat = session.game, session.seat
    if game is None or seat is None or game.end is not None:
        return
    action = choose(game, seat, dice, resign=resign)
    if action is not None:
        pair.attempt(side, Act(action))
        pair.pump()
