"""The search of ``master``: the best way through a turn as far as it can be seen.

Theory of operation. Until a card is turned up everything is known, so the plays
of a turn form a graph of boards, searched best first: the most promising board is
expanded, its children are judged and queued. Boards that differ only in the order
of the columns are one board (``key_of``), so a way round leads nowhere: the
transposition table ends it. Every board at which the turn may stop (turn up the
next card, discard, pass) is a candidate; its worth is what the evaluation says,
less a little for each play, so that of two ways the shorter one wins.

The best candidates are then looked at more closely: each face that the next card
may have is tried in its best place, and a card that both have seen before is known.
What lies behind that card no graph can hold, so most of the budget goes into playing
the candidates on with the hidden cards thrown (``bot/sampling.py``).
A search can be stopped at any time (``nodes``, ``cancelled``); it then answers with
the best it has.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Final

from crapette_p2p.bot.board import (
    FROM_DRAWN,
    FROM_RESERVE,
    NOTHING,
    TO_FOUNDATION,
    Board,
    Play,
    after,
    discarded,
    goes_up,
    key_of,
    may_turn,
    next_card,
    plays,
    source_cards,
    turned,
)
from crapette_p2p.bot.evaluation import (
    WON,
    Outlook,
    has_won,
    worth_ending,
    worth_going_on,
    worth_looking,
)
from crapette_p2p.bot.sampling import END_TURN, LOOK, TURN_UP, Way, best_way
from crapette_p2p.cards import UNKNOWN

SEARCHED: Final = 0.25
"""The share of the budget that goes into the search; the rest into sampling."""
MOST_SEARCHED: Final = 1500
"""How many boards are worth expanding; beyond them samples tell more."""
STEP_COST: Final = 0.05
"""What a play costs, so that plans do not wander."""
FORCED_BONUS: Final = 1.0
"""A board with a duty to fulfil is no place to stop, so it is opened soon."""
CLOSER_LOOKS: Final = 6
"""How many of the best stopping places are judged card by card."""
CANCEL_EVERY: Final = 32
"""How many boards are expanded between two questions to ``cancelled``."""


@dataclass(slots=True)
class _Node:
    """A board of the search and how it was reached."""

    board: Board
    parent: int
    play: Play
    depth: int


@dataclass(slots=True)
class Search:
    """One search from one board; ``best_plan`` runs it."""

    outlook: Outlook
    nodes: int
    """How many boards may be looked at, turns of rollouts included."""
    cancelled: Callable[[], bool] | None = None
    """Asked now and then; once it says True the best found so far counts."""
    seen: Iterable[object] = ()
    """Keys of boards that this turn must not come back to."""
    steady: bool = False
    """Make no column moves any more."""
    _expanded: int = 0
    _nodes: list[_Node] = field(default_factory=list)
    _queue: list[tuple[float, int]] = field(default_factory=list)
    _known: set[object] = field(default_factory=set)
    _stops: list[tuple[float, int, Play]] = field(default_factory=list)

    def best_plan(self, board: Board) -> tuple[Play, ...]:
        """The plays to make now, in order, down to a turn-up or the turn's end."""
        self._known = set(self.seen)
        self._known.discard(key_of(board, self.outlook.terms))
        self._add(board, -1, TURN_UP, 0)
        most = min(self.nodes * SEARCHED, MOST_SEARCHED)
        while self._queue and self._expanded < most:
            stopped = self._expanded % CANCEL_EVERY == 0 and self.cancelled
            if stopped and stopped():
                break
            self._expand(heapq.heappop(self._queue)[1])
            self._expanded += 1
        return self._way_to_best()

    def _add(self, board: Board, parent: int, play: Play, depth: int) -> None:
        key = key_of(board, self.outlook.terms)
        if key in self._known:
            return
        self._known.add(key)
        number = len(self._nodes)
        self._nodes.append(_Node(board, parent, play, depth))
        worth, stop = self._judge(board)
        worth -= STEP_COST * depth
        if stop is not None:
            self._stops.append((worth, number, stop))
        heapq.heappush(self._queue, (-worth, number))

    def _judge(self, board: Board) -> tuple[float, Play | None]:
        """The worth of a board, and how the turn may stop there, if it may."""
        terms, outlook = self.outlook.terms, self.outlook
        if has_won(board, outlook):
            return WON, END_TURN
        if board.reserve and board.reserve[-1] == UNKNOWN:
            return worth_looking(board, outlook), LOOK
        if terms.foundation_duty and any(
            goes_up(board.heights, face) for _, face in source_cards(board, terms)
        ):
            return worth_going_on(board, outlook) + FORCED_BONUS, None
        if board.drawn != NOTHING:
            return worth_ending(discarded(board), outlook), END_TURN
        if may_turn(board, terms):
            return worth_going_on(board, outlook), TURN_UP
        if board.stock or board.waste:
            return worth_going_on(board, outlook), None
        return worth_ending(board, outlook), END_TURN

    def _expand(self, number: int) -> None:
        node = self._nodes[number]
        for play in plays(node.board, self.outlook.terms):
            if not self.steady or play.source >= 8 or play.target >= 8:
                self._add(after(node.board, play), number, play, node.depth + 1)

    def _way_to_best(self) -> tuple[Play, ...]:
        if not self._stops:
            return self._way_to(len(self._nodes) - 1)
        self._stops.sort(key=lambda stop: -stop[0])
        best = self._stops[:CLOSER_LOOKS]
        ways = [
            Way(self._look_closer(worth, number, stop), self._nodes[number].board, stop)
            for worth, number, stop in best
        ]
        chosen = best_way(
            ways, self.outlook, self.nodes - self._expanded, self.cancelled
        )
        _, number, stop = best[chosen]
        way = self._looking_early(self._way_to(number))
        return way if stop == LOOK else (*way, stop)

    def _looking_early(self, way: tuple[Play, ...]) -> tuple[Play, ...]:
        """The same plays with the first reserve play in front, if that is possible.

        The sooner the next reserve card is seen, the more of the plan can still
        be changed for it.
        """
        places = [i for i, play in enumerate(way) if play.source == FROM_RESERVE]
        if not places or places[0] == 0:
            return way
        first = places[0]
        early = (way[first], *way[:first], *way[first + 1 :])
        return early if self._end_of(early) == self._end_of(way) else way

    def _end_of(self, way: tuple[Play, ...]) -> Board | None:
        """The board a way leads to; None where a play on it is not possible."""
        board = self._nodes[0].board
        for play in way:
            if play not in plays(board, self.outlook.terms):
                return None
            board = after(board, play)
        return board

    def _way_to(self, number: int) -> tuple[Play, ...]:
        way = []
        while self._nodes[number].parent >= 0:
            way.append(self._nodes[number].play)
            number = self._nodes[number].parent
        return tuple(reversed(way))

    def _look_closer(self, worth: float, number: int, stop: Play) -> float:
        """The worth of a stop, card by card where the next one is unknown."""
        if stop != TURN_UP:
            return worth
        node = self._nodes[number]
        face = next_card(node.board)
        unseen = self.outlook.unseen if face == UNKNOWN else 1 << face
        faces = [f for f in range(52) if unseen >> f & 1]
        if not faces:
            return worth
        total = sum(self._with_card(turned(node.board, f)) for f in faces)
        return total / len(faces) - STEP_COST * node.depth

    def _with_card(self, board: Board) -> float:
        """The worth of a board with a card just drawn: its best place."""
        terms, outlook = self.outlook.terms, self.outlook
        if goes_up(board.heights, board.drawn):
            up = after(board, Play(FROM_DRAWN, TO_FOUNDATION))
            return worth_going_on(up, outlook)
        worth = worth_ending(discarded(board), outlook)
        for play in plays(board, terms):
            if play.source == FROM_DRAWN:
                worth = max(worth, worth_going_on(after(board, play), outlook))
        return worth
