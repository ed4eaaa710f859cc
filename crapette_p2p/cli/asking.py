"""Ask where to join, with what was typed before and names to complete with Tab.

Tab offers the players one knows, and whoever has a table on this network: that is
looked up beside the typing, since nobody waits for it. Where there is no readline
(Windows) a plain question is asked.
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Final, Protocol

from crapette_p2p.net.files import make_private
from crapette_p2p.net.paths import Paths

if TYPE_CHECKING:  # brings asyncio's servers and the keys with it
    from crapette_p2p.net.player import Player

LOOK_SECONDS: Final = 4.0
MOST_LINES: Final = 100
"""Kept of what was typed before."""


class Readline(Protocol):
    """What is used of the standard library's readline."""

    def set_completer(self, function: Callable[[str, int], str | None]) -> None:
        """Name what completes a word."""

    def set_completer_delims(self, string: str) -> None:
        """Name what ends a word."""

    def parse_and_bind(self, string: str) -> None:
        """Configure it."""

    def read_history_file(self, filename: str) -> None:
        """Remember what was typed before."""

    def write_history_file(self, filename: str) -> None:
        """Keep it."""

    def set_history_length(self, length: int) -> None:
        """Keep no more lines than this."""


class Names:
    """What Tab offers; grows while somebody types."""

    def __init__(self, known: Iterable[str]) -> None:
        self._names = {name for name in known if name.isprintable()}

    def add(self, names: Iterable[str]) -> None:
        """Somebody was found."""
        self._names |= {*names}

    def complete(self, text: str, state: int) -> str | None:
        """The ``state``-th name that ``text`` begins, in readline's manner."""
        wanted = text.casefold()
        fitting = sorted(n for n in self._names if n.casefold().startswith(wanted))
        return fitting[state] if state < len(fitting) else None


def ask_address(
    question: str,
    player: Player,
    paths: Paths,
    *,
    looks: bool,
    ask: Callable[[str], str] = input,
) -> str:
    """What is typed; raises EOFError where nothing is."""
    readline = _readline()
    if readline is None:
        return ask(question)
    names = Names(_known(player))
    if looks:
        look = threading.Thread(target=_look_around, args=(names,), daemon=True)
        look.start()
    history = str(paths.history)
    with contextlib.suppress(OSError):
        readline.read_history_file(history)
    readline.set_completer(names.complete)
    readline.set_completer_delims("")
    readline.parse_and_bind("tab: complete")
    try:
        return ask(question)
    finally:
        readline.set_completer(lambda _text, _state: None)
        _keep(readline, paths)


def _readline() -> Readline | None:
    try:
        import readline
    except ImportError:
        return None
    return readline


def _keep(readline: Readline, paths: Paths) -> None:
    """Keep what was typed, for its owner alone; an invite works only once anyhow."""
    from crapette_p2p.net.failures import StorageError

    with contextlib.suppress(OSError, StorageError):
        make_private(paths.history.parent)
        paths.history.touch(mode=0o600)
        readline.set_history_length(MOST_LINES)
        readline.write_history_file(str(paths.history))


def _known(player: Player) -> list[str]:
    return [peer.petname for peer in player.peers.readable()]


def _look_around(names: Names) -> None:
    """Add whoever has a table on this network, for a few seconds."""
    asyncio.run(_add_tables(names))


async def _add_tables(names: Names) -> None:
    from crapette_p2p.net.discovery import browse

    async with browse() as tables:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(LOOK_SECONDS):
                while True:
                    found = await tables.changed()
                    names.add(seen.said.nick for seen in found)
