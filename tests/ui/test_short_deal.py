"""A deal that is left before it has a screen of its own: none comes afterwards."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import cast

import pytest

from crapette_p2p.engine import Seat
from crapette_p2p.net.failures import Exit, Failure
from crapette_p2p.net.news import Closed, Expecting, TableNotice
from crapette_p2p.session.notices import GameResumed, GameStarted, LinkLost, PeerLeft
from crapette_p2p.ui.desk import Desk
from crapette_p2p.ui.meeting_flow import _PATIENCE
from crapette_p2p.ui.screens.meeting import Dealing, Notice
from crapette_p2p.ui.screens.screen import Screen
from crapette_p2p.ui.screens.waiting import LEAVE, Waiting
from crapette_p2p.ui.table_flow import TableFlow
from crapette_p2p.ui.table_like import TableLike
from tests.net.fasttime import fast


class Place:
    """A surface that keeps what is put on it."""

    def __init__(self) -> None:
        self.desk = Desk()
        self.screen = Screen(self.desk)
        self._changed = asyncio.Event()

    @property
    def now(self) -> float:
        """The loop's time."""
        return asyncio.get_running_loop().time()

    def put(self, screen: Screen) -> None:
        """Keep it."""
        self.screen = screen
        self.changed()

    def changed(self) -> None:
        """Wake the flow."""
        self._changed.set()

    async def next_change(self) -> None:
        """Wait to be woken."""
        await self._changed.wait()
        self._changed.clear()

    async def show(self, screen: Screen) -> object:
        """Not what a table's flow uses."""
        raise NotImplementedError


def dealt_table(*notices: TableNotice) -> TableLike:
    """A table where a deal has just begun; it says these, and then nothing more."""
    said = [*notices]

    async def next_notice() -> TableNotice:
        return said.pop(0) if said else await asyncio.Future()

    genesis = SimpleNamespace(nicks=("Ala", "Olek"))
    return cast(
        "TableLike",
        SimpleNamespace(
            game=SimpleNamespace(genesis=genesis),
            open_game=None,
            hint=None,
            next_notice=next_notice,
        ),
    )


@fast
async def test_a_deal_that_takes_its_time_is_shown() -> None:
    """The shuffle has a screen after a moment."""
    place = Place()
    flow = TableFlow(place, dealt_table(GameStarted(bytes(32), Seat(0))))
    task = asyncio.create_task(flow.run())
    await asyncio.sleep(_PATIENCE / 2)
    assert isinstance(place.screen, Waiting)
    await asyncio.sleep(_PATIENCE)
    assert isinstance(place.screen, Dealing)
    place.screen.done = LEAVE
    place.changed()
    assert await task == 0


@fast
async def test_whoever_has_left_sees_no_shuffle() -> None:
    """What is shown next (a menu, an open table) is not covered by a dead page."""
    place = Place()
    flow = TableFlow(place, dealt_table(GameStarted(bytes(32), Seat(0))))
    task = asyncio.create_task(flow.run())
    await asyncio.sleep(_PATIENCE / 2)
    place.screen.done = LEAVE
    place.changed()
    assert await task == 0
    place.put(menu := Screen(place.desk))
    await asyncio.sleep(2 * _PATIENCE)
    assert place.screen is menu


@fast
async def test_why_a_table_closed_is_not_covered_by_a_shuffle() -> None:
    """A link that breaks as the deal begins says so, and its exit code stands."""
    place, failure = Place(), Failure("peer-hung-up", Exit.CANNOT_REACH)
    flow = TableFlow(
        place, dealt_table(GameStarted(bytes(32), Seat(0)), Closed(failure))
    )
    task = asyncio.create_task(flow.run())
    await asyncio.sleep(2 * _PATIENCE)
    assert isinstance(place.screen, Notice)
    place.screen.done = True
    place.changed()
    assert await task == Exit.CANNOT_REACH


BEGUN = GameStarted(bytes(32), Seat(0))


def rows_of(place: Place) -> str:
    """What stands on the screen."""
    return "\n".join(place.screen.draw(80, 24, place.now).text())


@fast
@pytest.mark.parametrize(
    ("ending", "said"),
    [
        (PeerLeft(501, ""), "Olek has left"),
        (PeerLeft(106, ""), "Connection to Olek lost"),
        (LinkLost(0), "Connection to Olek lost"),
    ],
)
async def test_a_link_that_ends_in_a_deal_is_told_and_the_deal_shown_again(
    ending: TableNotice, said: str
) -> None:
    """Not the work of somebody who has gone; once back, his work is awaited again."""
    place = Place()
    table = dealt_table(BEGUN, ending, Expecting(4747))
    flow = TableFlow(place, table)
    task = asyncio.create_task(flow.run())
    await asyncio.sleep(2 * _PATIENCE)
    assert said in rows_of(place)
    assert "expecting the other player on port 4747" in rows_of(place)
    flow._hear(GameResumed(bytes(32), Seat(0)))
    await asyncio.sleep(2 * _PATIENCE)
    assert "Shuffling together with Olek" in rows_of(place)
    place.screen.done = LEAVE
    place.changed()
    assert await task == 0
