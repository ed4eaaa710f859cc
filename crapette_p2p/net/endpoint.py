"""The ways to a table: ``host`` one, ``join`` one, ``resume`` an interrupted game.

All three are async context managers; a screen, the line mode and bots are callers
of the ``Table`` they give.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from crapette_p2p.net.address import DEFAULT_PORT, Address
from crapette_p2p.net.failures import StorageError
from crapette_p2p.net.hints import Hint
from crapette_p2p.net.hosting import Hosting, HostOptions, host, kept_open
from crapette_p2p.net.joining import DIAL_SECONDS, Dialler, JoinOptions, join
from crapette_p2p.net.linking import kept_linked
from crapette_p2p.net.listening import Ports, open_sockets
from crapette_p2p.net.news import Expecting
from crapette_p2p.net.peers import addresses_of
from crapette_p2p.net.player import Player
from crapette_p2p.net.policy import RECONNECT_SECONDS, Policy
from crapette_p2p.net.table import Table
from crapette_p2p.session.commands import Terms

__all__ = [
    "HostOptions",
    "Hosting",
    "JoinOptions",
    "ResumeOptions",
    "host",
    "join",
    "resume",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class ResumeOptions:
    """How to get a game going again; what is not said is as it was."""

    player: Player
    """Whose game it is."""
    hosted: bool | None = None
    """Listen (True) or dial (False)."""
    ports: Ports | None = None
    """Ports to listen on."""
    places: Sequence[Address] = ()
    """Where to dial."""
    terms: Terms | None = None
    """What role 0 proposes when the game is over; None for the match's own."""
    timeout: float = DIAL_SECONDS
    """Seconds one address may take to answer."""
    wait: float = RECONNECT_SECONDS
    """How long to look for the peer before giving up."""
    announce: bool = False
    """Whether the network is told where we listen, and asked where the peer is."""


@asynccontextmanager
async def resume(path: Path, options: ResumeOptions) -> AsyncIterator[Table]:
    """The seat of the game in the log at ``path``, in the role it had.

    Raises StorageError (in use, unreadable), LogError (damaged, not ours) or
    NetError (no port to listen on). The table begins without a link.
    """
    game, log = options.player.kept.load(path)
    policy = Policy(terms=options.terms, expected=game.peer_key, wait=options.wait)
    table = Table(options.player, policy, (game, log))
    places = options.places or places_of(options.player, table.hint, game.peer_key)
    if _listens(options, table.hint, places):
        async with _listening(table, options):
            yield table
        return
    table.hint = Hint(hosted=False, port=0, addresses=tuple(map(str, places)))
    dialler = Dialler(table, places, timeout=options.timeout, at_once=True)
    work = dialler.keep_linked(follow=options.announce)
    async with kept_linked(table, work):
        yield table


def _listens(
    options: ResumeOptions, hint: Hint | None, places: Sequence[Address]
) -> bool:
    if options.hosted is not None:
        return options.hosted
    if options.places:
        return False
    return hint.hosted if hint is not None else not places


def places_of(
    player: Player, hint: Hint | None, peer_key: bytes
) -> tuple[Address, ...]:
    """Where to dial: as before, or where the peer was met last."""
    if hint is not None and hint.addresses:
        return hint.places()
    try:
        known = player.peers.get(peer_key)
    except StorageError:
        return ()  # the book is no help; the address can be typed
    return addresses_of(known) if known is not None else ()


@asynccontextmanager
async def _listening(table: Table, options: ResumeOptions) -> AsyncIterator[Hosting]:
    """The door of a table whose peer is to come back."""
    hint = table.hint
    had = hint.port if hint is not None and hint.port else DEFAULT_PORT
    door = HostOptions(
        player=options.player,
        terms=options.terms,
        ports=options.ports if options.ports is not None else (had,),
        binds=hint.binds if hint is not None and hint.hosted else (),
        public=hint.public if hint is not None else False,
        expected=table.policy.expected,
        wait=options.wait,
        announce=options.announce,
    )
    try:
        opened = open_sockets(door.ports, door.binds)
        hosting = Hosting(door, opened, table)
    except BaseException:
        await table.aclose()
        raise
    async with kept_open(hosting):
        table.put(Expecting(hosting.port))
        yield hosting
