"""Host, join and menu on two screens in memory, over a real loopback connection."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from crapette_p2p.engine.ruleset import PRESETS
from crapette_p2p.net.address import Address, Invite, parse_target
from crapette_p2p.net.hosting import HostOptions
from crapette_p2p.net.joining import JoinOptions
from crapette_p2p.net.paths import find_paths
from crapette_p2p.net.player import Player, player_at
from crapette_p2p.session.commands import Terms
from crapette_p2p.ui.app import Shell
from crapette_p2p.ui.home import Home
from crapette_p2p.ui.host_flow import host_flow
from crapette_p2p.ui.join_flow import Target, join_flow
from crapette_p2p.ui.menu_flow import MenuFlow
from crapette_p2p.ui.play import dealings, questions
from crapette_p2p.ui.screens import meeting
from crapette_p2p.ui.screens.hosting import HostScreen
from crapette_p2p.ui.seats import flow_options
from crapette_p2p.ui.settings import Settings
from tests.ui.harness import PATIENCE, Stage, staged

QUICK = Settings(pace=0, bell=False, announce=False)
TERMS = Terms(preset="crapette", rules=PRESETS["crapette"], candidates=16)

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def _no_deaf_second(monkeypatch: pytest.MonkeyPatch) -> None:
    """What opens by itself listens at once here; the second has its own tests."""
    monkeypatch.setattr(questions, "DEAF", 0.0)
    monkeypatch.setattr(meeting, "DEAF", 0.0)


def player(home: Path, name: str) -> Player:
    """A player with files of his own."""
    return player_at(find_paths(str(home / name)), name)


@asynccontextmanager
async def hosted(home: Path) -> AsyncIterator[tuple[Stage, asyncio.Task[int], str]]:
    """Ala's screen with an open table, and its invite."""
    options = HostOptions(
        player=player(home, "Ala"),
        terms=TERMS,
        ports=(0,),
        binds=("127.0.0.1",),
        announce=False,
    )

    async def flow(shell: Shell) -> int:
        return await host_flow(shell, options, flow_options(shell))

    async with staged(flow, settings=QUICK) as (stage, task):
        await stage.shows("Tell your friend")
        screen = stage.shell.screen
        assert isinstance(screen, HostScreen)
        yield stage, task, screen.table.invite


@asynccontextmanager
async def joining(
    home: Path, target: Target, name: str = "Olek"
) -> AsyncIterator[tuple[Stage, asyncio.Task[int]]]:
    """Olek's screen, or another guest's, on its way to a table."""
    options = JoinOptions(player=player(home, name))

    async def flow(shell: Shell) -> int:
        return await join_flow(shell, target, options, flow_options(shell))

    async with staged(flow, settings=QUICK) as (stage, task):
        yield stage, task


def invitation(text: str) -> Invite:
    """The invite as it is pasted."""
    parsed = parse_target(text)
    assert isinstance(parsed, Invite)
    return parsed


def place_of(invite: str) -> Address:
    """The bare address in an invite."""
    return invitation(invite).addresses[0]


async def test_an_address_is_checked_by_four_cards_on_both_screens(
    tmp_path: Path,
) -> None:
    """Both see the same cards before anybody has answered; then they play."""
    async with (
        hosted(tmp_path) as (ala, _, invite),
        joining(tmp_path, place_of(invite)) as (olek, _),
    ):
        await ala.shows("the same four cards")
        await olek.shows("the same four cards")
        cards = [
            next(line for line in stage.lines if "│" in line) for stage in (ala, olek)
        ]
        assert cards[0] == cards[1]
        ala.type("y")
        olek.type("y")
        await olek.shows("What will be played")
        olek.type("y")
        await ala.shows("turn 1")
        await olek.shows("turn 1")
        for stage in (ala, olek):  # the cards are laid out before anybody moves
            await stage.until(lambda stage=stage: "dealing" not in stage.text)  # type: ignore[misc] # bound on purpose
        mover = ala if "YOUR MOVE" in ala.text else olek
        other = olek if mover is ala else ala
        mover.type(" ")
        await mover.shows("in hand")
        await other.until(lambda: "turn " in other.lines[18])
        mover.type("d")
        await other.shows("YOUR MOVE")
        other.type("thello\r")
        await mover.shows("hello")


async def test_an_invite_needs_no_cards(tmp_path: Path) -> None:
    """With the invite the joining player goes straight to the terms."""
    async with (
        hosted(tmp_path) as (ala, hosting, invite),
        joining(tmp_path, invitation(invite)) as (olek, _),
    ):
        await olek.shows("What will be played")
        assert "four cards" not in "".join(olek.paper.written)
        await ala.until(lambda: "Tell your friend" not in ala.text)
        olek.type("n")
        await ala.shows("Tell your friend")
        assert not hosting.done()


async def test_different_cards_disconnect_with_their_own_exit_code(
    tmp_path: Path,
) -> None:
    """``n`` at the cards: both read what it means, exit 7; the host waits on."""
    async with hosted(tmp_path) as (ala, hosting, invite):
        async with joining(tmp_path, place_of(invite)) as (olek, task):
            await olek.shows("the same four cards")
            olek.type("n")
            await olek.shows("The four cards differ: somebody is between you.")
            olek.type("\r")
            assert await asyncio.wait_for(task, PATIENCE) == 7
        await ala.shows("Tell your friend")
        await ala.shows("127.0.0.1 … left: other cards there")
        assert not hosting.done()


async def test_a_friend_who_leaves_is_waited_for_and_comes_back(
    tmp_path: Path,
) -> None:
    """Saved and left: the other screen says so; both go on after a resume."""
    async with left_by_olek(tmp_path) as (ala, _), resumed(tmp_path) as (olek, _):
        await ala.shows("Connected again")  # goes by itself
        await olek.shows("c reserve")
        olek.type(":resign\r")
        await olek.shows("Resign?")
        olek.type("y")
        await olek.shows("Ala won")  # and how long both runs were played in all
        assert re.search(r"│ +00:\d\d, \d turns?, \d moves?", olek.text)


@pytest.mark.parametrize("waits", [True, False])
async def test_a_game_noted_as_abandoned_says_so_and_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, waits: bool
) -> None:
    """The note is explained; waiting on, it is past when the other returns."""
    monkeypatch.setattr(dealings, "ABANDON_AFTER", 0.0)
    async with left_by_olek(tmp_path) as (ala, hosting):
        ala.type("a")
        await ala.shows("A note in your own log")
        ala.type("y")
        await ala.shows("taken back by itself when Olek returns")
        if not waits:
            ala.type("\r")
            assert await asyncio.wait_for(hosting, PATIENCE) == 0
            told = ala.shell.desk.afterword
            assert told.startswith("Noted as abandoned by Olek; that is taken back")
            assert told.endswith("crapette resume")
            return
        async with resumed(tmp_path) as (olek, _):
            await ala.shows("Connected again")  # goes by itself
            await olek.shows("c reserve")
            assert "abandoned" not in ala.text


@asynccontextmanager
async def left_by_olek(home: Path) -> AsyncIterator[tuple[Stage, asyncio.Task[int]]]:
    """Ala's screen, the host's, at a game that Olek has saved and left."""
    async with hosted(home) as (ala, hosting, invite):
        async with joining(home, invitation(invite)) as (olek, task):
            await olek.shows("What will be played")
            olek.type("y")
            await olek.shows("turn 1")
            await ala.shows("turn 1")
            olek.type("qs")
            assert await asyncio.wait_for(task, PATIENCE) == 0
        await ala.shows("Olek has left")
        yield ala, hosting


@asynccontextmanager
async def resumed(home: Path) -> AsyncIterator[tuple[Stage, asyncio.Task[int]]]:
    """Olek's screen, going on from the menu."""
    async with menu(home, "Olek") as (stage, task):
        stage.type("r")
        await stage.shows("Ala – Olek")
        stage.type("\r")
        yield stage, task


@asynccontextmanager
async def menu(
    home: Path, name: str, settings: Settings | None = None
) -> AsyncIterator[tuple[Stage, asyncio.Task[int]]]:
    """The menu of a player who has a name, unless other ``settings`` leave it out."""
    paths = find_paths(str(home / name))
    at_home = Home(
        paths=paths,
        player=lambda nick: player_at(paths, nick),
        terms=lambda: TERMS,
        name=name,
        statistics=lambda: ("club bot  3 games",) if name == "Ala" else (),
    )
    settings = settings or replace(QUICK, name=name)

    async def flow(shell: Shell) -> int:
        return await MenuFlow(shell, at_home).run()

    async with staged(flow, settings=settings) as (stage, task):
        if settings.name:
            await stage.shows("Host a table")
        yield stage, task


async def test_a_game_against_a_bot_from_the_menu_to_its_replay(
    tmp_path: Path,
) -> None:
    """Resign at once; the result, the verified replay, the menu, the end."""
    async with menu(tmp_path, "Ala") as (stage, task):
        stage.type("bc")
        await stage.shows("c reserve")  # the list of bots says "turn", too
        stage.type(":resign\ry")
        await stage.shows("club bot won")
        stage.type("r")
        await stage.shows("verified ✓ level 5")
        stage.type("]")
        stage.type("q")
        await stage.shows("club bot won")
        stage.type("m")
        await stage.shows("Host a table")
        assert "1 game" in stage.text
        stage.type("q")
        assert await asyncio.wait_for(task, PATIENCE) == 0


async def test_the_rules_of_a_game_against_a_bot_are_chosen_on_its_page(
    tmp_path: Path,
) -> None:
    """``e`` opens the editor; what was changed there is what is played."""
    async with menu(tmp_path, "Ala") as (stage, _):
        stage.type("b")
        await stage.shows(f"{TERMS.preset} · one deal")
        stage.type("e")
        await stage.shows("Rules of this table")
        stage.type("\x1b[D")  # the preset before it, round the end of the list
        await stage.shows("‹ russian-bank-knock ›")
        stage.type("\x1b")
        await stage.shows("russian-bank-knock · one deal")
        stage.type("n")
        await stage.shows("c reserve")
        stage.type("i")
        await stage.shows("rules       russian-bank-knock")


@pytest.mark.parametrize(
    ("name", "shown"), [("Ala", "club bot  3 games"), ("Ola", "No game has been")]
)
async def test_the_statistics_are_a_page(tmp_path: Path, name: str, shown: str) -> None:
    """What was won and lost; before the first game the page says so."""
    async with menu(tmp_path, name) as (stage, _):
        stage.type("t")
        await stage.shows(shown)
        stage.type("\x1b")
        await stage.shows("Host a table")


async def test_what_goes_wrong_is_a_page_and_not_an_end(tmp_path: Path) -> None:
    """A closed port, a bad address: words to act on, then the menu again."""
    async with menu(tmp_path, "Ala") as (stage, task):
        stage.type("j")
        await stage.shows("address:")
        stage.type("1.2.3.4:99999\r")
        await stage.shows("That is no address")
        stage.type("\x15127.0.0.1:1\r")
        await stage.shows("no table is open on port 1")
        stage.type("\r")
        await stage.shows("Host a table")
        assert not task.done()


async def test_a_damaged_book_of_friends_keeps_nobody_from_joining(
    tmp_path: Path,
) -> None:
    """It is only for recognising them, here as on the command line."""
    home = tmp_path / "Ala"
    home.mkdir()
    (home / "peers.toml").write_text("[[[")
    async with menu(tmp_path, "Ala") as (stage, _):
        stage.type("j")
        await stage.shows("address:")


async def test_the_menu_has_help(tmp_path: Path) -> None:
    """``?`` shows the keys of the table, as everywhere."""
    async with menu(tmp_path, "Ala") as (stage, _):
        assert "? help" in stage.lines[-1]
        stage.type("?")
        await stage.shows("the fans: 1–4 left")
        stage.type("\x1b")
        await stage.shows("Host a table")


async def test_settings_change_at_once(tmp_path: Path) -> None:
    """Left and right change; the screen follows."""
    async with menu(tmp_path, "Ala") as (stage, _):
        stage.type("s")
        await stage.shows("theme")
        for _ in range(3):
            stage.type("\x1b[B")
        stage.type("\x1b[C")
        await stage.shows("‹ letters ›")
        stage.type("\x1b")
        await stage.shows("Host a table")


async def test_a_first_start_asks_one_thing(tmp_path: Path) -> None:
    """The name, with a default; then the menu."""
    async with menu(tmp_path, "login", QUICK) as (stage, _):
        await stage.shows("What shall others call you?")
        assert "login" in stage.text
        stage.type("\x1b[200~Zo\u00e9\x1b[201~\r")
        await stage.shows("Host a table")
        assert "Zo\u00e9" in stage.text


async def test_the_rules_of_an_open_table_are_edited(tmp_path: Path) -> None:
    """What is chosen with ``e`` is what the guest is asked, and what is played."""
    async with hosted(tmp_path) as (ala, _, invite):
        ala.type("e")
        await ala.shows("Rules of this table")
        ala.type("\x1b[B\x1b[D")  # the reserve: 12
        await ala.shows("1 switch differs from crapette")
        ala.type("q")
        await ala.shows("crapette, house rules · 1 switch changed")
        async with joining(tmp_path, invitation(invite)) as (olek, _):
            await olek.shows("Unlike crapette:")
            assert "cards in the reserve: 12 (in crapette: 13)" in olek.text
            olek.type("y")
            await olek.shows("turn 1")
            await ala.shows("turn 1")
