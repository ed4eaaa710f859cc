"""The door in line mode: knocks over real connections on the loopback."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from crapette_p2p.engine.layout import Seat
from crapette_p2p.engine.ruleset import PRESETS
from crapette_p2p.net.address import Address
from crapette_p2p.net.addresses import OwnAddress
from crapette_p2p.net.hosting import Hosting, HostOptions, host
from crapette_p2p.net.joining import JoinOptions, join
from crapette_p2p.net.paths import Paths
from crapette_p2p.net.player import Player, player_at
from crapette_p2p.net.table import Table
from crapette_p2p.session.commands import Confirm, Terms
from crapette_p2p.session.notices import CardsToCompare
from crapette_p2p.ui.lines import Speech
from crapette_p2p.ui.plain_door import PlainDoor
from tests.ui.harness import PATIENCE
from tests.ui.plain_table import ScriptedConsole


def player(tmp_path: Path, name: str) -> Player:
    """Somebody with files of his own."""
    home = tmp_path / name
    return player_at(Paths(home, home, home), name)


def door_of(tmp_path: Path) -> HostOptions:
    """A door on the loopback."""
    terms = Terms(preset="crapette", rules=PRESETS["crapette"], candidates=2)
    host_player = player(tmp_path, "Ala")
    return HostOptions(
        player=host_player, terms=terms, ports=(0,), binds=("127.0.0.1",)
    )


class TypingConsole(ScriptedConsole):
    """A console whose lines come when the test types them."""

    def __init__(self) -> None:
        super().__init__(lambda: None)
        self.typed: asyncio.Queue[str] = asyncio.Queue()

    async def next_line(self) -> str | None:
        """The next line that is typed."""
        return await self.typed.get()


@asynccontextmanager
async def waiting(
    options: HostOptions, *lines: str
) -> AsyncIterator[tuple[Hosting, ScriptedConsole, asyncio.Task[Table | None]]]:
    """An open door, its console, and the task that waits at it."""
    left = list(lines)
    console = ScriptedConsole(lambda: left.pop(0) if left else None)
    speech = Speech(seat=Seat(0), names=("", ""))
    async with host(options) as hosting, asyncio.timeout(PATIENCE):
        seated = asyncio.create_task(PlainDoor(hosting, console, speech).seated())
        yield hosting, console, seated
        if not seated.done():
            seated.cancel()
            await asyncio.wait({seated})


async def knock(hosting: Hosting, tmp_path: Path, name: str = "Olek") -> None:
    """A player dials and says that the cards are the same."""
    options = JoinOptions(player=player(tmp_path, name))
    async with join(Address("127.0.0.1", hosting.port), options) as table:
        while not isinstance(await table.next_notice(), CardsToCompare):
            pass
        table.command(Confirm(same=True))
        await asyncio.Event().wait()


@pytest.mark.parametrize("answer", ["y", "1"])
async def test_a_stranger_knocks_and_sits_down(tmp_path: Path, answer: str) -> None:
    """The cards are shown, the answer seats him; once means not remembered."""
    options = door_of(tmp_path)
    async with waiting(options, "what?", answer) as (hosting, console, seated):
        olek = asyncio.create_task(knock(hosting, tmp_path))
        assert await seated is hosting.table
        olek.cancel()
        await asyncio.wait({olek})
    text = console.output.getvalue()
    assert f"the table is open on port {hosting.port}." in text
    assert f"your friend types: crapette join 127.0.0.1:{hosting.port}\n" in text
    assert "is taken" not in text
    assert "invite crapette1:127.0.0.1:" in text
    assert "Olek knocks from 127.0.0.1. cards: " in text
    assert "same on the other side? [y/n, 1: do not remember] what?\ny or n?\n" in text
    known = [peer.nick for peer in options.player.peers.all()]
    assert known == (["Olek"] if answer == "y" else [])


@pytest.mark.parametrize(("port", "shown"), [(4747, ""), (4805, ":4805")])
async def test_an_address_has_the_port_that_is_not_the_usual_one(
    tmp_path: Path, port: int, shown: str
) -> None:
    """As it is typed: in the line of the address and in the whole command."""
    console = ScriptedConsole(lambda: "leave")
    speech = Speech(seat=Seat(0), names=("", ""))
    async with host(door_of(tmp_path)) as hosting, asyncio.timeout(PATIENCE):
        hosting.addresses = (OwnAddress("192.168.1.20", "eth0", "network", shown=True),)
        hosting.port = port
        seated = asyncio.create_task(PlainDoor(hosting, console, speech).seated())
        await console.until("waiting for a player")
        seated.cancel()
        await asyncio.wait({seated})
    text = console.output.getvalue()
    assert f"address 192.168.1.20{shown} (eth0).\n" in text
    assert f"your friend types: crapette join 192.168.1.20{shown}\n" in text


async def test_a_port_that_is_taken_is_told(tmp_path: Path) -> None:
    """The table moves on to the next free one, and says so."""
    options = door_of(tmp_path)
    with socket.create_server(("127.0.0.1", 0)) as other:
        taken = other.getsockname()[1]
        options = replace(options, ports=(taken, 0))
        async with waiting(options, "leave") as (hosting, console, _):
            await console.until("waiting for a player")
    text = console.output.getvalue()
    moved = f"Port {taken} is taken (another table?). Using {hosting.port}.\n"
    assert text.startswith(moved)


async def test_cards_that_differ_leave_the_table_open(tmp_path: Path) -> None:
    """A refused stranger is turned away, and the door stays open."""
    async with waiting(door_of(tmp_path), "n") as (hosting, console, seated):
        olek = asyncio.create_task(knock(hosting, tmp_path))
        await console.until(": do not remember] n\n")
        assert not seated.done()
        olek.cancel()
        await asyncio.wait({olek})


async def test_the_next_in_line_is_asked_about(tmp_path: Path) -> None:
    """Two wait; after the first is refused the second is, without knocking again."""
    console = TypingConsole()
    door = host(door_of(tmp_path))
    async with door as hosting, asyncio.timeout(PATIENCE):
        plain = PlainDoor(hosting, console, Speech(seat=Seat(0), names=("", "")))
        seated = asyncio.create_task(plain.seated())
        olek = asyncio.create_task(knock(hosting, tmp_path))
        await console.until("Olek knocks from 127.0.0.1. cards: ")
        ela = asyncio.create_task(knock(hosting, tmp_path, "Ela"))
        await console.until("Ela knocks from 127.0.0.1 too.")
        console.typed.put_nowait("n")
        await console.until("Ela knocks from 127.0.0.1. cards: ")
        assert not seated.done()
        console.typed.put_nowait("y")
        table = await seated
        assert table is not None
        assert table.peer is not None
        assert table.peer.nick == "Ela"
        for task in (olek, ela):
            task.cancel()
        await asyncio.wait({olek, ela})


async def test_leaving_at_the_question_closes_the_table(tmp_path: Path) -> None:
    """Whoever is asked may close the table instead."""
    async with waiting(door_of(tmp_path), "leave") as (hosting, _, seated):
        olek = asyncio.create_task(knock(hosting, tmp_path))
        assert await seated is None
        olek.cancel()
        await asyncio.wait({olek})


async def test_noise_at_the_door_is_said(tmp_path: Path) -> None:
    """Something that is no player is named in a line and costs nothing."""
    async with waiting(door_of(tmp_path)) as (hosting, console, seated):
        _, writer = await asyncio.open_connection("127.0.0.1", hosting.port)
        writer.write(b"GET / HTTP/1.1\r\n\r\n")
        await writer.drain()
        await console.until("127.0.0.1: ")
        writer.close()
        assert not seated.done()
