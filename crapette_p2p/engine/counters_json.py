"""The counters of a position as JSON, both ways (20-rules.md 8).

Every counter may be left out, and then starts afresh: what a position without
counters means is a turn just reached, with nothing counted before it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from crapette_p2p.cards import shown
from crapette_p2p.engine.layout import SEAT_NAMES, Seat, other
from crapette_p2p.engine.outcome import (
    has_won,
    idle_limit,
    personal_total,
    win_by,
)
from crapette_p2p.engine.position import Calls, Counters, End, EndReason, Position
from crapette_p2p.errors import NotationError

_MOST: Final = 1_000_000
"""No counter of a real deal comes near it."""
END_REASONS: Final = {
    "empty": (EndReason.EMPTY, False),
    "blocked": (EndReason.BLOCKED, False),
    "limit": (EndReason.BLOCKED, True),
    "agreed": (EndReason.AGREED, False),
    "resigned": (EndReason.RESIGNED, False),
}
"""How ends are written: the reason, and whether the limit of events blocked."""


def _refused(name: str, why: str, value: object, **values: int) -> NotationError:
    field = f"counters.{name}" if name else "counters"
    token = shown(value)
    return NotationError(
        "{field}: {why} ({token})", field=field, token=token, why=why, **values
    )


def _number(
    counters: Mapping[object, object], name: str, fresh: int, least: int = 0
) -> int:
    value = counters.get(name, fresh)
    if type(value) is not int or not least <= value <= _MOST:
        why = "a number from {least} to {most}"
        raise _refused(name, why, value, least=least, most=_MOST)
    return value


def _pair(counters: Mapping[object, object], name: str) -> tuple[int, int]:
    value = counters.get(name, (0, 0))
    if isinstance(value, (list, tuple)) and len(value) == 2:
        a, b = value
        if type(a) is int and type(b) is int and min(a, b) >= 0 and max(a, b) <= _MOST:
            return a, b
    raise _refused(name, "two numbers, of A and of B", value)


def _flag(counters: Mapping[object, object], name: str) -> bool:
    value = counters.get(name, False)
    if not isinstance(value, bool):
        raise _refused(name, "not true or false", value)
    return value


def _seat(
    counters: Mapping[object, object], name: str, fresh: Seat | None
) -> Seat | None:
    if name not in counters:
        return fresh
    value = counters[name]
    if value is None:
        return None
    if value not in SEAT_NAMES:
        raise _refused(name, "not A, B or null", value)
    return Seat(SEAT_NAMES.index(str(value)))


def read_counters(position: Position, value: object, *, opened: bool) -> Position:
    """Put counters into a position that has none yet; None starts all afresh."""
    if value is None:
        value = {}
    if not isinstance(value, Mapping):
        raise _refused("", "not an object", value)
    acts = _number(value, "actions", int(opened))
    if opened != (acts > 0):
        raise _refused("actions", "does not fit turn_opened", acts)
    piles = position.piles
    counters = Counters(
        idle=_number(value, "idle", 0),
        progressed=_flag(value, "progressed"),
        limit=_number(value, "limit", idle_limit(piles), 8),
        min_personal=_number(value, "fewest", personal_total(piles)),
        passes=_number(value, "passes", 0),
    )
    calls = Calls(
        _flag(value, "spent"), _pair(value, "wrong"), _pair(value, "to_sit_out")
    )
    mover = position.active if opened else None
    watched = mover if position.rules.has_calls else None
    position = replace(
        position,
        acts=acts,
        counters=counters,
        calls=calls,
        last_actor=_seat(value, "last_actor", mover),
        callable=_seat(value, "callable", watched),
        offer=_seat(value, "offer", None),
        offered=_offered(value),
    )
    return replace(position, end=_read_end(position, value))


def _offered(counters: Mapping[object, object]) -> int:
    value = counters.get("offered", ())
    if not isinstance(value, (list, tuple)) or len(value) > 2:
        raise _refused("offered", "a list of seats", value)
    mask = 0
    for name in value:
        if name not in SEAT_NAMES:
            raise _refused("offered", "a list of seats", name)
        mask |= 1 << SEAT_NAMES.index(name)
    return mask


def _read_end(position: Position, counters: Mapping[object, object]) -> End | None:
    if "end" not in counters:
        return _fresh_end(position)
    value = counters["end"]
    if value is None:
        return None
    if not isinstance(value, Mapping):
        raise _refused("end", "not an object", value)
    reason = value.get("reason")
    if not isinstance(reason, str) or reason not in END_REASONS:
        raise _refused("end", "no such reason", reason)
    code, at_limit = END_REASONS[reason]
    winner = _seat(value, "winner", None)
    author = _seat(value, "provisional_by", None)
    return End(winner, code, author, _number(value, "points", 0), at_limit)


def _fresh_end(position: Position) -> End | None:
    """A position in which a player has nothing left is one that he has won."""
    last = position.active if position.acts else other(position.active)
    for seat in (last, other(last)):
        if has_won(position.rules, position.piles, seat):
            return win_by(position.rules, position.piles, seat, EndReason.EMPTY)
    return None


def end_reason(end: End) -> str:
    """How the reason of an end is written."""
    return "limit" if end.at_limit else end.reason.name.lower()


def counters_to_json(position: Position) -> dict[str, object]:
    """Every counter of the position, as ``read_counters`` reads it back."""

    def name(seat: Seat | None) -> str | None:
        return None if seat is None else SEAT_NAMES[seat]

    counters, calls, end = position.counters, position.calls, position.end
    return {
        "idle": counters.idle,
        "limit": counters.limit,
        "fewest": counters.min_personal,
        "progressed": counters.progressed,
        "passes": counters.passes,
        "actions": position.acts,
        "last_actor": name(position.last_actor),
        "callable": name(position.callable),
        "spent": calls.spent,
        "wrong": list(calls.wrong),
        "to_sit_out": list(calls.to_sit_out),
        "offer": name(position.offer),
        "offered": [SEAT_NAMES[s] for s in (0, 1) if position.offered >> s & 1],
        "end": None
        if end is None
        else {
            "winner": name(end.winner),
            "reason": end_reason(end),
            "provisional_by": name(end.provisional_by),
            "points": end.points,
        },
    }
