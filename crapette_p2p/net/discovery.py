"""Tables on this network: announce one's own, list those of others (mDNS).

Theory of operation. An open table is announced as ``_crapette._tcp.local.`` with
what a list needs: version, fingerprint, nick, rules, whether the seat is free
(protocol.md 8). All of it is a hint from whoever shares the network and is never
trusted: joining proves the key. Whatever does not look like a table of ours is
left out, and no more than ``MOST_TABLES`` are kept. zeroconf is an extra; without
it nothing is announced and ``require_zeroconf`` says what to install. Entries
live eight seconds, so a table whose program was killed is soon gone from lists.
"""

from __future__ import annotations

import asyncio
import contextlib
import importlib.util
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from ipaddress import ip_address
from typing import TYPE_CHECKING, Any, Final

from crapette_p2p.gamelog.nicks import is_valid_nick
from crapette_p2p.net.failures import Exit, Failure, NetError
from crapette_p2p.session.keys import format_fingerprint, parse_fingerprint

if TYPE_CHECKING:
    from zeroconf import Zeroconf
    from zeroconf.asyncio import AsyncServiceInfo

SERVICE: Final = "_crapette._tcp.local."
VERSION: Final = 1
MOST_TABLES: Final = 64
"""A network that shows more of them is playing with us."""
_TTL: Final = 8
_REQUEST_MS: Final = 3_000
_LOOK_AGAIN: Final = 5.0
"""Seconds between looks at whether the seat is still free."""
_LONGEST: Final = 32


@dataclass(frozen=True, slots=True, kw_only=True)
class Announcement:
    """What a table says about itself."""

    fingerprint: bytes
    """Of the host's key."""
    nick: str
    """The host's name."""
    rules: str
    """Label of the rule set."""
    port: int
    """Where it listens."""
    addresses: Sequence[str]
    """Numbers without scope."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenTable:
    """A table that somebody announces; every field is only his word."""

    name: str
    """The announcement's own name; the same table keeps it."""
    fingerprint: bytes
    """The key it says to have."""
    nick: str
    """A name that passes the rules for nicks."""
    rules: str
    """A short printable label."""
    is_open: bool
    """Whether the seat is free."""
    version: int
    """Major version of the protocol."""
    port: int
    """Where it listens."""
    addresses: tuple[str, ...]
    """Where it can be dialled, IPv4 first."""

    @property
    def fingerprint_text(self) -> str:
        """The fingerprint in groups of four."""
        return format_fingerprint(self.fingerprint)


@dataclass(frozen=True, slots=True)
class Gone:
    """A table that is no longer announced."""

    name: str
    """Its announcement's name."""


def require_zeroconf() -> None:
    """Raise NetError where discovery is not installed."""
    if importlib.util.find_spec("zeroconf") is None:
        raise NetError(Failure("no-discovery", Exit.USAGE))


@asynccontextmanager
async def announced(
    said: Announcement,
    *,
    taken: Callable[[], bool] = lambda: False,
    interfaces: Sequence[str] | None = None,
) -> AsyncIterator[None]:
    """Announce a table meanwhile; nothing happens where that is not possible."""
    if importlib.util.find_spec("zeroconf") is None:
        yield
        return
    task = asyncio.create_task(_announce(said, taken, interfaces))
    try:
        yield
    finally:
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task


async def _announce(
    said: Announcement,
    taken: Callable[[], bool],
    interfaces: Sequence[str] | None,
) -> None:
    from zeroconf import Error
    from zeroconf.asyncio import AsyncZeroconf

    try:
        zeroconf = AsyncZeroconf(**_interfaces(interfaces))
    except OSError:  # no network, or none that takes multicast
        return
    try:
        info = _info(said, is_open=not taken())
        with contextlib.suppress(Error, OSError):
            await zeroconf.async_register_service(info)
            was_taken = taken()
            while True:
                await asyncio.sleep(_LOOK_AGAIN)
                if taken() != was_taken:
                    was_taken = taken()
                    await zeroconf.async_update_service(
                        _info(said, is_open=not was_taken)
                    )
    finally:
        await zeroconf.async_unregister_all_services()
        await zeroconf.async_close()


def _info(said: Announcement, *, is_open: bool) -> AsyncServiceInfo:
    from zeroconf.asyncio import AsyncServiceInfo

    code = said.fingerprint.hex()
    properties = {
        "v": str(VERSION),
        "fp": format_fingerprint(said.fingerprint),
        "nick": said.nick,
        "rules": said.rules,
        "open": "1" if is_open else "0",
    }
    return AsyncServiceInfo(
        SERVICE,
        f"crapette-{code}.{SERVICE}",
        port=said.port,
        properties=properties,
        server=f"crapette-{code}.local.",
        addresses=[ip_address(text).packed for text in said.addresses],
        host_ttl=_TTL,
        other_ttl=_TTL,
    )


class Watch:
    """What is announced, as it comes and goes; made by ``watching``."""

    def __init__(self) -> None:
        self._news: asyncio.Queue[SeenTable | Gone] = asyncio.Queue()
        self._known: set[str] = set()
        self._tasks: set[asyncio.Task[None]] = set()

    async def next(self) -> SeenTable | Gone:
        """The next table that is seen, has changed, or is gone."""
        return await self._news.get()

    def on_change(self, zeroconf: Zeroconf, name: str, *, gone: bool) -> None:
        """Something happened to an announcement."""
        if gone:
            if name in self._known:
                self._known.discard(name)
                self._news.put_nowait(Gone(name))
        elif name in self._known or len(self._known) < MOST_TABLES:
            self._known.add(name)
            task = asyncio.get_running_loop().create_task(self._ask(zeroconf, name))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _ask(self, zeroconf: Zeroconf, name: str) -> None:
        from zeroconf.asyncio import AsyncServiceInfo

        info = AsyncServiceInfo(SERVICE, name)
        if await info.async_request(zeroconf, _REQUEST_MS):
            seen = read_announcement(
                name, info.decoded_properties, info.port, info.parsed_addresses()
            )
            if seen is not None:
                self._news.put_nowait(seen)

    async def aclose(self) -> None:
        """Stop asking."""
        for task in list(self._tasks):
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task


@asynccontextmanager
async def watching(*, interfaces: Sequence[str] | None = None) -> AsyncIterator[Watch]:
    """Watch the network meanwhile; raises NetError where that is not possible."""
    require_zeroconf()
    from zeroconf import ServiceStateChange
    from zeroconf.asyncio import AsyncServiceBrowser, AsyncZeroconf

    watch = Watch()

    def changed(
        zeroconf: Zeroconf,
        service_type: str,
        name: str,
        state_change: ServiceStateChange,
    ) -> None:
        del service_type
        gone = state_change is ServiceStateChange.Removed
        watch.on_change(zeroconf, name, gone=gone)

    try:
        zeroconf = AsyncZeroconf(**_interfaces(interfaces))
    except OSError as error:
        facts = {"reason": error.strerror or str(error)}
        raise NetError(Failure("cannot-discover", Exit.CANNOT_REACH, facts)) from error
    browser = AsyncServiceBrowser(zeroconf.zeroconf, SERVICE, handlers=[changed])
    try:
        yield watch
    finally:
        await browser.async_cancel()
        await watch.aclose()
        await zeroconf.async_close()


def read_announcement(
    name: str,
    properties: Mapping[str, str | None],
    port: int | None,
    addresses: Sequence[str],
) -> SeenTable | None:
    """What an announcement says, or None if it is no table's."""
    nick, rules = properties.get("nick") or "", properties.get("rules") or ""
    code = parse_fingerprint(properties.get("fp") or "")
    version = properties.get("v") or ""
    if code is None or not is_valid_nick(nick) or not port or not addresses:
        return None
    if not (version.isascii() and version.isdigit() and len(version) < 4):
        return None
    if not rules.isprintable() or len(rules) > _LONGEST:
        rules = "?"
    return SeenTable(
        name=name,
        fingerprint=code,
        nick=nick,
        rules=rules,
        is_open=properties.get("open") != "0",
        version=int(version),
        port=port,
        addresses=tuple(sorted(addresses, key=lambda text: ":" in text)),
    )


def _interfaces(chosen: Sequence[str] | None) -> dict[str, Any]:
    return {} if chosen is None else {"interfaces": list(chosen)}
