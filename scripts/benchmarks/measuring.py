"""Measure a piece of work at 1x, 10x and 100x, against a floor of its own.

The machine is noisy and seldom idle, so no figure here is a time: each is a ratio
of two best-of-several costs, the floor's taken in turn with the work's, and an
exponent (how the cost grows with the amount: 1 is linear) fitted over the sizes.
A cost is processor time where nothing is waited for, since other programs take
none of that; time on the clock where a disk, a link or a screen is; or bytes.

Each size is measured once at least, and again while the benchmark's time is not up:
what takes a second is repeated, what takes a minute is not.
"""

from __future__ import annotations

import gc
import math
import resource
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass

SCALES = (1, 10, 100)
REPEATS = {1: 5, 10: 3, 100: 2}
"""How often each scale is measured at most; the best counts."""
PATIENCE = 10.0
"""Seconds after which a benchmark repeats nothing any more."""
CALIBRATION_TIMES = 3_000_000

Work = Callable[[int], object]
"""Does its job so many times."""
Cost = Callable[[Work, int], float]
"""What doing some work so many times costs."""


def _tidy() -> None:
    """What other benchmarks have left is not looked through again for garbage."""
    gc.collect()
    gc.freeze()


def processor_time(work: Work, amount: int) -> float:
    """Seconds of the processor in this process."""
    _tidy()
    begin = time.process_time()
    work(amount)
    return time.process_time() - begin


def clock_time(work: Work, amount: int) -> float:
    """Seconds on the clock, waiting included."""
    _tidy()
    begin = time.perf_counter()
    work(amount)
    return time.perf_counter() - begin


def children_time(work: Work, amount: int) -> float:
    """Seconds of the processor in the processes that the work starts and ends."""
    begin = _spent_by_children()
    work(amount)
    return _spent_by_children() - begin


def _spent_by_children() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


@dataclass(frozen=True, slots=True)
class Floor:
    """The least that something could cost."""

    work: Work
    """What is measured."""
    amount: int | None = None
    """How often it is done in one go; None = as often as what it is the floor of."""
    cost: Cost | None = None
    """None = the cost of what it is the floor of."""

    def for_amount(self, amount: float, cost: Cost, *, quick: bool = False) -> float:
        """What the floor costs for so many of its units; ``quick``: from one."""
        done = 1 if quick else self.amount or max(round(amount), 1)
        return (self.cost or cost)(self.work, done) / done * amount


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
    cost: Cost = processor_time
    judged: int = 10
    """The scale at which it is held against its floor."""
    in_bytes: bool = False
    """Memory, not time."""
    aim: float | None = None
    """The ratio that it should stay below."""


@dataclass(frozen=True, slots=True)
class Figure:
    """What a benchmark gave."""

    name: str
    unit: str
    amounts: tuple[int, ...]
    """How many units at each scale."""
    costs: tuple[float, ...]
    """Best cost at each scale, in seconds or bytes."""
    in_bytes: bool
    per_unit: float
    """What one unit costs at the scale that is judged."""
    floor: str
    floor_per_unit: float
    """What the floor costs for the same."""
    ratio: float
    """Cost of a unit over the floor's."""
    aim: float | None
    """The ratio that it should stay below."""
    exponent: float | None
    """1 = twice as much costs twice as much; None with one size only, or where
    nothing grows."""

    def as_json(self) -> dict[str, object]:
        """The fields, for ``--json``."""
        return asdict(self)


def fitted_exponent(amounts: Iterable[int], costs: Iterable[float]) -> float | None:
    """The slope of log(cost) over log(amount), least squares."""
    pairs = list(zip(amounts, costs, strict=True))
    if len(pairs) < 2 or min(cost for _, cost in pairs) <= 0:
        return None
    points = [(math.log(amount), math.log(cost)) for amount, cost in pairs]
    mean_x = sum(x for x, _ in points) / len(points)
    mean_y = sum(y for _, y in points) / len(points)
    spread = sum((x - mean_x) ** 2 for x, _ in points)
    return sum((x - mean_x) * (y - mean_y) for x, y in points) / spread


class Patience:
    """Whether what has been measured once is measured again."""

    def __init__(self, seconds: float) -> None:
        self._until = time.monotonic() + seconds

    def rounds(self, most: int) -> Iterator[int]:
        """One at least, and so many at most while there is time."""
        for turn in range(most):
            if turn and time.monotonic() > self._until:
                return
            yield turn


def measure(
    benchmark: Benchmark,
    floor: Floor,
    *,
    quick: bool = False,
    seconds: float = PATIENCE,
) -> Figure:
    """Run a benchmark, and its floor in turn with it; ``quick``: one, once."""
    patience = Patience(seconds)
    scales = (1,) if quick else benchmark.scales  # and then of one unit
    judged = scales[-1] if benchmark.judged not in scales else benchmark.judged
    amounts = tuple(1 if quick else benchmark.base * scale for scale in scales)
    benchmark.work(1 if quick else benchmark.base)  # made once, not measured
    floor.work(1)
    costs = [math.inf] * len(scales)
    least = math.inf
    for place, scale in enumerate(scales):
        for _ in patience.rounds(1 if quick else REPEATS[scale]):
            if scale == judged:
                units = amounts[place] * benchmark.per_floor
                floors = floor.for_amount(units, benchmark.cost, quick=quick)
                least = min(least, floors)
            costs[place] = min(
                costs[place], benchmark.cost(benchmark.work, amounts[place])
            )
    amount, cost = next(
        (a, c) for s, a, c in zip(scales, amounts, costs, strict=True) if s == judged
    )
    return Figure(
        name=benchmark.name,
        unit=benchmark.unit,
        amounts=amounts,
        costs=tuple(costs),
        in_bytes=benchmark.in_bytes,
        per_unit=cost / amount,
        floor=benchmark.floor,
        floor_per_unit=least / amount,
        ratio=cost / least,
        aim=benchmark.aim,
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
