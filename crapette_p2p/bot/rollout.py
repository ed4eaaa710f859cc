"""How a deal might go on: both seats play plainly, the hidden cards thrown.

Theory of operation. What comes after the next card is chance and the opponent, and
no list of boards is long enough for it. So the hidden cards are dealt at random (a
*world*), and both players make the plays at hand, as ``club`` does, for a few turns;
what the table is worth then is a sample. Worlds are lists that change in place, and
a play costs a few microseconds; the same worlds are thrown for every way that is to
be compared, so that luck cancels out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import cycle
from typing import Final

from crapette_p2p.bot.board import (
    LIES_ON,
    LOADS_ON,
    NOTHING,
    Board,
    Terms,
)
from crapette_p2p.cards import UNKNOWN

_PARENTS: Final = tuple(tuple(sorted(tops)) for tops in LIES_ON)
_NEAR: Final = tuple(tuple(sorted(tops)) for tops in LOADS_ON)
_EMPTY: Final = -1
"""What ``tops`` holds of a space."""
MOST_PLAYS: Final = 150
"""A turn of a rollout ends after so many, whatever there is to do."""
_MASK: Final = (1 << 64) - 1


def throws(seed: int) -> Iterator[int]:
    """Numbers of 31 bits without end; equal seeds give equal ones."""
    state = seed & _MASK | 1
    while True:
        state = (state * 6364136223846793005 + 1442695040888963407) & _MASK
        yield state >> 33


def shuffled(faces: Sequence[int], numbers: Iterator[int]) -> list[int]:
    """The faces in an order thrown with the numbers."""
    order = list(faces)
    for last in range(len(order) - 1, 0, -1):
        chosen = next(numbers) % (last + 1)
        order[last], order[chosen] = order[chosen], order[last]
    return order


class Side:
    """The piles of one player."""

    __slots__ = ("drawn", "reserve", "stock", "to_clear", "waste")

    def __init__(
        self,
        reserve: bytes,
        stock: bytes,
        waste: bytes,
        drawn: int,
        hidden: Sequence[int],
        to_clear: Sequence[int] = (),
    ) -> None:
        faces = cycle(hidden)
        # The hidden faces go to the unknown places in one and the same order,
        # however many cards have been played since the world was thrown.
        self.stock = [next(faces) if f == UNKNOWN else f for f in stock]
        self.reserve = [next(faces) if f == UNKNOWN else f for f in reserve]
        self.waste = list(waste)
        self.drawn = drawn
        self.to_clear = to_clear

    def is_empty(self) -> bool:
        """Whether all of it is gone."""
        return not (self.reserve or self.stock or self.waste or self.drawn != NOTHING)


class World:
    """A table in which every card is known, and which is played on in place."""

    __slots__ = ("columns", "heights", "terms", "tops", "wanted")

    def __init__(self, columns: Sequence[bytes], heights: bytes, terms: Terms) -> None:
        self.columns = [list(pile) for pile in columns]
        self.tops = [pile[-1] if pile else _EMPTY for pile in columns]
        self.heights = list(heights)
        self.terms = terms
        self.wanted = {
            13 * (pile >> 1) + height
            for pile, height in enumerate(heights)
            if height < 13
        }

    def raise_(self, face: int) -> None:
        """Put a card on its foundation."""
        suit, below = divmod(face, 13)
        heights, pile = self.heights, 2 * suit
        if heights[pile] != below:
            pile += 1
        heights[pile] += 1
        if heights[pile ^ 1] != below:
            self.wanted.discard(face)
        if below < 12:
            self.wanted.add(face + 1)

    def lay(self, face: int, column: int) -> None:
        """Put a card on a column."""
        self.columns[column].append(face)
        self.tops[column] = face

    def take(self, column: int) -> int:
        """Take the top of a column."""
        pile = self.columns[column]
        face = pile.pop()
        self.tops[column] = pile[-1] if pile else _EMPTY
        return face

    def parent_of(self, face: int) -> int:
        """A column on which a card can lie, or -1."""
        tops = self.tops
        for parent in _PARENTS[face]:
            if parent in tops:
                return tops.index(parent)
        return -1

    def play_turn(self, me: Side, them: Side, *, opened: bool) -> bool:
        """Play a turn, or the rest of one; whether ``me`` has won by it."""
        if not opened and self.terms.opens_with_turn:
            turn_up(me)
        for _ in range(MOST_PLAYS):
            if self._makes_play(me, them):
                if not me.reserve and self.has_won(me):
                    return True
            elif me.drawn != NOTHING:
                break
            elif not turn_up(me):
                return self.has_won(me)
        if me.drawn != NOTHING:
            me.waste.append(me.drawn)
            me.drawn = NOTHING
        return False

    def has_won(self, me: Side) -> bool:
        """Whether a player has got rid of everything that counts."""
        return me.is_empty() and not any(self.columns[n] for n in me.to_clear)

    def _makes_play(self, me: Side, them: Side) -> bool:
        """Make the play most wanted, if there is any."""
        return (
            self._goes_up(me)
            or (bool(me.reserve) and self._reserve_goes(me, them))
            or (me.drawn != NOTHING and self._drawn_goes(me, them))
            or (self.terms.own_waste and bool(me.waste) and self._waste_goes(me, them))
            or self._column_loads(them)
            or self._opens_way(me)
            or (bool(me.to_clear) and me.is_empty() and self._clears(me))
        )

    def _goes_up(self, me: Side) -> bool:
        wanted, tops = self.wanted, self.tops
        if me.reserve and me.reserve[-1] in wanted:
            self.raise_(me.reserve.pop())
            return True
        if me.drawn in wanted:
            self.raise_(me.drawn)
            me.drawn = NOTHING
            return True
        if self.terms.own_waste and me.waste and me.waste[-1] in wanted:
            self.raise_(me.waste.pop())
            return True
        if wanted.isdisjoint(tops):
            return False
        column = next(n for n, top in enumerate(tops) if top in wanted)
        self.raise_(self.take(column))
        return True

    def _reserve_goes(self, me: Side, them: Side) -> bool:
        face = me.reserve[-1]
        if self._goes(face, them, fills=self.terms.space_reserve):
            me.reserve.pop()
            return True
        return False

    def _drawn_goes(self, me: Side, them: Side) -> bool:
        if self._goes(me.drawn, them, fills=self.terms.space_drawn):
            me.drawn = NOTHING
            return True
        return False

    def _waste_goes(self, me: Side, them: Side) -> bool:
        if self._goes(me.waste[-1], them, fills=self.terms.space_drawn):
            me.waste.pop()
            return True
        return False

    def _goes(self, face: int, them: Side, *, fills: bool) -> bool:
        """Put a card of one's own on the opponent, a column or into a space."""
        near = _NEAR[face]
        if them.reserve and them.reserve[-1] in near:
            them.reserve.append(face)
            return True
        if them.waste and them.waste[-1] in near:
            them.waste.append(face)
            return True
        column = self.parent_of(face)
        if column < 0:
            if not fills or _EMPTY not in self.tops:
                return False
            column = self.tops.index(_EMPTY)
        self.lay(face, column)
        return True

    def _column_loads(self, them: Side) -> bool:
        tops = self.tops
        for pile in (them.reserve, them.waste):
            if pile:
                for face in _NEAR[pile[-1]]:
                    if face in tops:
                        pile.append(self.take(tops.index(face)))
                        return True
        return False

    def _opens_way(self, me: Side) -> bool:
        """Move a top away if the reserve or the drawn card then has a place."""
        parents: tuple[int, ...] = ()
        fills = False
        if me.reserve:
            parents, fills = _PARENTS[me.reserve[-1]], self.terms.space_reserve
        if me.drawn != NOTHING:
            parents += _PARENTS[me.drawn]
            fills = fills or self.terms.space_drawn
        for column, pile in enumerate(self.columns):
            if len(pile) > 1:
                if pile[-2] not in parents:
                    continue
            elif not pile or not fills:
                continue
            target = self.parent_of(pile[-1])
            if target >= 0:
                self.lay(self.take(column), target)
                return True
        return False

    def _clears(self, me: Side) -> bool:
        """Move a top out of the columns that a win wants empty, for good."""
        for column in me.to_clear:
            if self.columns[column]:
                parents = _PARENTS[self.tops[column]]
                for target, top in enumerate(self.tops):
                    fits = self.terms.space_column if top == _EMPTY else top in parents
                    if fits and target not in me.to_clear:
                        self.lay(self.take(column), target)
                        return True
        return False


def turn_up(side: Side) -> bool:
    """Turn up the next card; False where there is none."""
    if not side.stock:
        if not side.waste:
            return False
        side.stock = side.waste[::-1]
        side.waste = []
    side.drawn = side.stock.pop()
    return True


def board_from(world: World, me: Side, them: Side) -> Board:
    """The table as ``me`` sees it."""
    return Board(
        columns=tuple(map(bytes, world.columns)),
        heights=bytes(world.heights),
        reserve=bytes(me.reserve),
        drawn=me.drawn,
        waste=bytes(me.waste),
        stock=bytes(me.stock),
        their_reserve=bytes(them.reserve),
        their_drawn=them.drawn,
        their_waste=bytes(them.waste),
        their_stock=bytes(them.stock),
    )
