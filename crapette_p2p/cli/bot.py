"""``crapette bot``: play against this computer, over a real connection."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from crapette_p2p.cli.errors import BAD_LOG, BUG, CommandFailed
from crapette_p2p.cli.inputs import count
from crapette_p2p.cli.seating import LEVELS, terms_of
from crapette_p2p.cli.speaking import words, words_in_force

if TYPE_CHECKING:  # loaded when the command runs
    from contextlib import AbstractAsyncContextManager

    from crapette_p2p.net.failures import Failure
    from crapette_p2p.net.news import Closed
    from crapette_p2p.net.table import Table
    from crapette_p2p.ui.settings import Settings

    Opened = AbstractAsyncContextManager[Table]

NAME = "bot"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add this command's flags."""
    parser.add_argument(
        "--level",
        choices=LEVELS,
        help="how strong it is (this or any option below begins a new game; "
        "without one a game that was left goes on)",
    )
    parser.add_argument(
        "--seed", type=int, metavar="N", help="repeat the bot's choices"
    )
    parser.add_argument(
        "--think", type=count, metavar="MS", help="most milliseconds for one action"
    )
    parser.add_argument(
        "--rules", metavar="FILE|NAME", help="a preset or a file of house rules"
    )
    parser.add_argument(
        "--match", type=int, metavar="N", help="play to N deals or points"
    )
    parser.add_argument(
        "--auto", choices=LEVELS, help="let another bot play your seat, and watch"
    )


def run(args: argparse.Namespace) -> int:
    """Play a game, or go on with the one that was interrupted."""
    from crapette_p2p.cli.context import settings_of
    from crapette_p2p.cli.looping import run_async

    settings = settings_of(args)
    if args.auto is not None:
        return run_async(_watch(args, settings))
    from crapette_p2p.cli.tables import play_seat

    if args.rules is not None:  # wrong ones are said before there is a screen
        args.assist = settings.assist
        terms_of(args, settings)
    return play_seat(args, settings, lambda: _open(args, settings), bot=True)


def _open(args: argparse.Namespace, settings: Settings) -> Opened:
    """A new game, or the one that was interrupted unless something is asked for."""
    from crapette_p2p.cli.context import paths_of, player_of
    from crapette_p2p.net.sparring import (
        Manner,
        interrupted,
        spar_again,
        sparring,
    )

    paths, player = paths_of(args), player_of(args, settings)
    found = None if _asks_for_something(args) else interrupted(player, paths)
    if found is not None:
        return spar_again(player, *found)
    manner = Manner(
        level=args.level or settings.level, seed=args.seed, think_ms=args.think
    )
    args.assist = settings.assist
    return sparring(player, paths, terms=terms_of(args, settings), manner=manner)


def _asks_for_something(args: argparse.Namespace) -> bool:
    asked = (args.level, args.seed, args.think, args.rules, args.match, args.auto)
    return any(value is not None for value in asked)


async def _watch(args: argparse.Namespace, settings: Settings) -> int:
    """Bot against bot in line mode; then the log is verified."""
    from crapette_p2p.cli.output import write_prose
    from crapette_p2p.net.autoplay import Autoplayer, bot_chooser, is_slow
    from crapette_p2p.net.matches import has_next_deal
    from crapette_p2p.net.news import Closed
    from crapette_p2p.session.commands import Leave
    from crapette_p2p.session.notices import GameOver, GameStarted
    from crapette_p2p.ui.narrator import Narrator

    narrator = Narrator(words=words_in_force(), spoken=settings.speak)
    log_path = None
    async with _open(args, settings) as table:
        chooser = bot_chooser(args.auto, seed=args.seed, think_ms=args.think)
        player = Autoplayer(table, chooser, slow=is_slow(args.auto))
        while not isinstance(notice := await table.next_notice(), Closed):
            game = table.open_game
            if isinstance(notice, GameStarted) and game is not None:
                narrator.sit_down(game.log.genesis, game.seat)
            for line in narrator.tell(notice):
                write_prose(line)
            await player.react(notice)
            state = table.game
            if isinstance(notice, GameOver) and state and not has_next_deal(state):
                log_path = table.log_path
                table.command(Leave(502))
    return _verified(notice, log_path)


def _verified(closed: Closed, log_path: str | None) -> int:
    """Check the log of the game that was watched, and say what came out."""
    from pathlib import Path

    from crapette_p2p.cli.output import write_prose
    from crapette_p2p.gamelog.verify import verify_log
    from crapette_p2p.net.crypto import verify
    from crapette_p2p.ui.telling import why_text

    if log_path is None:
        raise _unfinished(closed.failure)
    verdict = verify_log(Path(log_path).read_bytes(), verify)
    write_prose(words("log: {log_path}", log_path=log_path))
    if verdict.level < 5:
        why = why_text(verdict.why or "", verdict.detail, words_in_force())
        raise CommandFailed(
            words("bot: the log does not verify: {why}", why=why),
            exit_code=BAD_LOG,
        )
    write_prose(words("verified: every signature, shuffle and move (level 5 of 5)."))
    return 0


def _unfinished(failure: Failure | None) -> CommandFailed:
    """Why the game that was watched has no end."""
    from crapette_p2p.ui.wording import explain

    if failure is None:
        return CommandFailed("bot: the game came to no end", exit_code=BUG)
    told = explain(failure.code, failure.facts, words_in_force())
    return CommandFailed(told.sentence, exit_code=int(failure.status), hint=told.hint)
