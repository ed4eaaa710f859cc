"""Play many games of each preset to their end and print the table of the docs."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from functools import partial
from multiprocessing import get_context
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from crapette_p2p.arena import Outcome, Referee, Task
from crapette_p2p.bot import LEVELS
from crapette_p2p.engine import PRESETS

HEAD = (
    *("players", "rules", "games", "won", "drawn", "blocked", "by limit"),
    *("turns a game", "longest game", "actions a turn", "longest turn"),
)
"""The columns of the table."""
Map = Callable[[Callable[[int], Outcome], Iterable[int]], Iterator[Outcome]]
"""``map``, in this process or over several."""


def one_game(level: str, preset: str, seed: int, nodes: int | None, n: int) -> Outcome:
    """A level against itself; the referee counts the cards after every event."""
    task = Task(
        number=n,
        swapped=False,
        a=level,
        b=level,
        rules=PRESETS[preset],
        seed=seed,
        nodes=nodes,
    )
    return Referee(task).outcome()


def row(level: str, preset: str, outcomes: Sequence[Outcome]) -> tuple[str, ...]:
    """What the games of one kind add up to."""
    games = len(outcomes)

    def share(count: int) -> str:
        return f"{100 * count / games:.1f} %"

    turns = sum(o.turns for o in outcomes)
    return (
        level,
        preset,
        str(games),
        share(sum(o.winner is not None for o in outcomes)),
        share(sum(o.winner is None for o in outcomes)),
        share(sum(o.reason == "blocked" for o in outcomes)),
        share(sum(o.reason == "limit" for o in outcomes)),
        f"{turns / games:.1f}",
        f"{max(o.turns for o in outcomes)} turns, "
        f"{max(o.events for o in outcomes)} events",
        f"{sum(o.events for o in outcomes) / turns:.1f}",
        str(max(o.longest_turn for o in outcomes)),
    )


def _line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cells) + " |"


@contextmanager
def _mapping(jobs: int) -> Iterator[Map]:
    if jobs == 1:
        yield map
        return
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        yield partial(pool.map, chunksize=10)


def main() -> int:
    """Play what was asked for and print a row for each kind of game."""
    parser = argparse.ArgumentParser(prog="scripts/termination")
    add = parser.add_argument
    add("--games", type=int, default=1000, metavar="N", help="of each kind")
    add("--seed", type=int, default=1, metavar="N", help="other deals")
    add("--players", nargs="+", choices=LEVELS, default=["club", "random"])
    add("--rules", nargs="+", choices=PRESETS, default=list(PRESETS))
    add("--nodes", type=int, default=None, metavar="N", help="of a search")
    add("--jobs", type=int, default=1, metavar="N", help="processes")
    args = parser.parse_args()
    print(_line(HEAD))
    print(_line(["---"] * len(HEAD)))
    with _mapping(args.jobs) as spread:
        for level in args.players:
            for preset in args.rules:
                play = partial(one_game, level, preset, args.seed, args.nodes)
                outcomes = list(spread(play, range(args.games)))
                print(_line(row(level, preset, outcomes)), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
