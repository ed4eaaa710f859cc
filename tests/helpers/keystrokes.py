"""Which keys a player presses for an action at the table."""

from __future__ import annotations

from crapette_p2p.engine import (
    Action,
    AnswerDraw,
    Discard,
    Grant,
    Move,
    OfferDraw,
    Pass,
    Resign,
    Stop,
    Turn,
)
from crapette_p2p.engine.layout import DRAWN, RESERVE


def keys_of(action: Action, *, in_hand: bool) -> list[str]:
    """The fewest keys for an action; a drawn card is picked already."""
    match action:
        case Move(source, target):
            first = [] if source & ~1 == DRAWN and in_hand else [_pile(source)]
            return [*first, _goal(target)]
        case Stop(source, target):
            return ["!", _pile(source), _goal(target)]
        case Turn():
            return [" "]
        case Discard() | Pass():
            return ["d"]
        case Grant():
            return ["g"]
        case Resign():
            return [":", *"resign", "enter", "y"]
        case OfferDraw():
            return [":", *"draw", "enter"]
        case AnswerDraw(accept):
            return ["y" if accept else "n"]


def takes_up(action: Action) -> bool:
    """Whether its first key takes up its own card, whatever else was picked."""
    if isinstance(action, Move):
        return action.source & ~1 == RESERVE
    return isinstance(action, Stop)


def _pile(pile: int) -> str:
    if pile < 8:
        return str(pile + 1)
    return {RESERVE: "c", DRAWN: " "}[pile & ~1]


def _goal(pile: int) -> str:
    if pile < 8:
        return str(pile + 1)
    if pile < RESERVE:
        return "f"
    return "o" if pile & ~1 == RESERVE else "p"
