"""``crapette peers``: the players this computer knows."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Final

from crapette_p2p.cli.errors import CommandFailed
from crapette_p2p.cli.output import (
    complain,
    excerpt,
    facts,
    printable,
    stdout_columns,
    table,
    versioned,
    write_json,
    write_line,
    write_prose,
)
from crapette_p2p.cli.speaking import words
from crapette_p2p.net.dates import local_day

if TYPE_CHECKING:  # loaded by the functions: --help has to answer at once
    from crapette_p2p.net.peers import KnownPeer, PeerBook

NAME = "peers"
_VERIFIED: Final = {"none": "not checked", "sas": "four cards", "invite": "invite"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add this command's flags."""
    parser.add_argument(
        "action",
        nargs="?",
        choices=("list", "show", "rename", "forget"),
        default="list",
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help="rename: OLD NEW")
    parser.add_argument("--json", action="store_true", help="as JSON")


def run(args: argparse.Namespace) -> int:
    """Do what is asked."""
    from crapette_p2p.cli.context import paths_of
    from crapette_p2p.net.peers import PeerBook

    book = PeerBook(paths_of(args).peers_file)
    wanted = {"list": 0, "show": 1, "rename": 2, "forget": 1}[args.action]
    if len(args.names) != wanted:
        names = {0: "no name", 1: "one name", 2: "two names, OLD NEW"}[wanted]
        raise CommandFailed(
            words(
                "peers {action}: takes {names}", action=args.action, names=words(names)
            ),
            hint="Whom you know: crapette peers",
        )
    if args.action == "list":
        _list(args, book)
    elif args.action == "show":
        _show(args, _found(book, args.names[0]))
    elif args.action == "rename":
        peer = book.rename(*args.names)
        complain(
            words(
                "{text} is called {petname} from now on",
                text=excerpt(args.names[0]),
                petname=peer.petname,
            )
        )
    else:
        peer = book.forget(args.names[0])
        complain(
            words(
                "forgot {petname}: the next meeting is a first one",
                petname=peer.petname,
            )
        )
    return 0


def _found(book: PeerBook, name: str) -> KnownPeer:
    peer = book.named(name)
    if peer is None:
        message = words("you know nobody called {name!r}", name=excerpt(name))
        raise CommandFailed(message, hint="Whom you know: crapette peers")
    return peer


def _list(args: argparse.Namespace, book: PeerBook) -> None:
    peers = book.all()
    if args.json:
        write_json([versioned(_fields(peer)) for peer in peers])
        return
    if not peers:
        complain("you know nobody yet", "Meet somebody: crapette host")
        return
    rows = [
        (
            printable(peer.petname),
            _fingerprint(peer),
            words(_VERIFIED[peer.verified]),
            local_day(peer.last_seen),
        )
        for peer in peers
    ]
    headings = ("name", "key", "checked by", "last met")
    for line in table(rows, headings, room=stdout_columns()):
        write_line(line)


def _show(args: argparse.Namespace, peer: KnownPeer) -> None:
    if args.json:
        write_json(versioned(_fields(peer)))
        return
    write_prose(printable(peer.petname))
    known = [
        (words("calls himself"), printable(peer.nick)),
        (words("key"), _fingerprint(peer)),
        (words("checked by"), words(_VERIFIED[peer.verified])),
        (words("first met"), local_day(peer.first_seen)),
        (words("last met"), local_day(peer.last_seen)),
        *((words("was at"), printable(address)) for address in peer.addresses),
    ]
    for line in facts(known, indent=2):
        write_prose(line)


def _fields(peer: KnownPeer) -> dict[str, object]:
    return {
        "name": peer.petname,
        "nick": peer.nick,
        "fingerprint": _fingerprint(peer),
        "key": peer.key.hex(),
        "verified": peer.verified,
        "first_seen": peer.first_seen,
        "last_seen": peer.last_seen,
        "addresses": list(peer.addresses),
    }


def _fingerprint(peer: KnownPeer) -> str:
    from crapette_p2p.session.keys import fingerprint, format_fingerprint

    return format_fingerprint(fingerprint(peer.key))
