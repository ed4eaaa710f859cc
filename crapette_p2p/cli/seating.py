"""What ``host``, ``join`` and ``resume`` share: flags, keys, terms."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Final

from crapette_p2p.cli.errors import CommandFailed
from crapette_p2p.cli.output import excerpt
from crapette_p2p.cli.speaking import words

if TYPE_CHECKING:  # loaded by the functions: --help has to answer at once
    from crapette_p2p.session.commands import Terms
    from crapette_p2p.ui.settings import Settings

LEVELS: Final = ("novice", "club", "master")
_LONGEST_MATCH: Final = 1_000_000
"""No match gets there, and the genesis has no room for any number."""


def add_auto_flags(parser: argparse._ActionsContainer) -> None:
    """Add the flags of a seat that a bot plays."""
    parser.add_argument(
        "--auto", choices=LEVELS, help="a bot plays this seat, without a screen"
    )
    parser.add_argument(
        "--seed", type=int, metavar="N", help="repeat the bot's choices"
    )
    parser.add_argument(
        "--json",
        action="store_true",
        help="one JSON object a line (without --auto: line mode)",
    )


def check_auto(args: argparse.Namespace) -> None:
    """Refuse flags that mean nothing without ``--auto``."""
    if args.auto is None and args.seed is not None:
        raise CommandFailed(
            words(
                "{command}: --{flag} needs a bot in the seat",
                command=args.command,
                flag="seed",
            ),
            hint=words(
                "For example: crapette {command} --auto club --{flag}",
                command=args.command,
                flag="seed",
            ),
        )


def expected_key(text: str | None) -> bytes | None:
    """The key that ``--expect-key`` names: a fingerprint, or all of it in hex."""
    from crapette_p2p.net.failures import Exit, Failure, NetError
    from crapette_p2p.session.keys import KEY_SIZE, parse_fingerprint

    if text is None:
        return None
    found = parse_fingerprint(text)
    if found is None and len(text) == 2 * KEY_SIZE:
        try:
            found = bytes.fromhex(text)
        except ValueError:
            found = None
    if found is None:
        facts = {"text": excerpt(text)}
        raise NetError(Failure("bad-fingerprint", Exit.USAGE, facts))
    return found


def terms_of(args: argparse.Namespace, settings: Settings) -> Terms:
    """What this table offers."""
    from crapette_p2p.cli.rules import read_table_rules
    from crapette_p2p.session.commands import Terms

    table = read_table_rules(args.rules or settings.rules)
    if args.match is not None and not 1 <= args.match <= _LONGEST_MATCH:
        raise CommandFailed(
            words("--match: a match to {match} would never end", match=args.match),
            hint="For example: --match 3 (deals, or points where they are counted)",
        )
    return Terms(
        preset=table.label,
        rules=table.rules,
        assist=args.assist,
        target=args.match or 1,
    )
