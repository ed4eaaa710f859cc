"""The cursor's walk over the piles: as they lie on the screen, row by row."""

from __future__ import annotations

from crapette_p2p.engine.layout import DRAWN, RESERVE, STOCK, WASTE, other
from crapette_p2p.ui.render.piles import FOUNDATION_ROWS


def grid(seat: int) -> tuple[tuple[int, ...], ...]:
    """Six rows of four piles, from the top of the screen."""
    own = (RESERVE + seat, WASTE + seat, DRAWN + seat, STOCK + seat)
    theirs = tuple(kind + other(seat) for kind in (STOCK, DRAWN, WASTE, RESERVE))
    fans = tuple(
        (row, FOUNDATION_ROWS[row][0], FOUNDATION_ROWS[row][1], row + 4)
        for row in range(4)
    )
    return (theirs, *fans, own)


def moved_cursor(cursor: int | None, key: str, seat: int) -> int:
    """Where an arrow key leads; the first one shows the cursor at the reserve."""
    if cursor is None:
        return RESERVE + seat
    rows = grid(seat)
    y = next(n for n, row in enumerate(rows) if cursor in row)
    x = rows[y].index(cursor)
    x += {"left": -1, "right": 1}.get(key, 0)
    y += {"up": -1, "down": 1}.get(key, 0)
    return rows[min(max(y, 0), len(rows) - 1)][min(max(x, 0), 3)]


def next_kind(cursor: int | None, step: int, seat: int) -> int:
    """The first pile of the next kind (own, fans, foundations, opponent)."""
    firsts = (RESERVE + seat, 0, FOUNDATION_ROWS[0][0], RESERVE + other(seat))
    if cursor is None:
        return firsts[0]
    return firsts[(_kind(cursor, seat) + step) % len(firsts)]


def _kind(pile: int, seat: int) -> int:
    if pile < 8:
        return 1
    if pile < RESERVE:
        return 2
    return 0 if pile & 1 == seat else 3
