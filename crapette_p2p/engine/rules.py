"""Whether the engine makes an action at all: refusals, each a stable code.

A refusal stops an action; an offence (``engine/duties.py``) lets it stand, but
for the enforcements ``forbid`` and, for what ends the turn, ``automatic``.
"""

from __future__ import annotations

from typing import assert_never

from crapette_p2p.cards import UNKNOWN
from crapette_p2p.engine.actions import (
    Action,
    AnswerDraw,
    Discard,
    Grant,
    Move,
    OfferDraw,
    Pass,
    Resign,
    Stop,
    TableAction,
    Turn,
)
from crapette_p2p.engine.duties import (
    ACTIONS_A_TURN,
    offence_of,
    opens_with_turn,
)
from crapette_p2p.engine.fit import can_build, can_load, foundation_for
from crapette_p2p.engine.layout import (
    DRAWN,
    PILE_COUNT,
    RESERVE,
    STOCK,
    WASTE,
    foundation_suit,
    other,
)
from crapette_p2p.engine.listing import legal_with_offences
from crapette_p2p.engine.position import Position


def refusal(position: Position, seat: int, action: Action) -> str | None:
    """Why ``seat`` cannot make ``action`` now, as a kebab-case code, or None."""
    end = position.end
    if end is not None and end.provisional_by is None:
        return "game-over"
    if isinstance(action, Resign):
        return None if end is None else "end-is-provisional"
    if position.unopened() is not None:
        return "opening-owed"
    if isinstance(action, Stop):
        return _stop_refusal(position, seat, action)
    if isinstance(action, Grant):
        return _grant_refusal(position, seat)
    if end is not None:
        return "end-is-provisional"
    match action:
        case OfferDraw():
            return _offer_refusal(position, seat)
        case AnswerDraw():
            offered = position.offer is not None and position.offer != seat
            return None if offered else "no-offer"
        case Move() | Turn() | Discard() | Pass():
            if seat != position.active:
                return "not-your-turn"
            return table_refusal(position, action)
        case _:
            assert_never(action)


def legal_actions(position: Position) -> tuple[TableAction, ...]:
    """The table actions the engine accepts from the mover, offending ones too."""
    return tuple([action for action, _ in legal_with_offences(position)])


def table_refusal(position: Position, action: TableAction) -> str | None:
    """Why the mover of a running deal cannot make a table action, or None."""
    why = _bare_refusal(position, action)
    if why is not None:
        return why
    enforcement = position.rules.enforcement
    ends_turn = type(action) is Discard or type(action) is Pass
    if enforcement == "forbid" or (enforcement == "automatic" and ends_turn):
        # A lost turn would be no penalty for an action that ends it anyway.
        offence = offence_of(position, action)
        if offence is not None:
            return offence.text
    return None


def _bare_refusal(position: Position, action: TableAction) -> str | None:
    """The refusal of an action, duties apart."""
    if type(action) is not Turn and opens_with_turn(position):
        return "turn-comes-first"
    seat, piles = position.active, position.piles
    if isinstance(action, Move):
        return _move_refusal(position, action)
    drawn = bool(piles[DRAWN + seat])
    to_turn = bool(piles[STOCK + seat] or piles[WASTE + seat])
    match action:
        case Turn():
            if drawn:
                return "card-is-drawn"
            return None if to_turn else "nothing-to-turn"
        case Discard():
            return None if drawn else "nothing-drawn"
        case Pass():
            return "cards-left" if drawn or to_turn else None
        case _:
            assert_never(action)


def _move_refusal(position: Position, move: Move) -> str | None:
    seat, source, target = position.active, move.source, move.target
    own = source in (RESERVE + seat, DRAWN + seat) or 0 <= source < 8
    if not own and not (source == WASTE + seat and position.rules.own_waste_playable):
        return "no-source"
    slots = position.piles[source]
    if not slots:
        return "no-card"
    face = position.faces[slots[-1]]
    if face == UNKNOWN:
        return "unknown-card"
    if 8 <= target < 16:
        return _foundation_refusal(position, face, target)
    if position.acts >= ACTIONS_A_TURN:
        return "too-many-actions"
    if 0 <= target < 8:
        return _column_refusal(position, face, move)
    if target not in (RESERVE + other(seat), WASTE + other(seat)):
        return "no-target"
    pile = position.piles[target]
    if not pile:
        return "nothing-to-load"
    return None if can_load(face, position.faces[pile[-1]]) else "load-misfit"


def _foundation_refusal(position: Position, face: int, target: int) -> str | None:
    fitting = foundation_for(position.piles, face)
    if fitting == target:
        return None
    if fitting is not None and foundation_suit(target) == foundation_suit(fitting):
        return "other-foundation"
    return "foundation-misfit"


def _column_refusal(position: Position, face: int, move: Move) -> str | None:
    pile = position.piles[move.target]
    if pile:
        fits = can_build(face, position.faces[pile[-1]])
        return None if fits else "column-misfit"
    kind = "column" if move.source < 8 else "drawn"
    if move.source == RESERVE + position.active:
        kind = "reserve"
    return None if kind in position.rules.space_sources else "space-source"


def _stop_refusal(position: Position, seat: int, stop: Stop) -> str | None:
    """Refuse by the course of play only: a refusal betrays no offence."""
    if not position.rules.has_calls:
        return "no-calls"
    if position.callable is None or seat == position.callable:
        return "nothing-to-call"
    if position.calls.spent:
        return "call-spent"
    if not (0 <= stop.source < PILE_COUNT and 0 <= stop.target < PILE_COUNT):
        return "no-target"
    return None


def _grant_refusal(position: Position, seat: int) -> str | None:
    end = position.end
    if end is None:
        return "nothing-to-grant"
    return None if end.provisional_by == other(seat) else "not-yours-to-grant"


def _offer_refusal(position: Position, seat: int) -> str | None:
    if position.offer is not None:
        return "offer-stands"
    return "already-offered" if position.offered >> seat & 1 else None
