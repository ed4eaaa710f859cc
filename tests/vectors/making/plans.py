"""What is recorded: the rules of each game and how its players choose."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from crapette_p2p.engine import (
    ACCEPT_DRAW,
    GRANT,
    OFFER_DRAW,
    PRESETS,
    RESIGN,
    Action,
    Discard,
    Pass,
    Position,
    RuleSet,
    Stop,
    Turn,
    due_plays,
    legal_with_offences,
    refusal,
)
from tests.vectors.making.picking import Picker, choose

Chooser = Callable[[Position, Picker, int], tuple[int, Action]]
"""Who does what next, from the table, a stream of choices, the event's number."""


@dataclass(frozen=True, slots=True)
class Plan:
    """One game to be recorded."""

    preset: str
    """The label in the genesis."""
    rules: RuleSet
    k: int
    label: str
    """What entropy and choices are made of, with the plan's name."""
    choose: Chooser
    collides: bool = False
    """Whether both players sometimes act at once."""


def _usual(position: Position, picker: Picker, _number: int) -> tuple[int, Action]:
    return choose(position, picker)


def _offending(position: Position, picker: Picker) -> tuple[int, Action] | None:
    """Now and then an action that is an offence."""
    if position.end is not None or not picker.chance(60):
        return None
    wrong = [a for a, code in legal_with_offences(position) if code is not None]
    return (position.active, picker.pick(wrong)) if wrong else None


def _until_blocked(
    position: Position, picker: Picker, number: int
) -> tuple[int, Action]:
    """Careless play with calls, then only turning and discarding."""
    if number < 60:
        return _careless(position, picker)
    end = position.end
    if end is not None:
        assert end.provisional_by is not None
        return 1 - end.provisional_by, GRANT
    listed = [action for action, _ in legal_with_offences(position)]
    idle = [a for a in listed if isinstance(a, Discard | Pass | Turn)]
    return position.active, (idle or listed)[0]


def _careless(position: Position, picker: Picker) -> tuple[int, Action]:
    """Two offences before a call wherever there can be two, and the first is named."""
    offences = position.offences
    if len(offences) > 1 and picker.chance(50):
        named = due_plays(offences[0].before)[0]
        caller = 1 - int(offences[0].before.active)
        stop = Stop(named.source, named.target)
        if refusal(position, caller, stop) is None:
            return caller, stop
    if position.end is None and len(offences) < 2:
        found = _offending(position, picker)
        if found is not None:
            return found
    return choose(position, picker)


def _until_agreed(
    position: Position, picker: Picker, number: int
) -> tuple[int, Action]:
    """Careless play; late in it an offer is made and accepted."""
    if number > 150 and position.end is None:
        if position.offer is not None:
            return 1 - position.offer, ACCEPT_DRAW
        seat = 1 - position.active
        if refusal(position, seat, OFFER_DRAW) is None:
            return seat, OFFER_DRAW
    return _careless(position, picker)


def _until_resigned(
    position: Position, picker: Picker, number: int
) -> tuple[int, Action]:
    """Many offences; the player who is not to move gives up."""
    if number > 140 and position.end is None:
        return 1 - position.active, RESIGN
    return _offending(position, picker) or choose(position, picker)


def answer_meanwhile(
    position: Position, seat: int, action: Action, number: int
) -> list[tuple[int, Action]]:
    """What the other does at the same time: plays on while called, or talks."""
    if position.end is not None:
        return []
    if isinstance(action, Stop):
        return [(position.active, legal_with_offences(position)[0][0])]
    rival = 1 - seat
    talks = number % 5 == 0 and refusal(position, rival, OFFER_DRAW) is None
    return [(rival, OFFER_DRAW)] if talks else []


def _preset(name: str, k: int, label: str) -> Plan:
    return Plan(name, PRESETS[name], k, label, _usual)


_BLOCKED: Final = replace(
    PRESETS["crapette"],
    reserve_size=11,
    own_waste_playable=True,
    missed_card_played_by="nobody",
    stop_window="action",
    win_needs_tableau="own4",
)
_AGREED: Final = replace(
    PRESETS["russian-bank-knock"], reserve_size=12, starter="lower"
)
_RESIGNED: Final = replace(
    PRESETS["garibaldka"],
    reserve_first=True,
    ace_high_for_start=True,
    wrong_call="no-more-this-turn",
    scoring="hoyle",
)
_PASSED: Final = replace(
    PRESETS["russian-bank-knock"], reserve_size=11, win_needs_tableau="all8"
)
PLANS: Final = {
    "crapette": _preset("crapette", 64, "recorded 3"),
    "garibaldka": _preset("garibaldka", 16, "recorded 5"),
    "russian-bank": _preset("russian-bank", 16, "recorded 6"),
    "russian-bank-knock": _preset("russian-bank-knock", 16, "recorded 1"),
    "blocked": Plan("house", _BLOCKED, 16, "recorded 1", _until_blocked),
    "agreed": Plan("house", _AGREED, 16, "recorded 1", _until_agreed, collides=True),
    "passed": Plan("house", _PASSED, 4, "recorded 2", _usual),
    "resigned": Plan("house", _RESIGNED, 16, "recorded 1", _until_resigned),
}
"""Each recorded game by the name of its files."""


@dataclass(frozen=True, slots=True)
class Cut:
    """A game whose link is cut, and what is lost with it."""

    plan: Plan
    at: int
    """The link is cut in play once so many events are final."""
    in_flight: bool = False
    """Whether an event of each player is on its way then, and lost."""
    backup: int = 0
    """Role 1 comes back with a copy of its log this many events older."""


def _until(number: int) -> Chooser:
    """Careless play; then the player to move gives up."""

    def chosen(position: Position, picker: Picker, at: int) -> tuple[int, Action]:
        if at > number and position.end is None:
            return position.active, RESIGN
        return _careless(position, picker)

    return chosen


def _cut_plan(preset: str, label: str, last: int) -> Plan:
    return Plan(preset, PRESETS[preset], 4, label, _until(last))


CUTS: Final = {
    "cut": Cut(_cut_plan("crapette", "two links 1", 70), at=40, in_flight=True),
    "restored": Cut(
        _cut_plan("russian-bank-knock", "two links 1", 150), at=120, backup=85
    ),
}
"""Each game over two links by the name of its files."""
