"""The rules: lists of legal actions, plies, perft nodes, whole random games."""

from __future__ import annotations

import random

from games import dealt, played, random_action, sample
from measuring import Benchmark

from crapette_p2p.engine import perft, play
from crapette_p2p.engine.listing import list_actions

FLOOR = "calibration"


def lists(times: int) -> None:
    """List the legal actions of sampled positions, with their offences.

    ``legal_with_offences`` keeps its answer with the position, so what is asked
    here is what it asks the first time.
    """
    positions = sample()
    for turn in range(times):
        list_actions(positions[turn % len(positions)])


def plies(times: int) -> None:
    """Play so many plies of random games, one game after the other."""
    dice = random.Random(1)
    seed, position = 0, dealt(0)
    for _ in range(times):
        if position.end is not None:
            seed += 1
            position = dealt(seed)
        position = play(position, position.active, random_action(position, dice))


def nodes(times: int) -> None:
    """Count perft to depth 2 until so many nodes have been counted."""
    counted = turn = 0
    positions = sample()[10::20]
    while counted < times:
        counted += perft(positions[turn % len(positions)], 2)
        turn += 1


def games(times: int) -> None:
    """Play whole random games."""
    for seed in range(times):
        played(seed)


BENCHMARKS = (
    Benchmark("engine.lists", "lists", 200, lists, FLOOR, aim=35),
    Benchmark("engine.plies", "plies", 200, plies, FLOOR),
    Benchmark("engine.perft", "nodes", 5_000, nodes, FLOOR),
    Benchmark("engine.games", "games", 1, games, FLOOR, aim=140_000),
)
"""The aims are 100,000 lists and 25 games a second where the loop does 3.5 M/s."""
