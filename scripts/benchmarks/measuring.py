"""Measure a piece of work at 1x, 10x and 100x, against a floor of its own.

The machine is noisy and seldom idle, so no figure here is a time: each is a ratio
of two best-of-several times that were taken in the same run, and an exponent
(how the time grows with the amount: 1 is linear) fitted over the three sizes.
"""

from __future__ import annotations

import gc
import math
import time
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass

SCALES = (1, 10, 100)
REPEATS = {1: 5, 10: 3, 100: 2}
"""How often each scale is measured; the best counts."""

Work = Callable[[int], object]
"""Does its job so many times."""


@dataclass(frozen=True, slots=True)
class Benchmark:
    """One piece of work, and the least that it could cost."""

    name: str
    """``engine.lists`` and the like."""
    unit: str
    """What is counted."""
    base: int
    """How many at 1x."""
    work: Work
    """The work itself."""
    floor: str = "calibration"
    """Name of the floor it is divided by."""
    per_floor: float = 1.0
    """How many floor units one unit of this work cannot do without."""
    scales: tuple[int, ...] = SCALES
    """What it is measured at."""


@dataclass(frozen=True, slots=True)
class Figure:
    """What a benchmark gave."""

    name: str
    unit: str
    amounts: tuple[int, ...]
    """How many units at each scale."""
    seconds: tuple[float, ...]
    """Best time at each scale."""
    per_second: float
    """At the middle scale."""
    floor: str
    ratio: float
    """Time of a unit over the floor's time for the same."""
    exponent: float
    """1 = twice as much takes twice as long."""

    def as_json(self) -> dict[str, object]:
        """The fields, for ``--json``."""
        return asdict(self)


def best_time(work: Work, amount: int, repeats: int) -> float:
    """The shortest of several runs, in seconds; garbage is collected before."""
    best = math.inf
    for _ in range(repeats):
        gc.collect()
        begin = time.perf_counter()
        work(amount)
        best = min(best, time.perf_counter() - begin)
    return best


def fitted_exponent(amounts: Iterable[int], seconds: Iterable[float]) -> float:
    """The slope of log(time) over log(amount), least squares."""
    points = [
        (math.log(amount), math.log(max(time_, 1e-9)))
        for amount, time_ in zip(amounts, seconds, strict=True)
    ]
    if len(points) < 2:
        return math.nan
    mean_x = sum(x for x, _ in points) / len(points)
    mean_y = sum(y for _, y in points) / len(points)
    spread = sum((x - mean_x) ** 2 for x, _ in points)
    return sum((x - mean_x) * (y - mean_y) for x, y in points) / spread


def measure(benchmark: Benchmark, floors: dict[str, float]) -> Figure:
    """Run a benchmark; ``floors`` holds the seconds of one unit of each floor."""
    amounts = tuple(benchmark.base * scale for scale in benchmark.scales)
    benchmark.work(benchmark.base)  # what is made once is not what is measured
    seconds = tuple(
        best_time(benchmark.work, amount, REPEATS[scale])
        for amount, scale in zip(amounts, benchmark.scales, strict=True)
    )
    middle = len(amounts) // 2
    unit_time = seconds[middle] / amounts[middle]
    floor_time = floors[benchmark.floor] * benchmark.per_floor
    return Figure(
        name=benchmark.name,
        unit=benchmark.unit,
        amounts=amounts,
        seconds=seconds,
        per_second=1 / unit_time,
        floor=benchmark.floor,
        ratio=unit_time / floor_time,
        exponent=fitted_exponent(amounts, seconds),
    )


def calibration(times: int) -> dict[int, int]:
    """The bare loop that engine figures are divided by."""
    table: dict[int, int] = {}
    number = 12_345
    for step in range(times):
        number = (number * 1_103_515_245 + 12_345) & 0x7FFF_FFFF
        table[step & 1023] = number
    return table


CALIBRATION_TIMES = 3_000_000
