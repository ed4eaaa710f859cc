"""A small fast picture of the table, as one player about to move sees it.

A search makes thousands of boards, so a board is a tuple of ``bytes`` of faces and
carries only what decides a turn: no slots, no counters, no history. The mover's
piles come first whoever he is; ``swapped`` looks from the other side. Sets of
cards are ints with bit ``1 << card``. The engine stays the judge: what is chosen
here is played only if ``legal_with_offences`` has it too.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from crapette_p2p.cards import UNKNOWN, Suit, card, is_red, rank_of, suit_of
from crapette_p2p.engine import Position, RuleSet
from crapette_p2p.engine.layout import PileId, drawn, other, reserve, stock, waste

NOTHING: Final = -1
"""The face of an empty pile."""
ALL_CARDS: Final = (1 << 52) - 1

# Places of a play: 0-7 are columns both as source and as target.
FROM_RESERVE: Final = 8
FROM_DRAWN: Final = 9
FROM_WASTE: Final = 10
TO_FOUNDATION: Final = 8
TO_RESERVE: Final = 9
TO_WASTE: Final = 10


class Play(NamedTuple):
    """One card's way, by places of this module."""

    source: int
    target: int


class Terms(NamedTuple):
    """The switches of a rule set that a search has to obey."""

    space_drawn: bool
    space_reserve: bool
    space_column: bool
    own_waste: bool
    foundation_duty: bool
    reserve_first: bool
    fill_spaces: bool
    opens_with_turn: bool
    columns_differ: bool
    """Whether it matters which column is which (a win needs the own four empty)."""


class Board(NamedTuple):
    """One table: what lies in the middle, the mover's piles, the opponent's."""

    columns: tuple[bytes, ...]
    heights: bytes
    """Eight foundations, two a suit in the order of the suits."""
    reserve: bytes
    drawn: int
    waste: bytes
    stock: bytes
    their_reserve: bytes
    their_drawn: int
    their_waste: bytes
    their_stock: bytes


def _column_parents(face: int) -> frozenset[int]:
    return frozenset(
        card(rank_of(face) + 1, suit)
        for suit in range(4)
        if rank_of(face) < 13 and bool(suit & 1) != is_red(face)
    )


def _neighbours(face: int) -> frozenset[int]:
    ranks = (rank_of(face) - 1, rank_of(face) + 1)
    return frozenset(card(r, suit_of(face)) for r in ranks if 1 <= r <= 13)


def _mask(faces: frozenset[int]) -> int:
    return sum(1 << face for face in faces)


LIES_ON: Final = tuple(_column_parents(face) for face in range(52))
"""The column tops a card can lie on."""
LOADS_ON: Final = tuple(_neighbours(face) for face in range(52))
"""The tops of the opponent's piles a card can be loaded on."""
COLUMN_TAKES: Final = tuple(
    _mask(frozenset(f for f in range(52) if top in LIES_ON[f])) for top in range(52)
)
"""The cards a column top takes, as a set of bits."""
LOAD_TAKES: Final = tuple(_mask(near) for near in LOADS_ON)
"""The cards that can be loaded on a top, as a set of bits."""


FOUNDATION_TAKES: Final = tuple(
    (*(1 << card(rank, Suit(pile >> 1)) for rank in range(1, 14)), 0)
    for pile in range(8)
)
"""The card a foundation of some height takes, as a bit."""


def terms_of(rules: RuleSet) -> Terms:
    """What a search needs to know of the rules."""
    duty = rules.has_duties
    return Terms(
        space_drawn="drawn" in rules.space_sources,
        space_reserve="reserve" in rules.space_sources,
        space_column="column" in rules.space_sources,
        own_waste=rules.own_waste_playable,
        foundation_duty=duty,
        reserve_first=duty and rules.reserve_first,
        fill_spaces=duty
        and rules.fill_spaces_before_turn
        and "reserve" in rules.space_sources,
        opens_with_turn=rules.opens_with_turn,
        columns_differ=rules.win_needs_tableau == "own4",
    )


def board_of(position: Position, seat: int) -> Board:
    """The table as ``seat`` would see it about to move."""
    faces, piles = position.faces, position.piles
    them = other(seat)

    def shown(pile: PileId) -> bytes:
        return bytes(faces[slot] for slot in piles[pile])

    return Board(
        columns=tuple(shown(PileId(i)) for i in range(8)),
        heights=bytes(len(piles[i]) for i in range(8, 16)),
        reserve=shown(reserve(seat)),
        drawn=position.top(drawn(seat)),
        waste=shown(waste(seat)),
        stock=shown(stock(seat)),
        their_reserve=shown(reserve(them)),
        their_drawn=position.top(drawn(them)),
        their_waste=shown(waste(them)),
        their_stock=shown(stock(them)),
    )


def unseen_cards(position: Position, seat: int) -> int:
    """The faces of the deck of ``seat`` that nobody has seen, as bits."""
    seen = 0
    for face in position.faces[52 * seat : 52 * seat + 52]:
        if face != UNKNOWN:
            seen |= 1 << face
    return ALL_CARDS & ~seen


def swapped(board: Board) -> Board:
    """The same table with the opponent about to move."""
    mine = (board.reserve, board.drawn, board.waste, board.stock)
    theirs = (
        board.their_reserve,
        board.their_drawn,
        board.their_waste,
        board.their_stock,
    )
    return Board(board.columns, board.heights, *theirs, *mine)


def key_of(board: Board, terms: Terms) -> tuple[object, ...]:
    """Equal for boards that differ only in which column is which."""
    if terms.columns_differ:
        return board
    return (tuple(sorted(board[0])), board[1:])


def goes_up(heights: bytes, face: int) -> bool:
    """Whether a card fits one of the foundations of its suit."""
    suit, below = divmod(face, 13)
    return heights[2 * suit] == below or heights[2 * suit + 1] == below


def wanted_by_foundations(heights: bytes) -> int:
    """The cards that fit a foundation now, as bits."""
    wanted = 0
    for pile, height in enumerate(heights):
        wanted |= FOUNDATION_TAKES[pile][height]
    return wanted


def source_cards(board: Board, terms: Terms) -> list[tuple[int, int]]:
    """Each source that shows a playable card, with the card."""
    found = []
    if board.reserve and board.reserve[-1] != UNKNOWN:
        found.append((FROM_RESERVE, board.reserve[-1]))
    if board.drawn not in (NOTHING, UNKNOWN):
        found.append((FROM_DRAWN, board.drawn))
    found += [(i, pile[-1]) for i, pile in enumerate(board.columns) if pile]
    if terms.own_waste and board.waste:
        found.append((FROM_WASTE, board.waste[-1]))
    return found


def plays(board: Board, terms: Terms) -> list[Play]:
    """Every play the duties allow the mover now."""
    cards = source_cards(board, terms)
    up = [Play(s, TO_FOUNDATION) for s, face in cards if goes_up(board.heights, face)]
    if up and terms.foundation_duty:
        first = up[0]
        binds = terms.reserve_first and first.source == FROM_RESERVE
        return [first] if binds else up
    columns = board.columns
    spaces = [i for i, pile in enumerate(columns) if not pile]
    if not terms.columns_differ:
        del spaces[1:]
    for source, face in cards:
        parents = LIES_ON[face]
        for target, pile in enumerate(columns):
            if pile and pile[-1] in parents and target != source:
                up.append(Play(source, target))
        if spaces and _fills(source, columns, terms):
            up += [Play(source, space) for space in spaces]
        near = LOADS_ON[face]
        if board.their_reserve and board.their_reserve[-1] in near:
            up.append(Play(source, TO_RESERVE))
        if board.their_waste and board.their_waste[-1] in near:
            up.append(Play(source, TO_WASTE))
    return up


def _fills(source: int, columns: tuple[bytes, ...], terms: Terms) -> bool:
    if source < 8:
        # Moving a column's only card to another space changes nothing else.
        moves_on = len(columns[source]) > 1 or terms.columns_differ
        return terms.space_column and moves_on
    if source == FROM_RESERVE:
        return terms.space_reserve
    return terms.space_drawn


def after(board: Board, play: Play) -> Board:
    """The board after a play."""
    columns, heights, reserves, drawn_face, own_waste, own_stock = board[:6]
    their_reserve, their_drawn, their_waste, their_stock = board[6:]
    source, target = play
    if source < 8:
        face = columns[source][-1]
        columns = _with(columns, source, columns[source][:-1])
    elif source == FROM_RESERVE:
        face, reserves = reserves[-1], reserves[:-1]
    elif source == FROM_DRAWN:
        face, drawn_face = drawn_face, NOTHING
    else:
        face, own_waste = own_waste[-1], own_waste[:-1]
    if target < 8:
        columns = _with(columns, target, columns[target] + bytes((face,)))
    elif target == TO_FOUNDATION:
        heights = _raised(heights, face)
    elif target == TO_RESERVE:
        their_reserve += bytes((face,))
    else:
        their_waste += bytes((face,))
    return Board(
        columns,
        heights,
        reserves,
        drawn_face,
        own_waste,
        own_stock,
        their_reserve,
        their_drawn,
        their_waste,
        their_stock,
    )


def _with(columns: tuple[bytes, ...], place: int, pile: bytes) -> tuple[bytes, ...]:
    return (*columns[:place], pile, *columns[place + 1 :])


def _raised(heights: bytes, face: int) -> bytes:
    pile = 2 * (face // 13)
    pile += heights[pile] != face % 13
    return heights[:pile] + bytes((heights[pile] + 1,)) + heights[pile + 1 :]


def may_turn(board: Board, terms: Terms) -> bool:
    """Whether turning up a stock card is possible and no offence (for spaces)."""
    if board.drawn != NOTHING or not (board.stock or board.waste):
        return False
    return not (terms.fill_spaces and board.reserve and b"" in board.columns)


def next_card(board: Board) -> int:
    """The card ``turn`` would show: a face, or 255 while nobody has seen it."""
    return board.stock[-1] if board.stock else board.waste[0]


def discarded(board: Board) -> Board:
    """The board after the drawn card went to the own waste."""
    return board._replace(drawn=NOTHING, waste=board.waste + bytes((board.drawn,)))


def turned(board: Board, face: int) -> Board:
    """The board after the stock's top turned out to be ``face``."""
    own_stock = board.stock or board.waste[::-1]
    own_waste = board.waste if board.stock else b""
    return board._replace(stock=own_stock[:-1], waste=own_waste, drawn=face)


def personal(board: Board) -> int:
    """The mover's cards."""
    has_drawn = board.drawn != NOTHING
    return len(board.reserve) + len(board.stock) + len(board.waste) + has_drawn
