"""Which of a few ways to carry on is best, by playing each out in the same worlds.

The ways come from the search with what the evaluation thinks of them; that counts
like a few samples. Half of the ways drop out after each round, so that the budget
goes to those between which it is close.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from crapette_p2p.bot.board import NOTHING, Board, Play
from crapette_p2p.bot.evaluation import WON, Outlook, worth_ending
from crapette_p2p.bot.rollout import (
    Side,
    World,
    board_from,
    shuffled,
    throws,
    turn_up,
)

TURN_UP: Final = Play(-1, -1)
"""In a plan: turn up the next card."""
END_TURN: Final = Play(-2, -2)
"""In a plan: discard, or pass."""
LOOK: Final = Play(-3, -3)
"""A stop that is none: a reserve card comes up, and one thinks again."""
TURNS_AHEAD: Final = 2
"""How many turns a rollout goes on after the mover's own."""
WIN: Final = 40.0
"""What a rollout that is won is worth, in cards."""
PRIOR: Final = 12.0
"""How many samples the evaluation counts for."""


@dataclass(slots=True)
class Way:
    """A way through the turn as far as it can be seen."""

    worth: float
    """What the evaluation thinks of it."""
    board: Board
    """Where it leads."""
    stop: Play
    """What is done there."""
    total: float = 0.0
    samples: int = 0

    def mean(self) -> float:
        """What it is worth, all in all."""
        return (PRIOR * self.worth + self.total) / (PRIOR + self.samples)


def best_way(
    ways: Sequence[Way],
    outlook: Outlook,
    budget: int,
    cancelled: Callable[[], bool] | None = None,
) -> int:
    """The number of the best way; ``budget`` counts turns played in rollouts."""
    won = [number for number, way in enumerate(ways) if way.worth > WON / 2]
    if won or len(ways) == 1:
        return won[0] if won else 0
    alive = list(range(len(ways)))
    hidden = [_faces(outlook.unseen), _faces(outlook.their_unseen)]
    numbers = throws(_seed(ways[0].board))
    rounds = max(1, (len(ways) - 1).bit_length())
    each = TURNS_AHEAD + 1
    for turn in range(rounds):
        worlds = budget // (rounds * each * len(alive))
        for _ in range(worlds):
            if cancelled and cancelled():
                break
            mine, theirs = (shuffled(faces, numbers) for faces in hidden)
            for number in alive:
                way = ways[number]
                way.total += played_out(way, outlook, mine, theirs)
                way.samples += 1
        alive.sort(key=lambda number: -ways[number].mean())
        alive = alive[: (len(alive) + 1) // 2] if turn < rounds - 1 else alive
    return alive[0]


def played_out(
    way: Way, outlook: Outlook, mine: Sequence[int], theirs: Sequence[int]
) -> float:
    """What one world makes of a way."""
    board = way.board
    me = Side(
        board.reserve, board.stock, board.waste, board.drawn, mine, outlook.to_clear
    )
    them = Side(
        board.their_reserve,
        board.their_stock,
        board.their_waste,
        board.their_drawn,
        theirs,
        outlook.they_clear,
    )
    world = World(board.columns, board.heights, outlook.terms)
    if way.stop != END_TURN:
        if way.stop == TURN_UP:
            turn_up(me)
        if world.play_turn(me, them, opened=True):
            return WIN
    elif me.drawn != NOTHING:
        me.waste.append(me.drawn)
        me.drawn = NOTHING
    for turn in range(TURNS_AHEAD):
        mover, opponent = (me, them) if turn & 1 else (them, me)
        if world.play_turn(mover, opponent, opened=False):
            return WIN if turn & 1 else -WIN
    if TURNS_AHEAD & 1:
        return -worth_ending(board_from(world, them, me), outlook)
    return worth_ending(board_from(world, me, them), outlook)


def _faces(bits: int) -> list[int]:
    return [face for face in range(52) if bits >> face & 1] or list(range(52))


def _seed(board: Board) -> int:
    """Equal boards throw equal worlds."""
    seen = hashlib.sha256(repr(board).encode()).digest()
    return int.from_bytes(seen[:8])
