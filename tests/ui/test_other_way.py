"""A lost opponent is met in another way: who dialled listens, who listened dials."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import cast

import pytest

from crapette_p2p.net.address import Address
from crapette_p2p.net.endpoint import ResumeOptions, resume
from crapette_p2p.net.failures import Exit, Failure, NetError, storage_error
from crapette_p2p.net.swapping import also_dialling, also_listening
from crapette_p2p.net.table import Table
from crapette_p2p.session.notices import LinkLost
from crapette_p2p.ui.app import Shell
from crapette_p2p.ui.play import questions
from crapette_p2p.ui.screens import meeting
from crapette_p2p.ui.screens.waiting import OTHER_WAY
from crapette_p2p.ui.seats import flow_options
from crapette_p2p.ui.table_flow import TableFlow
from crapette_p2p.ui.table_like import TableLike, Ways
from tests.ui.harness import Stage, staged
from tests.ui.seated import Table as Seated
from tests.ui.test_flows import QUICK, left_by_olek, player

NOWHERE = Address("127.0.0.1", 9)
"""Nobody listens there."""

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def _no_deaf_second(monkeypatch: pytest.MonkeyPatch) -> None:
    """What opens by itself listens at once here; the second has its own tests."""
    monkeypatch.setattr(questions, "DEAF", 0.0)
    monkeypatch.setattr(meeting, "DEAF", 0.0)


async def begin_game(home: Path) -> None:
    """A game of Ala's and Olek's, left at its first turn."""
    async with left_by_olek(home) as (ala, _):
        ala.type("s")


def listening(table: TableLike) -> AbstractAsyncContextManager[object]:
    """On the loopback only, at any free port."""
    return also_listening(cast("Table", table), ports=(0,), binds=("127.0.0.1",))


def dialling(
    table: TableLike, places: Sequence[Address]
) -> AbstractAsyncContextManager[object]:
    """As in the program."""
    return also_dialling(cast("Table", table), places)


@asynccontextmanager
async def barred(
    home: Path, name: str, listen: Callable[..., AbstractAsyncContextManager[object]]
) -> AsyncIterator[Stage]:
    """A seat that is resumed by dialling where nobody is."""
    who = player(home, name)
    (game,) = who.kept.open_games()
    options = ResumeOptions(player=who, hosted=False, places=(NOWHERE,))

    async def flow(shell: Shell) -> int:
        ways = Ways(listen=listen, dial=dialling)
        may = replace(flow_options(shell), ways=ways)
        async with resume(game.path, options) as table:
            return await TableFlow(shell, table, may).run()

    async with staged(flow, settings=QUICK) as (stage, _):
        await stage.shows("another way to meet")
        yield stage


async def test_who_dialled_listens_and_who_listened_dials(tmp_path: Path) -> None:
    """``c`` on both screens; the game goes on over the way that was opened."""
    await begin_game(tmp_path)
    async with (
        barred(tmp_path, "Ala", listening) as ala,
        barred(tmp_path, "Olek", listening) as olek,
    ):
        olek.type("c")
        await olek.shows("wait for Ala here")
        olek.type("h")
        await olek.shows("expecting the other player on port")
        port = re.search(r"on port (\d+)", olek.text)
        assert port is not None
        ala.type("c")
        await ala.shows("dial Olek at an address")
        ala.type("j")
        await ala.shows("with the port")
        ala.type(f"127.0.0.1:{port[1]}\r")
        await ala.until(lambda: "c reserve" in ala.text)
        await olek.until(lambda: "c reserve" in olek.text)


TAKEN = NetError(Failure("port-in-use", Exit.CANNOT_LISTEN, {"port": "4747"}))
FULL = storage_error("cannot-write", "/tmp", "No space left on device")  # noqa: S108


@pytest.mark.parametrize(
    ("error", "said"), [(TAKEN, "Port 4747 is taken"), (FULL, "No space left")]
)
async def test_a_way_that_cannot_be_opened_is_explained(
    tmp_path: Path, error: Exception, said: str
) -> None:
    """A busy port or a full disk is a sentence, and the waiting goes on."""

    @asynccontextmanager
    async def busy(_table: TableLike) -> AsyncIterator[None]:
        raise error
        yield

    await begin_game(tmp_path)
    async with barred(tmp_path, "Ala", busy) as ala:
        ala.type("ch")
        await ala.shows(said)
        ala.type("cj")
        await ala.shows("with the port")
        ala.type("1.2.3.4:99999\r")
        await ala.shows("That is no address")


def test_the_box_of_a_lost_connection_offers_another_way() -> None:
    """Where there is one; the place where we wait stands in the box."""
    table = Seated()
    table.screen.setup = replace(table.screen.setup, has_other_way=True)
    table.screen.link.place = "This computer waits at 192.168.1.20."
    table.screen.heard_of_link(LinkLost(0), table.now)
    assert "another way to meet" in table.text
    assert "This computer waits at" in table.text
    table.keys("c")
    assert table.screen.done == OTHER_WAY
