"""Vectors of lines of play that whole games hardly ever come to.

Each pins a sentence of the rules that could be read in another way. The positions
are made up; what follows is what the engine says, and ``tests/interop`` comes to the
same from the text alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from tests.vectors.making.rules import SPEC, add_outcome
from tests.vectors.making.writing import Group, Json, VectorFile

_COLUMNS: Final = (
    *(("KS",), ("KH",), ("KD",), ("KC",)),
    *(("QS",), ("QH",), ("QD",), ("QC",)),
)
_A: Final[Json] = {"reserve": ["9S", "AS"], "stock": ["4D", "5C"], "waste": ["7H"]}
_B: Final[Json] = {"reserve": ["JD", "8C"], "stock": ["6S", "3H"], "waste": ["TD"]}
_LOOK: Final = (
    *("A", "B", "tableau.7", "foundations", "to_move", "turn_opened", "counters"),
)
_PLAYERS: Final = ("nobody", "caller", "offender")


def files() -> Iterator[VectorFile]:
    """All files of this module."""
    groups = [_upheld(), _named(), _wrong(), _turns(), _wins(), _blocked(), _talk()]
    yield VectorFile("rulings-corners", "rulings", SPEC, groups)


def position(rules: object, *, to_move: str = "A", **changes: object) -> Json:
    """A position in which A has an ace on his reserve and little else to do.

    ``changes`` are fields of the position; ``A`` and ``B`` are merged, ``columns``
    are those that differ, by number.
    """
    columns: dict[int, list[str]] = changes.pop("columns", {})  # type: ignore[assignment] # as documented
    found: Json = {
        "format": "crapette-position/1",
        "rules": rules,
        "to_move": to_move,
        "turn_opened": False,
        "tableau": [columns.get(n, list(_COLUMNS[n - 1])) for n in range(1, 9)],
        "foundations": {suit: [0, 0] for suit in "SHDC"},
    }
    for name, usual in (("A", _A), ("B", _B)):
        found[name] = {"drawn": None, **usual, **changes.pop(name, {})}  # type: ignore[dict-item] # as documented
    return {**found, **changes}


def house(preset: str = "crapette", **switches: object) -> Json:
    """A preset with other switches."""
    return {"preset": preset, **switches}


def line(
    group: Group,
    comment: str,
    start: Json,
    *moves: str,
    seq: int | None = None,
    look: tuple[str, ...] = _LOOK,
) -> None:
    """Add a line of play with what follows it."""
    given: Json = {"position": start, "moves": list(moves), "look": list(look)}
    if seq is not None:
        given["seq"] = seq
    add_outcome(group, "rulings", comment, given)


def _upheld() -> Group:
    """What an upheld Stop does, in the order of 20, 6.4."""
    group = Group("upheld")
    last = {"idle": 7, "limit": 8}
    for by in _PLAYERS:
        rules = house(missed_card_played_by=by)
        call = ("A:turn", "B:stop R-F")
        line(group, f"played by {by}", position(rules), *call)
        line(group, "one call settles the turn", position(rules), *call, call[1])
        line(group, "there is no end to grant", position(rules), *call, "B:grant")
        turned = position(rules, counters=last)
        line(group, f"by {by}, the last idle turn", turned, *call)
        waits = position(rules, counters={"to_sit_out": [0, 1]})
        line(group, f"by {by}, the caller sits out", waits, *call)
        line(group, f"by {by}, event 16,000", position(rules), *call, seq=16_000)
        over = (*call, "B:turn")
        line(group, f"by {by}, which is final", position(rules), *over, seq=16_000)
        spaces = position(
            rules,
            columns={8: []},
            A={"reserve": ["AC", "9S"]},
            counters={**last, "fewest": 2},
        )
        line(group, f"a space by {by}", spaces, "A:turn", "B:stop R-8")
        wins = position(rules, A={"reserve": ["AS"], "stock": [], "waste": []})
        won = ("A:offer-draw A", "A:5-2", "B:stop R-F")
        line(group, f"by {by}, and the offender has won", wins, *won)
        drawn = position(rules, turn_opened=True, A={"drawn": "7C"})
        line(group, f"by {by}, a drawn card", drawn, "A:5-2", "B:stop R-F")
    two = ("A:turn", "A:5-2", "B:stop R-F")
    line(group, "the earlier of two offences", position("crapette"), *two)
    rules = house(stop_window="action")
    line(group, "the last action alone", position(rules), *two)
    spent = position("crapette", to_move="B", B={"reserve": ["8C"]})
    both = ("B:turn", "A:stop 1-F", "B:discard", "A:turn", "B:stop R-F")
    line(group, "who called wrongly before is called", spent, *both)
    line(group, "and the next action lifts the ban", spent, *both, "B:turn")
    return group


def _named() -> Group:
    """Which plays can be named."""
    group = Group("named")
    spaces = position("crapette", columns={8: [], 1: ["AD"]}, A={"reserve": ["9S"]})
    line(group, "the space while F stands", spaces, "A:turn", "B:stop R-8")
    line(group, "F while the space is open too", spaces, "A:turn", "B:stop 1-F")
    first = position("crapette", columns={1: ["AD"]})
    line(group, "another F under F-reserve", first, "A:turn", "B:stop 1-F")
    late = ("A:5-2", "A:R-F", "B:stop R-F")
    for window in ("turn", "action"):
        rules = house("russian-bank-knock", stop_window=window)
        opened = position(rules, turn_opened=True, columns={1: ["AD"]})
        line(group, f"made later, window {window}", opened, *late)
    line(group, "no play at all", position("crapette"), "A:turn", "B:stop 1-2")
    line(group, "the drawn card that there is not", first, "A:5-2", "B:stop D-F")
    line(group, "nothing lies there", spaces, "A:turn", "B:stop 8-F")
    after = ("A:turn", "A:discard", "A:turn")
    waits = position("crapette", counters={"to_sit_out": [0, 1]})
    look = (*_LOOK, "offence")
    line(group, "offences stay over a sat-out turn", waits, *after, look=look)
    line(group, "and can be called", waits, *after, "B:stop R-F")
    return group


def _wrong() -> Group:
    """What wrong calls cost."""
    group = Group("wrong")
    for wrong in (0, 1, 2, 3, 5, 8):
        for cost in ("third-costs-turn", "no-more-this-turn"):
            rules = house(wrong_call=cost)
            before = position(rules, counters={"wrong": [0, wrong]})
            call = ("A:turn", "B:stop 1-F")
            line(group, f"call {wrong + 1}, {cost}", before, *call)
            line(group, f"call {wrong + 1} and another", before, *call, "B:stop R-F")
    before = position("crapette", counters={"wrong": [0, 2]})
    call = ("A:turn", "B:stop 1-F")
    line(group, "a second call in the turn", before, *call, "B:stop R-F")
    line(group, "the turn it costs", before, *call, "A:R-F", "A:discard")
    wins = {"reserve": [], "stock": [], "waste": [], "drawn": "AS"}
    ends = position("crapette", turn_opened=True, A=wins, counters={"wrong": [0, 2]})
    line(group, "the third at a provisional end", ends, "A:D-F", "B:stop 1-F")
    own = position("crapette", A={"reserve": ["9S"]}, counters={"wrong": [0, 2]})
    after = ("A:turn", "A:discard", "B:stop 1-F")
    line(group, "the third in his own turn", own, *after)
    line(group, "which is not the one it costs", own, *after, "B:turn", "B:discard")
    return group


def _turns() -> Group:
    """What counts in a turn."""
    group = Group("turns")
    plain = {"reserve": ["9S"]}
    for acts in (398, 399, 400):
        counters: Json = {"actions": acts}
        many = position(
            "crapette", turn_opened=True, columns={8: []}, A=plain, counters=counters
        )
        line(group, f"a column after {acts} actions", many, "5-2")
        line(group, f"turn after {acts} actions", many, "turn")
        line(group, f"the space after {acts} actions", many, "R-8")
        aces = {**many, "A": {**many["A"], "reserve": ["9S", "AS"]}}
        line(group, f"a foundation after {acts} actions", aces, "R-F")
    bare: Json = {"stock": [], "waste": []}
    passing = position("crapette", A={**bare, **plain}, B={**bare, **plain})
    line(group, "two passes block", passing, "A:pass", "B:pass")
    acting = {**passing, "A": {**passing["A"], "reserve": ["9S", "AS"]}}
    line(group, "a pass with progress", acting, "A:R-F", "A:pass", "B:pass")
    waits = {**passing, "counters": {"to_sit_out": [0, 1]}}
    line(group, "a turn sat out between two passes", waits, "A:pass", "A:pass")
    for limit, idle in ((8, 5), (8, 6), (8, 7)):
        counters = {"idle": idle, "limit": limit, "to_sit_out": [0, 1]}
        ends = position("crapette", A=plain, counters=counters)
        line(group, f"idle {idle}, then sat out", ends, "A:turn", "A:discard")
    counters = {"to_sit_out": [0, 2]}
    late = position("crapette", A=plain, counters=counters)
    for seq in (15_999, 16_000):
        line(group, "sat out, then too late", late, "turn", "discard", seq=seq)
    return group


def _wins() -> Group:
    """What wins a deal."""
    group = Group("wins")
    bare: Json = {"reserve": [], "stock": [], "waste": []}
    empty: dict[int, list[str]] = {n: [] for n in range(1, 9)}
    for needs in ("none", "own4", "all8"):
        for preset in ("crapette", "russian-bank"):
            rules = house(preset, win_needs_tableau=needs)
            for comment, columns in (
                ("all columns empty", empty),
                ("the other's columns left", {**empty, 7: ["KS"]}),
                ("an own column left", {**empty, 3: ["KS"]}),
            ):
                table = position(
                    rules,
                    turn_opened=True,
                    columns=columns,
                    A={**bare, "drawn": "AS"},
                )
                line(group, f"{needs}: {comment}", table, "D-F")
                line(group, f"{needs}: then turn, {comment}", table, "D-F", "A:turn")
                counters = {"end": None, "passes": 1, "idle": 7, "offered": ["A"]}
                passing = {**table, "A": {**bare, "drawn": None}, "counters": counters}
                passing["turn_opened"] = False
                line(group, f"{needs}: pass, {comment}", passing, "pass")
    return group


def _blocked() -> Group:
    """How a blocked deal scores, and when it is blocked."""
    group = Group("blocked")
    last = {"idle": 7, "limit": 8}
    for scoring in ("deal", "hoyle"):
        for result in ("draw", "difference"):
            rules = house(scoring=scoring, blocked_result=result)
            for reserve in (["9S"], ["9S", "2S"], ["9S", "2S", "3S"]):
                table = position(rules, A={"reserve": reserve}, counters=last)
                comment = f"{scoring}, {result}, {len(reserve)} in reserve"
                line(group, comment, table, "turn", "discard")
                over = ("turn", "discard", "B:turn")
                line(group, f"{comment}, and on", table, *over)
    table = position("crapette", counters=last)
    ended = ("A:R-F", "A:turn", "A:discard")
    line(group, "progress starts the count anew", table, *ended)
    stopped = ("A:turn", "A:discard", "B:stop R-F")
    line(group, "a Stop undoes the end", table, *stopped)
    line(group, "a grant makes it final", table, *stopped[:2], "B:grant")
    line(group, "a wrong Stop too", table, *stopped[:2], "B:stop 1-F")
    for cards in (0, 2, 3, 5):
        stock = ["2H", "3H", "4H", "5H", "6H"][:cards]
        small = {"stock": stock, "waste": []}
        few = position("crapette", A=small, B=small)
        line(group, f"limit with {cards} hidden", few, "R-F")
    return group


def _talk() -> Group:
    """Draw offers among other things."""
    group = Group("talk")
    last = {"idle": 7, "limit": 8}
    plain = {"reserve": ["9S"]}
    offer = ("B:offer-draw B",)
    line(group, "a play declines", position("crapette"), *offer, "A:R-F")
    undone = position("garibaldka", turn_opened=True)
    line(group, "a play that is undone too", undone, *offer, "A:5-2")
    call = ("A:turn", *offer, "B:stop R-F")
    line(group, "an upheld Stop leaves it", position("crapette"), *call)
    line(group, "a wrong one too", position("crapette"), *call[:2], "B:stop 1-F")
    ends = position("crapette", A=plain, counters=last)
    own = ("A:offer-draw A", "A:turn", "A:discard")
    line(group, "a provisional end clears it", ends, *own)
    running = position("crapette", A=plain)
    line(group, "the end of a turn leaves it", running, *own)
    line(group, "one at a time", running, *own[:1], *offer)
    line(group, "once a turn", running, *own[:1], "B:decline-draw B", *own[:1])
    line(group, "again in the next", running, *own, "B:decline-draw B", *own[:1])
    line(group, "agreed", running, *own, "B:accept-draw B")
    line(group, "resigned by the other", running, "A:turn", "B:resign B")
    line(group, "without a seat the mover's", running, "resign")
    line(group, "answered by the offerer", running, *own[:1], "A:accept-draw A")
    return group
