"""Reach a table: dial, log in, and dial again whenever the link is lost."""

from __future__ import annotations

import asyncio
import contextlib
import random
import shlex
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from itertools import chain, repeat
from typing import Final, TypeVar

from crapette_p2p.net import seeking
from crapette_p2p.net.address import Address, Invite
from crapette_p2p.net.ending import failure_of, shown_key
from crapette_p2p.net.failures import (
    Exit,
    Failure,
    NetError,
    StorageError,
)
from crapette_p2p.net.hints import Hint
from crapette_p2p.net.linking import kept_linked
from crapette_p2p.net.news import Redialling
from crapette_p2p.net.player import Player
from crapette_p2p.net.policy import RECONNECT_SECONDS, Policy, unheard
from crapette_p2p.net.pump import Pump
from crapette_p2p.net.seeking import Search
from crapette_p2p.net.table import Table
from crapette_p2p.net.tls import (
    HANDSHAKE_SECONDS,
    SHUTDOWN_SECONDS,
    make_client_context,
    peer_digest,
)
from crapette_p2p.net.unreachable import dial_failure, no_table
from crapette_p2p.session.notices import Notice

_T = TypeVar("_T")
DIAL_SECONDS: Final = 10.0
"""How long one address may take to answer."""
PAUSES: Final = (0.5, 1.0, 2.0, 4.0, 8.0)
"""Seconds between attempts to get a lost link back; the last one is repeated."""
SPREAD: Final = 0.25
"""Two ends that dial each other must not keep step."""
_NO_TABLE: Final = frozenset(
    {"protocol-broken-early", "peer-silent-early", "peer-hung-up"}
)
"""Failures that at a login only mean that no table is there."""
_MOST_PLACES: Final = 16
_EYEBALLS_SECONDS: Final = 0.25
_SNI: Final = "crapette.invalid"
"""The same for everybody: the name that was typed is nobody's business."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JoinOptions:
    """How to join."""

    player: Player
    """Who joins."""
    expected: bytes | None = None
    """The only key wanted: fingerprint (10 bytes) or key (32)."""
    timeout: float = DIAL_SECONDS
    """Seconds one address may take to answer."""
    wait: float = RECONNECT_SECONDS
    """How long to look for a lost peer before giving up."""
    jitter: Callable[[], float] = random.random
    """From 0 to 1; spreads the attempts."""
    search: Search | None = None
    """Finds places on this network if those that are known do not answer."""
    follow: bool = False
    """Whether a peer that was lost is looked for on this network too."""


@asynccontextmanager
async def join(
    target: Address | Invite | Sequence[Address], options: JoinOptions
) -> AsyncIterator[Table]:
    """A seat at the table at ``target``; raises NetError if it is not reached.

    StorageError where no game can be kept: nobody is called for nothing. Inside, the
    listener has answered and proved its key; what follows (the four cards, the terms,
    the game) comes as notices.
    """
    options.player.store.check()
    places, expected, token = _plan(target)
    policy = Policy(
        expected=options.expected or expected, token=token, wait=options.wait
    )
    table = Table(options.player, policy)
    table.hint = Hint(hosted=False, port=0, addresses=tuple(map(str, places)))
    dialler = Dialler(table, places, timeout=options.timeout, jitter=options.jitter)
    work = dialler.keep_linked(follow=options.follow)
    async with kept_linked(table, work):
        await dialler.first(options.search)
        yield table


def _plan(
    target: Address | Invite | Sequence[Address],
) -> tuple[tuple[Address, ...], bytes | None, bytes | None]:
    """Places to dial, the key expected there, the ticket to show."""
    match target:
        case Invite(places, fingerprint, token):
            return places, fingerprint, token
        case Address():
            return (target,), None, None
        case _:
            return tuple(target), None, None


@asynccontextmanager
async def _found_meanwhile(
    search: Search | None,
) -> AsyncIterator[Awaitable[Sequence[Address]]]:
    """What ``search`` finds, sought beside the body and given up with it."""
    task = asyncio.ensure_future(search() if search is not None else _nowhere())
    try:
        yield task
    finally:
        task.cancel()
        await asyncio.wait({task})


async def _nowhere() -> Sequence[Address]:
    return ()


class Dialler:
    """Brings links to a table by dialling its peer."""

    def __init__(
        self,
        table: Table,
        places: Sequence[Address],
        *,
        timeout: float = DIAL_SECONDS,
        jitter: Callable[[], float] = random.random,
        at_once: bool = False,
    ) -> None:
        self._table = table
        self._places = tuple(places)
        self._hurry = asyncio.Event()
        self._timeout = timeout
        self._jitter = jitter
        self._at_once = at_once
        self._context = make_client_context()

    def add(self, places: Sequence[Address]) -> None:
        """The peer may be there now: try these first, and at once."""
        self._learn(places)
        self._hurry.set()

    def _learn(self, places: Sequence[Address]) -> None:
        table, both = self._table, dict.fromkeys((*places, *self._places))
        self._places = tuple(both)[:_MOST_PLACES]
        if table.hint is not None and not table.hint.hosted:
            known = tuple(map(str, self._places))
            table.hint = replace(table.hint, addresses=known)

    async def first(self, search: Search | None = None) -> None:
        """Make the table's first link; raise NetError with the best reason.

        ``search`` runs beside the attempts at the places known; what it finds is
        tried after them.
        """
        async with _found_meanwhile(search) as found:
            failures = [Failure("no-address", Exit.CANNOT_REACH)]
            if await self._first_of(self._places, failures):
                return
            places = [place for place in await found if place not in self._places]
            self._learn(places)
            if await self._first_of(places, failures):
                return
        # An answer that was wrong says more than silence elsewhere.
        told = [f for f in failures if f.status is not Exit.CANNOT_REACH]
        raise NetError((told or failures)[-1])

    async def _first_of(
        self, places: Sequence[Address], failures: list[Failure]
    ) -> bool:
        """Whether one of ``places`` gave the first link; else why none did."""
        for place in places:
            failure = await self._first_at(place)
            if failure is None:
                return True
            failures.append(failure)
        return False

    async def _first_at(self, place: Address) -> Failure | None:
        table, heard = self._table, list[Notice]()
        table.policy.on_candidate = lambda _pump, notice: heard.append(notice)
        try:
            pump = await self._dial(place)
        except NetError as error:
            return error.failure
        await _abort_unless(pump, pump.login_over())
        table.policy.on_candidate = unheard  # or it is kept for as long as we dial
        if pump.ending is None:
            table.sit_down(pump, heard)
            return None
        return self._login_failure(pump, place)

    async def keep_linked(self, *, follow: bool = False) -> None:
        """Dial whenever the table wants a link, until cancelled."""
        async with asyncio.TaskGroup() as group:
            if follow:
                group.create_task(seeking.follow(self._table, self.add))
            group.create_task(self._keep_dialling())

    async def _keep_dialling(self) -> None:
        while True:
            await self._table.link_wanted.wait()
            await self._get_back()

    async def _get_back(self) -> None:
        table, failure = self._table, None
        for attempt, pause in enumerate(self._pauses(), 1):
            table.put(Redialling(attempt, pause, failure))
            await self._wait(pause)
            failure = await self._try_all()
            if failure is not None and failure.code == "no-table-there":
                table.peer_is_gone()
            if not table.link_wanted.is_set():
                return

    async def _wait(self, seconds: float) -> None:
        """Until it is time to try again, or there is a new place to try."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._hurry.wait()
        self._hurry.clear()

    def _pauses(self) -> Iterator[float]:
        first = (0.0,) if self._at_once else ()
        self._at_once = False
        yield from first
        for pause in chain(PAUSES, repeat(PAUSES[-1])):
            yield pause * (1 - SPREAD + 2 * SPREAD * self._jitter())

    async def _try_all(self) -> Failure | None:
        failure = None
        for place in self._places:
            if not self._table.link_wanted.is_set():
                return None
            try:
                pump = await self._dial(place)
            except NetError as error:
                failure = error.failure
                continue
            if await _abort_unless(pump, pump.seat):
                return None
            failure = self._login_failure(pump, place)
        return failure

    def _login_failure(self, pump: Pump, place: Address) -> Failure | None:
        """Why a link that was made led to no seat."""
        key = self._table.player.identity.public
        failure = failure_of(pump.ending, own=key)
        if failure is None:
            return None
        if failure.code in _NO_TABLE:
            return no_table(place.host, place.port, **failure.facts)
        expected = self._table.policy.expected
        if failure.code == "other-key" and expected is not None:
            return self._about_key(failure, expected)
        return failure

    def _about_key(self, failure: Failure, expected: bytes) -> Failure:
        """Whose key was expected; a friend's that has changed is worth a warning."""
        facts = {**failure.facts, "expected": shown_key(expected)}
        try:
            friend = self._table.player.peers.pinned(expected)
        except StorageError:
            friend = None
        if friend is None:
            return replace(failure, facts=facts)
        facts |= {"name": friend.petname, "quoted": shlex.quote(friend.petname)}
        return Failure("key-changed", failure.status, facts)

    async def _dial(self, place: Address) -> Pump:
        """One TLS link, its login begun; NetError if there is none."""
        pump = self._table.make_pump(address=str(place), dialler=True)
        loop = asyncio.get_running_loop()
        connected = False

        def answered() -> Pump:
            """Called when something takes the call, before the TLS handshake."""
            nonlocal connected
            connected = True
            return pump

        try:
            async with asyncio.timeout(self._timeout):
                transport, _ = await loop.create_connection(
                    answered,
                    place.host,
                    place.port,
                    ssl=self._context,
                    server_hostname=_SNI,
                    ssl_handshake_timeout=HANDSHAKE_SECONDS,
                    ssl_shutdown_timeout=SHUTDOWN_SECONDS,
                    happy_eyeballs_delay=_EYEBALLS_SECONDS,
                )
        except (OSError, UnicodeError) as error:
            raise NetError(
                dial_failure(
                    error, host=place.host, port=place.port, connected=connected
                )
            ) from error
        pump.start(peer_digest(transport.get_extra_info("ssl_object")), dialler=True)
        return pump


async def _abort_unless(pump: Pump, done: Awaitable[_T]) -> _T:
    """Await what a link leads to; a link that is not waited for any more is cut."""
    try:
        return await done
    except asyncio.CancelledError:
        pump.abort()
        raise
