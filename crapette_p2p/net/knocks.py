"""Strangers who wait for a person to compare the four cards: few at a time.

Theory of operation. A stranger whose login is over holds nothing but a link, but
there is no end of strangers, and one person answers them one by one. So eight wait
at the most, two of one address, and who comes then is sent away as from a table
that is taken. Whoever is known, pinned or invited is not asked about and never
waits here, so a crowd keeps no friend out.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from crapette_p2p.net.accept import neighbourhood
from crapette_p2p.net.news import Knocked
from crapette_p2p.net.pump import Pump
from crapette_p2p.session.notices import CardsToCompare

MAX_WAITING: Final = 8
"""Strangers that wait for an answer."""
MAX_OF_ADDRESS: Final = 2


class Knocks:
    """Who waits at one table, the longest first."""

    def __init__(self) -> None:
        self._waiting: dict[Pump, Knocked] = {}

    def __iter__(self) -> Iterator[Knocked]:
        return iter([*self._waiting.values()])

    def add(self, pump: Pump, question: CardsToCompare) -> Knocked | None:
        """Let a stranger wait; None where too many do."""
        place = neighbourhood(pump.address)
        near = [p for p in self._waiting if neighbourhood(p.address) == place]
        if len(self._waiting) >= MAX_WAITING or len(near) >= MAX_OF_ADDRESS:
            return None
        knock = self._waiting[pump] = Knocked(pump.address, question)
        return knock

    def take(self, knock: Knocked) -> Pump | None:
        """The link of a knock that is answered now; None if it has gone."""
        pump = next((p for p, known in self._waiting.items() if known is knock), None)
        if pump is not None:
            del self._waiting[pump]
        return pump

    def gone(self, pump: Pump) -> None:
        """A link has ended, or has got the seat."""
        self._waiting.pop(pump, None)

    def clear(self) -> list[Pump]:
        """Nobody waits any more; the links of those who did."""
        pumps = [*self._waiting]
        self._waiting.clear()
        return pumps
