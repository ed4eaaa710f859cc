"""Counting action sequences, the check of every rules engine (20-rules.md 11)."""

from __future__ import annotations

from crapette_p2p.cards import UNKNOWN, shown
from crapette_p2p.engine.layout import RESERVE, WASTE
from crapette_p2p.engine.listing import legal_with_offences
from crapette_p2p.engine.play import successor
from crapette_p2p.engine.position import Position
from crapette_p2p.errors import IllegalMove, NotationError

DEEPEST = 500
"""No sequence of actions worth counting is longer."""


def perft(position: Position, depth: int) -> int:
    """The sequences of exactly ``depth`` accepted table actions.

    Raises IllegalMove ``unknown-card`` where a sequence turns up a card whose
    face nobody gave.
    """
    if not 0 <= depth <= DEEPEST:
        raise NotationError(
            "depth: 0 to {most}", field="depth", token=shown(depth), most=DEEPEST
        )
    if depth == 0:
        return 1
    if any(
        UNKNOWN in map(position.faces.__getitem__, p)
        for p in position.piles[RESERVE:WASTE]
    ):
        return _careful(position, depth)
    return _counted(position, depth)


def _counted(position: Position, depth: int) -> int:
    """Count where every card is known: the last level need not be played."""
    listed = legal_with_offences(position)
    if depth == 1:
        return len(listed)
    return sum([_counted(successor(position, *pair), depth - 1) for pair in listed])


def _careful(position: Position, depth: int) -> int:
    """Count where some card is unknown, playing every action to see it come up."""
    if depth == 0:
        return 1
    if position.unopened() is not None:
        raise IllegalMove("unknown-card", "a card has to be turned up")
    total = 0
    for action, offence in legal_with_offences(position):
        after = successor(position, action, offence)
        if after.unopened() is not None:
            raise IllegalMove("unknown-card", "a card has to be turned up")
        total += _careful(after, depth - 1)
    return total
