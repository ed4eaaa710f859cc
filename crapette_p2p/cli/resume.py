"""``crapette resume``: go on with an interrupted game."""

from __future__ import annotations

import argparse
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from crapette_p2p.cli.errors import BAD_LOG, USAGE, CommandFailed
from crapette_p2p.cli.inputs import seconds
from crapette_p2p.cli.output import (
    complain,
    excerpt,
    printable,
    stdout_columns,
    table,
    versioned,
    write_json,
    write_line,
)
from crapette_p2p.cli.seating import add_auto_flags, check_auto
from crapette_p2p.cli.speaking import words, words_in_force

if TYPE_CHECKING:  # loaded by the functions: --help has to answer at once
    from collections.abc import Sequence
    from contextlib import AbstractAsyncContextManager

    from crapette_p2p.net.address import Address
    from crapette_p2p.net.endpoint import ResumeOptions
    from crapette_p2p.net.kept import KeptGame
    from crapette_p2p.net.player import Player
    from crapette_p2p.net.table import Table
    from crapette_p2p.ui.settings import Settings

NAME = "resume"
_LIST_HINT: Final = "Those that can go on: crapette resume --list"
WAIT: Final = 600.0
"""Seconds a bot waits for the other player."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add this command's flags."""
    parser.add_argument(
        "game", nargs="?", metavar="GAME", help="an id, a file or last (the newest)"
    )
    parser.add_argument(
        "--list", action="store_true", help="list the games that can go on"
    )
    parser.add_argument(
        "--address", metavar="HOST:PORT", help="where the other player is now"
    )
    parser.add_argument(
        "--host", action="store_true", help="wait here for the other player"
    )
    parser.add_argument("--port", metavar="N|N-M", help="listen there")
    parser.add_argument(
        "--wait",
        type=seconds,
        default=WAIT,
        metavar="S",
        help="seconds to look for the other player (600)",
    )
    auto = parser.add_argument_group("without a player")
    add_auto_flags(auto)


def run(args: argparse.Namespace) -> int:
    """Take the game up where it stopped, in the role this computer had."""
    from crapette_p2p.cli.context import paths_of, player_of, settings_of
    from crapette_p2p.net.endpoint import resume
    from crapette_p2p.net.sparring import home_of, spar_again

    if args.list:
        return _list(args)
    check_auto(args)
    settings = settings_of(args)
    player = player_of(args, settings)
    game = _chosen(args, player)
    # The other player knows us by the name of the game.
    if getattr(args, "set_name", None) is None:
        player = player.again_in(game)
    home = home_of(game.path, paths_of(args))
    if home is not None:  # the other player is a bot of this computer
        return _play(args, settings, spar_again(player, home, game.path), bot=True)
    options = replace(_options(args, player), announce=settings.announce)
    _require_way(game, options)
    return _play(args, settings, resume(game.path, options))


def _play(
    args: argparse.Namespace,
    settings: Settings,
    seat: AbstractAsyncContextManager[Table],
    *,
    bot: bool = False,
) -> int:
    if args.auto is not None:
        from crapette_p2p.cli.looping import run_async

        return run_async(_headless(args, settings, seat))
    from crapette_p2p.cli.tables import play_seat

    return play_seat(args, settings, lambda: seat, bot=bot)


async def _headless(
    args: argparse.Namespace,
    settings: Settings,
    seat: AbstractAsyncContextManager[Table],
) -> int:
    from crapette_p2p.cli.headless import HeadlessSeat, manner_of
    from crapette_p2p.cli.reporting import reporter_of

    async with seat as at_table:
        reporter = reporter_of(args, spoken=settings.speak)
        return await HeadlessSeat(at_table, manner_of(args), reporter).play()


def _options(args: argparse.Namespace, player: Player) -> ResumeOptions:
    from crapette_p2p.net.endpoint import ResumeOptions

    if args.host and args.address:
        raise CommandFailed("resume: either --host or --address, not both")
    hosted = True if args.host or args.port else None
    return ResumeOptions(
        player=player,
        hosted=hosted,
        ports=_ports(args.port),
        places=_places(args.address),
        wait=args.wait,
    )


def _ports(text: str | None) -> Sequence[int] | None:
    from crapette_p2p.net.listening import parse_ports

    if text is None:
        return None
    try:
        return parse_ports(text)
    except ValueError as error:
        message = words(
            "--port: {text!r} is no port (0 to 65535, or N-M)", text=excerpt(text)
        )
        raise CommandFailed(message) from error


def _places(text: str | None) -> tuple[Address, ...]:
    from crapette_p2p.net.address import AddressError, parse_address
    from crapette_p2p.ui.wording import explain

    if text is None:
        return ()
    try:
        return (parse_address(text),)
    except AddressError as error:
        told = explain(
            f"address-{error.problem}", {"token": error.token}, words_in_force()
        )
        raise CommandFailed(told.sentence, hint=told.hint) from error


def _chosen(args: argparse.Namespace, player: Player) -> KeptGame:
    """The game that is meant: the newest that can go on where none is named."""
    kept = player.kept
    if args.game is None or args.game == "last":
        games = kept.resumable()
        if games:
            return games[0]
        if broken := [g for g in kept.summaries() if _is_broken(g) and not g.is_over]:
            raise _damaged(broken[0])
        raise _none_kept()
    game = kept.find(args.game)
    if game is None:
        raise CommandFailed(
            words("no game is called {game!r}", game=excerpt(args.game)),
            exit_code=USAGE,
            hint=_LIST_HINT,
        )
    if _is_broken(game):
        raise _damaged(game)
    if game.seat is None or not (
        game.status == "open" or game.match_goes_on or game.is_agreed
    ):
        why = words("is not yours") if game.seat is None else words("cannot go on")
        raise CommandFailed(
            words("the game {short_id} {why}", short_id=game.short_id, why=why),
            hint=_LIST_HINT,
        )
    return game


def _is_broken(game: KeptGame) -> bool:
    return game.seat is not None and game.status == "damaged"


def _damaged(game: KeptGame) -> CommandFailed:
    """It cannot go on; which file that is, and where more is to be read."""
    path = excerpt(game.path, 200)
    return CommandFailed(
        words("the log of that game is damaged: {path}", path=path),
        exit_code=BAD_LOG,
        hint=words("More: crapette verify {source}", source=path),
    )


def _none_kept() -> CommandFailed:
    return CommandFailed(
        "no interrupted game is kept here",
        hint="A new one: crapette host, or crapette join ADDRESS",
    )


def _require_way(game: KeptGame, options: ResumeOptions) -> None:
    """A deal that was agreed on begins where the other is; that has to be known."""
    from crapette_p2p.net.endpoint import places_of
    from crapette_p2p.net.hints import Hints

    player, key = options.player, game.peer_key
    if not game.is_agreed or options.hosted or options.places or key is None:
        return
    hint = Hints(player.resume).load(game.game_id)
    if (hint is not None and hint.hosted) or places_of(player, hint, key):
        return
    raise CommandFailed(
        words(
            "the deal with {name} was agreed on, but had not begun here",
            name=printable(game.peer_nick),
        ),
        hint="Join the same table again, and it begins: crapette join ADDRESS",
    )


def _list(args: argparse.Namespace) -> int:
    from crapette_p2p.cli.context import player_of, settings_of

    player = player_of(args, settings_of(args))
    games = player.kept.resumable()
    if args.json:
        write_json([versioned(_fields(game)) for game in games])
        return 0
    if not games:
        failed = _none_kept()
        complain(str(failed), failed.hint)
        return 0
    rows = [
        (
            game.short_id,
            printable(game.peer_nick),
            printable(game.genesis.label),
            str(game.turns),
            game.date,
            _next(game),
        )
        for game in games
    ]
    headings = ("game", "against", "rules", "turns", "played", "next")
    for line in table(rows, headings, room=stdout_columns(), head=2):
        write_line(line)
    return 0


def _next(game: KeptGame) -> str:
    """What there is to be done where it goes on."""
    from crapette_p2p.ui.outcomes import NEXT_DEAL, SIGNATURE, what_goes_on

    texts = {NEXT_DEAL: words("a deal"), SIGNATURE: words("a signature")}
    return texts.get(what_goes_on(game), words("a turn"))


def _fields(game: KeptGame) -> dict[str, object]:
    from crapette_p2p.cli.games import result_fields
    from crapette_p2p.ui.outcomes import what_goes_on

    return {
        "game": game.short_id,
        "file": str(game.path),
        "peer": game.peer_nick,
        "rules": game.genesis.preset,
        "status": game.status,
        "turns": game.turns,
        "events": game.events,
        "abandoned": game.abandoned,
        "result": result_fields(game),
        "next": what_goes_on(game),
    }
