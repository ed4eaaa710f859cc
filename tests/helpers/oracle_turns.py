"""Counters, turn ends, wins, blocked games and points (rules.md 2, 3, 6)."""

from __future__ import annotations

from tests.helpers.oracle_table import (
    State,
    most_to_turn,
    other,
    personal,
    to_turn,
)

LAST_TURN_SEQ = 16_000


def limit(state: State) -> int:
    """How many turns in a row without progress block the deal."""
    return max(8, 2 * int(state["most"]) + 2)


def count_progress(state: State, *, foundation: bool) -> None:
    """Judge what the last change on the table was worth."""
    together = personal(state, "A") + personal(state, "B")
    if foundation or together < state["fewest"]:
        state["progressed"] = True
        state["idle"] = 0
        state["fewest"] = together
        state["most"] = most_to_turn(state)
    state["most"] = max(state["most"], most_to_turn(state))


def has_won(state: State, seat: str) -> bool:
    """Whether ``seat`` has got rid of everything that counts."""
    needs = state["rules"]["win_needs_tableau"]
    columns = state["tableau"]
    if needs == "none":
        columns = []
    elif needs == "own4":
        columns = columns[:4] if seat == "A" else columns[4:]
    return personal(state, seat) == 0 and not any(columns)


def value(state: State, seat: str) -> int:
    """1 per stock, drawn and waste card, 2 per reserve card."""
    return to_turn(state, seat) + 2 * len(state[seat]["reserve"])


def finish(
    state: State, winner: str | None, reason: str, *, by: str | None, points: int = 0
) -> None:
    """End the deal; ``by`` is the author of a provisional end."""
    state["offer"] = None
    state["end"] = {
        "winner": winner,
        "reason": reason,
        "points": points,
        "provisional_by": by if state["rules"]["enforcement"] == "call" else None,
    }


def finish_won(state: State, winner: str, reason: str, *, by: str | None) -> None:
    """End by empty piles or by resignation."""
    points = 1
    if state["rules"]["scoring"] == "hoyle":
        points = 30 + value(state, other(winner))
    finish(state, winner, reason, by=by, points=points)


def finish_blocked(state: State, reason: str, *, by: str | None) -> None:
    """End as blocked: a draw, or the lower count wins the difference."""
    gap = value(state, "B") - value(state, "A")
    if state["rules"]["blocked_result"] == "draw" or gap == 0:
        finish(state, None, reason, by=by)
        return
    points = abs(gap) if state["rules"]["scoring"] == "hoyle" else 1
    finish(state, "A" if gap > 0 else "B", reason, by=by, points=points)


def end_turn(
    state: State, *, seq: int, passed: bool = False, lost: bool = False, by: str | None
) -> None:
    """Close the mover's turn, count it, and let the next player begin."""
    both_passed = count_turn(state, passed=passed, lost=lost)
    begin_turn(state, seq=seq, by=by, blocked=both_passed)


def count_turn(state: State, *, passed: bool = False, lost: bool = False) -> bool:
    """Count the turn that ends; say whether it was the second pass in a row."""
    idle_turn = lost or not state["progressed"]
    both_passed = bool(passed and idle_turn and state["passes"] == 1)
    state["idle"] += idle_turn
    state["passes"] = 1 if passed and idle_turn else 0
    state["progressed"] = False
    return both_passed


def begin_turn(
    state: State, *, seq: int, by: str | None, blocked: bool = False
) -> None:
    """The other player is to move, unless the deal is blocked or he sits out."""
    state["to_move"] = seat = other(state["to_move"])
    state["acts"] = 0
    state["offered"] = []
    if blocked or state["idle"] >= limit(state):
        finish_blocked(state, "blocked", by=by)
    elif state["sit_out"][seat]:
        state["sit_out"][seat] -= 1
        count_turn(state, lost=True)
        begin_turn(state, seq=seq, by=by)
    elif seq >= LAST_TURN_SEQ:
        finish_blocked(state, "limit", by=by)
