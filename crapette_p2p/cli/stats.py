"""``crapette stats``: what the saved games add up to, in all and by opponent."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from crapette_p2p.cli.output import printable, table, versioned, write_json, write_line
from crapette_p2p.cli.speaking import words

if TYPE_CHECKING:  # loaded when the command runs
    from crapette_p2p.net.kept import KeptGame

NAME = "stats"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add this command's flags."""
    parser.add_argument("--json", action="store_true", help="the numbers as JSON")


@dataclass(slots=True)
class Tally:
    """What some games add up to."""

    nick: str = ""
    """The opponent's, as last seen; empty for all."""
    key: str = ""
    """The fingerprint of an opponent who is known; empty for passers-by."""
    games: int = 0
    """Finished or not."""
    won: int = 0
    lost: int = 0
    drawn: int = 0
    unfinished: int = 0
    points: int = 0
    """Scored by us."""
    points_against: int = 0
    turns: int = 0
    """Of finished games, both players'."""

    def count(self, game: KeptGame) -> None:
        """Add a game of ours."""
        self.games += 1
        if game.status != "finished" or game.result is None:
            self.unfinished += 1
            return
        winner, _, points = game.result
        scored = points if isinstance(points, int) else 0
        self.turns += game.turns
        if winner is None:
            self.drawn += 1
        elif winner == game.seat:
            self.won += 1
            self.points += scored
        else:
            self.lost += 1
            self.points_against += scored


def run(args: argparse.Namespace) -> int:
    """Print the table or its numbers."""
    from crapette_p2p.cli.context import paths_of
    from crapette_p2p.net.identity import load_identity
    from crapette_p2p.net.kept import KeptGames
    from crapette_p2p.net.peers import PeerBook
    from crapette_p2p.net.store import GameStore

    paths = paths_of(args)
    games: tuple[KeptGame, ...] = ()
    if paths.identity_key.exists():
        store = GameStore(paths.games, paths.secrets)
        games = KeptGames(store, load_identity(paths.identity_key)).summaries()
    peers = PeerBook(paths.peers_file)
    own = (game for game in games if game.seat is not None)
    total, opponents = tallies(own, lambda key: peers.get(key) is not None)
    if args.json:
        rows = [asdict(tally) for tally in opponents]
        fields = {k: v for k, v in asdict(total).items() if k not in ("nick", "key")}
        write_json(versioned({**fields, "opponents": rows}))
    elif not total.games:
        write_line(words("No game has been played here yet. Begin with: crapette bot"))
    else:
        _write_table(total, opponents)
    return 0


def tallies(
    games: Iterable[KeptGame], is_known: Callable[[bytes], bool]
) -> tuple[Tally, list[Tally]]:
    """All games together, and by opponent, the most played first.

    Who is not among the known players (every bot has a key of its own) goes by
    name alone.
    """
    from crapette_p2p.session.keys import fingerprint, format_fingerprint

    total, by_opponent = Tally(), dict[tuple[str, str], Tally]()
    for game in games:
        key = game.peer_key or b""
        text = format_fingerprint(fingerprint(key)) if is_known(key) else ""
        who = (text, "" if text else game.peer_nick)
        if who not in by_opponent:
            by_opponent[who] = Tally(nick=game.peer_nick, key=text)
        total.count(game)
        by_opponent[who].count(game)
    ranked = sorted(by_opponent.values(), key=lambda tally: (-tally.games, tally.nick))
    return total, ranked


def _write_table(total: Tally, opponents: list[Tally]) -> None:
    headings = ("", "games", "won", "lost", "drawn", "open", "points", "turns")
    rows = [_row(printable(tally.nick), tally) for tally in opponents]
    for line in table([*rows, _row(words("all"), total)], headings):
        write_line(line)


def _row(name: str, tally: Tally) -> tuple[str, ...]:
    finished = tally.won + tally.lost + tally.drawn
    turns = f"{tally.turns / finished:.0f}" if finished else "-"
    points = f"{tally.points}:{tally.points_against}"
    counts = (tally.games, tally.won, tally.lost, tally.drawn, tally.unfinished)
    return (name, *map(str, counts), points, turns)
