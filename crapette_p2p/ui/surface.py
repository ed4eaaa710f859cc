"""Where a flow shows its screens: the whole terminal, or a place laid aside."""

from __future__ import annotations

from typing import Protocol

from crapette_p2p.ui.desk import Desk
from crapette_p2p.ui.screens.screen import Screen


class Surface(Protocol):
    """What a flow needs of the terminal; a ``Shell`` is one, an ``Aside`` too."""

    screen: Screen
    """What is shown, or would be."""

    @property
    def desk(self) -> Desk:
        """What all screens share."""

    @property
    def now(self) -> float:
        """The time that screens live in."""

    def put(self, screen: Screen) -> None:
        """Show a screen and go on."""

    def changed(self) -> None:
        """The screen has changed by itself."""

    async def next_change(self) -> None:
        """Return when something was done to the screen."""

    async def show(self, screen: Screen) -> object:
        """Show a screen until it comes to something."""
