"""A table screen with the world around it played by the test."""

from __future__ import annotations

from dataclasses import replace

from crapette_p2p.engine import (
    Action,
    Move,
    PileId,
    Position,
    Seat,
    play,
    turn_up,
)
from crapette_p2p.errors import LocalProtocolError
from crapette_p2p.session.commands import Act, Command
from crapette_p2p.ui.desk import Desk
from crapette_p2p.ui.play.seat_screen import TableSetup
from crapette_p2p.ui.play.table_screen import TableScreen
from crapette_p2p.ui.settings import Settings
from tests.ui.boards import Side, board

QUIET = Settings(pace=350, animation=False)
START = board(
    columns=("9H", "8S", "", "3C", "QD", "KS", "5H", "2D"),
    foundations={"C": (2, 0)},
    a=Side(reserve=(5, "7H"), stock=20),
    b=Side(reserve=(5, "JS"), stock=20),
    active=1,
    acts=0,
)


class Table:
    """A table screen and the world around it."""

    def __init__(
        self, position: Position = START, *, seat: int = 0, settings: Settings = QUIET
    ) -> None:
        self.sent: list[Command] = []
        self.rung = 0
        self.titles: list[str] = []
        self.linked = True
        desk = Desk(settings=settings, ring=self._ring, entitle=self.titles.append)
        setup = TableSetup(
            seat=Seat(seat), names=("Ala", "Olek"), position=position, send=self._send
        )
        self.screen = TableScreen(desk, setup)
        self.position = position
        self.now = 100.0
        self.screen.begin(self.now)

    def _ring(self) -> None:
        self.rung += 1

    def _send(self, command: Command) -> None:
        if not self.linked:
            raise LocalProtocolError("no link")
        self.sent.append(command)

    def keys(self, *keys: str, after: float = 1.0) -> None:
        """Press keys, a second apart unless told otherwise."""
        for key in keys:
            self.now += after
            self.screen.key(key, self.now)

    def happen(self, author: int, action: Action) -> None:
        """An event becomes final; what it uncovers is opened as a three of hearts."""
        self.position = play(self.position, author, action)
        self._tell(author, action)
        slot = self.position.unopened()
        if slot is not None:
            self.position = turn_up(self.position, slot, 41)
            self._tell(author, None)

    def _tell(self, author: int, action: Action | None) -> None:
        self.screen.feed.push(Seat(author), action, self.position)
        self.screen.happened(self.now)

    def wait(self, seconds: float) -> None:
        """Let time pass, waking the screen when it wants to be woken."""
        until = self.now + seconds
        while (at := self.screen.wakes_at(self.now)) is not None and at <= until:
            self.now = max(at, self.now + 0.001)
            self.screen.wake(self.now)
        self.now = until

    def lines(self, cols: int = 80, rows: int = 24) -> list[str]:
        """The picture as text."""
        return self.screen.draw(cols, rows, self.now).text()

    @property
    def text(self) -> str:
        """The picture as one text."""
        return "\n".join(self.lines())

    @property
    def actions(self) -> list[Action]:
        """The actions that were asked for."""
        return [command.action for command in self.sent if isinstance(command, Act)]


def move(source: int, target: int) -> Move:
    """A move between two piles."""
    return Move(PileId(source), PileId(target))


def mine(*, animation: bool = False) -> Table:
    """A's turn."""
    settings = Settings(pace=350, animation=animation)
    return Table(replace(START, active=Seat(0)), settings=settings)
