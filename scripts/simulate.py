"""Run many random schedules and print the seed of the first that goes wrong."""

from __future__ import annotations

import argparse
import random
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

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
    args = parser.parse_args()
    first = args.seed
    if first is None:
        first = random.SystemRandom().randrange(10**9)
    print(f"{args.count} schedules from seed {first}", flush=True)
    for seed in range(first, first + args.count):
        schedule = Simulation(seed, backups=not args.no_backups)
        try:
            schedule.run()
        except SimulationError as error:
            print("\n".join(schedule.log))
            again = " --no-backups" if args.no_backups else ""
            print(f"{error}\n  scripts/simulate 1 --seed {seed}{again}")
            return 1
        if args.count == 1:
            print("\n".join(schedule.log))
    print("all ended well")
    return 0


if __name__ == "__main__":
    sys.exit(main())
