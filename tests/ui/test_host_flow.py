"""An open table meanwhile: a bot, knocks, guests who go, and the door that stays."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from crapette_p2p.net.hosting import HostOptions
from crapette_p2p.net.paths import find_paths
from crapette_p2p.net.sparring import interrupted
from crapette_p2p.ui.app import Shell
from crapette_p2p.ui.bot_flow import bot_meanwhile
from crapette_p2p.ui.host_flow import host_flow
from crapette_p2p.ui.play import questions
from crapette_p2p.ui.screens import meeting
from crapette_p2p.ui.screens.hosting import HostScreen
from crapette_p2p.ui.screens.screen import Screen
from crapette_p2p.ui.seats import flow_options
from tests.ui.harness import PATIENCE, Stage, staged
from tests.ui.test_flows import QUICK, TERMS, invitation, joining, place_of, player

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def _no_deaf_second(monkeypatch: pytest.MonkeyPatch) -> None:
    """What opens by itself listens at once here; the second has its own tests."""
    monkeypatch.setattr(questions, "DEAF", 0.0)
    monkeypatch.setattr(meeting, "DEAF", 0.0)


@asynccontextmanager
async def hosting_with_bot(
    home: Path,
) -> AsyncIterator[tuple[Stage, asyncio.Task[int], str, list[int]]]:
    """Ala's open table where a bot can be played; its invite; rings of the bell."""
    ala, paths, rung = player(home, "Ala"), find_paths(str(home / "Ala")), list[int]()
    options = HostOptions(
        player=ala, terms=TERMS, ports=(0,), binds=("127.0.0.1",), announce=False
    )

    async def flow(shell: Shell) -> int:
        shell.desk.ring = lambda: rung.append(1)
        return await host_flow(
            shell,
            options,
            flow_options(shell),
            lambda surface, terms: bot_meanwhile(surface, ala, paths, terms),
        )

    async with staged(flow, settings=QUICK) as (stage, task):
        await stage.shows("Tell your friend")
        screen = stage.shell.screen
        assert isinstance(screen, HostScreen)
        yield stage, task, screen.table.invite, rung


async def begin_bot_game(ala: Stage) -> None:
    """From the open table to a bot's board."""
    ala.type("b")
    await ala.shows("looks for plays")
    ala.type("n")
    await ala.shows("novice bot")
    await ala.shows("c reserve")


async def test_a_knock_interrupts_the_game_against_a_bot(tmp_path: Path) -> None:
    """The bell rings, the cards are asked for; refused, the game is there again."""
    async with hosting_with_bot(tmp_path) as (ala, _, invite, rung):
        await begin_bot_game(ala)
        before = len(rung)
        async with joining(tmp_path, place_of(invite)) as (olek, _):
            await ala.shows("the same four cards")
            assert len(rung) > before
            await olek.shows("the same four cards")
            ala.type("n")
            await ala.until(lambda: "novice bot" in ala.text)
        ala.type("q")
        await ala.shows("Leave the table?")


async def test_what_is_typed_while_the_table_closes_is_for_what_comes_next(
    tmp_path: Path,
) -> None:
    """The door takes its moment to close; a letter of the menu is not lost there."""
    options = HostOptions(
        player=player(tmp_path, "Ala"), terms=TERMS, ports=(0,), announce=False
    )
    heard: list[str] = []

    class Next(Screen):
        """What comes next."""

        def key(self, key: str, now: float) -> None:
            """Note the key."""
            del now
            heard.append(key)

    async def flow(shell: Shell) -> int:
        code = await host_flow(shell, options, flow_options(shell))
        shell._key("j")
        shell.put(Next(shell.desk))
        await asyncio.sleep(0)
        return code

    async with staged(flow, settings=QUICK) as (stage, task):
        await stage.shows("Tell your friend")
        stage.type("\x1b")
        assert await asyncio.wait_for(task, PATIENCE) == 0
    assert heard == ["j"]


async def test_several_knock_and_are_asked_about_in_turn(tmp_path: Path) -> None:
    """The first question says how many more wait; refused, the next one comes."""
    async with (
        hosting_with_bot(tmp_path) as (ala, _, invite, _rung),
        joining(tmp_path, place_of(invite)) as (olek, _),
    ):
        await ala.shows("A new player: Olek")
        await ala.shows("first time you meet")
        await olek.shows("the same four cards")
        async with joining(tmp_path, place_of(invite), "Ela") as (ela, _):
            await ala.shows("1 more is waiting")
            await ela.shows("the same four cards")
            ala.type("n")
            await olek.shows("The other side could not be sure of you")
            await ala.shows("A new player: Ela")
            await ala.shows("first time you meet")
        await ala.shows("Tell your friend")  # she went: nobody is left to ask about
        await ala.shows("sent away: you said that the four cards differ")


async def test_the_game_against_a_bot_is_kept_for_a_friend(tmp_path: Path) -> None:
    """A friend sits down at once; afterwards the bot's game can be gone on with."""
    async with hosting_with_bot(tmp_path) as (ala, _, invite, rung):
        await begin_bot_game(ala)
        before = len(rung)
        async with joining(tmp_path, invitation(invite)) as (olek, _):
            await olek.shows("What will be played")
            await ala.shows("the game against the bot is saved")
            assert len(rung) > before
            assert interrupted(
                player(tmp_path, "Ala"), find_paths(str(tmp_path / "Ala"))
            )
            olek.type("n")
            await ala.shows("Tell your friend")
        ala.type("b")
        await ala.shows("novice bot")
        await ala.shows("c reserve")


async def test_a_game_against_a_bot_is_left_for_the_open_table(tmp_path: Path) -> None:
    """Saved and left, it goes on with the next ``b``; Esc then closes the table."""
    async with hosting_with_bot(tmp_path) as (ala, task, _, _rung):
        await begin_bot_game(ala)
        ala.type("q")
        await ala.shows("Leave the table?")
        ala.type("s")
        await ala.shows("Tell your friend")
        ala.type("b")
        await ala.shows("novice bot")
        ala.type("\x03\x03")
        await ala.shows("Tell your friend")
        ala.type("\x1b")
        assert await asyncio.wait_for(task, PATIENCE) == 0


async def test_declined_terms_leave_the_table_open(tmp_path: Path) -> None:
    """The host reads why, and the next guest sits down at the same table."""
    async with hosting_with_bot(tmp_path) as (ala, _, invite, _rung):
        async with joining(tmp_path, invitation(invite)) as (olek, _):
            await olek.shows("What will be played")
            olek.type("n")
            await ala.shows("Tell your friend")
            await ala.shows("did not want to play")
        screen = ala.shell.screen
        assert isinstance(screen, HostScreen)
        await ala.until(lambda: screen.table.invite != invite)
        async with joining(tmp_path, invitation(screen.table.invite)) as (ela, _):
            await ela.shows("What will be played")
            ela.type("y")
            await ala.until(lambda: "turn 1" in ala.text)


async def test_leaving_before_the_deal_leads_back_to_the_open_table(
    tmp_path: Path,
) -> None:
    """Esc while the guest reads the rules sends the guest away, not the table."""
    async with (
        hosting_with_bot(tmp_path) as (ala, _, invite, _rung),
        joining(tmp_path, invitation(invite)) as (olek, _),
    ):
        await olek.shows("What will be played")
        await ala.shows("reads the rules")
        ala.type("\x1b")
        await ala.shows("Tell your friend")
        await olek.shows("The table is closed")


async def test_the_keys_of_the_open_table_are_a_page(tmp_path: Path) -> None:
    """``?`` lists them, any way back leads to the table."""
    async with hosting_with_bot(tmp_path) as (ala, _, _invite, _rung):
        ala.type("?")
        await ala.shows("a knock interrupts it")
        ala.type("\x1b")
        await ala.shows("Tell your friend")
