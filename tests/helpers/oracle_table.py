"""The table as the oracle sees it: plain dicts and lists, cards as strings.

Part of the slow, naive second reading of the rules (``oracle.py``). It shares
nothing with the package: no imports, no slots, no pile numbers. A state is the
position JSON of rules.md 7 with a few more keys; every change is made on a deep
copy.
"""

from __future__ import annotations

import copy
from typing import Any

State = dict[str, Any]
"""A position: the fields of the JSON plus the counters, offences and ends."""

RANKS = "A23456789TJQK"
SUITS = "SHDC"
COLUMN_NAMES = "12345678"
PRESETS: dict[str, dict[str, Any]] = {}

_KNOCK: dict[str, Any] = {
    "reserve_size": 13,
    "starter": "higher",
    "tie_break": "columns-then-suit",
    "ace_high_for_start": False,
    "opens_with_turn": True,
    "foundation_duty": True,
    "reserve_first": False,
    "fill_spaces_before_turn": False,
    "space_sources": ["drawn", "reserve", "column"],
    "own_waste_playable": False,
    "enforcement": "call",
    "missed_card_played_by": "caller",
    "stop_window": "turn",
    "wrong_call": "third-costs-turn",
    "win_needs_tableau": "none",
    "blocked_result": "draw",
    "scoring": "deal",
}
PRESETS["russian-bank-knock"] = _KNOCK
PRESETS["russian-bank"] = _KNOCK | {
    "foundation_duty": False,
    "enforcement": "none",
    "missed_card_played_by": "nobody",
}
PRESETS["garibaldka"] = _KNOCK | {
    "space_sources": ["drawn", "reserve"],
    "enforcement": "automatic",
    "missed_card_played_by": "nobody",
}
PRESETS["crapette"] = _KNOCK | {
    "starter": "lower",
    "tie_break": "columns-reversed",
    "opens_with_turn": False,
    "reserve_first": True,
    "fill_spaces_before_turn": True,
    "missed_card_played_by": "offender",
    "blocked_result": "difference",
    "scoring": "hoyle",
}


def rules_of(value: str | dict[str, Any]) -> dict[str, Any]:
    """All switches of a preset's name or of an object with overrides."""
    if isinstance(value, str):
        return dict(PRESETS[value])
    changes = {k: v for k, v in value.items() if k != "preset"}
    return PRESETS[value.get("preset", "crapette")] | changes


def other(seat: str) -> str:
    """The opponent."""
    return "B" if seat == "A" else "A"


def rank(card: str) -> int:
    """1 (ace) to 13 (king)."""
    return RANKS.index(card[0]) + 1


def red(card: str) -> bool:
    """Hearts and diamonds are red."""
    return card[1] in "HD"


def state_of(position: dict[str, Any]) -> State:
    """A state from a position JSON without counters: they start afresh."""
    position = copy.deepcopy(position)
    state: State = {
        "rules": rules_of(position.get("rules", "crapette")),
        "to_move": position["to_move"],
        "acts": 1 if position.get("turn_opened") else 0,
        "tableau": position["tableau"],
        "foundations": position["foundations"],
        "A": position["A"],
        "B": position["B"],
    }
    return with_fresh_counters(state)


def copied(state: State) -> State:
    """A copy that shares only what is never changed: rules and past offences."""
    kept = {key: state[key] for key in ("rules", "offences") if key in state}
    rest = {key: value for key, value in state.items() if key not in kept}
    if "offences" in kept:
        kept["offences"] = list(kept["offences"])
    return kept | _deep(rest)


def _deep(state: State) -> State:
    return {key: _deep_value(value) for key, value in state.items()}


def _deep_value(value: object) -> object:
    if isinstance(value, dict):
        return _deep(value)
    if isinstance(value, list):
        return [_deep_value(v) if isinstance(v, (list, dict)) else v for v in value]
    return value


def with_fresh_counters(state: State) -> State:
    """Add every counter as at the start of play."""
    opened = state["acts"] > 0
    calls = state["rules"]["enforcement"] == "call"
    state |= {
        "idle": 0,
        "progressed": False,
        "most": most_to_turn(state),
        "fewest": personal(state, "A") + personal(state, "B"),
        "passes": 0,
        "callable": state["to_move"] if opened and calls else None,
        "offences": [],
        "banned": False,
        "wrong": {"A": 0, "B": 0},
        "sit_out": {"A": 0, "B": 0},
        "offer": None,
        "offered": [],
        "end": None,
        "penalty": None,
    }
    return state


def to_turn(state: State, seat: str) -> int:
    """Cards in stock, waste and drawn of one player."""
    mine = state[seat]
    return len(mine["stock"]) + len(mine["waste"]) + (mine["drawn"] is not None)


def most_to_turn(state: State) -> int:
    """The larger of both players' stock + waste + drawn."""
    return max(to_turn(state, "A"), to_turn(state, "B"))


def personal(state: State, seat: str) -> int:
    """Cards in reserve, stock, drawn and waste of one player."""
    return to_turn(state, seat) + len(state[seat]["reserve"])


def top(state: State, seat: str, source: str) -> str | None:
    """The card a source shows to ``seat``, or None where nothing lies."""
    mine = state[seat]
    if source == "D":
        drawn: str | None = mine["drawn"]
        return drawn
    if source in COLUMN_NAMES:
        pile = state["tableau"][int(source) - 1]
    else:
        pile = mine["reserve" if source == "R" else "waste"]
    return pile[-1] if pile else None


def sources(state: State) -> list[str]:
    """Every pile a card may be taken from under these rules."""
    piles = ["R", "D", *COLUMN_NAMES]
    return [*piles, "W"] if state["rules"]["own_waste_playable"] else piles


def fits_foundation(state: State, card: str) -> bool:
    """An ace on an empty pile, else same suit and one rank higher."""
    return any(height == rank(card) - 1 for height in state["foundations"][card[1]])


def fits_column(state: State, source: str, card: str, column: str) -> bool:
    """Opposite colour one rank lower, or a space the source may fill."""
    if column == source:
        return False
    pile = state["tableau"][int(column) - 1]
    if pile:
        return red(pile[-1]) != red(card) and rank(card) == rank(pile[-1]) - 1
    kind = {"R": "reserve", "D": "drawn", "W": "drawn"}.get(source, "column")
    return kind in state["rules"]["space_sources"]


def fits_load(state: State, seat: str, card: str, target: str) -> bool:
    """Same suit, ranks differ by one, on a pile that is not empty."""
    pile = state[other(seat)]["reserve" if target == "OR" else "waste"]
    if not pile:
        return False
    return pile[-1][1] == card[1] and abs(rank(pile[-1]) - rank(card)) == 1


def fits(state: State, seat: str, source: str, target: str) -> bool:
    """Whether the top of ``source`` can lie on ``target`` at all."""
    if source not in sources(state):
        return False
    card = top(state, seat, source)
    if card is None:
        return False
    if target == "F":
        return fits_foundation(state, card)
    if target in ("OR", "OW"):
        return fits_load(state, seat, card, target)
    return target in COLUMN_NAMES and fits_column(state, source, card, target)


def lift(state: State, seat: str, source: str) -> str:
    """Take the top card off a source."""
    mine = state[seat]
    card: str
    if source == "D":
        card = mine["drawn"]
        mine["drawn"] = None
    elif source in COLUMN_NAMES:
        card = state["tableau"][int(source) - 1].pop()
    else:
        card = mine["reserve" if source == "R" else "waste"].pop()
    return card


def lay(state: State, seat: str, card: str, target: str) -> None:
    """Put a card down; of two foundations that fit the lower-numbered takes it."""
    if target == "F":
        heights = state["foundations"][card[1]]
        heights[heights.index(rank(card) - 1)] += 1
    elif target in COLUMN_NAMES:
        state["tableau"][int(target) - 1].append(card)
    else:
        state[other(seat)]["reserve" if target == "OR" else "waste"].append(card)


def turn_card(state: State, seat: str) -> None:
    """Turn up the top of the stock, turning the waste over first if need be."""
    mine = state[seat]
    if not mine["stock"]:
        mine["stock"] = mine["waste"][::-1]
        mine["waste"] = []
    mine["drawn"] = mine["stock"].pop()


def lay_by(state: State, seat: str) -> None:
    """A drawn card that is still up goes to the own waste."""
    mine = state[seat]
    if mine["drawn"] is not None:
        mine["waste"].append(mine["drawn"])
        mine["drawn"] = None
