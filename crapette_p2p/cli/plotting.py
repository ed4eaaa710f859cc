"""Plots of characters: a line that goes up and down, and bars."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, pairwise
from itertools import count as numbers_from
from math import ceil
from typing import Final

from crapette_p2p.ui.render.cells import cut, text_width

_WIDTH: Final = 60
"""Columns of a plot without its labels."""
_LEVEL: Final = 6
"""Cells of what stands before a row of it."""
_HEIGHT: Final = 9
"""Rows of a plot."""
_CLASSES: Final = 12
"""Rows of a histogram, at most."""
_BAR: Final = 30
"""Cells of the longest bar."""
_NAME: Final = 22
"""Cells of a name before its bar, at most."""


def balance_plot(
    results: Sequence[int], *, ascii_only: bool = False, room: int = 0
) -> list[str]:
    """The running sum of ``results``, with zero in sight; none without results.

    Like all plots in so many columns (0: as many as it takes).
    """
    if not results:
        return []
    sums = [0, *accumulate(results)]
    count = min(len(sums), _fitting(_WIDTH, room - _LEVEL))
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
    return [*lines, f"{'':{_LEVEL}}{first:<{room}}{last}"]


def bars(
    rows: Iterable[tuple[str, int, int, int]],
    *,
    ascii_only: bool = False,
    middle: bool = True,
    room: int = 0,
) -> list[str]:
    """A bar of three parts for each name, with its numbers and percentages.

    Bars are in proportion to the longest; without ``middle`` only the first and the
    last part are told. Nothing at all is drawn as nothing.
    """
    longest = _fitting(_NAME, room // 3)
    rows = [(cut(name, longest), a, b, c) for name, a, b, c in rows]
    most = max((sum(parts) for _, *parts in rows), default=0)
    if not most:
        return []
    width = max(map(text_width, (name for name, *_ in rows)))
    told = [_with_percentages(p if middle else [p[0], p[2]]) for _, *p in rows]
    beside = width + 4 + max(map(text_width, told))
    cells = min(_fitting(_BAR, room - beside), most) / most
    signs = "#=-" if ascii_only else "█▒░"
    lines = []
    for (name, *parts), numbers in zip(rows, told, strict=True):
        ends = [round(total * cells) for total in accumulate(parts, initial=0)]
        lengths = [end - start for start, end in pairwise(ends)]
        bar = "".join(s * n for s, n in zip(signs, lengths, strict=True))
        blanks = " " * (width - text_width(name))
        lines.append(f"{name}{blanks}  {bar}  {numbers}".rstrip())
    return lines


def _fitting(usual: int, room: int) -> int:
    """As many cells as usual, or as there are (none left, or none said: as usual)."""
    return usual if room <= 0 else min(usual, room)


def _with_percentages(parts: Sequence[int]) -> str:
    """``3 0 1 (75 0 25 %)``; the numbers alone if there are none."""
    numbers, total = " ".join(map(str, parts)), sum(parts)
    if not total:
        return numbers
    return f"{numbers} ({' '.join(map(str, percentages(parts)))} %)"


def percentages(parts: Sequence[int]) -> list[int]:
    """Whole percentages that add up to 100: the largest remainders are rounded up."""
    total = sum(parts)
    found = [100 * part // total for part in parts]
    order = sorted(range(len(parts)), key=lambda n: -(100 * parts[n] % total))
    for n in order[: 100 - sum(found)]:
        found[n] += 1
    return found


def histogram(
    values: Sequence[int], *, ascii_only: bool = False, room: int = 0
) -> list[str]:
    """How many values lie in each of a few equal steps, with their percentages."""
    if not values:
        return []
    low, high = min(values), max(values)
    step = next(s for s in _steps() if high // s - low // s < _CLASSES)
    first, last = low // step, high // step
    counts = [0] * (last - first + 1)
    for value in values:
        counts[value // step - first] += 1
    shares = percentages(counts)
    sign = "#" if ascii_only else "█"
    width = len(str((last + 1) * step - 1))
    beside = 2 * width + 4 + len(f"{max(counts)} (100 %)")
    cells = min(_fitting(_BAR, room - beside), max(counts)) / max(counts)
    lines = []
    for n, (count, share) in enumerate(zip(counts, shares, strict=True), first):
        label = f"{n * step:{width}}"
        if step > 1:
            label += f"-{n * step + step - 1:<{width}}"
        bar = sign * ceil(count * cells)
        lines.append(f"{label}  {bar}{' ' * bool(bar)}{count} ({share} %)")
    return lines


def _steps() -> Iterator[int]:
    """Widths of a class: 1, 2, 5, 10, 20, 50 and so on."""
    for power in numbers_from():
        for digit in (1, 2, 5):
            yield digit * 10**power
