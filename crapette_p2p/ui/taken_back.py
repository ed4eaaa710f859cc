"""**Pure**: the actions of the last turns, to say which of them a Stop! undoes."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, replace
from typing import Final

from crapette_p2p.engine import (
    Action,
    Discard,
    Move,
    Pass,
    Position,
    Stop,
    Turn,
    judge,
)
from crapette_p2p.engine.duties import ACTIONS_A_TURN

_KEPT: Final = ACTIONS_A_TURN + 2
"""A whole turn, with what ends it and what was done before it."""
NAMED: Final = 6
"""So many of the undone actions are named; the rest are counted."""


@dataclass(frozen=True, slots=True)
class Undone:
    """One action that was taken back."""

    author: int
    """Whose it was."""
    action: Action
    """What was done."""
    before: Position
    """The table before it."""
    after: Position
    """The table after it, with the card that it turned up."""


class Recent:
    """What was done lately; it forgets by itself."""

    def __init__(self) -> None:
        self._steps: deque[tuple[int, Action, Position]] = deque(maxlen=_KEPT)

    def note(self, author: int, action: Action, before: Position) -> None:
        """Remember an action if it was one on the table: others undo nothing."""
        if isinstance(action, Move | Turn | Discard | Pass):
            self._steps.append((author, action, before))

    def undone_by(self, stop: Stop, now: Position) -> tuple[Undone, ...]:
        """What a call takes back; nothing if it is wrong."""
        offence = judge(now, stop)
        return () if offence is None else self._since(offence.before, now)

    def _since(self, faulty: Position, now: Position) -> tuple[Undone, ...]:
        """What was done from the ``faulty`` position on; the call comes ``now``.

        An open offence remembers its position without the offences that were open
        then. A position that is not known (a game taken up late) undoes nothing.
        """
        befores = [before for _, _, before in self._steps]
        places = [n for n, b in enumerate(befores) if _bare(b) == faulty]
        if not places:
            return ()
        first = places[-1]
        afters = [*befores[first + 1 :], now]
        steps = list(self._steps)[first:]
        return tuple(
            Undone(author, action, before, after)
            for (author, action, before), after in zip(steps, afters, strict=True)
        )


def _bare(position: Position) -> Position:
    return replace(position, offences=()) if position.offences else position
