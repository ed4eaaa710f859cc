"""Whoever joins a table and only brings the end of an earlier deal is told so."""

from __future__ import annotations

import io
from dataclasses import replace
from pathlib import Path

import pytest

from crapette_p2p.net.address import Address
from crapette_p2p.net.joining import join
from crapette_p2p.net.news import Closed
from crapette_p2p.ui.app import Shell
from crapette_p2p.ui.console import Console
from crapette_p2p.ui.host_flow import host_flow
from crapette_p2p.ui.join_flow import join_flow
from crapette_p2p.ui.narrator import Narrator
from crapette_p2p.ui.plain_app import PlainApp
from crapette_p2p.ui.plain_commands import PlainOptions
from crapette_p2p.ui.screens.hosting import HostScreen
from crapette_p2p.ui.seats import flow_options
from tests.net.tables import LOOPBACK, host_options, join_options
from tests.net.unsigned import awaited, coming, unsigned
from tests.ui.harness import staged
from tests.ui.test_flows import QUICK

pytestmark = pytest.mark.slow
SAID = "has the end of your last deal now: it is closed on both sides."


@pytest.mark.parametrize("compared", [True, False])
async def test_on_the_screen(tmp_path: Path, *, compared: bool) -> None:
    """It is said until it is read, whether the other is still there or not.

    Also where he has what he wanted before anybody has compared the four cards.
    """
    author, other = await unsigned(tmp_path)
    async with awaited(author) as (his, place):

        async def flow(shell: Shell) -> int:
            options = join_options(other)
            takes_all = replace(flow_options(shell), accept_unverified=compared)
            return await join_flow(shell, place, options, takes_all)

        async with staged(flow, settings=QUICK) as (stage, task):
            await stage.shows(f"Olek {SAID}")
            await his.hears(Closed)
            await stage.shows(f"Olek {SAID}")
            stage.type("\r")
            assert await task == 0


async def test_a_table_that_was_opened_stays_open(tmp_path: Path) -> None:
    """The other resumes towards it; who has read it waits for somebody else."""
    author, other = await unsigned(tmp_path)

    async def flow(shell: Shell) -> int:
        return await host_flow(shell, host_options(other), flow_options(shell))

    async with staged(flow, settings=QUICK) as (stage, _task):
        await stage.shows("Tell your friend")
        screen = stage.shell.screen
        assert isinstance(screen, HostScreen)
        async with coming(author, Address(LOOPBACK, screen.table.port)):
            await stage.shows(f"Olek {SAID}")
            stage.type("\r")
            await stage.shows("Tell your friend")


async def test_in_lines(tmp_path: Path) -> None:
    """The sentence, and no failure at the end."""
    author, other = await unsigned(tmp_path)
    async with (
        awaited(author) as (_, place),
        join(place, join_options(other)) as table,
    ):
        sink, source = io.StringIO(), io.StringIO()
        console = Console(source, sink, interactive=False)
        options = PlainOptions(accept_unverified=True)
        app = PlainApp(table, console, Narrator(), options)
        assert await app.run() == Closed(None)
    assert f"Olek {SAID}" in sink.getvalue().splitlines()
