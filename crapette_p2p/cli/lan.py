"""``crapette lan``: list the tables that are announced on this network."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Final

from crapette_p2p.cli.output import table, versioned, write_json, write_line

if TYPE_CHECKING:  # loaded when the command runs
    from crapette_p2p.net.discovery import SeenTable
    from crapette_p2p.net.peers import PeerBook

NAME = "lan"
SECONDS: Final = 3.0
"""How long to listen where nobody says otherwise."""
_NOBODY: Final = (
    "No tables seen. Many Wi-Fi networks block discovery; joining by address still "
    "works: crapette join ADDRESS"
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add this command's flags."""
    parser.add_argument(
        "--wait",
        type=float,
        metavar="S",
        help="listen for S seconds; with --json a line as soon as one is seen",
    )
    parser.add_argument("--json", action="store_true", help="the tables as JSON")


def run(args: argparse.Namespace) -> int:
    """Listen for a while, then print what was seen."""
    from crapette_p2p.cli.context import paths_of
    from crapette_p2p.cli.looping import run_async
    from crapette_p2p.net.peers import PeerBook

    return run_async(_list(args, PeerBook(paths_of(args).peers_file)))


async def _list(args: argparse.Namespace, peers: PeerBook) -> int:
    import asyncio

    from crapette_p2p.net.discovery import Gone, watching

    own = _own_fingerprint(args)
    seen: dict[str, SeenTable] = {}
    streams = args.json and args.wait is not None
    async with watching() as watch:
        deadline = asyncio.get_running_loop().time() + (args.wait or SECONDS)
        while True:
            try:
                async with asyncio.timeout_at(deadline):
                    news = await watch.next()
            except TimeoutError:
                break
            if isinstance(news, Gone):
                if seen.pop(news.name, None) is not None and streams:
                    write_json(versioned({"type": "gone", "name": news.name}))
            elif news.fingerprint != own:
                seen[news.name] = news
                if streams:
                    write_json(versioned({"type": "table", **_fields(news, peers)}))
    if not streams:
        _print(args, list(seen.values()), peers)
    return 0


def _print(args: argparse.Namespace, seen: list[SeenTable], peers: PeerBook) -> None:
    if args.json:
        rows = [_fields(found, peers) for found in seen]
        write_json(versioned({"tables": rows}))
    elif not seen:
        write_line(_NOBODY)
    else:
        headings = ("name", "rules", "address", "seat", "known as")
        for line in table([_row(found, peers) for found in seen], headings):
            write_line(line)


def _fields(found: SeenTable, peers: PeerBook) -> dict[str, object]:
    return {
        "name": found.name,
        "nick": found.nick,
        "fingerprint": found.fingerprint_text,
        "rules": found.rules,
        "open": found.is_open,
        "version": found.version,
        "address": found.addresses[0],
        "addresses": list(found.addresses),
        "port": found.port,
        "known": _petname(found, peers),
    }


def _row(found: SeenTable, peers: PeerBook) -> tuple[str, ...]:
    from crapette_p2p.net.address import Address

    where = Address(found.addresses[0], found.port).short()
    seat = "free" if found.is_open else "taken"
    return (found.nick, found.rules, where, seat, _petname(found, peers) or "-")


def _petname(found: SeenTable, peers: PeerBook) -> str | None:
    """What we call the player whose key this says to be."""
    from crapette_p2p.net.failures import StorageError
    from crapette_p2p.session.keys import fingerprint

    try:
        known = peers.all()
    except StorageError:
        return None
    same = (p.petname for p in known if fingerprint(p.key) == found.fingerprint)
    return next(same, None)


def _own_fingerprint(args: argparse.Namespace) -> bytes | None:
    from crapette_p2p.cli.context import paths_of
    from crapette_p2p.net.failures import StorageError
    from crapette_p2p.net.identity import load_identity
    from crapette_p2p.session.keys import fingerprint

    try:
        return fingerprint(load_identity(paths_of(args).identity_key).public)
    except StorageError:
        return None
