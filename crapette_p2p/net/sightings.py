"""The tables seen on the local network, bounded and forgetting: pure, no clock.

Theory of operation. Whoever shares the network can announce thousands of tables,
so no more than ``MOST_TABLES`` are kept; when they are that many, only a table
whose key is known, or that is looked for, still gets in, in the place of another. A
table that is not heard of for ``FORGET_SECONDS`` is gone: a program that was killed
says no goodbye. The watcher asks every ``ASK_SECONDS``, so several questions or
answers in a row may be lost, as they are on a bad Wi-Fi, before a table vanishes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from crapette_p2p.net.address import Address
from crapette_p2p.net.announcement import Announcement
from crapette_p2p.session.keys import format_fingerprint

MOST_TABLES: Final = 64
"""A network that shows more of them is playing with us."""
ASK_SECONDS: Final = 1.5
"""Answers within a second of each other would be held back by the responder."""
FORGET_SECONDS: Final = 7.0
MOURNING_SECONDS: Final = 2.0
"""How long a goodbye outweighs an answer that was on its way already."""
MOST_ADDRESSES: Final = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenTable:
    """A table that somebody announces; every field is only his word."""

    name: str
    """The announcement's own name, never shown; the same table keeps it."""
    said: Announcement
    """Who, by which rules, and whether the seat is free."""
    port: int
    """Where it listens."""
    addresses: tuple[str, ...]
    """Where it can be dialled, best first; link-local ones with their scope."""
    since: float = 0.0
    """When it was first seen, on the loop's clock."""

    @property
    def fingerprint_text(self) -> str:
        """The fingerprint in groups of four."""
        return format_fingerprint(self.said.fingerprint)

    @property
    def places(self) -> tuple[Address, ...]:
        """What to dial, in this order."""
        return tuple(Address(address, self.port) for address in self.addresses)


class Sightings:
    """What was seen and is not forgotten yet."""

    def __init__(
        self,
        is_known: Callable[[bytes], bool] = lambda _: False,
        is_wanted: Callable[[Announcement], bool] = lambda _: False,
    ) -> None:
        self._is_known = is_known
        self._is_wanted = is_wanted
        self._seen: dict[str, SeenTable] = {}
        self._heard: dict[str, float] = {}
        self._left: dict[str, float] = {}

    @property
    def tables(self) -> tuple[SeenTable, ...]:
        """Known players first, then by name; the order is stable."""
        return tuple(sorted(self._seen.values(), key=self._rank))

    def has_room_for(self, name: str, said: Announcement, now: float) -> bool:
        """Whether a table gets in: a known player in a stranger's place if need be."""
        left = self._left.get(name.lower())
        if left is not None and now - left < MOURNING_SECONDS:
            return False
        if name.lower() in self._seen or len(self._seen) < MOST_TABLES:
            return True
        strangers = (t for t in self._seen.values() if not self._is_friend(t.said))
        return self._is_friend(said) and any(strangers)

    def hear(self, table: SeenTable, now: float) -> bool:
        """A table was announced; whether the list has changed."""
        name = table.name.lower()
        if not self.has_room_for(name, table.said, now):
            return False
        old = self._seen.get(name)
        if old is None and len(self._seen) >= MOST_TABLES:
            self._drop_a_stranger()
        self._heard[name] = now
        since = now if old is None else old.since
        self._seen[name] = replace(
            table, since=since, addresses=table.addresses[:MOST_ADDRESSES]
        )
        return self._seen[name] != old

    def part(self, name: str, now: float) -> bool:
        """A table said goodbye; whether it was on the list."""
        was_seen = self.lose(name)
        if was_seen:
            self._left[name.lower()] = now
        return was_seen

    def lose(self, name: str) -> bool:
        """Take a table from the list; whether it was there."""
        self._heard.pop(name.lower(), None)
        return self._seen.pop(name.lower(), None) is not None

    def forget(self, now: float) -> bool:
        """Drop what was not heard of for long; whether the list has changed."""
        left = self._left.items()
        self._left = {n: at for n, at in left if now - at < MOURNING_SECONDS}
        late = [n for n, at in self._heard.items() if now - at >= FORGET_SECONDS]
        return len([name for name in late if self.lose(name)]) > 0

    def clear(self) -> None:
        """Forget everything: this computer is on another network now."""
        self._seen.clear()
        self._heard.clear()
        self._left.clear()

    def _drop_a_stranger(self) -> None:
        strangers = (n for n, t in self._seen.items() if not self._is_friend(t.said))
        self.lose(next(strangers))

    def _is_friend(self, said: Announcement) -> bool:
        return self._is_known(said.fingerprint) or self._is_wanted(said)

    def _rank(self, table: SeenTable) -> tuple[bool, bool, str, str]:
        said = table.said
        stranger = not self._is_friend(said)
        return (stranger, not said.is_open, said.nick.casefold(), table.name)
