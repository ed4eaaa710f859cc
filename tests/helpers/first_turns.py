"""Games of two sessions in which one side has just begun a turn."""

from __future__ import annotations

from functools import cache

from crapette_p2p.engine import legal_actions
from crapette_p2p.engine.actions import TURN, Move
from tests.helpers.driving import act, position_of
from tests.helpers.pair import Pair, play_pair


def table_with_mover(role: int) -> Pair:
    """A game in which ``role`` has turned up his first card and can move it."""
    pair = play_pair("crapette", seed=_seed_for(role))
    act(pair, role, TURN)
    return pair


def a_move(pair: Pair) -> Move | None:
    """A lawful move of the player to move."""
    position = position_of(pair.players[0])
    return next((a for a in legal_actions(position) if isinstance(a, Move)), None)


@cache
def _seed_for(role: int) -> int:
    """A deal in which that role begins, and has a move after his first card."""
    for seed in range(40):
        pair = play_pair("crapette", seed=seed)
        if position_of(pair.players[0]).active == role:
            act(pair, role, TURN)
            if a_move(pair) is not None:
                return seed
    raise AssertionError("no such deal")
