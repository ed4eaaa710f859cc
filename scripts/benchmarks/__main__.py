"""Run the benchmarks and print their figures as text or as JSON."""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import engine
import games
import memory
import proofs
import screen
import startup
import wire
from measuring import (
    CALIBRATION_TIMES,
    PATIENCE,
    Benchmark,
    Figure,
    Floor,
    calibration,
    measure,
    processor_time,
)

LOOP_RATE = 3.5e6
"""Rounds a second of the loop that rates of different machines are put to."""
QUICK_TIMES = 100_000
"""Rounds of the loop where only the machinery is to be tried."""
FLOORS: Mapping[str, Floor] = {
    **proofs.FLOORS,
    **wire.FLOORS,
    **startup.FLOORS,
    **screen.FLOORS,
    **memory.FLOORS,
}
SUITES: Mapping[tuple[str, ...], Callable[[], tuple[Benchmark, ...]]] = {
    ("engine",): lambda: engine.BENCHMARKS,
    ("deal",): lambda: proofs.DEALS,
    ("log",): proofs.benchmarks,
    ("wire",): lambda: wire.BENCHMARKS,
    ("start",): startup.benchmarks,
    ("screen",): lambda: screen.BENCHMARKS,
    ("memory",): lambda: memory.BENCHMARKS,
}
"""What the names of a suite's benchmarks begin with, and the suite."""


def main() -> int:
    """Measure what was asked for and print it."""
    parser = argparse.ArgumentParser(prog="scripts/bench")
    parser.add_argument("--json", action="store_true", help="one JSON object")
    parser.add_argument("--only", default="", metavar="WORD", help="names with it")
    parser.add_argument(
        "--quick", action="store_true", help="one of each, once: does it run?"
    )
    parser.add_argument(
        "--time",
        type=float,
        default=PATIENCE,
        metavar="SECONDS",
        help="repeat no benchmark once it has taken so long (%(default)s)",
    )
    args = parser.parse_args()
    times = QUICK_TIMES if args.quick else CALIBRATION_TIMES
    if args.quick:
        games.settle_for_less()
    loop = Floor(calibration, times, processor_time)
    rate = 1 / loop.for_amount(1, processor_time)
    if not args.json:
        print(machine_line(rate), flush=True)
    figures = []
    for benchmark in chosen(args.only):
        floor = FLOORS.get(benchmark.floor, loop)
        figures.append(measure(benchmark, floor, quick=args.quick, seconds=args.time))
        if not args.json:
            print(line_of(figures[-1]), flush=True)
    if args.json:
        print(json.dumps(answer(figures, rate)))
    return 0


def chosen(word: str) -> Iterator[Benchmark]:
    """The benchmarks whose name contains a word.

    A suite is made only if the word may be one of its names: some play a game.
    """
    kind = word.partition(".")[0]
    is_kind = any(kind in kinds for kinds in SUITES)
    for kinds, suite in SUITES.items():
        if not is_kind or kind in kinds:
            yield from (benchmark for benchmark in suite() if word in benchmark.name)


def machine_line(rate: float) -> str:
    """What the figures below were taken on."""
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0
    return (
        f"Python {platform.python_version()}, {os.cpu_count()} cores, load {load:.1f}; "
        f"the calibration loop runs at {rate / 1e6:.2f} M/s"
    )


def line_of(figure: Figure) -> str:
    """One figure in one line."""
    one = figure.unit.removesuffix("s")
    if figure.in_bytes and figure.per_unit >= 1024:
        rate = f"{figure.per_unit / 1024:,.1f} KiB a {one}"
    elif figure.in_bytes:
        rate = f"{figure.per_unit:,.0f} bytes a {one}"
    elif figure.name.startswith("screen.key"):
        rate = f"{figure.per_unit * 1000:,.2f} ms a {one}"
    else:
        rate = f"{1 / figure.per_unit:,.1f} {figure.unit}/s"
    ratio = f"{figure.ratio:,.2f} x {figure.floor}"
    aim = "" if figure.aim is None else f"aim {figure.aim:,.2f}"
    notes = []
    if figure.exponent is not None:
        notes.append(f"exponent {figure.exponent:.2f}")
    if figure.floor == "calibration":
        scaled = LOOP_RATE / figure.ratio
        notes.append(f"{scaled:,.0f} {figure.unit}/s at {LOOP_RATE / 1e6} M/s")
    note = ", ".join(notes)
    return f"{figure.name:19} {rate:>22} {ratio:>27}  {aim:14} {note}".rstrip()


def answer(figures: list[Figure], rate: float) -> dict[str, object]:
    """Everything, with what it was measured on."""
    return {
        "v": 2,
        "python": platform.python_version(),
        "machine": platform.machine(),
        "cores": os.cpu_count(),
        "calibration": {"rounds_per_second": rate, "scaled_to": LOOP_RATE},
        "benchmarks": [figure.as_json() for figure in figures],
    }


if __name__ == "__main__":
    sys.exit(main())
