"""Engine and oracle side by side: one action for both, then everything compared."""

from __future__ import annotations

from typing import Any

from crapette_p2p.engine import (
    ACCEPT_DRAW,
    DECLINE_DRAW,
    GRANT,
    OFFER_DRAW,
    RESIGN,
    Action,
    PileId,
    Position,
    RuleSet,
    Stop,
    due_plays,
    duties,
    format_action,
    legal_with_offences,
    position_to_json,
    refusal,
    rules_to_json,
    start,
)
from crapette_p2p.engine.counters_json import END_REASONS
from crapette_p2p.engine.layout import SEAT_NAMES
from tests.helpers import oracle
from tests.helpers.strategies import deck_names, random_faces, seeded

_REASONS = {value: text for text, value in END_REASONS.items()}


def both_started(rules: RuleSet, seed: int) -> tuple[Position, oracle.State]:
    """The same deal in the engine and in the oracle."""
    rng = seeded(seed)
    faces = random_faces(rng)
    lot = rng.randrange(2)
    position = start(rules, faces, lot=lot)
    named: Any = rules_to_json(rules)
    return position, oracle.start(named, deck_names(faces), lot=lot)


def spoken(action: Action) -> str:
    """The action in the oracle's words."""
    return format_action(action)


def engine_view(position: Position) -> dict[str, object]:
    """Everything about a position that the oracle has an opinion on."""
    value = position_to_json(position)
    keys = ("to_move", "tableau", "foundations", "A", "B")
    counters, calls, end = position.counters, position.calls, position.end
    return {key: value[key] for key in keys} | {
        "acts": position.acts,
        "idle": counters.idle,
        "progressed": counters.progressed,
        "limit": counters.limit,
        "fewest": counters.min_personal,
        "passes": counters.passes,
        "callable": _name(position.callable),
        "offences": [(o.code.text, o.seq) for o in position.offences],
        "banned": calls.spent,
        "wrong": list(calls.wrong),
        "sit_out": list(calls.to_sit_out),
        "offer": _name(position.offer),
        "offered": [s for i, s in enumerate(SEAT_NAMES) if position.offered >> i & 1],
        "penalty": position.penalty.text if position.penalty else None,
        "end": None
        if end is None
        else {
            "winner": _name(end.winner),
            "reason": _REASONS[end.reason, end.at_limit],
            "points": end.points,
            "provisional_by": _name(end.provisional_by),
        },
        "legal": engine_legal(position),
        "duties": list(duties(position)),
        "due": sorted(format_action(due) for due in due_plays(position)),
    }


def _name(seat: int | None) -> str | None:
    return None if seat is None else SEAT_NAMES[seat]


def engine_legal(position: Position) -> list[tuple[str, str | None]]:
    """The engine's legal list in the oracle's words and order."""
    return sorted(
        (format_action(action), offence.text if offence else None)
        for action, offence in legal_with_offences(position)
    )


def oracle_view(state: oracle.State) -> dict[str, object]:
    """The same of the oracle's state."""
    table = ("to_move", "tableau", "foundations", "A", "B", "acts")
    counters = ("idle", "progressed", "fewest", "passes", "callable", "banned")
    keys = (*table, *counters, "offer", "penalty", "end")
    codes = [(o["code"], o["seq"]) for o in state["offences"]]
    return {key: state[key] for key in keys} | {
        "limit": oracle.limit(state),
        "offences": codes,
        "wrong": [state["wrong"][s] for s in "AB"],
        "sit_out": [state["sit_out"][s] for s in "AB"],
        "offered": sorted(state["offered"]),
        "legal": oracle.legal(state),
        "duties": oracle.duties(state),
        "due": sorted(oracle.due_plays(state)),
    }


def assert_agree(position: Position, state: oracle.State) -> None:
    """Fail on the first thing engine and oracle see differently."""
    ours, theirs = engine_view(position), oracle_view(state)
    for key, value in theirs.items():
        assert ours[key] == value, f"{key}: engine {ours[key]}, oracle {value}"


def assert_same_refusals(position: Position, state: oracle.State) -> None:
    """Both say yes or no alike to what is no table action, from both seats."""
    stop = Stop(PileId(0), PileId(8))
    for action in (ACCEPT_DRAW, DECLINE_DRAW, GRANT, OFFER_DRAW, RESIGN, stop):
        for seat, name in enumerate(SEAT_NAMES):
            engine = refusal(position, seat, action) is None
            assert engine == oracle.may(state, name, spoken(action)), (action, name)
