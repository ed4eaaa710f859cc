"""``crapette lan``: list the tables that are announced on this network."""

from __future__ import annotations

import argparse
import hashlib
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from crapette_p2p.cli.inputs import seconds
from crapette_p2p.cli.output import (
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

if TYPE_CHECKING:  # loaded when the command runs
    from crapette_p2p.net.discovery import Tables
    from crapette_p2p.net.peers import KnownPeer
    from crapette_p2p.net.sightings import SeenTable

    Friends = Mapping[bytes, KnownPeer]

NAME = "lan"
PATIENCE: Final = 3.0
"""Seconds without any table after which the list is empty."""
COMPANY: Final = 1.2
"""Seconds the others have after the first table was seen."""
_NOBODY: Final = (
    "No tables seen. Many Wi-Fi networks block discovery; joining by address still "
    "works: crapette join ADDRESS"
)
_OFFLINE: Final = "No tables seen: this computer is on no network."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add this command's flags."""
    parser.add_argument(
        "--wait",
        type=seconds,
        metavar="S",
        help="listen for S seconds; with --json a line as soon as one is seen",
    )
    parser.add_argument("--json", action="store_true", help="the tables as JSON")


def run(args: argparse.Namespace) -> int:
    """Listen for a while, then print what was seen."""
    from crapette_p2p.cli.looping import run_async

    return run_async(_list(args, _friends(args)))


async def _list(args: argparse.Namespace, friends: Friends) -> int:
    from crapette_p2p.cli.context import paths_of
    from crapette_p2p.net.discovery import browse
    from crapette_p2p.net.failures import NetError
    from crapette_p2p.net.recent import note_tables

    own = _own_fingerprint(args)
    async with browse(own=own, is_known=friends.__contains__) as tables:
        if args.json and args.wait is not None:
            await _stream(tables, args.wait, friends)
        else:
            await _gather(tables, args.wait)
            _print(args, tables.tables, friends)
        note_tables(paths_of(args).tables, [t.said.nick for t in tables.tables])
        if tables.problem is not None and not tables.tables:
            raise NetError(tables.problem)
    return 0


async def _gather(tables: Tables, wait: float | None) -> None:
    """Listen for ``wait`` seconds, or until whoever is there was seen."""
    import asyncio

    loop = asyncio.get_running_loop()
    began = loop.time()
    deadline = began + (PATIENCE if wait is None else wait)
    try:
        while True:
            async with asyncio.timeout_at(deadline):
                seen = await tables.changed()
            if wait is None and (seen or tables.problem is not None):
                first = min((found.since for found in seen), default=began - COMPANY)
                deadline = min(deadline, first + COMPANY)
    except TimeoutError:
        return


async def _stream(tables: Tables, wait: float, friends: Friends) -> None:
    """Write a line whenever a table comes, changes or goes, for ``wait`` seconds."""
    import asyncio

    told: dict[str, SeenTable] = {}
    deadline = asyncio.get_running_loop().time() + wait
    try:
        while True:
            async with asyncio.timeout_at(deadline):
                seen = {found.name: found for found in await tables.changed()}
            for name in told.keys() - seen.keys():
                write_json(versioned({"type": "gone", "id": _id(told[name])}))
            for name, found in seen.items():
                if told.get(name) != found:
                    write_json(versioned({"type": "table", **_fields(found, friends)}))
            told = seen
    except TimeoutError:
        return


def _print(
    args: argparse.Namespace, seen: tuple[SeenTable, ...], friends: Friends
) -> None:
    from crapette_p2p.net.addresses import own_addresses

    if args.json:
        rows = [_fields(found, friends) for found in seen]
        write_json(versioned({"tables": rows}))
    elif not seen:
        online = any(own.shown for own in own_addresses())
        write_prose(words(_NOBODY) if online else words(_OFFLINE))
    else:
        headings = ("name", "rules", "address", "seat", "known as")
        rows_shown = [_row(found, friends) for found in seen]
        for line in table(rows_shown, headings, room=stdout_columns(), head=3):
            write_line(line)


def _fields(found: SeenTable, friends: Friends) -> dict[str, object]:
    said, friend = found.said, friends.get(found.said.fingerprint)
    return {
        "id": _id(found),
        "name": friend.petname if friend is not None else said.nick,
        "nick": said.nick,
        "fingerprint": found.fingerprint_text,
        "rules": said.rules,
        "open": said.is_open,
        "version": said.version,
        "address": found.addresses[0],
        "addresses": list(found.addresses),
        "port": found.port,
        "known": friend.petname if friend is not None else None,
        "known_since": friend.first_seen if friend is not None else None,
    }


def _row(found: SeenTable, friends: Friends) -> tuple[str, ...]:
    from crapette_p2p.net.announcement import VERSION

    said, friend = found.said, friends.get(found.said.fingerprint)
    seat = words("free") if said.is_open else words("taken")
    if said.version != VERSION:
        seat = words("speaks crapette/{version}", version=said.version)
    known = "-"
    if friend is not None:
        known = words(
            "{name}, since {day}",
            name=printable(friend.petname),
            day=local_day(friend.first_seen),
        )
    return (said.nick, said.rules, found.places[0].short(), seat, known)


def _id(found: SeenTable) -> str:
    """The same for all lines about one table; its own name is anybody's text."""
    return hashlib.sha256(found.name.encode("utf-8", "replace")).hexdigest()[:8]


def _friends(args: argparse.Namespace) -> Friends:
    """The players we know; a damaged book is no reason to see nobody."""
    from crapette_p2p.cli.context import paths_of
    from crapette_p2p.net.peers import PeerBook, by_fingerprint

    return by_fingerprint(PeerBook(paths_of(args).peers_file).readable())


def _own_fingerprint(args: argparse.Namespace) -> bytes | None:
    from crapette_p2p.cli.context import paths_of
    from crapette_p2p.net.failures import StorageError
    from crapette_p2p.net.identity import load_identity
    from crapette_p2p.session.keys import fingerprint

    try:
        return fingerprint(load_identity(paths_of(args).identity_key).public)
    except StorageError:
        return None
