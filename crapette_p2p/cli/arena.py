"""``crapette arena``: bots against bots, each deal twice with seats changed."""

from __future__ import annotations

import argparse
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Final

from crapette_p2p.cli.errors import DONE, INTERRUPTED, CommandFailed
from crapette_p2p.cli.inputs import count
from crapette_p2p.cli.output import (
    complain,
    facts,
    stdout_columns,
    table,
    versioned,
    write_beside,
    write_json,
    write_line,
)
from crapette_p2p.cli.speaking import words, words_in_force

if TYPE_CHECKING:  # loaded by the functions: --help has to answer at once
    from crapette_p2p.arena import ArenaOptions, Outcome, Report
    from crapette_p2p.arena.report import Share, Side, Spread

NAME = "arena"
_LEVELS: Final = ("novice", "club", "master", "baseline", "random")
_BAR: Final = 40
"""How long the progress bar is."""
_KEEPING: Final = "With --resume FILE the games are kept, and it can go on later."
_HINT: Final = "See: crapette arena --help"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add this command's flags."""
    add = parser.add_argument
    add("--a", required=True, choices=_LEVELS, help="the level that is measured")
    add("--b", required=True, choices=_LEVELS, help="the level it plays against")
    add("--deals", required=True, type=count, metavar="N", help="how many deals")
    add("--seed", type=int, default=0, metavar="N", help="other deals and whims")
    add("--rules", metavar="FILE|NAME", help="a preset or a file of house rules")
    add("--jobs", type=count, default=1, metavar="N", help="play in N processes")
    add("--dask", metavar="ADDRESS", help="play on the cluster of this scheduler")
    add("--nodes", type=count, metavar="N", help="boards a search looks at")
    add("--nodes-b", type=count, metavar="N", help="the same for b, if another number")
    add("--resume", metavar="FILE", help="keep results there, play what is missing")
    add("--json", action="store_true", help="as JSON")


def run(args: argparse.Namespace) -> int:
    """Play, and print what it adds up to."""
    from crapette_p2p.arena import ArenaError, ArenaOptions, run_arena
    from crapette_p2p.cli.explaining import sentence_of
    from crapette_p2p.cli.rules import read_table_rules
    from crapette_p2p.engine import DEFAULT_PRESET

    named = read_table_rules(args.rules or DEFAULT_PRESET)
    options = ArenaOptions(
        a=args.a,
        b=args.b,
        deals=args.deals,
        seed=args.seed,
        rules=named.rules,
        nodes=args.nodes,
        nodes_b=args.nodes_b,
    )
    told = _Progress(args)
    with ExitStack() as stack:
        try:
            mapper = None
            if args.dask is not None:
                from crapette_p2p.arena.cluster import cluster

                mapper = stack.enter_context(cluster(args.dask))
            report = run_arena(
                options,
                jobs=args.jobs,
                results=Path(args.resume) if args.resume else None,
                mapper=mapper,
                on_outcome=told,
            )
        except ArenaError as error:
            raise CommandFailed(f"arena: {sentence_of(error)}", hint=_HINT) from error
        finally:
            told.end()
    if args.json:
        write_json(_answer(options, named.label, report))
    else:
        _print(options, named.label, report)
    if report.deals < options.deals:
        complain(
            words(
                "broken off after {deals} of {asked} deals",
                deals=report.deals,
                asked=options.deals,
            ),
            "" if args.resume else _KEEPING,
        )
        return INTERRUPTED
    return DONE


def _answer(options: ArenaOptions, label: str, report: Report) -> dict[str, object]:
    asked = {**options.asked(), "preset": label}
    del asked["type"], asked["v"]
    levels = {"levels": {"a": asked.pop("a"), "b": asked.pop("b")}}
    return versioned({**asked, **levels, **report.to_json()})


class _Progress:
    """How far it is: a bar on a terminal, with -v a line for each game."""

    def __init__(self, args: argparse.Namespace) -> None:
        self._verbose = bool(args.verbose)
        self._games = 2 * int(args.deals)
        self._played = 0
        self._score = 0.0
        self._drawn = not args.verbose and not args.quiet and sys.stderr.isatty()
        self._width = 0

    def __call__(self, outcome: Outcome) -> None:
        """Tell of a game that has come in."""
        self._played += 1
        winner, gained = words("a draw"), 0.5
        if outcome.winner is not None:
            side = outcome.winner ^ outcome.swapped
            winner = words("{name} wins", name="ab"[side])
            gained = float(side == 0)
        self._score += gained
        if self._verbose:
            complain(
                words(
                    "arena: {played}/{games}, deal {number}: {winner}",
                    played=self._played,
                    games=self._games,
                    number=outcome.number,
                    winner=winner,
                )
            )
        elif self._drawn:
            done = _BAR * self._played // self._games
            score = 100 * self._score / self._played
            bar = "#" * done + "-" * (_BAR - done)
            self._show(f"[{bar}] {self._played}/{self._games}  a: {score:.1f} %")

    def end(self) -> None:
        """Take the bar away."""
        if self._width:
            self._show("")
            write_beside("\r")

    def _show(self, text: str) -> None:
        write_beside("\r" + text.ljust(self._width))
        self._width = len(text)


def _print(options: ArenaOptions, label: str, report: Report) -> None:
    a, b = f"{options.a} (a)", f"{options.b} (b)"
    own_words = words_in_force()
    lines = [
        words(
            "{a} against {b}, {label}: {deals}, {games}",
            a=a,
            b=b,
            label=label,
            deals=own_words.count("{n} deal", "{n} deals", report.deals),
            games=own_words.count("{n} game", "{n} games", report.games),
        ),
        *facts(
            [
                (words("score of a"), _percent(report.score)),
                (words("first player"), _percent(report.first_player)),
                (words("turns a game"), _line(report.turns)),
                (words("longest turn"), _line(report.longest_turn)),
                (words("events"), _line(report.events)),
            ]
        ),
        words(
            "draws {draws}, blocked {blocked}, at the limit of events {at_limit}",
            draws=report.draws,
            blocked=report.blocked,
            at_limit=report.at_limit,
        ),
        "",
        *table(
            [_row(a, report.a), _row(b, report.b)],
            ("", "wins", "points", "offences", "right calls", "wrong calls"),
            room=stdout_columns(),
        ),
    ]
    for line in lines:
        write_line(line)


def _percent(share: Share) -> str:
    low, high = 100 * share.low, 100 * share.high
    return words(
        "{share} % (95 % between {low} and {high})",
        share=f"{100 * share.value:.1f}",
        low=f"{low:.1f}",
        high=f"{high:.1f}",
    )


def _line(spread: Spread) -> str:
    return words(
        "{mean} on average, {median} median, {p90} p90, {most} at most",
        mean=f"{spread.mean:.0f}",
        median=f"{spread.median:.0f}",
        p90=f"{spread.p90:.0f}",
        most=spread.most,
    )


def _row(name: str, side: Side) -> tuple[str, ...]:
    figures = (side.wins, side.points, side.offences, side.right_calls)
    return (name, *map(str, figures), str(side.wrong_calls))
