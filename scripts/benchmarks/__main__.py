"""Run the benchmarks and print their figures as text or as JSON."""

from __future__ import annotations

import argparse
import json
import platform
import sys
from collections.abc import Sequence

import engine
from measuring import (
    CALIBRATION_TIMES,
    Benchmark,
    Figure,
    best_time,
    calibration,
    measure,
)

SUITES: Sequence[Sequence[Benchmark]] = (engine.BENCHMARKS,)


def main() -> int:
    """Measure what was asked for and print it."""
    parser = argparse.ArgumentParser(prog="scripts/bench")
    parser.add_argument("--json", action="store_true", help="one JSON object")
    parser.add_argument("--only", default="", metavar="WORD", help="names with it")
    args = parser.parse_args()
    per_step = best_time(calibration, CALIBRATION_TIMES, 3) / CALIBRATION_TIMES
    floors = {"calibration": per_step}
    figures = []
    for suite in SUITES:
        for benchmark in suite:
            if args.only in benchmark.name:
                figures.append(measure(benchmark, floors))
                if not args.json:
                    print(line_of(figures[-1]), flush=True)
    if args.json:
        print(json.dumps(answer(figures, per_step)))
    return 0


def line_of(figure: Figure) -> str:
    """One figure in one line."""
    return (
        f"{figure.name:16} {figure.per_second:12,.1f} {figure.unit}/s  "
        f"{figure.ratio:10,.1f} x {figure.floor:14} exponent {figure.exponent:.2f}"
    )


def answer(figures: list[Figure], per_step: float) -> dict[str, object]:
    """Everything, with what it was measured on."""
    return {
        "v": 1,
        "python": platform.python_version(),
        "machine": platform.machine(),
        "calibration": {"steps": CALIBRATION_TIMES, "seconds_per_step": per_step},
        "benchmarks": [figure.as_json() for figure in figures],
    }


if __name__ == "__main__":
    sys.exit(main())
