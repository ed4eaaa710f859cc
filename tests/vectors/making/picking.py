"""Repeatable choices that no version of Python can change, and games made of them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from typing import TypeVar

from crapette_p2p.cards import UNKNOWN
from crapette_p2p.engine import (
    DECLINE_DRAW,
    GRANT,
    OFFER_DRAW,
    Action,
    Move,
    PileId,
    Position,
    RuleSet,
    Stop,
    due_plays,
    legal_with_offences,
    play,
    refusal,
    start,
)
from crapette_p2p.engine.layout import reserve

Item = TypeVar("Item")


class Picker:
    """A stream of choices made of SHA-256 over a label and a counter."""

    def __init__(self, label: str) -> None:
        self._label = label.encode()
        self._count = 0

    def bytes(self, size: int) -> bytes:
        """The next ``size`` bytes of the stream."""
        found = b""
        while len(found) < size:
            self._count += 1
            found += hashlib.sha256(b"%s %d" % (self._label, self._count)).digest()
        return found[:size]

    def below(self, count: int) -> int:
        """A number below ``count``."""
        return int.from_bytes(self.bytes(8), "big") % count

    def pick(self, items: Sequence[Item]) -> Item:
        """One of the items."""
        return items[self.below(len(items))]

    def chance(self, percent: int) -> bool:
        """True in so many of a hundred cases."""
        return self.below(100) < percent

    def shuffled(self, items: Sequence[Item]) -> list[Item]:
        """The items in another order."""
        left = list(items)
        return [left.pop(self.below(len(left))) for _ in items]


def dealt(rules: RuleSet, picker: Picker) -> Position:
    """A deal with all faces given."""
    faces = bytes(picker.shuffled(range(52)) + picker.shuffled(range(52)))
    return start(rules, faces, lot=picker.below(2))


def choose(position: Position, picker: Picker, *, talk: int = 4) -> tuple[int, Action]:
    """What somebody does next: mostly a play that gets on, sometimes an offence.

    ``talk`` is how often in a hundred a draw is offered or answered.
    """
    stop = _some_stop(position, picker)
    if stop is not None:
        return stop
    if position.end is not None:
        assert position.end.provisional_by is not None
        return 1 - position.end.provisional_by, GRANT
    if position.offer is not None and picker.chance(40):
        return 1 - position.offer, DECLINE_DRAW
    seat = picker.below(2)
    if picker.chance(talk) and refusal(position, seat, OFFER_DRAW) is None:
        return seat, OFFER_DRAW
    return position.active, _table_action(position, picker)


def _table_action(position: Position, picker: Picker) -> Action:
    listed = legal_with_offences(position)
    clean = [action for action, offence in listed if offence is None]
    some = clean if clean and picker.chance(93) else [action for action, _ in listed]
    moves = [a for a in some if isinstance(a, Move)]
    leading = [a for a in moves if a.target > 7 or a.source > 7]
    if leading and picker.chance(90):
        return picker.pick(leading)
    rest = [a for a in some if not isinstance(a, Move)]
    return picker.pick(rest if rest and picker.chance(90) else some)


def _some_stop(position: Position, picker: Picker) -> tuple[int, Action] | None:
    offender = position.callable
    if offender is None or not picker.chance(30 if position.offences else 2):
        return None
    plays = due_plays(position.offences[0].before) if position.offences else ()
    if plays and picker.chance(85):
        play_ = picker.pick(plays)
    else:
        play_ = Move(reserve(offender), PileId(8 + picker.below(8)))
    stop = Stop(play_.source, play_.target)
    return None if refusal(position, 1 - offender, stop) else (1 - offender, stop)


Step = tuple[Position, int, Action, Position]
"""Position before, seat, action, position after."""


def game(rules: RuleSet, label: str, *, steps: int) -> Iterator[Step]:
    """A deal with open faces, at most so many actions long."""
    picker = Picker(label)
    position = dealt(rules, picker)
    for number in range(10, 10 + steps):
        if position.end is not None and position.end.provisional_by is None:
            return
        seat, action = choose(position, picker)
        after = play(position, seat, action, seq=number)
        yield position, seat, action, after
        position = after


def is_open(position: Position) -> bool:
    """Whether all faces on the table are given."""
    slots = b"".join(position.piles)
    return all(position.faces[slot] != UNKNOWN for slot in slots)
