"""The menu: drawn first, and everything that begins from it loaded behind it.

Theory of operation. One shell stays on the terminal from the first menu to the
last; each choice is an errand that runs on it and comes back. The errands bring
most of the program with them, so they are loaded in a thread while the first
menu is already to be seen; what it tells of key and games is filled in then. What
goes wrong on the way (no such address, a port in use, a damaged log) is a page to
read, not an end.
"""

from __future__ import annotations

import asyncio
import contextlib
import importlib
import os
from typing import TYPE_CHECKING, Final

from crapette_p2p import __version__
from crapette_p2p.errors import CrapetteError, LogError, NotationError
from crapette_p2p.gamelog.nicks import is_valid_nick
from crapette_p2p.net.failures import NetError, StorageError
from crapette_p2p.ui.app import Shell
from crapette_p2p.ui.desk import NotKeptError
from crapette_p2p.ui.home import Home
from crapette_p2p.ui.language import Words
from crapette_p2p.ui.reasons import why_of
from crapette_p2p.ui.screens.main_menu import QUIT, MainMenu
from crapette_p2p.ui.screens.menu import Item, found_text
from crapette_p2p.ui.settings import LEVELS

if TYPE_CHECKING:  # loaded behind the first menu
    from crapette_p2p.ui.errands import Errands, Overview

DONE: Final = 0
_COUNT_AFTER: Final = 1.0
"""Seconds after which tables are looked for: who knows his way is gone by then."""
_ERRANDS: Final = "crapette_p2p.ui.errands"


class MenuFlow:
    """The menu of one run."""

    def __init__(self, shell: Shell, home: Home) -> None:
        self._shell = shell
        shell.desk.has_menu = True
        self._home = home
        self._at = 0
        self._errands: Errands | None = None
        self._found: int | None = None
        """How many tables are seen on this network, while that is known."""

    async def run(self) -> int:
        """Show the menu until the player leaves."""
        loading = asyncio.get_running_loop().create_task(self._load())
        try:
            if not self._shell.desk.settings.name and not self._has_config():
                await self._ask_name()
            while (chosen := await self._choose(loading)) != QUIT:
                await self._run_errand(chosen, await loading)
        finally:
            loading.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await loading
        return DONE

    async def _run_errand(self, chosen: str, errands: Errands) -> None:
        name, _, argument = chosen.partition(" ")
        try:
            await errands.run(name, argument)
        except (NetError, StorageError) as error:
            await errands.complain(error.failure)
        except (LogError, NotationError) as error:
            await errands.read(_told(error, self._shell.desk.words))
        except OSError as error:
            why = why_of(error, self._shell.desk.words)
            await errands.read(f"{error.filename}: {why}")

    async def _load(self) -> Errands:
        """Load the errands once something is to be seen, and tell what they know."""
        await self._shell.seen()
        module = await asyncio.to_thread(importlib.import_module, _ERRANDS)
        made: Errands = module.Errands(self._shell, self._home, self._ask_name)
        await asyncio.to_thread(made.overview)  # reads every log, once
        self._errands = made
        menu = self._shell.screen
        if isinstance(menu, MainMenu):
            self._fill(menu)
            self._shell.changed()
        return made

    def _has_config(self) -> bool:
        return os.path.exists(self._home.paths.config_file)

    async def _choose(self, loading: asyncio.Task[Errands]) -> str:
        self._found = None  # the network is asked anew each time
        menu = MainMenu(self._shell.desk, f"Crapette {__version__}", self._fill)
        menu.at = self._at
        counting = asyncio.get_running_loop().create_task(self._count(menu, loading))
        try:
            done = await self._shell.show(menu)
        finally:
            counting.cancel()
            await asyncio.wait({counting})
        self._at = menu.at
        return str(done)

    async def _count(self, menu: MainMenu, loading: asyncio.Task[Errands]) -> None:
        """Tell how many tables are seen, for as long as the menu is."""
        await asyncio.sleep(_COUNT_AFTER)
        errands = await asyncio.shield(loading)
        async for self._found in errands.counts():
            self._fill(menu)
            self._shell.changed()

    def _fill(self, menu: MainMenu) -> None:
        """What can be chosen, with as much about it as is known yet."""
        known = self._errands.overview() if self._errands is not None else None
        menu.items = tuple(self._items(known))
        menu.status = self._name if known is None else known.status

    def _items(self, known: Overview | None) -> list[Item]:
        words = self._shell.desk.words
        resumable = replays = found = ""
        if self._found is not None:
            found = found_text(self._found, words)
        if known is not None:
            resumable = known.open_game or words("nothing open")
            replays = (
                words.count("{n} game", "{n} games", known.games)
                if known.games
                else words("none yet")
            )
        return [
            Item("host", words("Host a table"), words("wait here for a friend"), "h"),
            Item(
                "join",
                words("Join by address"),
                words("192.168.1.20 or an invite"),
                "j",
            ),
            Item("lan", words("Tables on this network"), found, "l"),
            Item("bot", words("Play against a bot"), " · ".join(LEVELS), "b"),
            Item("resume", words("Resume"), resumable, "r"),
            Item("replay", words("Replays"), replays, "p"),
            Item("stats", words("Statistics"), "", "t"),
            Item("rules", words("Rules"), "", "u"),
            Item("keys", words("Keys"), "", "k"),
            Item("settings", words("Settings"), "", "s"),
            Item(QUIT, words("Quit"), "", "q"),
        ]

    @property
    def _name(self) -> str:
        return self._shell.desk.settings.name or self._home.name

    async def _ask_name(self) -> None:
        from crapette_p2p.ui.screens.asking import Answer, Asking  # once in a life

        desk, words = self._shell.desk, self._shell.desk.words
        default = self._name if is_valid_nick(self._name) else ""
        asking = Asking(
            desk,
            "Crapette",
            [words("What shall others call you?")],
            label=words("name:"),
            text=default,
            offered=True,
            problem=lambda text: (
                None
                if is_valid_nick(text)
                else words("1 to 20 letters, digits, blanks and - _ . '")
            ),
        )
        answer = await self._shell.show(asking)
        if isinstance(answer, Answer) and answer.text:
            with contextlib.suppress(NotKeptError):  # asked again at the next start
                desk.change("name", answer.text)


def _told(error: CrapetteError, words: Words) -> str:
    from crapette_p2p.ui.telling import told  # reads what judges logs

    return told(error, words)
