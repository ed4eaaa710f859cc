"""The line mode that is told to end, and what it says in which order."""

from __future__ import annotations

import asyncio
import contextlib

from crapette_p2p.session.commands import Command, Confirm
from crapette_p2p.ui.narrator import Narrator
from crapette_p2p.ui.plain_app import PlainApp
from crapette_p2p.ui.plain_commands import PlainOptions
from tests.ui.harness import PATIENCE
from tests.ui.plain_table import PairTable, ScriptedConsole, plain_pair
from tests.ui.test_plain_rematch import QueueConsole

AGREE = PlainOptions(accept_unverified=True, accept_terms=True)
SAVED = "the game is saved. go on with: crapette resume"


async def stopped(
    table: PairTable, console: ScriptedConsole, at: str, options: PlainOptions
) -> list[str]:
    """Play until something was written, be cancelled as by a signal; the lines."""
    app = PlainApp(table, console, Narrator(), options)
    async with asyncio.timeout(PATIENCE):
        running = asyncio.create_task(app.run())
        await console.until(at)
        running.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await running
    text = console.output.getvalue()
    assert text.endswith("\n")
    return text.splitlines()


async def test_a_game_that_is_stopped_says_that_it_is_saved() -> None:
    """As on the screen; the prompt's line is ended first."""
    table = plain_pair(seed=1, robot=False)
    lines = await stopped(table, QueueConsole(), "\n> ", AGREE)
    assert lines[-2:] == [">", SAVED] or lines[-2:] == ["> ", SAVED]


async def test_nothing_is_saved_before_a_game() -> None:
    """The shell's prompt stands on a line of its own all the same."""
    console = QueueConsole()
    lines = await stopped(plain_pair(), console, "not remember] ", PlainOptions())
    assert lines[-1].endswith("1: do not remember] ")


async def test_ones_own_answer_comes_before_the_wait_for_the_others() -> None:
    """The host's person compares the cards, too, and takes longer."""
    table = plain_pair()
    pair = table.pair
    asked: list[object] = []

    def thinks(notice: object) -> Command | None:
        asked.append(notice)
        return None

    pair.players[0].person = thinks
    pair.connect()
    console = QueueConsole()
    app = PlainApp(table, console, Narrator(), PlainOptions())
    async with asyncio.timeout(PATIENCE):
        running = asyncio.create_task(app.run())
        await console.until("not remember] ")
        assert "waiting for" not in console.output.getvalue()
        console.typed.put_nowait("y")
        await console.until("waiting for Ala to answer.")
        pair.command(0, Confirm(same=True))
        table.settle()
        await console.until("play by these?")
        running.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await running
    assert console.output.getvalue().count("waiting for Ala to answer.") == 1
    assert asked


async def test_who_has_been_answered_already_waits_for_nobody() -> None:
    """The host's person was quicker."""
    table = plain_pair()
    pair = table.pair
    pair.players[0].person = lambda _notice: None
    pair.connect()
    console = QueueConsole()
    app = PlainApp(table, console, Narrator(), PlainOptions())
    async with asyncio.timeout(PATIENCE):
        running = asyncio.create_task(app.run())
        await console.until("not remember] ")
        pair.command(0, Confirm(same=True))
        table.settle()
        console.typed.put_nowait("y")
        await console.until("play by these?")
        running.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await running
    assert "to answer" not in console.output.getvalue()
