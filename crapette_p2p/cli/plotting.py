"""Plots of characters: a line that goes up and down, and bars."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import accumulate, pairwise
from typing import Final

_WIDTH: Final = 60
"""Columns of a plot without its labels."""
_HEIGHT: Final = 9
"""Rows of a plot."""
_BAR: Final = 40
"""Cells of the longest bar."""


def balance_plot(results: Sequence[int], *, ascii_only: bool = False) -> list[str]:
    """The running sum of ``results``, with zero in sight; none without results."""
    if not results:
        return []
    sums = [0, *accumulate(results)]
    count = min(len(sums), _WIDTH)
    shown = [sums[(len(sums) - 1) * n // max(count - 1, 1)] for n in range(count)]
    low, high = min(sums), max(sums)
    scale = max(-(-(high - low) // (_HEIGHT - 1)), 1)
    mark, zero = ("*", ".") if ascii_only else ("●", "·")
    lines = []
    for level in range(-(-high // scale), -(-low // scale) - 1, -1):
        blank = zero if level == 0 else " "
        cells = (mark if -(-value // scale) == level else blank for value in shown)
        lines.append(f"{level * scale:+5} {''.join(cells)}".rstrip())
    first = "1" if len(results) > 1 else ""
    last = str(len(results))
    room = max(count - len(last), len(first) + 1)
    return [*lines, f"{'':6}{first:<{room}}{last}"]


def bars(
    rows: Iterable[tuple[str, int, int, int]], *, ascii_only: bool = False
) -> list[str]:
    """A bar of three parts for each name, in proportion to the longest."""
    rows = list(rows)
    most = max((sum(parts) for _, *parts in rows), default=0)
    if not most:
        return []
    width = max(len(name) for name, *_ in rows)
    cells = min(_BAR, most) / most
    signs = "#=-" if ascii_only else "█▒░"
    lines = []
    for name, *parts in rows:
        ends = [round(total * cells) for total in accumulate(parts, initial=0)]
        lengths = [end - start for start, end in pairwise(ends)]
        bar = "".join(s * n for s, n in zip(signs, lengths, strict=True))
        numbers = " ".join(map(str, parts))
        lines.append(f"{name:<{width}}  {bar}  {numbers}")
    return lines
