"""Another deal in line mode: asked for by a word, on both seats of one table."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import pytest

from crapette_p2p.engine.layout import Seat
from crapette_p2p.net.news import LogRestored, TableNotice
from crapette_p2p.session.commands import AcceptTerms, Propose, SayChat
from crapette_p2p.session.notices import (
    ChatReceived,
    LinkLost,
    LobbyOpened,
    PeerLeft,
)
from crapette_p2p.session.text import WISH
from crapette_p2p.ui.narrator import Narrator
from crapette_p2p.ui.plain_app import PlainApp
from crapette_p2p.ui.plain_commands import PlainOptions
from tests.helpers.fakegame import make_genesis
from tests.helpers.pair import Pair, make_player, terms
from tests.ui.harness import PATIENCE
from tests.ui.plain_table import PairTable, ScriptedConsole

DEALT = "both signed. dealing."


class LinkedTable(PairTable):
    """A table whose other side hears at once what was done here."""

    other: LinkedTable

    def settle(self) -> None:
        """Carry everything, and wake both."""
        super().settle()
        self.other._news.set()


class QueueConsole(ScriptedConsole):
    """A pipe into which a test writes when it likes."""

    def __init__(self) -> None:
        super().__init__(lambda: None)
        self.typed: asyncio.Queue[str] = asyncio.Queue()

    async def next_line(self) -> str | None:
        """The next line that was typed."""
        line = await self.typed.get()
        self._write(line + "\n")
        self._asked = False
        return line


@dataclass
class Player:
    """One seat, played by typing."""

    table: LinkedTable
    console: QueueConsole
    app: PlainApp

    def types(self, *lines: str) -> None:
        """Write into the pipe."""
        for line in lines:
            self.console.typed.put_nowait(line)

    async def reads(self, text: str, times: int = 1) -> None:
        """Return once a text was written so often."""
        while self.text.count(text) < times:
            self.console._wrote.clear()
            await self.console._wrote.wait()

    @property
    def text(self) -> str:
        """Everything written so far."""
        return self.console.output.getvalue()

    def sent(self, kind: type) -> int:
        """How many commands of a kind were given."""
        return sum(isinstance(command, kind) for command in self.table.commands)


def seated(pair: Pair, side: int) -> Player:
    """A player in line mode who takes the four cards as equal."""
    pair.players[side].person = lambda _notice: None
    table = LinkedTable(pair, side, robot=None)
    console = QueueConsole()
    options = PlainOptions(accept_unverified=True)
    return Player(table, console, PlainApp(table, console, Narrator(), options))


@asynccontextmanager
async def one_deal_played() -> AsyncIterator[tuple[Player, Player]]:
    """Ala, who proposes, and Olek, who does not, at the end of a deal."""
    pair = Pair(make_player("Ala", seed=1), make_player("Olek", seed=1), seed=1)
    pair.players[0].options["terms"] = terms()
    ala, olek = seated(pair, 0), seated(pair, 1)
    ala.table.other, olek.table.other = olek.table, ala.table
    pair.connect()
    running = [asyncio.create_task(player.app.run()) for player in (ala, olek)]
    try:
        async with asyncio.timeout(PATIENCE):
            olek.types("y")
            for player in (ala, olek):
                await player.reads("turn 1, ")
            position = ala.app._narrator.position
            assert position is not None
            mover = ala if position.active == ala.table.seat else olek
            mover.types("rematch", "resign", "y")
            await mover.reads("the deal is not over yet.")
            for player in (ala, olek):
                await player.reads("saved: ")
            yield ala, olek
    finally:
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)


@pytest.mark.parametrize("muted", [False, True])
async def test_the_wish_of_whoever_cannot_propose(muted: bool) -> None:
    """He says it by a word, the other hears it in our words, and it is a deal."""
    async with one_deal_played() as (ala, olek):
        ala.app._narrator.mute(muted=muted)
        await olek.reads("rematch tells Ala that you would like one.")
        olek.types("rematch")
        await olek.reads("only Ala can propose it, and was told your wish.")
        assert olek.table.commands[-1] == SayChat(WISH)
        await ala.reads("Olek would like another deal.")
        assert "Olek says: " not in ala.text
        ala.types("next")
        for player in (ala, olek):
            await player.reads(DEALT, 2)
        assert ala.sent(Propose) == 1
        assert olek.text.count("play by these?") == 1  # the first time
        assert olek.sent(AcceptTerms) == 2


async def test_whoever_proposes_needs_no_question() -> None:
    """``rematch`` answers the one that stands there, on either seat."""
    async with one_deal_played() as (ala, olek):
        ala.types("rematch")
        await olek.reads("play by these? [y/n, rules: hear them]", 2)
        olek.types("rematch")
        for player in (ala, olek):
            await player.reads(DEALT, 2)
        assert olek.sent(SayChat) == 0


async def test_a_wish_is_told_once() -> None:
    """Asked for again it is waited for; nobody is rung up twice."""
    async with one_deal_played() as (ala, olek):
        olek.types("next")
        await ala.reads("would like another deal.")
        olek.app._agreed = False  # a person may type at any time
        olek.app._read("rematch")
        assert "waiting for Ala to answer." in olek.console.lines
        assert olek.sent(SayChat) == 1


async def test_a_script_goes_on_with_the_next_deal() -> None:
    """What stands behind ``rematch`` in a pipe is for the deal that follows."""
    async with one_deal_played() as (ala, olek):
        olek.types("rematch", "who")
        await ala.reads("would like another deal.")
        ala.types("y", "who")
        for player, name in ((ala, "Olek"), (olek, "Ala")):
            await player.reads("turn 1, ", 2)
            assert f"{name}, key " not in player.text.rpartition(DEALT)[0]


async def test_other_terms_are_asked_about_all_the_same() -> None:
    """A wish agrees to what was played, and to nothing else."""
    async with one_deal_played() as (ala, olek):
        olek.types("rematch")
        await olek.reads("was told your wish.")
        ala.table.command(Propose(terms("garibaldka")))
        await olek.reads("play by these? [y/n, rules: hear them]", 2)
        assert olek.sent(AcceptTerms) == 1
        olek.types("y")
        await olek.reads(DEALT, 2)


async def test_nobody_there_hears_no_wish() -> None:
    """Once the link is gone it is said so, and nothing is sent."""
    async with one_deal_played() as (ala, olek):
        await olek.reads("waiting for Ala to propose a deal.")
        ala.table.pair.cut()
        olek.table.settle()
        await olek.reads("is lost")
        olek.app._read("rematch")
        assert olek.console.lines[-1] == "nobody is here yet."
        assert olek.sent(SayChat) == 0


def test_a_wish_is_one_only_when_a_deal_is_over() -> None:
    """In play, and before any, the words are talk like any other."""
    narrator = Narrator()
    talk = ["the other player says: I would like another deal."]
    assert narrator.tell(ChatReceived(WISH)) == talk
    narrator._may_wish = True
    (wish,) = narrator.tell(ChatReceived(WISH))
    assert wish == "the other player would like another deal."
    assert narrator.last == [wish]
    assert narrator.tell(ChatReceived(WISH)) == talk
    narrator.muted = True
    assert narrator.tell(ChatReceived(WISH)) == []
    assert len(narrator.tell(LobbyOpened(proposes=False))) == 1  # no deal before


@pytest.mark.parametrize("ending", [LinkLost(0), LinkLost(106), PeerLeft(106, "")])
def test_a_program_that_goes_without_a_farewell_has_not_left(
    ending: TableNotice,
) -> None:
    """Nor has one that gave the link up as too long silent: the connection is lost."""
    narrator = Narrator()
    assert narrator.tell(ending) == ["the connection to the other player is lost."]
    narrator.sit_down(make_genesis(), Seat(0))
    name = make_genesis().nicks[1]
    lost = f"the connection to {name} is lost. the game is saved."
    assert narrator.tell(ending) == [lost]
    assert narrator.tell(PeerLeft(501, "")) == [f"{name} has left."]


def test_a_log_that_was_removed_is_told_of() -> None:
    """Where it is again; what its name holds drives no terminal."""
    (line,) = Narrator().tell(LogRestored("/games/\x1b1.crlog"))
    assert line.endswith("it has been written again, whole: /games/\\x1b1.crlog")
