"""Leaving a table: whatever happens then, no game stays locked."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import cast

import pytest

from crapette_p2p.net.news import Closed
from crapette_p2p.net.policy import Policy
from crapette_p2p.net.pump import Pump
from crapette_p2p.net.table import Table
from tests.net.fasttime import fast
from tests.net.tables import make_player
from tests.net.test_store import FIRST, GAME


class Slow:
    """A link whose end is awaited for ever."""

    alive = True

    def bid_farewell(self, _code: int) -> None:
        """Nothing comes of it."""

    async def wait_over(self) -> None:
        """Not in this life."""
        await asyncio.Event().wait()


@fast
async def test_who_leaves_in_a_hurry_leaves_no_game_locked(tmp_path: Path) -> None:
    """A farewell that is called off: the table is closed, and its logs are free."""
    player = make_player(tmp_path, "Ala")
    table = Table(player, Policy())
    table.recorder.append(GAME, [FIRST])
    table._pump = cast("Pump", Slow())
    leaving = asyncio.ensure_future(table.aclose())
    await asyncio.sleep(0)
    leaving.cancel()
    with pytest.raises(asyncio.CancelledError):
        await leaving
    assert table.closed == Closed(None)
    player.store.open(player.store.logs()[0]).close()
