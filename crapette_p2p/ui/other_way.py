"""Another way to the other player, once the usual one does not come back.

Who dialled may listen, and who listened may dial (net/swapping); the player says
which, since only he knows who sits behind what firewall. What he opens stays open
beside the way the table had, until he leaves.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager

from crapette_p2p.net.address import Address, AddressError, Invite, parse_target
from crapette_p2p.net.addresses import own_addresses
from crapette_p2p.net.failures import NetError, StorageError
from crapette_p2p.net.hints import Hint
from crapette_p2p.ui.language import Words
from crapette_p2p.ui.screens.asking import Answer, Asking
from crapette_p2p.ui.screens.menu import Item, Menu
from crapette_p2p.ui.surface import Surface
from crapette_p2p.ui.table_like import TableLike, Ways
from crapette_p2p.ui.wording import explain

LISTEN = "listen"
DIAL = "dial"


class OtherWay:
    """Opens further ways to the peer of one table."""

    def __init__(self, surface: Surface, table: TableLike, ways: Ways) -> None:
        self._surface = surface
        self._table = table
        self._ways = ways
        self._open = contextlib.AsyncExitStack()
        self._opening: set[asyncio.Task[None]] = set()

    def menu(self, name: str) -> Menu:
        """Which way shall it be?"""
        words = self._surface.desk.words
        here = words("wait for {name} here", name=name)
        there = words("dial {name} at an address", name=name)
        items = [
            Item(LISTEN, here, words("opens a port on this computer"), "h"),
            Item(DIAL, there, words("which {name} tells you", name=name), "j"),
        ]
        return Menu(self._surface.desk, words("Another way to meet"), items)

    def asking(self, name: str) -> Asking:
        """Where shall we dial?"""
        words = self._surface.desk.words

        def problem(text: str) -> str | None:
            if not text.strip() or _places(text):
                return None
            return words("That is no address: {text}", text=text)

        lines = [words("What {name}'s screen shows, with the port:", name=name)]
        title = words("Another way to meet")
        label = words("address:")
        return Asking(self._surface.desk, title, lines, label=label, problem=problem)

    def listen(self, told: Callable[[str], None]) -> None:
        """Open a door for the peer; ``told`` hears why that was not possible."""
        self._begin(self._ways.listen(self._table), told)

    def dial(self, answer: Answer, told: Callable[[str], None]) -> None:
        """Dial what was typed, if anything was."""
        places = _places(answer.text or "")
        if places:
            self._begin(self._ways.dial(self._table, places), told)

    def _begin(
        self, way: AbstractAsyncContextManager[object], told: Callable[[str], None]
    ) -> None:
        task = asyncio.get_running_loop().create_task(self._enter(way, told))
        self._opening.add(task)
        task.add_done_callback(self._opening.discard)

    async def _enter(
        self, way: AbstractAsyncContextManager[object], told: Callable[[str], None]
    ) -> None:
        try:
            await self._open.enter_async_context(way)
        except (NetError, StorageError) as error:
            words, failure = self._surface.desk.words, error.failure
            told(explain(failure.code, failure.facts, words).sentence)
            self._surface.changed()

    async def aclose(self) -> None:
        """Close what was opened."""
        for task in self._opening:
            task.cancel()
        await asyncio.gather(*self._opening, return_exceptions=True)
        await self._open.aclose()


def _places(text: str) -> tuple[Address, ...]:
    """The addresses that were typed; none if they cannot be read."""
    try:
        target = parse_target(text)
    except AddressError:
        return ()
    return target.addresses if isinstance(target, Invite) else (target,)


def here_text(port: int, hint: Hint | None, words: Words) -> str:
    """Where the peer can come, for the player to tell him."""
    hosts = [*hint.binds] if hint is not None else []
    hosts = hosts or [own.address for own in own_addresses() if own.shown]
    shown = [Address(host, port) for host in hosts]
    places = ", ".join(place.short() for place in shown[:2]) or f":{port}"
    return words("This computer waits at {places}.", places=places)
