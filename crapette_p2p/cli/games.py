"""``crapette games``: list, export and delete the games kept here."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

from crapette_p2p.cli.errors import DONE, NO_TERMINAL, CommandFailed
from crapette_p2p.cli.output import (
    complain,
    excerpt,
    printable,
    stdout_columns,
    table,
    tell,
    versioned,
    write_beside,
    write_json,
    write_line,
    write_prose,
)
from crapette_p2p.cli.speaking import words, words_in_force
from crapette_p2p.ui.outcomes import is_unsigned, outcome_text
from crapette_p2p.ui.told_apart import told_apart

if TYPE_CHECKING:  # loaded by the functions: --help has to answer at once
    from crapette_p2p.net.kept import KeptGame, KeptGames

NAME = "games"
_HINT: Final = "Your games: crapette games"
_ANOTHER_NAME: Final = (
    "Another name: -o FILE.txt. The log itself, to be copied: crapette games path GAME"
)
_UNSIGNED: Final = (
    "unsigned: the other player has yet to sign the result. "
    "To close it: crapette resume"
)

_DAMAGED: Final = "damaged: where it breaks is said by crapette verify GAME"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add this command's flags."""
    parser.add_argument(
        "action",
        nargs="?",
        choices=("list", "export", "path", "delete"),
        default="list",
        help="list: at a glance (only crapette verify proves a game)",
    )
    parser.add_argument("game", nargs="?", metavar="GAME", help="an id, a file or last")
    parser.add_argument(
        "--format", choices=("text", "json"), help="of an export (text)"
    )
    parser.add_argument(
        "-o", dest="output", metavar="FILE", help="export into a new file"
    )
    parser.add_argument("--json", action="store_true", help="as JSON")


def run(args: argparse.Namespace) -> int:
    """Do what is asked."""
    if args.action not in ("list", "path") and args.game is None:
        raise CommandFailed(
            words("games {action}: which game?", action=args.action), hint=_HINT
        )
    actions = {"list": _list, "export": _export, "path": _path, "delete": _delete}
    return actions[args.action](args)


def _kept(args: argparse.Namespace) -> KeptGames:
    from crapette_p2p.cli.context import player_of, settings_of

    return player_of(args, settings_of(args)).kept


def _list(args: argparse.Namespace) -> int:
    kept = _kept(args)
    games = kept.summaries()
    unreadable = len(kept.store.logs()) - len(games)
    if unreadable:
        complain(
            words(
                "files among the games that this version cannot read: {n}",
                n=unreadable,
            ),
            "Where they are: crapette games path",
        )
    if args.json:
        write_json([versioned(_fields(game)) for game in games])
        return DONE
    if not games and not unreadable:
        complain("no game is kept here yet", "Play one: crapette bot")
    rows = [
        (
            game.short_id,
            game.date,
            _players(game),
            printable(game.genesis.label),
            str(game.turns),
            printable(outcome_text(game, words)),
        )
        for game in games
    ]
    headings = ("game", "played", "players", "rules", "turns", "outcome")
    room = stdout_columns()
    for line in table(rows, headings, room=room, head=3) if rows else ():
        write_line(line)
    if any(map(is_unsigned, games)):
        write_prose(words(_UNSIGNED))
    if any(game.status == "damaged" for game in games):
        write_prose(words(_DAMAGED))
    return DONE


def _players(game: KeptGame) -> str:
    names = told_apart(game.genesis.nicks, game.seat, words)
    return " – ".join(map(printable, names))


def _fields(game: KeptGame) -> dict[str, object]:
    return {
        "game": game.short_id,
        "file": str(game.path),
        "status": game.status,
        "players": list(game.genesis.nicks),
        "seat": None if game.seat is None else "AB"[game.seat],
        "rules": game.genesis.preset,
        "events": game.events,
        "turns": game.turns,
        "abandoned": game.abandoned,
        "result": result_fields(game),
        "unix_time": int(game.modified),
    }


def result_fields(game: KeptGame) -> dict[str, object] | None:
    """A result as everywhere else; of a log that is not verified, so with care.

    Where the status is ``open`` nevertheless, the other has yet to sign it.
    """
    from crapette_p2p.engine.position import EndReason

    result = game.result
    if result is None:
        return None
    winner, reason, points = result
    names = {entry.value: entry.name.lower() for entry in EndReason}
    won = winner in (0, 1)
    score: list[object] = [0, 0]
    if won:
        score[winner == 1] = points if isinstance(points, int) else 0
    return {
        "winner": "AB"[winner == 1] if won else None,
        "reason": names.get(reason) if isinstance(reason, int) else None,
        "provisional": False,
        "score": score,
    }


def _path(args: argparse.Namespace) -> int:
    if args.game is None:
        from crapette_p2p.cli.context import paths_of

        where = str(paths_of(args).games)
    else:
        where = str(_found(args).path)
    if args.json:
        write_json(versioned({"path": where}))
    else:
        write_line(printable(where))
    return DONE


def _found(args: argparse.Namespace) -> KeptGame:
    kept = _kept(args)
    games = kept.summaries()
    game = next(iter(games), None) if args.game == "last" else kept.find(args.game)
    if game is None:
        raise CommandFailed(
            words("no game is called {game!r}", game=excerpt(args.game)), hint=_HINT
        )
    return game


def _export(args: argparse.Namespace) -> int:
    """Write a log down as far as it is sound; exit 10 where it breaks."""
    from crapette_p2p.cli.logs import (
        find_log,
        opened,
        refuse_own_suffix,
        say_break,
        times_beside,
    )
    from crapette_p2p.gamelog.dump import log_to_json_lines, log_to_text

    if args.output is not None:
        refuse_own_suffix(args.output, hint=_ANOTHER_NAME)
    log = find_log(args, args.game)
    replay = opened(log)
    times = times_beside(log, replay.log.game_id)
    if args.json or args.format == "json":
        lines = [json.dumps(line) for line in log_to_json_lines(replay, times)]
    else:
        lines = list(log_to_text(replay, words_in_force(), times))
    if args.output is None:
        for line in lines:
            write_line(line)
    else:
        _write(args, lines)
    return say_break(log, replay)


def _write(args: argparse.Namespace, lines: list[str]) -> None:
    """Into a file that is not there yet."""
    from crapette_p2p.net.files import whole_or_gone

    path = Path(args.output)
    try:
        with whole_or_gone(path), path.open("x", encoding="utf-8") as file:
            file.writelines(line + "\n" for line in lines)
    except OSError as error:
        from crapette_p2p.cli.explaining import system_reason

        message = words(
            "{output} cannot be written: {reason}",
            output=excerpt(args.output, 200),
            reason=system_reason(error),
        )
        raise CommandFailed(message, hint=_ANOTHER_NAME) from error


def _delete(args: argparse.Namespace) -> int:
    game = _found(args)
    names = _players(game)
    _make_sure(
        args,
        words(
            "delete {game} ({names}, {outcome}) for good?",
            game=game.short_id,
            names=names,
            outcome=printable(outcome_text(game, words)),
        ),
    )
    _kept(args).store.delete(game.path)
    complain(words("deleted {short_id}", short_id=game.short_id))
    return DONE


def _make_sure(args: argparse.Namespace, question: str) -> None:
    """Ask; ``--yes`` does not answer this one."""
    if args.no_input:
        raise CommandFailed(
            "a game is deleted only after a question",
            exit_code=NO_TERMINAL,
            hint="Ask without --no-input, or remove the file that "
            "crapette games path GAME names, and its .crtimes",
        )
    from crapette_p2p.ui.play.questions import no_cap, yes_cap, yes_no_keys
    from crapette_p2p.ui.typed_lines import read_line

    spoken = words_in_force()
    write_beside(f"{question} [{yes_cap(spoken)}/{no_cap(spoken)}] ")
    yes, _ = yes_no_keys(spoken)
    typed = read_line(sys.stdin)
    if not (typed.endswith("\n") and sys.stdin.isatty()):  # nobody has ended the line
        tell("")
    if typed.strip().lower() not in {*yes, "yes"}:
        raise CommandFailed("nothing was deleted", exit_code=0)
