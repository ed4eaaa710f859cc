"""How ``master`` carries a turn out: search, remember the plan, follow it.

A plan holds as long as the table is what the plan expected; a card turned up, a
Stop or anything else unforeseen makes it void, and a new search begins.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Final

from crapette_p2p.bot.board import (
    Board,
    Play,
    Terms,
    after,
    board_of,
    key_of,
    terms_of,
    unseen_cards,
)
from crapette_p2p.bot.evaluation import Outlook, Weights
from crapette_p2p.bot.search import Search
from crapette_p2p.engine import Position, RuleSet
from crapette_p2p.engine.layout import other

STEADY_AFTER: Final = 100
"""After so many actions in one turn a bot makes no column moves any more."""


@dataclass(slots=True)
class TurnMemory:
    """What a bot remembers within one turn of its own; one for each seat it plays.

    With it no board of a turn is ever seen twice, a plan is not searched for anew at
    every step, and asked twice about a table the bot gives one answer. A bot without
    one throws other worlds at every step, and may move a column's card to and fro
    until STEADY_AFTER.
    """

    acts: int = -1
    """Actions of the turn when it was looked at last."""
    boards: set[object] = field(default_factory=set)
    """The boards of this turn."""
    plan: tuple[Play, ...] = ()
    """What is still to be played of the plan."""
    expected: Board | None = None
    """The board the rest of the plan was made for."""
    answered: tuple[Board, int] | None = None
    """The board that was asked about last, and the actions of its turn."""
    answer: Play | None = None
    """What was said to it."""

    def copy(self) -> TurnMemory:
        """The same, to be thought on with elsewhere."""
        return replace(self, boards=set(self.boards))

    def recall(self, other: TurnMemory) -> None:
        """Remember what a copy has come to meanwhile."""
        for name in self.__slots__:
            setattr(self, name, getattr(other, name))

    def look_at(self, board: Board, terms: Terms, acts: int) -> None:
        """Take note of the board; a new turn forgets all others."""
        if acts == 0 or acts < self.acts:
            self.boards.clear()
            self.plan = ()
        self.acts = acts
        self.boards.add(key_of(board, terms))
        if self.expected != board:
            self.plan = ()

    def take_step(self, board: Board) -> Play | None:
        """The next play of the plan, if there is one."""
        if not self.plan:
            return None
        play, self.plan = self.plan[0], self.plan[1:]
        self.expected = after(board, play) if play.source >= 0 else None
        return play


def outlook_of(position: Position, seat: int, weights: Weights) -> Outlook:
    """What ``seat`` judges boards with."""
    return Outlook(
        terms=terms_of(position.rules),
        weights=weights,
        unseen=unseen_cards(position, seat),
        their_unseen=unseen_cards(position, other(seat)),
        to_clear=columns_to_clear(position.rules, seat),
        they_clear=columns_to_clear(position.rules, other(seat)),
    )


def columns_to_clear(rules: RuleSet, seat: int) -> tuple[int, ...]:
    """The columns that have to be empty too for ``seat`` to win."""
    own = range(4 * seat, 4 * seat + 4)
    wanted = {"own4": tuple(own), "all8": tuple(range(8))}
    return wanted.get(rules.win_needs_tableau, ())


def planned_play(
    position: Position,
    memory: TurnMemory,
    *,
    nodes: int,
    cancelled: Callable[[], bool] | None = None,
    weights: Weights | None = None,
) -> Play | None:
    """The mover's next play by search, or the sign that the plays are over."""
    seat = position.active
    board = board_of(position, seat)
    outlook = outlook_of(position, seat, weights or Weights())
    here = (board, position.acts)
    if memory.answered == here:
        return memory.answer
    memory.look_at(board, outlook.terms, position.acts)
    if not memory.plan:
        search = Search(
            outlook,
            nodes,
            cancelled,
            seen=memory.boards,
            steady=position.acts > STEADY_AFTER,
        )
        memory.plan = search.best_plan(board)
    memory.answered, memory.answer = here, memory.take_step(board)
    return memory.answer
