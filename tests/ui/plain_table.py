"""A table in memory for the line mode: a real session, a fake wire, a robot."""

from __future__ import annotations

import asyncio
import io
import random
from collections.abc import Callable

from crapette_p2p.engine import (
    AnswerDraw,
    Discard,
    Grant,
    Move,
    OfferDraw,
    Pass,
    Resign,
    Seat,
    Stop,
    Turn,
)
from crapette_p2p.engine.actions import Action
from crapette_p2p.engine.layout import DRAWN, RESERVE, WASTE
from crapette_p2p.gamelog.state import GameState
from crapette_p2p.net.hints import Hint
from crapette_p2p.net.news import Closed, TableNotice
from crapette_p2p.session.commands import Act, Command, Leave, Terms
from crapette_p2p.session.notices import Peer
from crapette_p2p.session.opengame import OpenGame
from crapette_p2p.session.session import Session
from crapette_p2p.ui.console import Console
from crapette_p2p.ui.narrator import Narrator
from tests.helpers.pair import Pair, make_player, terms
from tests.helpers.policy import choose


class PairTable:
    """One side of a ``Pair``, seen as a ``Table``; a robot plays the other."""

    def __init__(self, pair: Pair, side: int, *, robot: random.Random | None) -> None:
        self.pair = pair
        self.side = side
        self.robot = robot
        self.commands: list[Command] = []
        self.hint: Hint | None = None
        self.log_path: str | None = "/games/one.crlog"
        """A path that stands for the log in memory."""
        self._told = 0
        self._own: list[TableNotice] = []
        self._closed: Closed | None = None
        self._news = asyncio.Event()

    @property
    def session(self) -> Session | None:
        """The live session."""
        return self.pair.players[self.side].session

    @property
    def address(self) -> str:
        """Where the other end is."""
        return "10.0.0.2:4747"

    @property
    def open_game(self) -> OpenGame | None:
        """The game of the live session, or the last one on the disk."""
        player = self.pair.players[self.side]
        found = player.session.open_game if player.session is not None else None
        games = player.kept()
        return found or (games[-1] if games else None)

    @property
    def game(self) -> GameState | None:
        """The game at hand."""
        game = self.open_game
        return game.state if game is not None else None

    @property
    def seat(self) -> Seat | None:
        """Ours."""
        game = self.open_game
        return game.seat if game is not None else None

    @property
    def peer(self) -> Peer | None:
        """The other player."""
        session = self.pair.players[self.side].session
        return session.peer if session is not None else None

    def command(self, command: Command) -> None:
        """Hand a command to the session, then let the robot play."""
        self.commands.append(command)
        if self._closed is None:
            self.pair.command(self.side, command)
        if isinstance(command, Leave):
            self._closed = Closed(None)
        self.settle()

    def settle(self) -> None:
        """Carry everything, and let the robot do what it likes."""
        self.pair.pump()
        for _ in range(2_000):
            if self.robot is None or not self._robot_acts(self.robot):
                break
            self.pair.pump()
        if self.pair.players[self.side].closed is not None:
            self._closed = Closed(None)
        self._news.set()

    def close(self) -> None:
        """End the table from outside."""
        self._closed = Closed(None)
        self._news.set()

    def announce(self, notice: TableNotice) -> None:
        """Say something that the table says, not the session."""
        self._own.append(notice)

    async def next_notice(self) -> TableNotice:
        """The next notice of the session, then the table's own, then ``Closed``."""
        while True:
            notices = self.pair.players[self.side].notices
            if self._told < len(notices):
                self._told += 1
                return notices[self._told - 1]
            if self._own:
                return self._own.pop(0)
            if self._closed is not None:
                return self._closed
            self._news.clear()
            await self._news.wait()

    def _robot_acts(self, dice: random.Random) -> bool:
        player = self.pair.players[1 - self.side]
        if player.session is None or player.session.game is None:
            return False
        game, seat = player.session.game, player.session.seat
        if seat is None or game.position is None:
            return False
        position = game.position
        waits = position.end is None and position.offer != 1 - seat
        if position.active != seat and waits and dice.random() < 0.9:
            return False
        action = choose(game, seat, dice)
        return action is not None and self.pair.attempt(1 - self.side, Act(action))


def plain_pair(
    preset: str = "crapette",
    *,
    seed: int = 0,
    side: int = 1,
    robot: bool = True,
    offer: Terms | None = None,
) -> PairTable:
    """A table whose link has just been made; nothing is answered yet on our side."""
    pair = Pair(
        make_player("Ala", seed=seed), make_player("Olek", seed=seed), seed=seed
    )
    pair.players[0].options["terms"] = offer or terms(preset)
    pair.players[side].person = lambda _notice: None
    dice = random.Random(seed) if robot else None  # noqa: S311 - a repeatable robot
    table = PairTable(pair, side, robot=dice)
    pair.connect()
    return table


class ScriptedConsole(Console):
    """A console whose lines are thought of when they are wanted."""

    def __init__(self, think: Callable[[], str | None]) -> None:
        self.output = io.StringIO()
        super().__init__(io.StringIO(), self.output, interactive=False)
        self._think = think
        self._wrote = asyncio.Event()

    async def until(self, text: str) -> None:
        """Return once a text has been written."""
        while text not in self.output.getvalue():
            self._wrote.clear()
            await self._wrote.wait()

    def _write(self, text: str) -> None:
        super()._write(text)
        self._wrote.set()

    async def next_line(self) -> str | None:
        """What the script says now."""
        line = self._think()
        if line is None:
            self.ended = True
            return None
        self._write(line + "\n")
        self._asked = False
        return line

    @property
    def lines(self) -> list[str]:
        """Everything written so far."""
        return self.output.getvalue().splitlines()


def keys_of(action: Action, seat: int) -> str:
    """An action as a player would type it with the keys of the screen."""
    match action:
        case Move(source, target):
            return _source(source) + _target(target, seat)
        case Stop(source, target):
            return f"! {_source(source)} {_target(target, 1 - seat)}"
        case Turn():
            return "space"
        case Discard() | Pass():
            return "d"
        case Grant():
            return "grant"
        case Resign():
            return "resign"
        case OfferDraw():
            return "draw"
        case AnswerDraw(accept):
            return "accept" if accept else "decline"


def _source(pile: int) -> str:
    if pile < 8:
        return str(pile + 1)
    return {RESERVE: "c", DRAWN: "d", WASTE: "w"}[pile & ~1]


def _target(pile: int, seat: int) -> str:
    if pile < 8:
        return str(pile + 1)
    if pile < RESERVE:
        return "f"
    assert pile & 1 != seat
    return "o" if pile & ~1 == RESERVE else "p"


class Typist:
    """Types a whole game: answers questions with y, plays at random."""

    def __init__(self, table: PairTable, narrator: Narrator, *, seed: int) -> None:
        self.table = table
        self.narrator = narrator
        self.typed: list[str] = []
        self.dice = random.Random(seed)  # noqa: S311 - a repeatable player
        self.asked_for = 0

    def __call__(self) -> str | None:
        """The next line."""
        line = self._line()
        if line is not None:
            self.typed.append(line)
        return line

    def _line(self) -> str | None:
        position = self.narrator.position
        question = bool(self.typed) and self.typed[-1] in ("resign", "draw")
        if position is None or question:
            return "y"
        game, seat = self.table.game, self.table.seat
        if game is None or seat is None or game.done:
            return None
        if self.dice.random() < 0.05:
            return self.dice.choice(["table", "fan 3", "say", "mine", "help", "xyzzy"])
        action = choose(game, seat, self.dice)
        return keys_of(action, seat) if action is not None else "say"
