"""Measure a piece of work at 1x, 10x and 100x, against a floor of its own.

The machine is noisy and seldom idle, so no figure here is a time: each is a ratio
of two best-of-several costs that were taken in the same run, and an exponent (how
the cost grows with the amount: 1 is linear) fitted over the sizes. A cost is
seconds, or bytes where memory is measured.
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
CALIBRATION_TIMES = 3_000_000

Work = Callable[[int], object]
"""Does its job so many times."""
Cost = Callable[[Work, int, int], float]
"""What some work costs: the work, the amount, how often to try."""


def best_time(work: Work, amount: int, repeats: int) -> float:
    """The shortest of several runs, in seconds; garbage is collected before."""
    best = math.inf
    for _ in range(repeats):
        gc.collect()
        begin = time.perf_counter()
        work(amount)
        best = min(best, time.perf_counter() - begin)
    return best


@dataclass(frozen=True, slots=True)
class Floor:
    """The least that something could cost."""

    work: Work
    """What is measured."""
    amount: int
    """How often it is done in one go."""
    cost: Cost = best_time

    def unit(self) -> float:
        """What one costs."""
        self.work(1)
        return self.cost(self.work, self.amount, 3) / self.amount


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
    floor: str
    """Name of the floor it is divided by."""
    per_floor: float = 1.0
    """How many floor units one unit of this work cannot do without."""
    scales: tuple[int, ...] = SCALES
    """What it is measured at."""
    cost: Cost = best_time


@dataclass(frozen=True, slots=True)
class Figure:
    """What a benchmark gave."""

    name: str
    unit: str
    amounts: tuple[int, ...]
    """How many units at each scale."""
    costs: tuple[float, ...]
    """Best cost at each scale."""
    per_unit: float
    """At the middle scale."""
    floor: str
    floor_per_unit: float
    """What the floor costs for the same."""
    ratio: float
    """Cost of a unit over the floor's."""
    exponent: float | None
    """1 = twice as much costs twice as much; None with one size only."""

    def as_json(self) -> dict[str, object]:
        """The fields, for ``--json``."""
        return asdict(self)


def fitted_exponent(amounts: Iterable[int], costs: Iterable[float]) -> float | None:
    """The slope of log(cost) over log(amount), least squares."""
    points = [
        (math.log(amount), math.log(max(cost, 1e-9)))
        for amount, cost in zip(amounts, costs, strict=True)
    ]
    if len(points) < 2:
        return None
    mean_x = sum(x for x, _ in points) / len(points)
    mean_y = sum(y for _, y in points) / len(points)
    spread = sum((x - mean_x) ** 2 for x, _ in points)
    return sum((x - mean_x) * (y - mean_y) for x, y in points) / spread


def measure(benchmark: Benchmark, floor_unit: float) -> Figure:
    """Run a benchmark; ``floor_unit`` is the cost of one unit of its floor."""
    amounts = tuple(benchmark.base * scale for scale in benchmark.scales)
    benchmark.work(benchmark.base)  # what is made once is not what is measured
    costs = tuple(
        benchmark.cost(benchmark.work, amount, REPEATS[scale])
        for amount, scale in zip(amounts, benchmark.scales, strict=True)
    )
    middle = len(amounts) // 2
    per_unit = costs[middle] / amounts[middle]
    floor = floor_unit * benchmark.per_floor
    return Figure(
        name=benchmark.name,
        unit=benchmark.unit,
        amounts=amounts,
        costs=costs,
        per_unit=per_unit,
        floor=benchmark.floor,
        floor_per_unit=floor,
        ratio=per_unit / floor,
        exponent=fitted_exponent(amounts, costs),
    )


def calibration(times: int) -> dict[int, int]:
    """The bare loop that engine figures are divided by."""
    table: dict[int, int] = {}
    number = 12_345
    for step in range(times):
        number = (number * 1_103_515_245 + 12_345) & 0x7FFF_FFFF
        table[step & 1023] = number
    return table
