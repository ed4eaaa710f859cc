"""Duties, due plays, offences and refusals, read literally from rules.md 2-4."""

from __future__ import annotations

from tests.helpers.oracle_table import (
    COLUMN_NAMES,
    State,
    fits,
    fits_foundation,
    sources,
    top,
)

TURN_LIMIT = 400
TARGETS = ["F", *COLUMN_NAMES, "OR", "OW"]


def duties(state: State) -> list[str]:
    """The duties that stand before the mover's next action."""
    rules, seat = state["rules"], state["to_move"]
    if rules["enforcement"] == "none" or state["end"]:
        return []
    found = []
    reserve = top(state, seat, "R")
    if rules["reserve_first"] and reserve and fits_foundation(state, reserve):
        found.append("F-reserve")
    if rules["foundation_duty"] and foundation_plays(state):
        found.append("F")
    if (
        rules["fill_spaces_before_turn"]
        and "reserve" in rules["space_sources"]
        and state["acts"] < TURN_LIMIT
        and state[seat]["drawn"] is None
        and reserve
        and something_to_turn(state)
        and [] in state["tableau"]
    ):
        found.append("space")
    return found


def foundation_plays(state: State) -> list[str]:
    """Sources whose top fits a foundation."""
    seat = state["to_move"]
    cards = {source: top(state, seat, source) for source in sources(state)}
    return [s for s, card in cards.items() if card and fits_foundation(state, card)]


def due_plays(state: State) -> list[str]:
    """The plays any of which would satisfy the duty that comes first."""
    standing = duties(state)
    if "F-reserve" in standing:
        return ["R-F"]
    if "F" in standing:
        return [f"{source}-F" for source in foundation_plays(state)]
    if "space" in standing:
        tableau = state["tableau"]
        return [f"R-{c}" for c in COLUMN_NAMES if not tableau[int(c) - 1]]
    return []


def offence_of(state: State, action: str) -> str | None:
    """The first offence code that applies to the mover's action."""
    if is_opening_turn(state) and action == "turn":
        return None
    standing = duties(state)
    if "F-reserve" in standing and action != "R-F":
        return "reserve-first"
    if "F" in standing and not action.endswith("-F"):
        return "missed-foundation"
    if "space" in standing and action == "turn":
        return "unfilled-space"
    return None


def is_opening_turn(state: State) -> bool:
    """Whether the turn has to open with ``turn``."""
    opens: bool = state["rules"]["opens_with_turn"]
    return opens and state["acts"] == 0 and something_to_turn(state)


def something_to_turn(state: State) -> bool:
    """Whether stock and waste of the mover are not both empty."""
    mine = state[state["to_move"]]
    return bool(mine["stock"] or mine["waste"])


def is_possible(state: State, action: str) -> bool:
    """Whether the cards and the order of a turn allow it, duties apart."""
    seat = state["to_move"]
    drawn = state[seat]["drawn"]
    if state["end"]:
        return False
    if action == "turn":
        return drawn is None and something_to_turn(state)
    if is_opening_turn(state):
        return False
    if action == "discard":
        return drawn is not None
    if action == "pass":
        return drawn is None and not something_to_turn(state)
    source, _, target = action.partition("-")
    if state["acts"] >= TURN_LIMIT and target != "F":
        return False
    return fits(state, seat, source, target)


def is_accepted(state: State, action: str) -> bool:
    """Whether the engine takes the action, offending or not."""
    if not is_possible(state, action):
        return False
    if offence_of(state, action) is None:
        return True
    enforcement = state["rules"]["enforcement"]
    if enforcement == "automatic":
        return action not in ("discard", "pass")
    return bool(enforcement != "forbid")


def legal(state: State) -> list[tuple[str, str | None]]:
    """Every accepted table action with its offence, sorted by text."""
    moves = [f"{s}-{t}" for s in sources(state) for t in TARGETS]
    every = sorted(["turn", "discard", "pass", *moves])
    return [(a, offence_of(state, a)) for a in every if is_accepted(state, a)]
