"""A network of the test's own making, in the place of adapters and zeroconf."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Self

import pytest

from crapette_p2p.net import discovery
from crapette_p2p.net.announcement import Announcement
from crapette_p2p.net.failures import Failure, NetError
from crapette_p2p.net.multicast import Ears, Raw
from tests.net.spoofing import txt_of


@dataclass
class FakeStation:
    """What was said and asked, and announcements to be looked up."""

    air: dict[str, Raw]
    """What every station hears."""
    raws: dict[str, Raw | None] = field(default_factory=dict)
    """What this one hears besides."""
    asked: list[Sequence[str]] = field(default_factory=list)
    published: list[Announcement | None] = field(default_factory=list)
    ears: Ears | None = None
    closed: bool = False

    async def publish(
        self, said: Announcement, port: int, addresses: Sequence[str]
    ) -> None:
        """Note what is announced."""
        del port, addresses
        self.published.append(said)

    async def withdraw(self) -> None:
        """Note the goodbye."""
        self.published.append(None)

    def listen(self, ears: Ears) -> None:
        """Keep the listener."""
        self.ears = ears

    def ask(self, incomplete: Sequence[str] = ()) -> None:
        """Answer as every table would that is still running."""
        self.asked.append(incomplete)
        for name, heard in {**self.air, **self.raws}.items():
            assert self.ears is not None
            self.ears.heard(name, heard)

    async def aclose(self) -> None:
        """Note the end."""
        self.closed = True


class FakeNetwork:
    """Stands in for the adapters and what opens a station on them."""

    def __init__(self) -> None:
        self.speaking: tuple[str, ...] = ("10.0.0.9",)
        self.problem: Failure | None = None
        self.stations: list[FakeStation] = []
        self.air: dict[str, Raw] = {}

    @classmethod
    def install(cls, monkeypatch: pytest.MonkeyPatch) -> Self:
        """Put a fake network where discovery looks."""
        fake = cls()
        monkeypatch.setattr(
            discovery, "speaking_addresses", lambda *_args: fake.speaking
        )
        monkeypatch.setattr(discovery, "_station", fake.open)
        return fake

    async def open(self, speaking: tuple[str, ...]) -> FakeStation:
        """A station, or the problem there is."""
        assert speaking == self.speaking
        if self.problem is not None:
            raise NetError(self.problem)
        self.stations.append(FakeStation(self.air))
        return self.stations[-1]


def raw(said: Announcement) -> Raw:
    """As a station gives what it has received."""
    return Raw(txt_of(dict(said.entries())), 4747, ("10.0.0.1",))
