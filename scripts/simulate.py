"""Run many random schedules and print the seed of the first that goes wrong."""

from __future__ import annotations

import argparse
import random
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tests.helpers.mutants import MUTANTS, schedules_until_caught
from tests.helpers.remembering import remember
from tests.helpers.simulation import Simulation, SimulationError


def main() -> int:
    """Run what was asked for; 0 if every schedule ended well."""
    parser = argparse.ArgumentParser(prog="scripts/simulate")
    parser.add_argument("count", nargs="?", type=int, default=1000, metavar="N")
    parser.add_argument("--seed", type=int, default=None, help="the first seed")
    parser.add_argument(
        "--no-backups",
        action="store_true",
        help="no old backups; then nobody may sign a number twice, ever",
    )
    parser.add_argument(
        "--mutants",
        action="store_true",
        help="break the program in three places: after how many schedules it shows",
    )
    args = parser.parse_args()
    remember()
    first = args.seed
    if first is None:
        first = random.SystemRandom().randrange(10**9)
    if args.mutants:
        return try_mutants(first)
    print(f"{args.count} schedules from seed {first}", flush=True)
    began = time.monotonic()
    for number, seed in enumerate(range(first, first + args.count)):
        if number and number % 1_000 == 0:
            print(f"{number} so far", flush=True)
        schedule = Simulation(seed, backups=False if args.no_backups else None)
        try:
            schedule.run()
        except SimulationError as error:
            print("\n".join(schedule.log))
            again = " --no-backups" if args.no_backups else ""
            print(f"{error}\n  scripts/simulate 1 --seed {seed}{again}")
            return 1
        if args.count == 1:
            print("\n".join(schedule.log))
    rate = args.count / max(time.monotonic() - began, 0.001)
    print(f"all ended well ({rate:.0f} schedules/s)")
    return 0


def try_mutants(first: int) -> int:
    """1 if a broken program goes unnoticed."""
    unnoticed = 0
    for name in MUTANTS:
        count = schedules_until_caught(name, first)
        unnoticed += count is None
        print(f"a program that {name}: " + _after(count), flush=True)
    return min(unnoticed, 1)


def _after(count: int | None) -> str:
    return f"caught after {count} schedules" if count else "NOT NOTICED"


if __name__ == "__main__":
    sys.exit(main())
