"""The steps of which actions are made: cards moved, progress counted, turns ended.

Nothing here asks whether an action may be made; ``engine/play.py`` and
``engine/stop.py`` do, and put these steps together.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from crapette_p2p.engine.layout import DRAWN, STOCK, WASTE, Seat, other
from crapette_p2p.engine.outcome import (
    Piles,
    blocked_end,
    hand_size,
    idle_limit,
    personal_total,
)
from crapette_p2p.engine.position import Calls, Counters, Position

SEQ_LIMIT: Final = 16000
"""A turn that ends at this event number blocks the deal (protocol.md 12, P16)."""


def carried(piles: Piles, source: int, target: int) -> Piles:
    """The piles after the top of ``source`` was laid on ``target``."""
    after = list(piles)
    slots = after[source]
    after[source] = slots[:-1]
    after[target] += slots[-1:]
    return tuple(after)


def turned(piles: Piles, seat: int) -> Piles:
    """The piles after the top of the stock was turned up, the waste recycled first.

    The waste is turned over as a block: what was discarded first comes up first.
    """
    after = list(piles)
    stock = after[STOCK + seat]
    if not stock:
        stock = after[WASTE + seat][::-1]
        after[WASTE + seat] = b""
    after[STOCK + seat] = stock[:-1]
    after[DRAWN + seat] = stock[-1:]
    return tuple(after)


def counted(counters: Counters, piles: Piles, *, up: bool) -> Counters:
    """The counters after a move that led to ``piles``; ``up`` = to a foundation."""
    total = personal_total(piles)
    if up or total < counters.min_personal:
        return Counters(0, True, idle_limit(piles), total, counters.passes)
    limit = 2 * max(hand_size(piles, 0), hand_size(piles, 1)) + 2
    if limit > counters.limit:
        return replace(counters, limit=limit)
    return counters


def end_turn(
    position: Position,
    *,
    passed: bool = False,
    lost: bool = False,
    provisional_by: Seat | None = None,
    seq: int = 0,
) -> Position:
    """End the turn of the mover and begin the other's.

    A turn lost by penalty or Stop counts as a turn without progress even if
    there was progress in it, and never as a pass.
    """
    counters = position.counters
    passes, blocked = 0, False
    idle = counters.idle
    if lost or not counters.progressed:
        idle += 1
        if passed:
            passes = 1
            blocked = counters.passes == 1
    counters = replace(counters, idle=idle, progressed=False, passes=passes)
    position = replace(position, counters=counters)
    return begin_turn(position, blocked=blocked, provisional_by=provisional_by, seq=seq)


def begin_turn(
    position: Position,
    *,
    blocked: bool = False,
    provisional_by: Seat | None = None,
    seq: int = 0,
) -> Position:
    """Give the move to the other player, past turns to be sat out, unless blocked."""
    counters, calls = position.counters, position.calls
    active = other(position.active)
    blocked = blocked or counters.idle >= counters.limit
    while not blocked and calls.to_sit_out[active]:
        # A turn sat out is a turn without progress, never a pass.
        calls = _sat_out(calls, active)
        counters = replace(counters, idle=counters.idle + 1, passes=0)
        blocked = counters.idle >= counters.limit
        active = other(active)
    end = None
    if blocked or seq >= SEQ_LIMIT:
        rules, piles = position.rules, position.piles
        end = blocked_end(rules, piles, provisional_by, at_limit=not blocked)
    return replace(
        position,
        active=active,
        acts=0,
        counters=counters,
        calls=calls,
        offer=None if end else position.offer,
        offered=0,
        end=end,
    )


def _sat_out(calls: Calls, seat: int) -> Calls:
    a, b = calls.to_sit_out
    left = (a - 1, b) if seat == 0 else (a, b - 1)
    return Calls(calls.spent, calls.wrong, left)


def drawn_to_waste(position: Position) -> Position:
    """Lay a drawn card that is still up on its owner's waste."""
    seat = position.active
    if not position.piles[DRAWN + seat]:
        return position
    return replace(position, piles=carried(position.piles, DRAWN + seat, WASTE + seat))
