"""``hint``: what ``master`` would do, and why, as a code for the wording."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from crapette_p2p.bot.choosing import choose
from crapette_p2p.bot.planning import TurnMemory
from crapette_p2p.engine import (
    Action,
    AnswerDraw,
    Discard,
    Grant,
    Move,
    Pass,
    Position,
    Stop,
    Turn,
    duties,
)
from crapette_p2p.engine.layout import RESERVE, WASTE, is_column, is_foundation

DUTY_REASONS = {
    "F-reserve": "duty-reserve",
    "F": "duty-foundation",
    "space": "duty-space",
}
"""The duty that a hinted play fulfils → the reason given for it."""


@dataclass(frozen=True, slots=True)
class Hint:
    """Advice for one action."""

    action: Action
    reason: str
    """``duty-reserve``, ``duty-foundation``, ``duty-space``, ``foundation``, ``load``,
    ``reserve``, ``waste``, ``space``, ``place``, ``prepare``, ``turn``, ``discard``,
    ``pass``, ``stop``, ``grant`` or ``draw``."""


def hint(
    position: Position,
    seat: int,
    *,
    nodes: int | None = None,
    cancelled: Callable[[], bool] | None = None,
    memory: TurnMemory | None = None,
) -> Hint | None:
    """What ``master`` would do in ``seat`` now; None where there is nothing to do.

    With a ``memory`` of the seat one piece of advice goes on where the last ended.
    """
    action = choose(
        position,
        seat,
        level="master",
        rand=lambda: 0.0,
        nodes=nodes,
        cancelled=cancelled,
        memory=memory,
    )
    return None if action is None else Hint(action, reason_for(position, action))


def reason_for(position: Position, action: Action) -> str:
    """Why one would do this, as a code."""
    match action:
        case Move():
            return _reason_for_move(position, action)
        case Turn() | Discard() | Pass() | Stop() | Grant():
            return type(action).__name__.lower()
        case AnswerDraw():
            return "draw"
        case _:
            return "other"


def _reason_for_move(position: Position, move: Move) -> str:
    standing = duties(position)
    if is_foundation(move.target):
        return DUTY_REASONS[standing[0]] if standing else "foundation"
    from_reserve = move.source == RESERVE + position.active
    if not is_column(move.target):
        return "load"
    if not position.piles[move.target] and from_reserve:
        return DUTY_REASONS["space"] if "space" in standing else "space"
    if from_reserve:
        return "reserve"
    if move.source == WASTE + position.active:
        return "waste"
    return "prepare" if is_column(move.source) else "place"
