"""``crapette host``: open a table and play with whoever sits down."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from crapette_p2p.cli.errors import CommandFailed
from crapette_p2p.cli.inputs import count
from crapette_p2p.cli.output import complain, complain_as_told, excerpt
from crapette_p2p.cli.seating import (
    add_auto_flags,
    check_auto,
    expected_key,
    terms_of,
)
from crapette_p2p.cli.speaking import words, words_in_force

if TYPE_CHECKING:  # loaded by the functions: --help has to answer at once
    from crapette_p2p.cli.reporting import Reporter
    from crapette_p2p.net.hosting import Hosting, HostOptions
    from crapette_p2p.ui.settings import Settings

NAME = "host"
_NEXT_PORTS: Final = 16
"""How many ports are tried from the usual one on."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add this command's flags."""
    door = parser.add_argument_group("the door")
    door.add_argument("--port", metavar="N|N-M", help="listen there (0: any free port)")
    door.add_argument(
        "--bind", action="append", metavar="ADDR", help="only on this address (again)"
    )
    door.add_argument(
        "--public", action="store_true", help="answer addresses of the internet too"
    )
    door.add_argument(
        "--invite-only", action="store_true", help="seat nobody without the invite"
    )
    door.add_argument(
        "--expect-key", metavar="FPR", help="seat only the player with this key"
    )
    door.add_argument(
        "--no-announce", action="store_true", help="stay out of crapette lan"
    )
    door.add_argument("--once", action="store_true", help="end after one game")
    game = parser.add_argument_group("the game")
    game.add_argument(
        "--rules", metavar="FILE|NAME", help="a preset or a file of house rules"
    )
    game.add_argument(
        "--match", type=int, metavar="N", help="play to N deals or points"
    )
    game.add_argument(
        "--assist", action="store_true", help="let both players see hints"
    )
    auto = parser.add_argument_group("without a player")
    add_auto_flags(auto)
    auto.add_argument(
        "--think", type=count, metavar="MS", help="most milliseconds for one action"
    )
    auto.add_argument(
        "--accept-unverified",
        action="store_true",
        help="seat strangers without comparing cards",
    )


def run(args: argparse.Namespace) -> int:
    """Open the table."""
    from crapette_p2p.cli.context import settings_of

    check_auto(args)
    settings = settings_of(args)
    options = _options(args, settings)
    if args.auto is not None:
        from crapette_p2p.cli.looping import run_async

        return run_async(_headless(args, settings, options))
    from crapette_p2p.cli.tables import play_host
    from crapette_p2p.ui.plain_commands import PlainOptions

    plain = PlainOptions(accept_unverified=args.accept_unverified, once=args.once)
    return play_host(args, settings, options, plain)


def _options(args: argparse.Namespace, settings: Settings) -> HostOptions:
    from crapette_p2p.cli.context import player_of
    from crapette_p2p.net.hosting import HostOptions

    return HostOptions(
        player=player_of(args, settings),
        terms=terms_of(args, settings),
        ports=_ports(args.port, settings.port),
        binds=tuple(args.bind or ()),
        public=args.public,
        invite_only=args.invite_only,
        expected=expected_key(args.expect_key),
        accept_unverified=args.accept_unverified,
        answers_knocks=args.auto is None and not args.no_input,
        announce=settings.announce and not args.no_announce,
    )


def _ports(text: str | None, usual: int) -> Sequence[int]:
    """Where to listen: as told, or the usual port and those after it."""
    from crapette_p2p.net.listening import parse_ports

    if text is None:
        return range(usual, min(usual + _NEXT_PORTS, 65_536)) if usual else (0,)
    try:
        return parse_ports(text)
    except ValueError as error:
        raise CommandFailed(
            words(
                "--port: {text!r} is no port (0 to 65535, or N-M)", text=excerpt(text)
            ),
            hint="Any free one: crapette host --port 0",
        ) from error


async def _headless(
    args: argparse.Namespace, settings: Settings, options: HostOptions
) -> int:
    """Seat one guest after the other; with ``--once`` until a game was played."""
    import asyncio
    import contextlib

    from crapette_p2p.cli.headless import HeadlessSeat, manner_of
    from crapette_p2p.cli.reporting import reporter_of
    from crapette_p2p.net.hosting import host

    async with host(options) as hosting:
        _say_if_moved(hosting, quiet=args.quiet)
        reporter = reporter_of(args, spoken=settings.speak)
        reporter.listening(hosting)
        told = _tell_of_door(hosting, reporter, quiet=args.quiet)
        door = asyncio.create_task(told)
        try:
            while True:
                table = await hosting.seated()
                reporter = reporter_of(args, spoken=settings.speak)
                seat = HeadlessSeat(table, manner_of(args), reporter)
                status = await seat.play()
                if args.once and seat.played:
                    return status
        finally:
            door.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await door


def _say_if_moved(hosting: Hosting, *, quiet: bool) -> None:
    from crapette_p2p.ui.invitation import moved_text

    if hosting.moved_from is not None and not quiet:
        line = moved_text(hosting.moved_from, hosting.port, words_in_force())
        complain_as_told(line, "")


async def _tell_of_door(hosting: Hosting, reporter: Reporter, *, quiet: bool) -> None:
    """Say on stderr who was turned away and why, and whether lists show the table.

    A new invite is a result: the table listens anew.
    """
    from crapette_p2p.net.news import Announced, InviteChanged, TurnedAway
    from crapette_p2p.ui.turned_away import TurnedAwayLines
    from crapette_p2p.ui.wording import explain

    turned = TurnedAwayLines()
    while True:
        notice = await hosting.next_notice()
        if isinstance(notice, InviteChanged):
            reporter.listening(hosting)
        elif isinstance(notice, TurnedAway) and not quiet:
            told = explain(notice.failure.code, notice.failure.facts, words_in_force())
            line = words(
                "connection from {address}: {sentence}",
                address=notice.address,
                sentence=told.sentence,
            )
            if line := turned.line(line, words_in_force()):
                complain(line)
        elif isinstance(notice, Announced) and notice.problem is not None and not quiet:
            told = explain(notice.problem.code, notice.problem.facts, words_in_force())
            complain(
                words(
                    "crapette lan does not show this table: {sentence}",
                    sentence=told.sentence,
                )
            )
