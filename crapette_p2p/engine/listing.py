"""Every table action the mover can make, each with the offence it is.

Theory of operation. This is the question bots and perft live on, so it looks at
each top once. The eight columns are sorted into one list of 8-bit masks by what
they show; a card's columns are then one look-up, and the moves themselves lie
ready as tuples by source and mask (``_BUILDS``), paired with their offence,
which is the same for all plays that are not foundation plays. Foundations and
loads are asked of two masks over the 52 faces and seldom answer yes.
``engine/rules.py`` and ``engine/duties.py`` give the same answers one action at
a time; tests hold the two against each other.
"""

from __future__ import annotations

from typing import Final

from crapette_p2p.engine.actions import DISCARD, PASS, TURN, Move, TableAction
from crapette_p2p.engine.duties import ACTIONS_A_TURN, opens_with_turn, space_duty
from crapette_p2p.engine.fit import (
    BIT,
    CLASS,
    CLASS_COUNT,
    EMPTY,
    FIRST_FOUNDATION,
    LIES_ON,
    MOVES,
    NEIGHBOURS,
    RANK_INDEX,
    SPACE_CLASS,
    WANTED,
)
from crapette_p2p.engine.layout import DRAWN, RESERVE, STOCK, WASTE
from crapette_p2p.engine.position import OffenceCode, Position

Listed = tuple[TableAction, OffenceCode | None]
"""A table action and the offence it is, if any."""

_OFFENCES: Final = (None, *OffenceCode)
_SOURCES: Final = (*range(8), 16, 17, 20, 21, 22, 23)
_RESERVE_FIRST: Final = int(OffenceCode.RESERVE_FIRST)
_MISSED: Final = int(OffenceCode.MISSED_FOUNDATION)
_UNFILLED: Final = int(OffenceCode.UNFILLED_SPACE)


def _pairs(offence: OffenceCode | None) -> tuple[tuple[Listed, ...], ...]:
    return tuple(tuple((move, offence) for move in row) for row in MOVES)


def _builds(row: tuple[Listed, ...]) -> tuple[tuple[Listed, ...], ...]:
    """By 8-bit mask of columns: the moves of one source to those columns."""
    table: list[tuple[Listed, ...]] = [()]
    for column in range(8):
        table += [(*moves, row[column]) for moves in table]
    return tuple(table)


_MOVES: Final = tuple(_pairs(offence) for offence in _OFFENCES)
"""By offence, source and target: a move with its offence."""
_BUILDS: Final = tuple(
    tuple(_builds(row) if s in _SOURCES else () for s, row in enumerate(rows))
    for rows in _MOVES
)
"""By offence, source and mask of columns: moves with their offence."""
_TURNS: Final = tuple(((TURN, offence),) for offence in _OFFENCES)
_DISCARDS: Final = tuple(((DISCARD, offence),) for offence in _OFFENCES)
_PASSES: Final = tuple(((PASS, offence),) for offence in _OFFENCES)


def legal_actions(position: Position) -> tuple[TableAction, ...]:
    """The table actions the engine accepts from the mover, offending ones too."""
    return tuple(action for action, _ in legal_with_offences(position))


def legal_with_offences(position: Position) -> tuple[Listed, ...]:
    """Every table action the engine accepts from the mover, with its offence.

    Empty when the deal is over or an opening is owed. Under ``forbid`` the
    offending actions are left out, under ``automatic`` an offending discard or
    pass is.
    """
    if position.end is not None or position.unopened() is not None:
        return ()
    return listed(position)


def listed(position: Position) -> tuple[Listed, ...]:
    """As ``legal_with_offences``, for a deal in play whatever cards are unseen."""
    piles, faces, rules = position.piles, position.faces, position.rules
    seat = position.active
    if opens_with_turn(position):
        return _TURNS[0]

    # What the columns show, and what lies on top of everything playable.
    on = [0] * CLASS_COUNT
    tops = []
    available = 0
    for column in range(8):
        slots = piles[column]
        top = faces[slots[-1]] if slots else EMPTY
        tops.append((column, top))
        on[CLASS[top]] |= 1 << column
        available |= BIT[top]
    spaces = on[SPACE_CLASS]
    personal = []
    for pile in _PERSONAL[seat]:
        if piles[pile] and (pile < WASTE or rules.own_waste_playable):
            top = faces[piles[pile][-1]]
            personal.append((pile, top))
            available |= BIT[top]
    wanted = 0
    for suit in range(4):
        heights = WANTED[suit]
        wanted |= heights[len(piles[8 + 2 * suit])]
        wanted |= heights[len(piles[9 + 2 * suit])]
    slots = piles[RESERVE + 1 - seat]
    load_reserve = NEIGHBOURS[faces[slots[-1]]] if slots else 0
    slots = piles[WASTE + 1 - seat]
    load_waste = NEIGHBOURS[faces[slots[-1]]] if slots else 0
    special = wanted | load_reserve | load_waste

    # Which offence a foundation play is, and which all else.
    up, rest = 0, 0
    if available & wanted and rules.has_duties:
        rest = _MISSED
        reserve = piles[RESERVE + seat]
        if rules.reserve_first and reserve and BIT[faces[reserve[-1]]] & wanted:
            up = rest = _RESERVE_FIRST

    found: list[Listed] = []
    builds = _BUILDS[rest]
    moves = _MOVES[rest]
    for source, top in personal + tops:
        if top >= EMPTY:
            continue
        mask = on[LIES_ON[top]]
        if spaces and _SPACE_SOURCE[source] in rules.space_sources:
            mask |= spaces
        if mask:
            found += builds[source][mask]
        bit = BIT[top]
        if special & bit:
            if wanted & bit:
                target = FIRST_FOUNDATION[top]
                if len(piles[target]) != RANK_INDEX[top]:
                    target += 1
                code = 0 if source == RESERVE + seat else up
                found.append(_MOVES[code][source][target])
            if load_reserve & bit:
                found.append(moves[source][RESERVE + 1 - seat])
            if load_waste & bit:
                found.append(moves[source][WASTE + 1 - seat])
    if piles[DRAWN + seat]:
        found += _DISCARDS[rest]
    elif piles[STOCK + seat] or piles[WASTE + seat]:
        code = rest or (_UNFILLED if space_duty(position) else 0)
        found += _TURNS[code]
    else:
        found += _PASSES[rest]
    if position.acts >= ACTIONS_A_TURN:
        found = [pair for pair in found if _is_late(pair[0])]
    if rules.enforcement == "forbid":
        found = [pair for pair in found if pair[1] is None]
    elif rules.enforcement == "automatic" and rest:
        ends = (DISCARD, PASS)
        found = [pair for pair in found if pair[0] not in ends]
    return tuple(found)


_PERSONAL: Final = ((16, 20, 22), (17, 21, 23))
_SPACE_SOURCE: Final = (
    *("column",) * 16,
    *("reserve", "reserve", "", "", "drawn", "drawn", "drawn", "drawn"),
)


def _is_late(action: TableAction) -> bool:
    """Whether an action is still accepted after 400 in one turn."""
    return not isinstance(action, Move) or 8 <= action.target < 16
