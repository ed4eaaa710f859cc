"""What has to be played first, and what it is called to do something else.

Theory of operation. Duties are asked before every action of the mover
(20-rules.md 5); they look at tops only. Three can stand: ``F-reserve`` (the
reserve's top fits a foundation and the rules put it first), ``F`` (some
available card fits a foundation) and ``space`` (a space is to be filled from
the reserve before ``turn``). A duty never stops an action by itself: it makes
any other action an *offence*, and the rule set's ``enforcement`` says what
becomes of it. The questions here are asked of one action; the hot question of
bots and perft, every action with its offence, is ``engine/listing.py``'s.

Where the printed rules are silent: with ``own_waste_playable`` the own waste's
top (``W``) is an available card like any other, so it can be a duty; into a
space it counts as the drawn card it once was.
"""

from __future__ import annotations

from typing import Final

from crapette_p2p.engine.actions import Move, TableAction, Turn
from crapette_p2p.engine.fit import MOVES, foundation_for
from crapette_p2p.engine.layout import DRAWN, RESERVE, STOCK, WASTE
from crapette_p2p.engine.position import OffenceCode, Position

ACTIONS_A_TURN: Final = 400
"""After so many only discard, pass, turn or a foundation play (20-rules.md 4.6)."""


def sources_of(position: Position) -> tuple[int, ...]:
    """The piles the mover may play from: reserve, drawn card, (waste,) columns."""
    seat = position.active
    if position.rules.own_waste_playable:
        return (RESERVE + seat, DRAWN + seat, WASTE + seat, *range(8))
    return (RESERVE + seat, DRAWN + seat, *range(8))


def foundation_plays(position: Position) -> tuple[Move, ...]:
    """Every foundation play there is, reserve and drawn card first."""
    plays = []
    piles, faces = position.piles, position.faces
    for source in sources_of(position):
        slots = piles[source]
        if slots:
            target = foundation_for(piles, faces[slots[-1]])
            if target is not None:
                plays.append(MOVES[source][target])
    return tuple(plays)


def opens_with_turn(position: Position) -> bool:
    """Whether nothing but ``turn`` may open this turn."""
    seat, piles = position.active, position.piles
    return (
        position.acts == 0
        and position.rules.opens_with_turn
        and bool(piles[STOCK + seat] or piles[WASTE + seat])
    )


def space_duty(position: Position) -> bool:
    """Whether a space has to be filled from the reserve before ``turn``."""
    rules, piles, seat = position.rules, position.piles, position.active
    return (
        rules.fill_spaces_before_turn
        and rules.has_duties
        and "reserve" in rules.space_sources
        and position.acts < ACTIONS_A_TURN
        and bool(piles[RESERVE + seat])
        and not piles[DRAWN + seat]
        and not all(piles[:8])
        and bool(piles[STOCK + seat] or piles[WASTE + seat])
    )


def duties(position: Position) -> tuple[str, ...]:
    """The duties that stand, most pressing first: F-reserve, F, space."""
    if position.end is not None:
        return ()
    standing = []
    if position.rules.has_duties:
        plays = foundation_plays(position)
        if plays:
            if _reserve_goes_first(position, plays):
                standing.append("F-reserve")
            standing.append("F")
    if space_duty(position):
        standing.append("space")
    return tuple(standing)


def due_plays(position: Position) -> tuple[Move, ...]:
    """The plays of the most pressing duty; a Stop has to name one of them."""
    if position.end is not None or not position.rules.has_duties:
        return ()
    plays = foundation_plays(position)
    if plays:
        if _reserve_goes_first(position, plays):
            return plays[:1]
        return plays
    if space_duty(position):
        reserve = RESERVE + position.active
        piles = position.piles
        return tuple(MOVES[reserve][c] for c in range(8) if not piles[c])
    return ()


def _reserve_goes_first(position: Position, plays: tuple[Move, ...]) -> bool:
    return position.rules.reserve_first and plays[0].source == RESERVE + position.active


def offence_of(position: Position, action: TableAction) -> OffenceCode | None:
    """Which offence ``action`` would be now; None if it is none.

    Meant for actions that can be made; whether they can is ``refusal``'s answer.
    """
    if not position.rules.has_duties or opens_with_turn(position):
        return None
    up = type(action) is Move and 8 <= action.target < 16
    plays = foundation_plays(position)
    if plays:
        if _reserve_goes_first(position, plays):
            if up and action.source == plays[0].source:  # type: ignore[union-attr] # up says it is a Move
                return None
            return OffenceCode.RESERVE_FIRST
        return None if up else OffenceCode.MISSED_FOUNDATION
    if type(action) is Turn and space_duty(position):
        return OffenceCode.UNFILLED_SPACE
    return None
