"""Every table action the mover can make, each with the offence it is.

Theory of operation. This is the question bots and perft live on, so it looks at
each top once. The eight columns are sorted into one list of 8-bit masks by what
they show; a card's columns are then one look-up, and the moves themselves lie
ready as tuples by source and mask (``_ROWS``), paired with their offence,
which is the same for all plays that are not foundation plays. Foundations and
loads are asked of two masks over the 52 faces and seldom answer yes.
Columns and sources are written out one by one, since a loop over them takes half
as long again. ``engine/rules.py`` and ``engine/duties.py`` give the same answers one
action at a time; tests hold the two against each other.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations
from typing import Final

from crapette_p2p.cards import UNKNOWN
from crapette_p2p.engine.actions import DISCARD, PASS, TURN, Move, TableAction
from crapette_p2p.engine.duties import ACTIONS_A_TURN, space_duty
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
from crapette_p2p.engine.position import Listed, OffenceCode, Position
from crapette_p2p.engine.ruleset import SPACE_BITS

_CLUBS, _DIAMONDS, _SPADES, _HEARTS = WANTED
_SELECTIVE: Final = ("forbid", "automatic")
"""The enforcements that refuse some offending actions."""
_OFFENCES: Final = (None, *OffenceCode)
_SOURCES: Final = tuple(
    (*range(8), RESERVE + seat, DRAWN + seat, WASTE + seat) for seat in (0, 1)
)
"""By seat: where a card may come from, in the order ``list_actions`` looks."""
_RESERVE_FIRST: Final = int(OffenceCode.RESERVE_FIRST)
_MISSED: Final = int(OffenceCode.MISSED_FOUNDATION)
_UNFILLED: Final = int(OffenceCode.UNFILLED_SPACE)


def _pairs(offence: OffenceCode | None) -> tuple[tuple[Listed, ...], ...]:
    return tuple(tuple((move, offence) for move in row) for row in MOVES)


_Row = tuple[tuple[Listed, ...], ...]
"""By mask of columns: the moves of one source to them."""


def _builds(row: tuple[Listed, ...]) -> tuple[tuple[Listed, ...], ...]:
    """By 8-bit mask of columns: the moves of one source to those columns."""
    table: list[tuple[Listed, ...]] = [()]
    for column in range(8):
        table += [(*moves, row[column]) for moves in table]
    return tuple(table)


_MOVES: Final = tuple(_pairs(offence) for offence in _OFFENCES)
"""By offence, source and target: a move with its offence."""
_ROWS: Final = tuple(
    tuple(tuple(_builds(rows[source]) for source in sources) for sources in _SOURCES)
    for rows in _MOVES
)
"""By offence, seat, source (as in ``_SOURCES``) and mask of columns: the moves."""


def _fills(names: Iterable[str]) -> tuple[int, int, int]:
    """Columns, reserve, drawn card (or waste): -1 if it may fill a space, else 0."""
    column, reserve, drawn = (
        -(kind in names) for kind in ("column", "reserve", "drawn")
    )
    return (column, reserve, drawn)


_FILLS: Final = {
    frozenset(names): _fills(names)
    for count in range(4)
    for names in combinations(SPACE_BITS, count)
}
"""By the rule set's space sources."""
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
    reserve, drawn, waste = piles[16 + seat], piles[20 + seat], piles[22 + seat]
    if rules.opens_with_turn and position.acts == 0 and (waste or piles[18 + seat]):
        return _TURNS[0]
    c1, c2, c3, c4, c5, c6, c7, c8 = piles[:8]
    tops = (
        t1 := faces[c1[-1]] if c1 else EMPTY,
        t2 := faces[c2[-1]] if c2 else EMPTY,
        t3 := faces[c3[-1]] if c3 else EMPTY,
        t4 := faces[c4[-1]] if c4 else EMPTY,
        t5 := faces[c5[-1]] if c5 else EMPTY,
        t6 := faces[c6[-1]] if c6 else EMPTY,
        t7 := faces[c7[-1]] if c7 else EMPTY,
        t8 := faces[c8[-1]] if c8 else EMPTY,
        tr := faces[reserve[-1]] if reserve else EMPTY,
        td := faces[drawn[-1]] if drawn else EMPTY,
        tw := faces[waste[-1]] if waste and rules.own_waste_playable else EMPTY,
    )
    on = [0] * CLASS_COUNT
    on[CLASS[t1]] = 1
    on[CLASS[t2]] |= 2
    on[CLASS[t3]] |= 4
    on[CLASS[t4]] |= 8
    on[CLASS[t5]] |= 16
    on[CLASS[t6]] |= 32
    on[CLASS[t7]] |= 64
    on[CLASS[t8]] |= 128
    available = BIT[t1] | BIT[t2] | BIT[t3] | BIT[t4] | BIT[t5] | BIT[t6] | BIT[t7]
    available |= BIT[t8] | BIT[tr] | BIT[td] | BIT[tw]
    f1, f2, f3, f4, f5, f6, f7, f8 = piles[8:16]
    wanted = (
        _CLUBS[len(f1)] | _CLUBS[len(f2)] | _DIAMONDS[len(f3)] | _DIAMONDS[len(f4)]
    ) | (_SPADES[len(f5)] | _SPADES[len(f6)] | _HEARTS[len(f7)] | _HEARTS[len(f8)])
    up = rest = 0
    if available & wanted and rules.foundation_duty and rules.enforcement != "none":
        rest = _MISSED
        if rules.reserve_first and BIT[tr] & wanted:
            up = rest = _RESERVE_FIRST
    slots = piles[17 - seat]
    on_reserve = NEIGHBOURS[faces[slots[-1]]] if slots else 0
    slots = piles[23 - seat]
    on_waste = NEIGHBOURS[faces[slots[-1]]] if slots else 0
    found: list[Listed] = []
    if available & (wanted | on_reserve | on_waste):
        masks = (wanted, on_reserve, on_waste)
        found = _special_plays(position, tops, masks, (up, rest))
    rows = _ROWS[rest][seat]
    if on[SPACE_CLASS]:
        _fill_or_build(found, rows, tops, on, _FILLS[rules.space_sources])
    else:
        _build(found, rows, tops, on)
    found += _DISCARDS[rest] if drawn else _closing(position, rest)
    if position.acts >= ACTIONS_A_TURN or rules.enforcement in _SELECTIVE:
        return _selected(position, found)
    return tuple(found)


def _build(
    found: list[Listed],
    rows: tuple[_Row, ...],
    tops: tuple[int, ...],
    on: list[int],
) -> None:
    """Add the moves to columns, none of which is a space."""
    t1, t2, t3, t4, t5, t6, t7, t8, tr, td, tw = tops
    r1, r2, r3, r4, r5, r6, r7, r8, rr, rd, rw = rows
    found += r1[on[LIES_ON[t1]]]
    found += r2[on[LIES_ON[t2]]]
    found += r3[on[LIES_ON[t3]]]
    found += r4[on[LIES_ON[t4]]]
    found += r5[on[LIES_ON[t5]]]
    found += r6[on[LIES_ON[t6]]]
    found += r7[on[LIES_ON[t7]]]
    found += r8[on[LIES_ON[t8]]]
    found += rr[on[LIES_ON[tr]]]
    found += rd[on[LIES_ON[td]]]
    found += rw[on[LIES_ON[tw]]]


def _fill_or_build(
    found: list[Listed],
    rows: tuple[_Row, ...],
    tops: tuple[int, ...],
    on: list[int],
    fills: tuple[int, int, int],
) -> None:
    """Add the moves to columns, some of which are spaces."""
    t1, t2, t3, t4, t5, t6, t7, t8, tr, td, tw = tops
    r1, r2, r3, r4, r5, r6, r7, r8, rr, rd, rw = rows
    spaces = on[SPACE_CLASS]
    column, reserve, drawn = fills
    column &= spaces
    if t1 < EMPTY:
        found += r1[on[LIES_ON[t1]] | column]
    if t2 < EMPTY:
        found += r2[on[LIES_ON[t2]] | column]
    if t3 < EMPTY:
        found += r3[on[LIES_ON[t3]] | column]
    if t4 < EMPTY:
        found += r4[on[LIES_ON[t4]] | column]
    if t5 < EMPTY:
        found += r5[on[LIES_ON[t5]] | column]
    if t6 < EMPTY:
        found += r6[on[LIES_ON[t6]] | column]
    if t7 < EMPTY:
        found += r7[on[LIES_ON[t7]] | column]
    if t8 < EMPTY:
        found += r8[on[LIES_ON[t8]] | column]
    if tr < EMPTY:
        found += rr[on[LIES_ON[tr]] | reserve & spaces]
    if td < EMPTY:
        found += rd[on[LIES_ON[td]] | drawn & spaces]
    if tw < EMPTY:
        found += rw[on[LIES_ON[tw]] | drawn & spaces]


def _special_plays(
    position: Position,
    tops: tuple[int, ...],
    masks: tuple[int, int, int],
    offences: tuple[int, int],
) -> list[Listed]:
    """The foundation plays and loads, seldom many.

    ``tops`` go by ``_SOURCES``; ``masks`` are the cards foundations want and the
    opponent's reserve and waste take; ``offences`` those of a foundation play that
    is not the reserve's and of all else.
    """
    piles, seat = position.piles, position.active
    wanted, on_reserve, on_waste = masks
    up, rest = offences
    special = wanted | on_reserve | on_waste
    found = []
    for source, top in zip(_SOURCES[seat], tops):  # noqa: B905 - eleven each
        bit = BIT[top] & special
        if not bit:
            continue
        if bit & wanted:
            target = FIRST_FOUNDATION[top]
            if len(piles[target]) != RANK_INDEX[top]:
                target += 1
            offence = 0 if source == RESERVE + seat else up
            found.append(_MOVES[offence][source][target])
        if bit & on_reserve:
            found.append(_MOVES[rest][source][RESERVE + 1 - seat])
        if bit & on_waste:
            found.append(_MOVES[rest][source][WASTE + 1 - seat])
    return found


def _closing(position: Position, rest: int) -> tuple[Listed, ...]:
    """The one action of turn, discard and pass that there always is."""
    piles, seat = position.piles, position.active
    if piles[DRAWN + seat]:
        return _DISCARDS[rest]
    if piles[STOCK + seat] or piles[WASTE + seat]:
        if not rest and position.rules.fill_spaces_before_turn and space_duty(position):
            rest = _UNFILLED
        return _TURNS[rest]
    return _PASSES[rest]


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
