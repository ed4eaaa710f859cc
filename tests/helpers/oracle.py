"""A slow, naive, independent reading of the rules, to judge the engine by.

Written from the text of the rules alone; it shares no code with the package.
States are plain dicts (``oracle_table``), actions are texts in the notation of
rules.md 7 with foundations as ``F``. Nothing here is fast and nothing is clever.
"""

from __future__ import annotations

from typing import Any

from tests.helpers.oracle_duties import (
    due_plays,
    duties,
    is_accepted,
    legal,
    offence_of,
)
from tests.helpers.oracle_table import (
    RANKS,
    State,
    copied,
    lay,
    lay_by,
    lift,
    other,
    rank,
    rules_of,
    state_of,
    turn_card,
    with_fresh_counters,
)
from tests.helpers.oracle_turns import (
    begin_turn,
    count_progress,
    count_turn,
    end_turn,
    finish,
    finish_won,
    has_won,
    limit,
)

__all__ = [
    "Refused",
    "State",
    "due_plays",
    "duties",
    "legal",
    "limit",
    "may",
    "perft",
    "play",
    "start",
    "state_of",
]

TALK = ("offer-draw", "accept-draw", "decline-draw")


class Refused(Exception):  # noqa: N818 - a refusal is no error of the oracle
    """The action is refused; nothing changed."""


def play(state: State, seat: str, action: str, *, seq: int = 0) -> State:
    """The state after an action; raise Refused where it is not accepted."""
    if not may(state, seat, action):
        raise Refused(action)
    after = copied(state)
    after["penalty"] = None
    if action == "resign":
        finish_won(after, other(seat), "resigned", by=None)
    elif action in TALK:
        _talk(after, seat, action)
    elif action == "grant":
        after["end"]["provisional_by"] = None
    elif action.startswith("stop "):
        after = _stop(after, seat, action.removeprefix("stop "), seq=seq)
    else:
        after = _table_action(after, action, seq=seq)
    return after


def may(state: State, seat: str, action: str) -> bool:
    """Whether ``seat`` may do this now (offences included)."""
    end = state["end"]
    if action == "grant":
        return bool(end) and end["provisional_by"] == other(seat)
    if action.startswith("stop "):
        return _may_stop(state, seat)
    if end:
        return False
    if action == "resign":
        return True
    if action == "offer-draw":
        return state["offer"] is None and seat not in state["offered"]
    if action in TALK:
        return bool(state["offer"] == other(seat))
    return bool(seat == state["to_move"]) and is_accepted(state, action)


def _may_stop(state: State, seat: str) -> bool:
    if state["end"] and state["end"]["provisional_by"] is None:
        return False
    return bool(state["callable"] == other(seat)) and not state["banned"]


def _talk(state: State, seat: str, action: str) -> None:
    if action == "offer-draw":
        state["offer"] = seat
        state["offered"].append(seat)
    elif action == "decline-draw":
        state["offer"] = None
    else:
        finish(state, None, "agreed", by=None)


def _table_action(state: State, action: str, *, seq: int) -> State:
    seat = state["to_move"]
    before = copied(state)
    before["offences"] = []
    offence = offence_of(state, action)
    if state["offer"] == other(seat):
        state["offer"] = None
    if offence and state["rules"]["enforcement"] == "automatic":
        state["penalty"] = offence
        state["acts"] += 1
        lay_by(state, seat)
        end_turn(state, seq=seq, lost=True, by=None)
        return state
    if state["rules"]["enforcement"] == "call":
        _open_to_call(state, seat, offence, before, seq)
    state["acts"] += 1
    _carry_out(state, seat, action, seq=seq)
    return state


def _open_to_call(
    state: State, seat: str, offence: str | None, before: State, seq: int
) -> None:
    if state["callable"] != seat:
        state["callable"] = seat
        state["offences"] = []
    if state["acts"] == 0:
        # The first own action of a turn lifts the ban the mover may be under.
        state["banned"] = state["banned"] and before["callable"] == seat
    if state["rules"]["stop_window"] == "action":
        state["offences"] = []
    if offence:
        state["offences"].append({"code": offence, "seq": seq, "before": before})


def _carry_out(state: State, seat: str, action: str, *, seq: int) -> None:
    if action == "turn":
        turn_card(state, seat)
        count_progress(state, foundation=False)
    elif action == "discard":
        lay_by(state, seat)
        end_turn(state, seq=seq, by=seat)
        return
    elif action != "pass":
        _move(state, seat, action)
    if has_won(state, seat):
        # A pass wins only where the tableau has to be empty too (rules.md 3) and
        # the opponent has emptied it.
        finish_won(state, seat, "empty", by=seat)
    elif action == "pass":
        end_turn(state, seq=seq, passed=True, by=seat)


def _move(state: State, seat: str, action: str) -> None:
    source, _, target = action.partition("-")
    lay(state, seat, lift(state, seat, source), target)
    count_progress(state, foundation=target == "F")


def _stop(state: State, caller: str, named: str, *, seq: int) -> State:
    for offence in state["offences"]:
        if named in due_plays(offence["before"]):
            return _uphold(state, caller, named, offence["before"], seq=seq)
    state["banned"] = True
    state["wrong"][caller] += 1
    costs = state["rules"]["wrong_call"] == "third-costs-turn"
    if costs and state["wrong"][caller] % 3 == 0:
        state["sit_out"][caller] += 1
    if state["end"]:
        state["end"]["provisional_by"] = None
    return state


def _uphold(state: State, caller: str, named: str, before: State, *, seq: int) -> State:
    offender = other(caller)
    after = copied(before)
    after["offer"], after["offered"] = state["offer"], state["offered"]
    player = after["rules"]["missed_card_played_by"]
    if player == "caller":
        # The lost turn is counted first: the play belongs to the caller's turn.
        count_turn(after, lost=True)
    if player != "nobody":
        _move(after, offender, named)
        if has_won(after, offender):
            finish_won(after, offender, "empty", by=None)
    after["callable"], after["offences"], after["penalty"] = None, [], None
    if after["end"]:
        return after
    lay_by(after, offender)
    if player == "caller":
        begin_turn(after, seq=seq, by=None)
    else:
        end_turn(after, seq=seq, lost=True, by=None)
    return after


def perft(state: State, depth: int) -> int:
    """Sequences of exactly ``depth`` accepted table actions."""
    if depth == 0:
        return 1
    return sum(
        perft(play(state, state["to_move"], action), depth - 1)
        for action, _ in legal(state)
    )


def start(
    rules: str | dict[str, Any], decks: tuple[list[str], list[str]], *, lot: int
) -> State:
    """Lay out a deal; each deck is listed from its top."""
    switches = rules_of(rules)
    size = switches["reserve_size"]
    players = {}
    tableau: list[list[str]] = []
    for seat, deck in zip("AB", decks, strict=True):
        tableau += [[card] for card in deck[size : size + 4]]
        players[seat] = {
            "reserve": deck[:size],
            "stock": deck[size + 4 :][::-1],
            "drawn": None,
            "waste": [],
        }
    state: State = {
        "rules": switches,
        "acts": 0,
        "tableau": tableau,
        "foundations": {suit: [0, 0] for suit in "SHDC"},
        **players,
    }
    state["to_move"] = _starter(state, lot)
    return with_fresh_counters(copied(state))


def _starter(state: State, lot: int) -> str:
    keys = {seat: _starting_key(state, seat) for seat in "AB"}
    if keys["A"] == keys["B"]:
        return "AB"[lot]
    a_is_higher = keys["A"] > keys["B"]
    return "A" if a_is_higher == (state["rules"]["starter"] == "higher") else "B"


def _starting_key(state: State, seat: str) -> list[int]:
    rules = state["rules"]
    columns = state["tableau"][:4] if seat == "A" else state["tableau"][4:]
    cards = [pile[0] for pile in columns]
    reserve = state[seat]["reserve"][-1]
    if rules["tie_break"] == "columns-reversed":
        cards.reverse()
    key = [_starting_rank(rules, card) for card in [reserve, *cards]]
    if rules["tie_break"] == "columns-then-suit":
        key.append("CDHS".index(reserve[1]))
    return key


def _starting_rank(rules: dict[str, Any], card: str) -> int:
    if rules["ace_high_for_start"] and card[0] == "A":
        return len(RANKS) + 1
    return rank(card)
