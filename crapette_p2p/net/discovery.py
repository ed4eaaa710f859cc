"""Tables on this network: announce one's own, list those of others (mDNS).

Theory of operation. An open table is announced as ``_crapette._tcp.local.`` with
what a list needs (protocol.md 8). All of it is a hint from whoever shares the
network: joining proves the key. Both sides work in a task of their own and never
keep a table from opening; they speak on every adapter there is, look every two
seconds whether those are still the same, and start afresh when they are not, so a
Wi-Fi that comes up later is used. Where nothing can be announced or seen there is
a ``problem`` with a sentence, and everything else works.

``announced`` is for whoever hosts, ``browse`` for whoever looks.
"""

from __future__ import annotations

import asyncio
import contextlib
import importlib
import logging
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Final

from crapette_p2p.net.adapters import Adapter, listed_adapters, speaking_addresses
from crapette_p2p.net.addresses import (
    announced_addresses,
    order_for_dialling,
    own_addresses,
)
from crapette_p2p.net.announcement import Announcement, parse_announcement
from crapette_p2p.net.failures import Exit, Failure, NetError
from crapette_p2p.net.sightings import ASK_SECONDS, SeenTable, Sightings

if TYPE_CHECKING:
    from crapette_p2p.net.multicast import Raw, Station

__all__ = ["Announcer", "SeenTable", "Tables", "announced", "browse"]

LOOK_SECONDS: Final = 2.0
"""Between looks at the adapters, and at what a table has to say."""
_FIRST_ASKS: Final = (0.1, 0.4)
"""Seconds before the second and third question: the first may be lost."""
_MOST_LOOKS: Final = 400
"""Announcements looked at between two questions, however many are heard."""
_LOG: Final = logging.getLogger(__name__)
_INSTALL: Final = Failure("no-discovery", Exit.CANNOT_REACH)

Problem = Callable[[Failure | None], None]


class Announcer:
    """A table's announcement, for as long as its context is open."""

    def __init__(
        self,
        say: Callable[[], Announcement],
        port: int,
        *,
        binds: Sequence[str] = (),
        visible: bool = True,
        on_change: Problem = lambda _: None,
    ) -> None:
        self.problem: Failure | None = None
        """Why nobody can see the table, if so."""
        self.visible = visible
        """Whether it is to be seen."""
        self._say = say
        self._port = port
        self._binds = binds
        self._on_change = on_change
        self._is_settled = False
        self._again = asyncio.Event()

    def show(self, *, visible: bool) -> None:
        """Let the table be seen, or not."""
        self.visible = visible
        self.refresh()

    def refresh(self) -> None:
        """Say at once what has changed, instead of in a moment."""
        self._again.set()

    async def run(self) -> None:
        """Announce until cancelled; nothing is begun before there is a wish."""
        while not self.visible:
            self._again.clear()
            await self._again.wait()
        await _on_all_adapters(self._announce, self._binds, self.tell)

    async def _announce(self, station: Station) -> None:
        said = None
        while True:
            own = [own for own in own_addresses() if self._is_bound(own.address)]
            now = (self._say(), announced_addresses(own)) if self.visible else None
            if now is None and said is not None:
                await station.withdraw()
            elif now is not None and now != said:
                await station.publish(now[0], self._port, now[1])
            said = now
            self._again.clear()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(LOOK_SECONDS):
                    await self._again.wait()

    def _is_bound(self, address: str) -> bool:
        return not self._binds or address.partition("%")[0] in self._binds

    def tell(self, problem: Failure | None) -> None:
        """Note whether announcing works, and why not."""
        is_news = not self._is_settled or problem != self.problem
        self.problem, self._is_settled = problem, True
        if is_news:
            self._on_change(problem)


@asynccontextmanager
async def announced(announcer: Announcer) -> AsyncIterator[Announcer]:
    """Announce a table meanwhile; nothing fails where that is impossible."""
    async with _beside(announcer.run(), announcer.tell):
        yield announcer


class Tables:
    """The tables that can be seen now; made by ``browse``."""

    def __init__(
        self,
        *,
        own: bytes | None,
        is_known: Callable[[bytes], bool],
        is_wanted: Callable[[Announcement], bool] = lambda _: False,
        binds: Sequence[str],
    ) -> None:
        self.problem: Failure | None = None
        """Why nothing can be seen; None where the search works."""
        self._own = own
        self._binds = binds
        self._sightings = Sightings(is_known, is_wanted)
        self._news = asyncio.Event()
        self._ask = asyncio.Event()
        self._incomplete: dict[str, None] = {}
        self._looks = 0
        self._adapters: Sequence[Adapter] = ()

    @property
    def tables(self) -> tuple[SeenTable, ...]:
        """What is seen, known players first; one's own are left out."""
        return self._sightings.tables

    async def changed(self) -> tuple[SeenTable, ...]:
        """Return ``tables`` once they or ``problem`` have changed."""
        await self._news.wait()
        self._news.clear()
        return self.tables

    def ask(self) -> None:
        """Ask the network once more, at once."""
        self._ask.set()

    async def run(self) -> None:
        """Look until cancelled."""
        await _on_all_adapters(self._look, self._binds, self.tell)

    async def _look(self, station: Station) -> None:
        self._begin_afresh()
        station.listen(self)
        pauses = [*_FIRST_ASKS]
        while True:
            self._looks = 0
            self._adapters = listed_adapters()
            incomplete, self._incomplete = [*self._incomplete], {}
            station.ask(incomplete)
            await self._pause(pauses.pop(0) if pauses else ASK_SECONDS)
            if self._sightings.forget(_now()):
                self._news.set()

    async def _pause(self, seconds: float) -> None:
        self._ask.clear()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._ask.wait()

    def heard(self, name: str, raw: Raw | None) -> None:
        """Look at an announcement, unless there are too many."""
        self._looks += 1
        if self._looks > _MOST_LOOKS:
            return
        if raw is None:
            self._incomplete[name] = None
        elif self._see(name, raw):
            self._news.set()

    def parted(self, name: str) -> None:
        """A table said goodbye."""
        if self._sightings.part(name, _now()):
            self._news.set()

    def _see(self, name: str, raw: Raw) -> bool:
        said = parse_announcement(raw.txt)
        addresses: Sequence[str] = ()
        if said is not None and said.fingerprint != self._own and raw.port:
            if not self._sightings.has_room_for(name, said, _now()):
                return False
            addresses = order_for_dialling(raw.addresses, self._adapters)
        if said is None or not addresses:
            return self._sightings.lose(name)
        table = SeenTable(
            name=name, said=said, port=raw.port, addresses=tuple(addresses)
        )
        return self._sightings.hear(table, _now())

    def tell(self, problem: Failure | None) -> None:
        """Note whether the search works, and why not."""
        if problem != self.problem:
            self.problem = problem
            self._begin_afresh()
            self._news.set()

    def _begin_afresh(self) -> None:
        """Forget what was seen through adapters that are gone."""
        if self.tables:
            self._sightings.clear()
            self._news.set()


@asynccontextmanager
async def browse(
    *,
    own: bytes | None = None,
    is_known: Callable[[bytes], bool] = lambda _: False,
    is_wanted: Callable[[Announcement], bool] = lambda _: False,
    binds: Sequence[str] = (),
) -> AsyncIterator[Tables]:
    """The tables of others on this network, as they come and go.

    ``own`` is the fingerprint that is left out; ``is_known`` tells which others
    belong to players we have met, ``is_wanted`` which are looked for: neither is hidden
    by a crowd of others; with ``binds`` only the adapters of those
    addresses are used. Where the search is impossible the list stays empty and its
    ``problem`` says why.
    """
    tables = Tables(own=own, is_known=is_known, is_wanted=is_wanted, binds=binds)
    async with _beside(tables.run(), tables.tell):
        yield tables


async def _on_all_adapters(
    use: Callable[[Station], Coroutine[object, object, None]],
    binds: Sequence[str],
    tell: Problem,
) -> None:
    """Run ``use`` on a station, on a new one whenever the adapters change."""
    while True:
        speaking = speaking_addresses(listed_adapters(), binds)
        try:
            station = await _station(speaking)
        except NetError as error:
            tell(error.failure)
            if error.failure == _INSTALL:
                return
            await asyncio.sleep(LOOK_SECONDS)
            continue
        tell(None)
        work = asyncio.create_task(use(station))
        try:
            while speaking == speaking_addresses(listed_adapters(), binds):
                await asyncio.wait({work}, timeout=LOOK_SECONDS)
                if work.done():
                    work.result()
        finally:
            work.cancel()
            await asyncio.wait({work})
            await station.aclose()


async def _station(speaking: Sequence[str]) -> Station:
    """A station on these adapters; raises NetError where there can be none."""
    if not speaking:
        raise NetError(Failure("no-network", Exit.CANNOT_REACH))
    try:
        door = "crapette_p2p.net.multicast"
        module = await asyncio.to_thread(importlib.import_module, door)
    except ImportError as error:
        raise NetError(_INSTALL) from error
    try:
        opened: Station = await module.open_station(speaking)
    except OSError as error:
        facts = {"reason": error.strerror or str(error)}
        raise NetError(Failure("cannot-discover", Exit.CANNOT_REACH, facts)) from error
    return opened


@asynccontextmanager
async def _beside(
    work: Coroutine[object, object, None], tell: Problem
) -> AsyncIterator[None]:
    """Run ``work`` beside the body; what it dies of is a problem, not the body's."""

    def report(task: asyncio.Task[None]) -> None:
        error = None if task.cancelled() else task.exception()
        if error is not None:
            _LOG.error("discovery has failed", exc_info=error)
            facts = {"reason": type(error).__name__}
            tell(Failure("cannot-discover", Exit.CANNOT_REACH, facts))

    task = asyncio.create_task(work)
    task.add_done_callback(report)
    try:
        yield
    finally:
        task.cancel()
        await asyncio.wait({task})


def _now() -> float:
    return asyncio.get_running_loop().time()
