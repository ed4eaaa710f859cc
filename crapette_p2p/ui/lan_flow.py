"""The tables that are announced on this network, as they come and go."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from typing import Final

from crapette_p2p.gamelog.times import clock_text
from crapette_p2p.net.address import Address, Invite
from crapette_p2p.net.announcement import VERSION
from crapette_p2p.net.dates import local_day
from crapette_p2p.net.discovery import SeenTable, Tables, browse
from crapette_p2p.net.peers import KnownPeer
from crapette_p2p.ui.app import Shell
from crapette_p2p.ui.screens.menu import BACK, Item, Menu, found_text
from crapette_p2p.ui.view import Choice
from crapette_p2p.ui.wording import explain

EMPTY_AFTER: Final = 3.0
"""Seconds after which an empty list is worth an explanation."""
AGEING: Final = 5.0
"""Seconds after which the list says anew how old it is."""
ADDRESS: Final = "a"
"""The answer of a player who would rather type an address."""
Chosen = Invite | tuple[Address, ...]
"""A friend's table with the friend's key pinned, or where to dial a stranger's."""


async def choose_table(
    shell: Shell, *, own: bytes, known: Callable[[bytes], KnownPeer | None]
) -> Chosen | str | None:
    """The table that is chosen; ADDRESS, or None for neither."""

    def is_known(code: bytes) -> bool:
        return known(code) is not None

    async with browse(own=own, is_known=is_known) as tables:
        return await Looking(shell, tables, known).chosen()


class Looking:
    """The list while it is looked at."""

    def __init__(
        self, shell: Shell, tables: Tables, known: Callable[[bytes], KnownPeer | None]
    ) -> None:
        self._shell = shell
        self._tables = tables
        self._ageing: asyncio.TimerHandle | None = None
        self._known = known
        words = shell.desk.words
        self._menu = Menu(
            shell.desk,
            words("Tables on this network"),
            (),
            empty=words("Looking …"),
            keys=(Choice("r", words("ask again")), Choice("a", words("an address"))),
        )

    async def chosen(self) -> Chosen | str | None:
        """Show the list until something is chosen."""
        loop, shell = asyncio.get_running_loop(), self._shell
        listener = loop.create_task(self._listen())
        patience = loop.call_later(EMPTY_AFTER, self._explain)
        try:
            while (done := await shell.show(self._menu)) == "r":
                self._menu.done = None
                self._tables.ask()
        finally:
            patience.cancel()
            listener.cancel()
            if self._ageing is not None:
                self._ageing.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await listener
        if done in {BACK, ADDRESS}:
            return ADDRESS if done == ADDRESS else None
        return self._found(str(done))

    def _found(self, name: str) -> Chosen | None:
        """Where a table is. A stranger's key is only hearsay and never pinned."""
        for table in self._tables.tables:
            if table.name == name and self._known(table.said.fingerprint) is not None:
                return Invite(table.places, table.said.fingerprint)
            if table.name == name:
                return table.places
        return None

    async def _listen(self) -> None:
        while True:
            await self._tables.changed()
            if self._ageing is not None:
                self._ageing.cancel()
            if self._tables.problem is not None:
                self._explain()
            self._list()

    def _item(self, table: SeenTable) -> Item:
        words, said = self._shell.desk.words, table.said
        friend = self._known(said.fingerprint)
        facts = [
            said.rules,
            str(table.places[0].short()),
            words("free") if said.is_open else words("taken"),
        ]
        if said.version != VERSION:
            theirs = f"crapette/{said.version}"
            facts.append(words("speaks {version}, you do not", version=theirs))
        if friend is None:
            facts += [words("a stranger"), said_key(table)]
        elif friend.first_seen:
            day = local_day(friend.first_seen)
            facts.append(words("known since {date}", date=day) + " ✓")
        else:
            facts.append("✓")
        seen_for = clock_text(int(self._shell.now - table.since))
        facts.append(words("seen for {time}", time=seen_for))
        name = said.nick if friend is None else friend.petname
        return Item(table.name, name, " · ".join(facts))

    def _list(self) -> None:
        """The tables as they are now; again soon, since they grow older."""
        self._menu.items = tuple(map(self._item, self._tables.tables))
        self._menu.status = found_text(len(self._menu.items), self._shell.desk.words)
        self._shell.changed()
        loop = asyncio.get_running_loop()
        self._ageing = loop.call_later(AGEING, self._list)

    def _explain(self) -> None:
        words, problem = self._shell.desk.words, self._tables.problem
        if problem is not None:
            self._menu.empty = explain(problem.code, problem.facts, words).sentence
        else:
            text = "No tables seen. Many networks block this; addresses still work."
            self._menu.empty = words(text)
        self._shell.changed()


def said_key(table: SeenTable) -> str:
    """The beginning of the fingerprint it says to have."""
    return table.fingerprint_text[:9]
