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
    PileId,
    Position,
    Resign,
    Stop,
    Turn,
    refusal,
)
from crapette_p2p.engine.layout import DRAWN, RESERVE, is_column


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


def takes_up(action: Action, position: Position) -> bool:
    """Whether its first key takes up its own card, though the drawn one is picked."""
    if isinstance(action, Move):
        source, seat = action.source, position.active
        if is_column(source):  # else its key would lay the drawn card there
            laid = Move(PileId(DRAWN + seat), source)
            return refusal(position, seat, laid) == "column-misfit"
        return source == RESERVE + seat
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
