"""What a board is worth to the player about to move, in cards.

Theory of operation. A deal is a race to get rid of 48 cards, so material comes
first: a reserve card is worth more than one of the stock, for it comes out only
when the table takes exactly that card. The rest is prospects: which share of the
cards that can still turn up would find a place, for the mover while his turn
goes on, for the opponent once it ends. Both are counted on bit sets, so that a
board costs a few dozen operations. The weights were found by play
(``crapette arena``), not by thought.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from crapette_p2p.bot.board import (
    ALL_CARDS,
    COLUMN_TAKES,
    LOAD_TAKES,
    NOTHING,
    Board,
    Terms,
    discarded,
    wanted_by_foundations,
)
from crapette_p2p.cards import UNKNOWN

WON: Final = 1000.0
"""More than any table is worth."""


@dataclass(frozen=True, slots=True)
class Weights:
    """What each feature of a board counts, in cards."""

    reserve: float = 1.8
    """A card of a reserve (one of stock, drawn or waste counts 1)."""
    going_on: float = 0.0
    """That the mover's turn is not over."""
    run: float = 8.0
    """The chance that the mover's next card finds a place, his turn going on."""
    again: float = 3.0
    """The same when his turn has ended."""
    reply: float = 6.0
    """The chance that the opponent's next card finds a place."""
    top_placed: float = 2.0
    """The opponent's reserve top has a place."""
    load: float = 4.5
    """A column top that the opponent can load on the mover."""
    space: float = 4.0
    """A space while the mover's turn goes on."""
    space_left: float = 5.0
    """A space left to the opponent."""


@dataclass(frozen=True, slots=True)
class Outlook:
    """What a board is judged with: the rules, the weights, the cards to come."""

    terms: Terms
    weights: Weights
    unseen: int
    """The mover's cards that nobody has seen, as bits."""
    their_unseen: int
    """The opponent's cards that nobody has seen, as bits."""
    to_clear: tuple[int, ...] = ()
    """The columns that have to be empty too for the mover to win."""
    they_clear: tuple[int, ...] = ()
    """The same for the opponent."""


def has_won(board: Board, outlook: Outlook) -> bool:
    """Whether the mover has got rid of everything that counts."""
    if board.reserve or board.drawn != NOTHING or board.stock or board.waste:
        return False
    return not any(board.columns[column] for column in outlook.to_clear)


def material(board: Board, outlook: Outlook) -> float:
    """Cards the opponent still has minus the mover's own, weighted."""
    mine = len(board.stock) + len(board.waste) + (board.drawn != NOTHING)
    theirs = (
        len(board.their_stock) + len(board.their_waste) + (board.their_drawn != NOTHING)
    )
    reserves = len(board.their_reserve) - len(board.reserve)
    worth = theirs - mine + outlook.weights.reserve * reserves
    if outlook.to_clear and not mine and not board.reserve:
        worth -= sum(len(board.columns[column]) for column in outlook.to_clear)
    if outlook.they_clear and not theirs and not board.their_reserve:
        worth += sum(len(board.columns[column]) for column in outlook.they_clear)
    return worth


@dataclass(slots=True)
class Middle:
    """The middle of the table, counted once for both players."""

    taken: int
    """The cards a foundation or a column that is no space would take, as bits."""
    tops: int
    """The column tops, as bits."""
    spaces: int


def middle_of(board: Board) -> Middle:
    """Look over the columns and the foundations."""
    taken = wanted_by_foundations(board.heights)
    tops = spaces = 0
    for pile in board.columns:
        if pile:
            top = pile[-1]
            taken |= COLUMN_TAKES[top]
            tops |= 1 << top
        else:
            spaces += 1
    return Middle(taken, tops, spaces)


def loadable(reserve: bytes, waste: bytes) -> int:
    """The cards that could be loaded on a reserve and a waste, as bits."""
    taken = 0
    if reserve and reserve[-1] != UNKNOWN:
        taken = LOAD_TAKES[reserve[-1]]
    if waste:
        taken |= LOAD_TAKES[waste[-1]]
    return taken


def worth_going_on(board: Board, outlook: Outlook) -> float:
    """The value of a board at which the mover turns up his next card."""
    weights = outlook.weights
    middle = middle_of(board)
    return (
        material(board, outlook)
        + weights.going_on
        + weights.run * _own_chance(board, middle, outlook)
        + weights.space * middle.spaces
        - _left_to_them(board, middle, outlook)
    )


def worth_ending(board: Board, outlook: Outlook) -> float:
    """The value of a board at which the mover's turn has ended."""
    weights = outlook.weights
    middle = middle_of(board)
    return (
        material(board, outlook)
        + weights.again * _own_chance(board, middle, outlook)
        - weights.space_left * middle.spaces
        - _left_to_them(board, middle, outlook)
    )


def worth_looking(board: Board, outlook: Outlook) -> float:
    """The value of a board at which the mover is about to see a reserve card."""
    if board.drawn != NOTHING:
        worth = worth_ending(discarded(board), outlook)
    else:
        worth = worth_going_on(board, outlook)
    middle = middle_of(board)
    if middle.spaces and outlook.terms.space_reserve:
        return worth + outlook.weights.reserve
    taken = middle.taken | loadable(board.their_reserve, board.their_waste)
    among = outlook.unseen or ALL_CARDS
    chance = (taken & among).bit_count() / among.bit_count()
    return worth + outlook.weights.reserve * chance


def _own_chance(board: Board, middle: Middle, outlook: Outlook) -> float:
    """The chance that the mover's next card finds a place."""
    taken = middle.taken | loadable(board.their_reserve, board.their_waste)
    return draw_share(taken, board.stock, board.waste, outlook.unseen)


def _left_to_them(board: Board, middle: Middle, outlook: Outlook) -> float:
    """What the opponent could do with the board, spaces apart."""
    weights = outlook.weights
    near = loadable(board.reserve, board.waste)
    taken = middle.taken | near
    gain = weights.load * (near & middle.tops).bit_count()
    if board.their_reserve:
        top = board.their_reserve[-1]
        if top != UNKNOWN and taken >> top & 1:
            gain += weights.top_placed
    unseen = outlook.their_unseen
    chance = draw_share(taken, board.their_stock, board.their_waste, unseen)
    return gain + weights.reply * chance


def draw_share(taken: int, stock: bytes, waste: bytes, unseen: int) -> float:
    """The chance that the next card of a stock is among ``taken``."""
    if stock:
        face = stock[-1]
    elif waste:
        face = waste[0]
    else:
        return 0.0
    if face == UNKNOWN:
        among = unseen or ALL_CARDS
        return (taken & among).bit_count() / among.bit_count()
    return float(taken >> face & 1)
