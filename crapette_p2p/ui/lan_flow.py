"""The tables that are announced on this network, as they come and go."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from typing import Final

from crapette_p2p.net.address import Address, Invite
from crapette_p2p.net.discovery import SeenTable, Tables, browse
from crapette_p2p.ui.app import Shell
from crapette_p2p.ui.screens.menu import BACK, Item, Menu
from crapette_p2p.ui.view import Choice
from crapette_p2p.ui.wording import explain

EMPTY_AFTER: Final = 3.0
"""Seconds after which an empty list is worth an explanation."""
ADDRESS: Final = "a"
"""The answer of a player who would rather type an address."""
Chosen = Invite | tuple[Address, ...]
"""A friend's table with the friend's key pinned, or where to dial a stranger's."""


async def choose_table(
    shell: Shell, *, own: bytes, is_known: Callable[[bytes], bool]
) -> Chosen | str | None:
    """The table that is chosen; ADDRESS, or None for neither."""
    async with browse(own=own, is_known=is_known) as tables:
        return await _Looking(shell, tables, is_known).chosen()


class _Looking:
    """The list while it is looked at."""

    def __init__(
        self, shell: Shell, tables: Tables, is_known: Callable[[bytes], bool]
    ) -> None:
        self._shell = shell
        self._tables = tables
        self._is_known = is_known
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
            with contextlib.suppress(asyncio.CancelledError):
                await listener
        if done in {BACK, ADDRESS}:
            return ADDRESS if done == ADDRESS else None
        return self._found(str(done))

    def _found(self, name: str) -> Chosen | None:
        """Where a table is. A stranger's key is only hearsay and never pinned."""
        for table in self._tables.tables:
            if table.name == name and self._is_known(table.said.fingerprint):
                return Invite(table.places, table.said.fingerprint)
            if table.name == name:
                return table.places
        return None

    async def _listen(self) -> None:
        while True:
            tables = await self._tables.changed()
            self._menu.items = tuple(self._item(table) for table in tables)
            if self._tables.problem is not None:
                self._explain()
            self._shell.changed()

    def _item(self, table: SeenTable) -> Item:
        words, said = self._shell.desk.words, table.said
        facts = [
            said.rules,
            str(table.places[0].short()),
            words("free") if said.is_open else words("taken"),
            said_key(table),
        ]
        if self._is_known(said.fingerprint):
            facts.append("✓")
        return Item(table.name, said.nick, " · ".join(facts))

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
