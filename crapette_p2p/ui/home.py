"""What the menu is given: who plays, where the files are, what a table proposes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from crapette_p2p.net.paths import Paths

if TYPE_CHECKING:  # the menu is drawn before either is made
    from crapette_p2p.net.player import Player
    from crapette_p2p.session.commands import Terms


@dataclass(frozen=True, slots=True, kw_only=True)
class Home:
    """What the menu needs to begin anything."""

    paths: Paths
    """Where this player's files are."""
    player: Callable[[str], Player]
    """The player by that name; raises StorageError."""
    terms: Callable[[], Terms]
    """What a new table proposes; raises NotationError or OSError."""
    name: str
    """The name where none is set."""
    statistics: Callable[[], Sequence[str]] = tuple
    """What was won and lost, in lines; none where nothing was played."""
