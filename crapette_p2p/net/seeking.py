"""Find a player on this network by key or name, where no address helps.

What is found is a hint like any other address: dialling it proves the key, or asks
for the four cards.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Sequence
from typing import Final

from crapette_p2p.net.address import Address, Invite
from crapette_p2p.net.announcement import Announcement
from crapette_p2p.net.discovery import Tables, browse
from crapette_p2p.net.table import Table
from crapette_p2p.session.keys import is_fingerprint_of

SEEK_SECONDS: Final = 3.0
"""How long to look for a player who may not be there."""
COMPANY_SECONDS: Final = 0.7
"""How long a second player of the same name has to show up."""
_GLANCE: Final = 1.0

Search = Callable[[], Awaitable[Sequence[Address]]]
"""Where to dial, found out when it is needed; empty for nowhere."""


def search_for(
    target: Address | Invite | Sequence[Address], expected: bytes | None
) -> Search | None:
    """How to find on this network what ``target`` means; None for bare numbers."""
    if expected is not None:
        return search_for_key(expected)
    if isinstance(target, Invite):
        return search_for_key(target.fingerprint)
    if isinstance(target, Address) and has_letters(target.host):
        return search_for_name(target.host)
    return None


def has_letters(host: str) -> bool:
    """Whether ``host`` could be what somebody calls himself: it is no number."""
    return ":" not in host and any(c.isalpha() for c in host)


def search_for_key(key: bytes) -> Search:
    """Look for the table of a key, whole or its fingerprint."""
    return lambda: _seek(lambda said: is_fingerprint_of(said.fingerprint, key))


def search_for_name(name: str) -> Search:
    """Look for the table of somebody who calls himself ``name``; none if two do."""
    wanted = name.casefold()
    return lambda: _seek(lambda said: said.nick.casefold() == wanted)


async def _seek(is_wanted: Callable[[Announcement], bool]) -> Sequence[Address]:
    async with browse(is_wanted=is_wanted) as tables:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(SEEK_SECONDS):
                await _until_seen(tables, is_wanted)
                await asyncio.sleep(COMPANY_SECONDS)
        found = [seen for seen in tables.tables if is_wanted(seen.said)]
    if len({seen.said.fingerprint for seen in found}) != 1:
        return ()
    return [place for seen in found for place in seen.places]


async def _until_seen(
    tables: Tables, is_wanted: Callable[[Announcement], bool]
) -> None:
    while not any(is_wanted(seen.said) for seen in tables.tables):
        if tables.problem is not None:
            raise TimeoutError  # nothing will ever be seen
        await tables.changed()


async def follow(table: Table, found: Callable[[Sequence[Address]], None]) -> None:
    """Say where a table's peer announces itself, whenever there is no link to it.

    Runs until cancelled. A friend whose laptop woke up on another network is
    found there as soon as he hosts again.
    """
    while True:
        await table.link_wanted.wait()
        key = table.peer.idpub if table.peer is not None else table.policy.expected
        told: set[tuple[Address, ...]] = set()

        def is_peer(said: Announcement, key: bytes | None = key) -> bool:
            return key is not None and is_fingerprint_of(said.fingerprint, key)

        async with browse(is_wanted=is_peer) as tables:
            while table.link_wanted.is_set():
                for seen in tables.tables:
                    if is_peer(seen.said) and seen.places not in told:
                        told.add(seen.places)
                        found(seen.places)
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(_GLANCE):
                        await tables.changed()
