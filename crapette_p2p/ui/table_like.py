"""What the screen needs of a table, and what it may do without asking."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Protocol

from crapette_p2p.engine import Seat
from crapette_p2p.gamelog.state import GameState
from crapette_p2p.net.address import Address
from crapette_p2p.net.hints import Hint
from crapette_p2p.net.news import TableNotice
from crapette_p2p.session.commands import Command
from crapette_p2p.session.notices import Peer
from crapette_p2p.session.opengame import OpenGame
from crapette_p2p.session.session import Session
from crapette_p2p.ui.screens.screen import Screen


class TableLike(Protocol):
    """What the screen needs of a ``Table``."""

    @property
    def session(self) -> Session | None:
        """The session of the newest link."""

    @property
    def game(self) -> GameState | None:
        """The game at hand."""

    @property
    def open_game(self) -> OpenGame | None:
        """The same with its log."""

    @property
    def seat(self) -> Seat | None:
        """Ours."""

    @property
    def peer(self) -> Peer | None:
        """The other player."""

    @property
    def address(self) -> str:
        """Where the other end is."""

    hint: Hint | None
    """How this end can be found again."""

    @property
    def log_path(self) -> str | None:
        """Where the game is kept."""

    def command(self, command: Command) -> None:
        """Do something."""

    async def next_notice(self) -> TableNotice:
        """What is known next."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ways:
    """How else a table's peer can be reached; what is opened is closed again."""

    listen: Callable[[TableLike], AbstractAsyncContextManager[object]]
    """Waits for the peer on a port of this computer."""
    dial: Callable[[TableLike, Sequence[Address]], AbstractAsyncContextManager[object]]
    """Dials the peer elsewhere."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FlowOptions:
    """What a table's flow does without asking."""

    accept_unverified: bool = False
    """Take the four cards as equal (against one's own bot)."""
    accept_terms: bool = False
    """Play by whatever rules are proposed (they are one's own)."""
    hints: bool = False
    """A bot may advise even where nothing was agreed (against a bot)."""
    stays_open: bool = False
    """A guest who goes before a deal, or after one, leaves the table to others."""
    ways: Ways | None = None
    """Other ways to a peer that does not come back."""
    replay: Callable[[str, Seat], Screen] | None = None
    """Makes the replay of a log file, seen from a seat."""
