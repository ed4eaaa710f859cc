"""``crapette stats``: what the saved games add up to, by opponent and by rules."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Final

from crapette_p2p.cli.output import (
    printable,
    stdout_columns,
    table,
    versioned,
    write_json,
    write_line,
    write_prose,
)
from crapette_p2p.cli.speaking import words

if TYPE_CHECKING:  # loaded when the command runs
    from crapette_p2p.gamelog.counts import Course
    from crapette_p2p.net.kept import KeptGame
    from crapette_p2p.net.paths import Paths

    Counting = Callable[[KeptGame], Course | None]

NAME = "stats"
_WHO: Final = ("nick", "petname", "key")
"""What tells of an opponent alone."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add this command's flags."""
    parser.add_argument("--json", action="store_true", help="the numbers as JSON")
    parser.add_argument(
        "--plot", action="store_true", help="draw results, lengths and calls too"
    )


@dataclass(slots=True)
class Tally:
    """What some games add up to."""

    nick: str = ""
    """The opponent's, as last seen; empty for all."""
    petname: str = ""
    """What an opponent who is known is called here; empty for passers-by."""
    key: str = ""
    """The fingerprint of an opponent who is known; empty for passers-by."""
    games: int = 0
    """Finished or not."""
    won: int = 0
    lost: int = 0
    drawn: int = 0
    unfinished: int = 0
    """Open: they can go on."""
    failed: int = 0
    """Ended by a fault, which no result stands in."""
    damaged: int = 0
    """Whose log cannot be read to its end."""
    points: int = 0
    """Scored by us."""
    points_against: int = 0
    turns: int = 0
    """Of finished games, both players'."""
    right_calls: int = 0
    """Stop! calls of ours that were upheld."""
    wrong_calls: int = 0
    """Stop! calls of ours that were not."""
    calls_against: int = 0
    """Offences of ours that were rightly called."""
    foundation_plays: int = 0
    """Cards we brought to the foundations."""

    def count(self, game: KeptGame, course: Course | None) -> None:
        """Add a game of ours, with what happened in it if that is known."""
        self._count_result(game)
        if course is None:
            return
        seat = game.seat or 0
        ours, theirs = course.counts[seat], course.counts[1 - seat]
        self.turns += course.played.turn
        self.right_calls += ours.right_calls
        self.wrong_calls += ours.wrong_calls
        self.foundation_plays += ours.foundation_plays
        self.calls_against += theirs.right_calls

    def _count_result(self, game: KeptGame) -> None:
        self.games += 1
        if game.status == "failed":
            self.failed += 1
            return
        if game.status == "damaged":
            self.damaged += 1
            return
        if not game.is_over or game.result is None:
            self.unfinished += 1
            return
        winner, _, points = game.result
        scored = points if isinstance(points, int) else 0
        if winner is None:
            self.drawn += 1
        elif winner == game.seat:
            self.won += 1
            self.points += scored
        else:
            self.lost += 1
            self.points_against += scored


@dataclass(frozen=True, slots=True)
class Summary:
    """Everything the games add up to."""

    total: Tally
    opponents: list[Tally]
    """The most played first."""
    presets: list[Tally]
    """By rules, ``nick`` being their name."""
    results: tuple[int, ...]
    """Finished games, the oldest first: 1 won, 0 drawn, -1 lost."""
    lengths: tuple[int, ...]
    """Turns of each finished game, in the same order."""


def run(args: argparse.Namespace) -> int:
    """Print the table or its numbers."""
    from crapette_p2p.cli.context import paths_of, settings_of

    summary = summary_at(paths_of(args))
    total = summary.total
    if args.json:
        fields = {k: v for k, v in asdict(total).items() if k not in _WHO}
        by_rules = [asdict(tally) for tally in summary.presets]
        for row in by_rules:
            rules = row["nick"]
            for field in _WHO:
                del row[field]
            row["rules"] = rules
        rows = [asdict(tally) for tally in summary.opponents]
        write_json(versioned({**fields, "opponents": rows, "presets": by_rules}))
    elif not total.games:
        write_prose(words("No game has been played here yet. Begin with: crapette bot"))
    else:
        for line in table_lines(summary, stdout_columns()):
            write_line(line)
        for line in note_lines(summary):
            write_prose(line)
        if args.plot:
            settings = settings_of(args)
            for line in plot_lines(
                summary, ascii_only=settings.ascii, room=stdout_columns()
            ):
                write_prose(line)
    return 0


def summary_at(paths: Paths) -> Summary:
    """All games that are kept there; raises StorageError."""
    from crapette_p2p.net.identity import load_identity
    from crapette_p2p.net.kept import KeptGames
    from crapette_p2p.net.peers import PeerBook
    from crapette_p2p.net.store import GameStore

    games: tuple[KeptGame, ...] = ()
    if os.path.exists(paths.identity_key):
        store = GameStore(paths.games, paths.secrets)
        games = KeptGames(store, load_identity(paths.identity_key)).summaries()
    known = {p.key: p.petname for p in PeerBook(paths.peers_file).readable()}
    own = [g for g in games if g.seat is not None and g.status != "accepted"]
    return summarised(own, known.get, counted)


def counted(game: KeptGame) -> Course | None:
    """What happened in a game that is finished; others do not count."""
    return game.course if game.is_over else None


def summarised(
    games: Iterable[KeptGame],
    petname_of: Callable[[bytes], str | None],
    counting: Counting = lambda _game: None,
) -> Summary:
    """All games together, by opponent and by rules, the most played first.

    Who is not among the known players (every bot has a key of its own) goes by
    name alone.
    """
    from crapette_p2p.session.keys import fingerprint, format_fingerprint

    total, by_opponent = Tally(), dict[tuple[str, str], Tally]()
    by_rules, results = dict[str, Tally](), list[int]()
    lengths = list[int]()
    for game in sorted(games, key=lambda game: game.modified):
        key = game.peer_key or b""
        petname = petname_of(key)
        text = "" if petname is None else format_fingerprint(fingerprint(key))
        who = (text, "" if text else game.peer_nick)
        opponent = by_opponent.setdefault(who, Tally(key=text))
        opponent.nick, opponent.petname = game.peer_nick, petname or ""
        label = game.genesis.label
        rules = by_rules.setdefault(label, Tally(nick=label))
        course = counting(game)
        for tally in (total, opponent, rules):
            tally.count(game, course)
        if game.is_over and game.result is not None:
            winner = game.result[0]
            results.append(0 if winner is None else 1 if winner == game.seat else -1)
            lengths.append(course.played.turn if course is not None else 0)
    return Summary(
        total,
        _ranked(by_opponent.values()),
        _ranked(by_rules.values()),
        tuple(results),
        tuple(lengths),
    )


def _ranked(tallies: Iterable[Tally]) -> list[Tally]:
    return sorted(tallies, key=lambda tally: (-tally.games, tally.nick))


def table_lines(summary: Summary, room: int = 0) -> list[str]:
    """What is printed: by rules, by opponent and all, in so many columns (0: any)."""
    lines: list[str] = []
    broken = bool(summary.total.failed + summary.total.damaged)
    headings = (
        *("", "games", "wins", "losses", "draws", "running"),
        *(("broken",) if broken else ()),
        *("points", "turns", "up", "calls"),
    )
    for tallies in (summary.presets, summary.opponents):
        rows = [_row(_name(t), t, broken=broken) for t in tallies]
        total = [_row(words("all"), summary.total, broken=broken)]
        total *= tallies is summary.opponents
        lines += [*table([*rows, *total], headings, room=room), ""]
    return lines


def note_lines(summary: Summary) -> list[str]:
    """What the columns are, below the tables."""
    return [
        words("turns, up: turns and cards to the foundations, a finished game"),
        words("calls: Stop! called rightly, wrongly, and against you"),
        *_broken_line(summary.total),
    ]


def _name(tally: Tally) -> str:
    """As ``peers`` calls an opponent, else by his nick; or the rules."""
    return printable(tally.petname or tally.nick)


def _broken_line(total: Tally) -> list[str]:
    if not total.failed + total.damaged:
        return []
    told = words(
        "broken: ended by a fault ({failed}), or a log that is damaged ({damaged})",
        failed=total.failed,
        damaged=total.damaged,
    )
    return [told]


def _row(name: str, tally: Tally, *, broken: bool) -> tuple[str, ...]:
    finished = tally.won + tally.lost + tally.drawn
    turns = f"{tally.turns / finished:.0f}" if finished else "-"
    up = f"{tally.foundation_plays / finished:.0f}" if finished else "-"
    points = f"{tally.points}:{tally.points_against}"
    calls = f"{tally.right_calls} {tally.wrong_calls} {tally.calls_against}"
    counts = (tally.games, tally.won, tally.lost, tally.drawn, tally.unfinished)
    more = (tally.failed + tally.damaged,) * broken
    return (name, *map(str, (*counts, *more)), points, turns, up, calls)


def plot_lines(summary: Summary, *, ascii_only: bool, room: int = 0) -> Iterator[str]:
    """The plots below the table, each after a blank line and its heading."""
    from crapette_p2p.cli.plotting import balance_plot, bars, histogram

    won = [(_name(t), t.won, t.drawn, t.lost) for t in summary.opponents]
    rules = [(printable(t.nick), t.won, t.drawn, t.lost) for t in summary.presets]
    calls = [(_name(t), t.right_calls, 0, t.wrong_calls) for t in summary.opponents]
    for heading, lines in (
        (
            words("won minus lost, game by game"),
            balance_plot(summary.results, ascii_only=ascii_only, room=room),
        ),
        (
            words("won, drawn and lost games"),
            bars(won, ascii_only=ascii_only, room=room),
        ),
        (
            words("won, drawn and lost games, by rules"),
            bars(rules, ascii_only=ascii_only, room=room),
        ),
        (
            words("turns a game"),
            histogram(summary.lengths, ascii_only=ascii_only, room=room),
        ),
        (
            words("Stop! calls, right and wrong"),
            bars(calls, ascii_only=ascii_only, room=room, middle=False),
        ),
    ):
        if lines:
            yield from ("", heading, *lines)
