"""Run the benchmarks and print their figures as text or as JSON."""

from __future__ import annotations

import argparse
import json
import platform
import sys
from collections.abc import Callable, Iterator, Mapping

import engine
import proofs
import screen
import startup
import wire
from measuring import (
    CALIBRATION_TIMES,
    Benchmark,
    Figure,
    Floor,
    calibration,
    measure,
)

FLOORS: Mapping[str, Floor] = {
    "calibration": Floor(calibration, CALIBRATION_TIMES),
    **proofs.FLOORS,
    **wire.FLOORS,
    **startup.FLOORS,
    **screen.FLOORS,
}


def main() -> int:
    """Measure what was asked for and print it."""
    parser = argparse.ArgumentParser(prog="scripts/bench")
    parser.add_argument("--json", action="store_true", help="one JSON object")
    parser.add_argument("--only", default="", metavar="WORD", help="names with it")
    args = parser.parse_args()
    figures, floors = [], dict[str, float]()
    for benchmark in chosen(args.only):
        if benchmark.floor not in floors:
            floors[benchmark.floor] = FLOORS[benchmark.floor].unit()
        figures.append(measure(benchmark, floors[benchmark.floor]))
        if not args.json:
            print(line_of(figures[-1]), flush=True)
    if args.json:
        print(json.dumps(answer(figures, floors)))
    return 0


SUITES: Mapping[tuple[str, ...], Callable[[], tuple[Benchmark, ...]]] = {
    ("engine",): lambda: engine.BENCHMARKS,
    ("deal", "log"): proofs.benchmarks,
    ("wire",): lambda: wire.BENCHMARKS,
    ("start",): startup.benchmarks,
    ("screen",): lambda: screen.BENCHMARKS,
}
"""What the names of a suite's benchmarks begin with, and the suite."""


def chosen(word: str) -> Iterator[Benchmark]:
    """The benchmarks whose name contains a word.

    A suite is made only if the word may be one of its names: some play a game.
    """
    kind = word.partition(".")[0]
    is_kind = any(kind in kinds for kinds in SUITES)
    for kinds, suite in SUITES.items():
        if not is_kind or kind in kinds:
            yield from (benchmark for benchmark in suite() if word in benchmark.name)


def line_of(figure: Figure) -> str:
    """One figure in one line."""
    exponent = "" if figure.exponent is None else f"exponent {figure.exponent:.2f}"
    rate = f"{1 / figure.per_unit:,.1f} {figure.unit}/s"
    if figure.name == "log.memory":
        rate = f"{figure.per_unit / 1024:,.0f} KiB each"
    elif figure.name.startswith("screen.bytes"):
        rate = f"{figure.per_unit:,.0f} bytes a key"
    elif figure.name.startswith("screen.key"):
        rate = f"{figure.per_unit * 1000:,.2f} ms a key"
    ratio = f"{figure.ratio:,.2f}"
    return f"{figure.name:19} {rate:>24} {ratio:>12} x {figure.floor:12} {exponent}"


def answer(figures: list[Figure], floors: Mapping[str, float]) -> dict[str, object]:
    """Everything, with what it was measured on."""
    return {
        "v": 1,
        "python": platform.python_version(),
        "machine": platform.machine(),
        "floors": dict(floors),
        "benchmarks": [figure.as_json() for figure in figures],
    }


if __name__ == "__main__":
    sys.exit(main())
