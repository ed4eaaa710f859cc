"""A network of the test's own making, for what lists the tables on it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import pytest

from crapette_p2p.net.announcement import Announcement
from crapette_p2p.net.discovery import Tables
from crapette_p2p.net.failures import Failure
from crapette_p2p.net.multicast import Raw
from crapette_p2p.session.keys import fingerprint
from tests.net.spoofing import txt_of

KEY = bytes(range(32))
SAID = Announcement(fingerprint=fingerprint(KEY), nick="Ala", rules="crapette")


class Canned:
    """Stands in for ``browse``: a network on which these tables were announced."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.said: list[Announcement] = [SAID]
        self.problem: Failure | None = None
        monkeypatch.setattr("crapette_p2p.net.discovery.browse", self._browse)

    @asynccontextmanager
    async def _browse(
        self, *, own: bytes | None, is_known: Callable[[bytes], bool]
    ) -> AsyncIterator[Tables]:
        tables = Tables(own=own, is_known=is_known, binds=())
        tables.tell(self.problem)
        for number, said in enumerate(self.said):
            txt = txt_of(dict(said.entries()))
            tables.heard(f"{number}\x1b[2J", Raw(txt, 4747, ("10.0.0.1",)))
        yield tables
