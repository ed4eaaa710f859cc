"""The steps of which actions are made: cards moved, progress counted, turns ended.

Each step changes a draft in place. Progress breaks the row of idle turns at once,
not at the turn's end: a turn that is lost after progress is the first of a new
row, since it counts as one without progress all the same (20-rules.md 8.3).
Nothing here asks whether an action may be made; ``engine/play.py`` and
``engine/stop.py`` do, and put the steps together.
"""

from __future__ import annotations

from typing import Final

from crapette_p2p.engine.layout import DRAWN, RESERVE, STOCK, WASTE, Seat, other
from crapette_p2p.engine.outcome import (
    blocked_end,
    hand_size,
    idle_limit,
    personal_total,
)
from crapette_p2p.engine.position import Calls, Counters, Draft

SEQ_LIMIT: Final = 16000
"""A turn that ends at this event number blocks the deal (20-rules.md 8.3)."""


def carry(draft: Draft, source: int, target: int) -> None:
    """Lay the top of ``source`` on ``target``."""
    piles = list(draft.piles)
    slots = piles[source]
    piles[source] = slots[:-1]
    piles[target] += slots[-1:]
    draft.piles = tuple(piles)


def turn_stock(draft: Draft) -> None:
    """Make the top of the mover's stock the drawn card, recycling the waste first.

    The waste is turned over as a block: what was discarded first comes up first.
    """
    seat = draft.active
    piles = list(draft.piles)
    stock = piles[STOCK + seat]
    if not stock:
        stock = piles[WASTE + seat][::-1]
        piles[WASTE + seat] = b""
    piles[STOCK + seat] = stock[:-1]
    piles[DRAWN + seat] = stock[-1:]
    draft.piles = tuple(piles)


def count_move(draft: Draft, source: int, target: int) -> None:
    """Count progress, or a hand that has grown, after a move.

    Only a foundation play and a personal card laid on a column can be progress,
    and only a load on a waste makes a hand larger.
    """
    counters, piles = draft.counters, draft.piles
    if 8 <= target < RESERVE:
        _note_progress(draft, personal_total(piles))
    elif target < 8:
        if source >= RESERVE:
            total = personal_total(piles)
            if total < counters.min_personal:
                _note_progress(draft, total)
    elif target >= WASTE:
        limit = 2 * hand_size(piles, target - WASTE) + 2
        if limit > counters.limit:
            draft.counters = Counters(
                counters.idle,
                counters.progressed,
                limit,
                counters.min_personal,
                counters.passes,
            )


def _note_progress(draft: Draft, total: int) -> None:
    """Start counting anew: the row of idle turns is broken here."""
    passes = draft.counters.passes
    draft.counters = Counters(0, True, idle_limit(draft.piles), total, passes)


def end_turn(
    draft: Draft,
    *,
    passed: bool = False,
    lost: bool = False,
    provisional_by: Seat | None = None,
    seq: int = 0,
) -> None:
    """End the turn of the mover and begin the other's.

    A turn lost by penalty or Stop counts as a turn without progress even if
    there was progress in it, and never as a pass.
    """
    counters = draft.counters
    idle, passes, blocked = counters.idle, 0, False
    if lost or not counters.progressed:
        idle += 1
        if passed:
            passes = 1
            blocked = counters.passes == 1
    draft.counters = Counters(
        idle, False, counters.limit, counters.min_personal, passes
    )
    begin_turn(draft, blocked=blocked, provisional_by=provisional_by, seq=seq)


def begin_turn(
    draft: Draft,
    *,
    blocked: bool = False,
    provisional_by: Seat | None = None,
    seq: int = 0,
) -> None:
    """Give the move to the other player, past turns to be sat out, unless blocked."""
    draft.active = other(draft.active)
    draft.acts = 0
    draft.offered = 0
    blocked = blocked or draft.counters.idle >= draft.counters.limit
    while not blocked and draft.calls.to_sit_out[draft.active]:
        blocked = _sit_out(draft)
    if blocked or seq >= SEQ_LIMIT:
        draft.offer = None
        draft.end = blocked_end(
            draft.rules, draft.piles, provisional_by, at_limit=not blocked
        )


def _sit_out(draft: Draft) -> bool:
    """Skip a turn, which is one without progress and never a pass; blocked by it?"""
    counters, calls, seat = draft.counters, draft.calls, draft.active
    a, b = calls.to_sit_out
    left = (a - 1, b) if seat == 0 else (a, b - 1)
    draft.calls = Calls(calls.spent, calls.wrong, left)
    idle = counters.idle + 1
    draft.counters = Counters(idle, False, counters.limit, counters.min_personal)
    draft.active = other(seat)
    return idle >= counters.limit


def drawn_to_waste(draft: Draft) -> None:
    """Lay a drawn card that is still up on the mover's waste."""
    seat = draft.active
    if draft.piles[DRAWN + seat]:
        carry(draft, DRAWN + seat, WASTE + seat)
