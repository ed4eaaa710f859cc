"""``crapette replay``: watch a game again, or write down its positions."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Final

from crapette_p2p.cli.errors import DONE, NO_TERMINAL, CommandFailed
from crapette_p2p.cli.output import (
    excerpt,
    write_json,
    write_line,
    write_prose,
)
from crapette_p2p.cli.speaking import words, words_in_force

if TYPE_CHECKING:  # loaded when the command runs
    from crapette_p2p.cli.logs import NamedLog
    from crapette_p2p.gamelog.replay import Replay

NAME = "replay"
SPEEDS: Final = (0.25, 16.0)
_ANOTHER_PLACE: Final = "Another place: --html FILE, --svg DIR"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add this command's flags."""
    parser.add_argument(
        "file", metavar="FILE", help="a log, the id of a game, last, or - for stdin"
    )
    parser.add_argument(
        "--at", metavar="turn:N|move:N", type=_moment, help="begin there"
    )
    parser.add_argument("--speed", metavar="X", type=_speed, help="0.25 to 16")
    parser.add_argument(
        "--as-played", action="store_true", help="at the players' own pace"
    )
    parser.add_argument("--flip", action="store_true", help="from the other side")
    parser.add_argument(
        "--hidden", action="store_true", help="show face-down cards, if proved"
    )
    parser.add_argument(
        "--dump", action="store_true", help="every position as text (--at: one)"
    )
    parser.add_argument("--html", metavar="FILE", help="write the game as a web page")
    parser.add_argument("--svg", metavar="DIR", help="write a picture a position")
    parser.add_argument("--json", action="store_true", help="positions as JSON lines")


def run(args: argparse.Namespace) -> int:
    """Write what was asked for, or show the game on the screen."""
    from crapette_p2p.cli.logs import find_log

    log = find_log(args, args.file)
    if args.dump or args.json or args.html or args.svg:
        return _write(args, log)
    from crapette_p2p.cli.context import has_terminal, settings_of

    settings = settings_of(args)
    if settings.plain or not has_terminal():
        if not settings.plain and args.no_input:
            raise CommandFailed(
                "there is no terminal to draw a table on",
                exit_code=NO_TERMINAL,
                hint="In lines: crapette replay --dump FILE",
            )
        return _write(args, log)
    return _show(args, log)


def _show(args: argparse.Namespace, log: NamedLog) -> int:
    from crapette_p2p.cli.context import settings_of
    from crapette_p2p.cli.logs import opened, say_break, times_beside
    from crapette_p2p.cli.tables import seating_of
    from crapette_p2p.errors import LogError
    from crapette_p2p.ui.runs import Opened, run_replay

    watched: list[Replay] = []

    def opening() -> Opened:
        replay = opened(log)
        watched.append(replay)
        times = times_beside(log, replay.log.game_id)
        return Opened(replay, _own_side(args, replay) != args.flip, times)

    try:
        code = run_replay(
            opening,
            seating_of(args, settings_of(args)),
            name=log.name,
            at=args.at or "",
            speed=args.speed or 1.0,
            as_played=args.as_played,
            hidden=args.hidden,
        )
    except LogError:  # nothing in it can be shown; why not is said below
        code = DONE
    # The screen is gone, and with it what stood there.
    return say_break(log, watched[0]) if watched and code == DONE else code


def _write(args: argparse.Namespace, log: NamedLog) -> int:
    from crapette_p2p.cli.logs import opened, say_break
    from crapette_p2p.gamelog.dump import dump_json_lines, dump_text

    replay = opened(log)
    moment = _place(args.at, replay)
    if args.html or args.svg:
        _write_pictures(args, log, replay)
    elif args.json:
        for line in dump_json_lines(replay):
            if moment is None or line["n"] == moment:
                write_json(line)
    else:
        wanted = True
        for text in dump_text(replay):
            if text[:1].isdigit() and moment is not None:
                wanted = text.split()[0] == str(moment)
            if wanted:
                write_line(text)
    return say_break(log, replay)


def _write_pictures(args: argparse.Namespace, log: NamedLog, replay: Replay) -> None:
    from crapette_p2p.cli.explaining import system_reason
    from crapette_p2p.cli.logs import refuse_own_suffix, times_beside
    from crapette_p2p.cli.pictures import write_page, write_svgs

    flip, own_words = _own_side(args, replay) != args.flip, words_in_force()
    if args.html:
        refuse_own_suffix(args.html, hint=_ANOTHER_PLACE)
    try:
        if args.html:
            times = times_beside(log, replay.log.game_id)
            write_page(args.html, replay, name=log.name, flip=flip, times=times)
            path = excerpt(args.html, 200)
            _written(args, words("the web page is written: {path}", path=path))
        if args.svg:
            count = write_svgs(args.svg, replay, flip=flip)
            told = own_words.count(
                "{n} picture is written into the directory {path}",
                "{n} pictures are written into the directory {path}",
                count,
                path=excerpt(args.svg, 200),
            )
            _written(args, told)
    except OSError as error:
        where = excerpt(error.filename or args.html or args.svg, 200)
        raise CommandFailed(
            words(
                "{path} cannot be written: {reason}",
                path=where,
                reason=system_reason(error),
            ),
            hint=_ANOTHER_PLACE,
        ) from error


def _written(args: argparse.Namespace, told: str) -> None:
    """Say what was written where, but not to a program."""
    if not args.json:
        write_prose(told)


def _own_side(args: argparse.Namespace, replay: Replay) -> bool:
    """Whether the person here had seat B, whose side is then at the bottom."""
    from crapette_p2p.cli.context import paths_of
    from crapette_p2p.net.failures import StorageError
    from crapette_p2p.net.identity import load_identity

    try:
        key = load_identity(paths_of(args).identity_key).public
    except StorageError:  # no key yet, or not ours to read
        return False
    return replay.log.genesis.seat_of(key) == 1


def _place(at: str | None, replay: Replay) -> int | None:
    """The move that ``--at`` means; None for all of them."""
    if at is None:
        return None
    kind, _, text = at.partition(":")
    number, played = int(text), replay.played
    if kind == "turn" and 1 <= number <= played.turn:
        before = [s.move for s in replay.steps if s.turn < number]
        return before[-1] if before else 0
    if kind == "move" and number <= played.moves:
        return number
    counted = words_in_force().count
    turns = counted("{n} turn", "{n} turns", played.turn)
    moves = counted("{n} move", "{n} moves", played.moves)
    raise CommandFailed(
        words(
            "--at {at}: the game has {turns}, {moves}", at=at, turns=turns, moves=moves
        ),
        hint="For example: --at turn:1, --at move:10",
    )


def _moment(text: str) -> str:
    kind, _, number = text.partition(":")
    whole = number.isascii() and number.isdigit() and len(number) < 7
    if kind not in ("turn", "move") or not whole:
        raise argparse.ArgumentTypeError(
            words("{text!r} is not turn:N or move:N", text=text[:20])
        )
    return text


def _speed(text: str) -> float:
    try:
        speed = float(text)
    except ValueError:
        speed = 0.0
    low, high = SPEEDS
    if not low <= speed <= high:
        raise argparse.ArgumentTypeError(
            words(
                "{text!r} is not {low} to {high}",
                text=text[:20],
                low=f"{low:g}",
                high=f"{high:g}",
            )
        )
    return speed
