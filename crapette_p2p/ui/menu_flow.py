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
from crapette_p2p.ui.home import Home
from crapette_p2p.ui.language import Words
from crapette_p2p.ui.reasons import why_of
from crapette_p2p.ui.screens.menu import BACK, Item, Menu
from crapette_p2p.ui.settings import LEVELS
from crapette_p2p.ui.view import Choice

if TYPE_CHECKING:  # loaded behind the first menu
    from crapette_p2p.ui.errands import Errands, Overview

DONE: Final = 0
QUIT: Final = "quit"
_ERRANDS: Final = "crapette_p2p.ui.errands"


class MenuFlow:
    """The menu of one run."""

    def __init__(self, shell: Shell, home: Home) -> None:
        self._shell = shell
        self._home = home
        self._at = 0
        self._errands: Errands | None = None

    async def run(self) -> int:
        """Show the menu until the player leaves."""
        loading = asyncio.get_running_loop().create_task(self._load())
        try:
            if not self._shell.desk.settings.name and not self._has_config():
                await self._ask_name()
            while (chosen := await self._choose()) not in (QUIT, BACK):
                await self._run_errand(str(chosen), await loading)
        finally:
            loading.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await loading
        return DONE

    async def _run_errand(self, chosen: str, errands: Errands) -> None:
        try:
            await errands.run(chosen)
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
        self._errands = made
        menu = self._shell.screen
        if isinstance(menu, Menu):
            self._fill(menu)
            self._shell.changed()
        return made

    def _has_config(self) -> bool:
        return os.path.exists(self._home.paths.config_file)

    async def _choose(self) -> object:
        desk = self._shell.desk
        keys = (Choice("?", desk.words("help")),)
        menu = Menu(desk, f"Crapette {__version__}", (), keys=keys)
        menu.at = self._at
        self._fill(menu)
        done = await self._shell.show(menu)
        self._at = menu.at
        return "keys" if done == "?" else done

    def _fill(self, menu: Menu) -> None:
        """What can be chosen, with as much about it as is known yet."""
        known = self._errands.overview() if self._errands is not None else None
        menu.items = tuple(self._items(known))
        menu.status = self._name if known is None else known.status

    def _items(self, known: Overview | None) -> list[Item]:
        words = self._shell.desk.words
        resumable = replays = ""
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
            Item("lan", words("Tables on this network"), "", "l"),
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
            problem=lambda text: (
                None
                if is_valid_nick(text)
                else words("1 to 20 letters, digits, blanks and - _ . '")
            ),
        )
        answer = await self._shell.show(asking)
        if isinstance(answer, Answer) and answer.text:
            desk.change("name", answer.text)


def _told(error: CrapetteError, words: Words) -> str:
    from crapette_p2p.ui.telling import told  # reads what judges logs

    return told(error, words)
