"""Plain players: the first play on a list of preferences, else end the turn.

``baseline`` is fixed for ever, so that figures can be compared over time: it makes
only plays that rid it of a card or go to a foundation. ``club`` also loads from
columns and sees column moves that open a way for such a play.
No play chosen here can be taken back, but for a column move after which one that
cannot is at hand, so a turn of these players always comes to its end.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from crapette_p2p.bot.board import (
    FROM_DRAWN,
    FROM_RESERVE,
    FROM_WASTE,
    TO_FOUNDATION,
    Board,
    Play,
    Terms,
    after,
    plays,
)

_PLACES: Final = {FROM_RESERVE: 60, FROM_DRAWN: 40, FROM_WASTE: 30}
"""What it is worth to play from the own piles; a load adds 5, a space takes 15."""
_FOUNDATION: Final = 100
_COLUMN_LOAD: Final = 20


def preference(board: Board, play: Play) -> int:
    """How gladly a play is made; 0 for one that gets rid of nothing."""
    source, target = play
    if target == TO_FOUNDATION:
        return _FOUNDATION + (source == FROM_RESERVE)
    if source < 8:
        return _COLUMN_LOAD if target > TO_FOUNDATION else 0
    rank = _PLACES[source]
    if target > TO_FOUNDATION:
        return rank + 5
    return rank if board.columns[target] else rank - 15


def preferred(board: Board, terms: Terms) -> list[Play]:
    """The plays that get somewhere, the most wanted first."""
    ranked = [(preference(board, play), play) for play in plays(board, terms)]
    wanted = [(rank, play) for rank, play in ranked if rank]
    wanted.sort(key=lambda pair: -pair[0])
    return [play for _, play in wanted]


def baseline_play(board: Board, terms: Terms) -> Play | None:
    """The best play from the own piles or to a foundation, if there is one."""
    for play in preferred(board, terms):
        if play.source >= 8 or play.target == TO_FOUNDATION:
            return play
    return None


def club_play(board: Board, terms: Terms) -> Play | None:
    """The best play, or the column move that makes one possible."""
    wanted = preferred(board, terms)
    if wanted:
        return wanted[0]
    return _opening_move(board, terms)


def _opening_move(board: Board, terms: Terms) -> Play | None:
    """The first column move after which, or after two, a play gets somewhere."""
    steps = list(_column_moves(board, terms))
    for play, then in steps:
        if _opens(then, terms):
            return play
    for play, then in steps:
        if any(_opens(later, terms) for _, later in _column_moves(then, terms)):
            return play
    return None


def _opens(board: Board, terms: Terms) -> bool:
    """Whether the board offers a play from the reserve, the drawn card or a load."""
    return any(play.target != TO_FOUNDATION for play in preferred(board, terms))


def _column_moves(board: Board, terms: Terms) -> Iterator[tuple[Play, Board]]:
    for play in plays(board, terms):
        if play.source < 8 and play.target < 8 and board.columns[play.target]:
            yield play, after(board, play)
