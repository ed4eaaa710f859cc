"""How far a deal has come, in the numbers that every screen and list shows.

There is one count of turns and one of moves. The table, the end of a deal, the
replay, its dump and pictures, ``games``, ``resume --list``, ``stats`` and the menu
all take them from here, so that one game has one number of each.
"""

from __future__ import annotations

from dataclasses import dataclass

from crapette_p2p.engine.actions import Action, AnswerDraw, OfferDraw
from crapette_p2p.engine.position import Position


@dataclass(frozen=True, slots=True)
class Played:
    """What was played up to a moment; as it is made: the lay-out is open."""

    turn: int = 1
    """The number of the turn that runs, or ran when the deal ended."""
    moves: int = 0
    """Everything that changed the table: cards, passes, calls, what ended it."""

    def after(self, action: Action, before: Position, after: Position) -> Played:
        """The same once ``action`` has led from one position to the next."""
        return Played(
            self.turn + turn_began(before, after),
            self.moves + (not is_talk(action)),
        )


NOT_DEALT = Played(turn=0)
"""Of a game whose lay-out is not open yet."""


def is_talk(action: Action) -> bool:
    """Whether an action leaves the table as it is: offers and refused offers."""
    return action == AnswerDraw(accept=False) or isinstance(action, OfferDraw)


def turn_began(before: Position, after: Position) -> bool:
    """Whether a turn began: the other's, or one's own where he sits out.

    The turn that a provisional end kept from beginning begins with the call that
    takes the end back.
    """
    if after.end is not None:
        return False
    if before.end is not None or after.active != before.active:
        return True
    return sat_out(before, after) or after.acts < before.acts


def sat_out(before: Position, after: Position) -> bool:
    """Whether a turn was skipped, which had been lost by a wrong call."""
    return sum(after.calls.to_sit_out) < sum(before.calls.to_sit_out)
