"""Counting action sequences, the check of every rules engine (rules.md 7)."""

from __future__ import annotations

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
        raise NotationError(f"depth: 0 to {DEEPEST}", field="depth", token=str(depth))
    return _perft(position, depth)


def _perft(position: Position, depth: int) -> int:
    if depth == 0:
        return 1
    total = 0
    for action, offence in legal_with_offences(position):
        after = successor(position, action, offence)
        if after.unopened() is not None:
            raise IllegalMove("unknown-card", "a card has to be turned up")
        total += _perft(after, depth - 1)
    return total
