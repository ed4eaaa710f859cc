"""``crapette join``: sit down at a friend's table."""

from __future__ import annotations

import argparse
import os
import sys
from typing import TYPE_CHECKING, Final

from crapette_p2p.cli.errors import USAGE, CommandFailed
from crapette_p2p.cli.inputs import seconds
from crapette_p2p.cli.seating import add_auto_flags, check_auto, expected_key
from crapette_p2p.cli.speaking import words, words_in_force

if TYPE_CHECKING:  # loaded by the functions: --help has to answer at once
    from contextlib import AbstractAsyncContextManager

    from crapette_p2p.net.address import Address, Invite
    from crapette_p2p.net.peers import KnownPeer
    from crapette_p2p.net.player import Player
    from crapette_p2p.net.seeking import Search
    from crapette_p2p.net.table import Table
    from crapette_p2p.ui.settings import Settings

    Target = Address | Invite | tuple[Address, ...]

NAME = "join"
STDIN: Final = "-"
_EXAMPLE: Final = "For example: crapette join 192.168.1.20"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add this command's flags."""
    parser.add_argument(
        "address",
        nargs="?",
        metavar="ADDRESS|INVITE|PEER|-",
        help="where the table is (-: read it from standard input)",
    )
    parser.add_argument("port", nargs="?", metavar="PORT", help="if it is not 4747")
    parser.add_argument(
        "--expect-key", metavar="FPR", help="play only with the player of this key"
    )
    parser.add_argument(
        "--timeout",
        type=seconds,
        default=10.0,
        metavar="S",
        help="seconds to wait for an answer (10)",
    )
    auto = parser.add_argument_group("without a player")
    add_auto_flags(auto)
    auto.add_argument(
        "--accept-unverified",
        action="store_true",
        help="play with a stranger without comparing cards",
    )


def run(args: argparse.Namespace) -> int:
    """Reach the table and play."""
    from crapette_p2p.cli.context import player_of, settings_of
    from crapette_p2p.net.joining import JoinOptions, join

    check_auto(args)
    settings = settings_of(args)
    player = player_of(args, settings)
    text = _given(args, settings, player)
    target, expected = _target(text, player)
    expected = expected_key(args.expect_key) or expected
    options = JoinOptions(
        player=player,
        expected=expected,
        timeout=args.timeout,
        search=_search(text, target, expected) if settings.announce else None,
        follow=settings.announce,
    )
    if args.auto is not None:
        from crapette_p2p.cli.looping import run_async

        return run_async(_headless(args, settings, join(target, options)))
    from crapette_p2p.cli.tables import is_plain, play_seat, seating_of

    if is_plain(args, settings):
        from crapette_p2p.ui.plain_commands import PlainOptions

        plain = PlainOptions(accept_unverified=args.accept_unverified)
        return play_seat(args, settings, lambda: join(target, options), plain)
    from crapette_p2p.ui.runs import run_join

    return run_join(target, options, seating_of(args, settings))


def _given(args: argparse.Namespace, settings: Settings, player: Player) -> str:
    """What was typed, piped, or set in the environment."""
    if args.address == STDIN:
        from crapette_p2p.ui.typed_lines import read_line

        return read_line(sys.stdin)
    if args.address is not None:
        return " ".join(filter(None, (args.address, args.port)))
    invite = os.environ.get("CRAPETTE_INVITE", "")
    if invite:
        return invite
    if args.no_input or not sys.stdin.isatty():
        raise CommandFailed("join: which table?", hint=_EXAMPLE)
    from crapette_p2p.cli.asking import ask_address
    from crapette_p2p.cli.context import paths_of

    question = words("address or invite: ")
    try:
        return ask_address(question, player, paths_of(args), looks=settings.announce)
    except EOFError:
        raise CommandFailed("join: which table?", hint=_EXAMPLE) from None


def _target(text: str, player: Player) -> tuple[Target, bytes | None]:
    """Where to dial, and whose key has to be there."""
    from crapette_p2p.net.address import AddressError, parse_target
    from crapette_p2p.net.peers import addresses_of
    from crapette_p2p.ui.wording import explain

    peer = _known(text, player)
    if peer is not None:
        return addresses_of(peer), peer.key
    try:
        return parse_target(text), None
    except AddressError as error:
        if _is_name(text):
            return (), None
        told = explain(
            f"address-{error.problem}", {"token": error.token}, words_in_force()
        )
        hint = told.hint or _EXAMPLE
        raise CommandFailed(told.sentence, exit_code=USAGE, hint=hint) from error


def _is_name(text: str) -> bool:
    """Whether what is no address may be what somebody on this network is called."""
    from crapette_p2p.gamelog.nicks import is_valid_nick

    return text[:1].isalpha() and not text[-1:].isdigit() and is_valid_nick(text)


def _search(text: str, target: Target, expected: bytes | None) -> Search | None:
    """How to find the table on this network where no address leads to it."""
    from crapette_p2p.net.seeking import search_for, search_for_name

    if not target and expected is None:
        return search_for_name(text)
    return search_for(target, expected)


def _known(text: str, player: Player) -> KnownPeer | None:
    """The friend of that name; a damaged list of friends is no reason to stay."""
    from crapette_p2p.net.failures import StorageError

    try:
        return player.peers.named(text)
    except StorageError:
        return None


async def _headless(
    args: argparse.Namespace,
    settings: Settings,
    seat: AbstractAsyncContextManager[Table],
) -> int:
    from crapette_p2p.cli.headless import HeadlessSeat, manner_of
    from crapette_p2p.cli.reporting import reporter_of

    async with seat as table:
        reporter = reporter_of(args, spoken=settings.speak)
        return await HeadlessSeat(table, manner_of(args), reporter).play()
