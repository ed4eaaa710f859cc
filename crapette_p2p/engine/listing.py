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

from collections.abc import Iterable
from typing import Final

from crapette_p2p.cards import UNKNOWN
from crapette_p2p.engine.actions import DISCARD, PASS, TURN, Move, TableAction
from crapette_p2p.engine.duties import ACTIONS_A_TURN, opens_with_turn, space_duty
from crapette_p2p.engine.fit import (
    BIT,
    CLASS,
    CLASS_COUNT,
    EMPTY,
    LIES_ON,
    MOVES,
    NEIGHBOURS,
    SPACE_CLASS,
    foundation_for,
    wanted_cards,
)
from crapette_p2p.engine.layout import DRAWN, RESERVE, STOCK, WASTE
from crapette_p2p.engine.position import Listed, OffenceCode, Position

_SELECTIVE: Final = ("forbid", "automatic")
"""The enforcements that refuse some offending actions."""
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


def legal_with_offences(position: Position) -> tuple[Listed, ...]:
    """Every table action the engine accepts from the mover, with its offence.

    Empty when the deal is over or an opening is owed. Under ``forbid`` the
    offending actions are left out, under ``automatic`` an offending discard or
    pass is. The answer stays with the position: ``play`` asks again.
    """
    known = position.listed
    if known is None:
        if position.end is not None or (
            UNKNOWN in position.faces and position.unopened() is not None
        ):
            known = ()
        else:
            known = list_actions(position)
        object.__setattr__(position, "listed", known)
    return known


def list_actions(position: Position) -> tuple[Listed, ...]:
    """As ``legal_with_offences``, for a deal in play whatever cards are unseen."""
    piles, faces, rules = position.piles, position.faces, position.rules
    seat = position.active
    if rules.opens_with_turn and position.acts == 0 and opens_with_turn(position):
        return _TURNS[0]

    on = [0] * CLASS_COUNT
    tops = []
    available = 0
    column = 1
    for slots in piles[:8]:
        top = faces[slots[-1]] if slots else EMPTY
        tops.append(top)
        on[CLASS[top]] |= column
        available |= BIT[top]
        column += column
    reserve, drawn, waste = piles[16 + seat], piles[20 + seat], piles[22 + seat]
    reserve_top = faces[reserve[-1]] if reserve else EMPTY
    drawn_top = faces[drawn[-1]] if drawn else EMPTY
    waste_top = faces[waste[-1]] if waste and rules.own_waste_playable else EMPTY
    available |= BIT[reserve_top] | BIT[drawn_top] | BIT[waste_top]
    wanted = wanted_cards(piles)
    up = rest = 0
    if available & wanted and rules.foundation_duty and rules.enforcement != "none":
        rest = _MISSED
        if rules.reserve_first and BIT[reserve_top] & wanted:
            up = rest = _RESERVE_FIRST

    found: list[Listed] = []
    builds = _BUILDS[rest]
    from_reserve = from_drawn = from_column = on[SPACE_CLASS]
    if from_column:
        may_fill = rules.space_sources
        from_reserve = from_reserve if "reserve" in may_fill else 0
        from_drawn = from_drawn if "drawn" in may_fill else 0
        from_column = from_column if "column" in may_fill else 0
    if reserve_top < EMPTY:
        found += builds[16 + seat][on[LIES_ON[reserve_top]] | from_reserve]
    if drawn_top < EMPTY:
        found += builds[20 + seat][on[LIES_ON[drawn_top]] | from_drawn]
    if waste_top < EMPTY:
        found += builds[22 + seat][on[LIES_ON[waste_top]] | from_drawn]
    for row, top in zip(builds, tops):  # noqa: B905 - rows go on past the columns
        if top != EMPTY:
            mask = on[LIES_ON[top]] | from_column
            if mask:
                found += row[mask]
    special = wanted | _loads(position)
    if available & special:
        personal = (
            (RESERVE + seat, reserve_top),
            (DRAWN + seat, drawn_top),
            (WASTE + seat, waste_top),
        )
        _add_special(found, position, (*personal, *enumerate(tops)), up, rest)
    if drawn:
        found += _DISCARDS[rest]
    elif piles[STOCK + seat] or waste:
        found += _TURNS[rest or (_UNFILLED if space_duty(position) else 0)]
    else:
        found += _PASSES[rest]
    if position.acts >= ACTIONS_A_TURN or rules.enforcement in _SELECTIVE:
        return _selected(position, found)
    return tuple(found)


def _loads(position: Position) -> int:
    """The cards that can be loaded on the opponent, as a mask."""
    piles, faces, theirs = position.piles, position.faces, 1 - position.active
    reserve, waste = piles[RESERVE + theirs], piles[WASTE + theirs]
    loads = NEIGHBOURS[faces[reserve[-1]]] if reserve else 0
    return loads | NEIGHBOURS[faces[waste[-1]]] if waste else loads


def _add_special(
    found: list[Listed],
    position: Position,
    sources: Iterable[tuple[int, int]],
    up: int,
    rest: int,
) -> None:
    """Add foundation plays and loads; ``up`` and ``rest`` say which offence each is."""
    piles, faces, seat = position.piles, position.faces, position.active
    reserve, waste = RESERVE + 1 - seat, WASTE + 1 - seat
    on_reserve = NEIGHBOURS[faces[piles[reserve][-1]]] if piles[reserve] else 0
    on_waste = NEIGHBOURS[faces[piles[waste][-1]]] if piles[waste] else 0
    moves = _MOVES[rest]
    for source, top in sources:
        target = foundation_for(piles, top)
        if target is not None:
            offence = 0 if source == RESERVE + seat else up
            found.append(_MOVES[offence][source][target])
        if on_reserve & BIT[top]:
            found.append(moves[source][reserve])
        if on_waste & BIT[top]:
            found.append(moves[source][waste])


def _selected(position: Position, found: list[Listed]) -> tuple[Listed, ...]:
    """Drop what a long turn or the enforcement does not accept."""
    if position.acts >= ACTIONS_A_TURN:
        found = [pair for pair in found if _is_late(pair[0])]
    if position.rules.enforcement == "forbid":
        found = [pair for pair in found if pair[1] is None]
    elif position.rules.enforcement == "automatic":
        # A lost turn would be no penalty for what ends the turn anyway.
        found = [
            (action, offence)
            for action, offence in found
            if offence is None or (action is not DISCARD and action is not PASS)
        ]
    return tuple(found)


def _is_late(action: TableAction) -> bool:
    """Whether an action is still accepted after 400 in one turn."""
    return type(action) is not Move or 8 <= action.target < 16
