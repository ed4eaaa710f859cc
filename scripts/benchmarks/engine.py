"""The rules: lists of legal actions, plies, perft nodes, whole random games."""

from __future__ import annotations

import random
from functools import cache

from measuring import Benchmark

from crapette_p2p.engine import (
    PRESETS,
    Move,
    Position,
    legal_with_offences,
    perft,
    play,
    start,
)
from crapette_p2p.engine.layout import is_foundation
from crapette_p2p.engine.listing import list_actions

MOST_PLIES = 5_000
"""Of one random game; a game that ends in no such number is a bug."""


def dealt(seed: int, preset: str = "crapette") -> Position:
    """A deal with all cards known, shuffled from the seed."""
    dice = random.Random(seed)
    faces: list[int] = []
    for _ in range(2):
        deck = list(range(52))
        dice.shuffle(deck)
        faces += deck
    return start(PRESETS[preset], bytes(faces), lot=0)


def next_ply(position: Position, dice: random.Random) -> Position:
    """A foundation play if there is one, else any action alike."""
    listed = legal_with_offences(position)
    if not listed:  # a provisional end: the other grants it
        return position
    for action, _ in listed:
        if type(action) is Move and is_foundation(action.target):
            return play(position, position.active, action)
    return play(position, position.active, dice.choice(listed)[0])


def play_game(seed: int) -> list[Position]:
    """Every position of one random game."""
    dice = random.Random(seed)
    position = dealt(seed)
    positions = [position]
    while position.end is None and len(positions) < MOST_PLIES:
        position = next_ply(position, dice)
        positions.append(position)
    return positions


@cache
def sample() -> tuple[Position, ...]:
    """Positions out of three games, every third one."""
    return tuple(p for seed in range(3) for p in play_game(seed)[:-1:3])


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
        position = next_ply(position, dice)


@cache
def perft_positions() -> tuple[Position, ...]:
    """Positions with all cards known and something to count."""
    return sample()[10::20]


def nodes(times: int) -> None:
    """Count perft to depth 2 until so many nodes have been counted."""
    counted = turn = 0
    positions = perft_positions()
    while counted < times:
        counted += perft(positions[turn % len(positions)], 2)
        turn += 1


def games(times: int) -> None:
    """Play whole random games."""
    for seed in range(times):
        play_game(seed)


BENCHMARKS = (
    Benchmark("engine.lists", "lists", 200, lists),
    Benchmark("engine.plies", "plies", 200, plies),
    Benchmark("engine.perft", "nodes", 500, nodes),
    Benchmark("engine.games", "games", 1, games, scales=(1, 10)),
)
