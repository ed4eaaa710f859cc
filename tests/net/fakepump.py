"""A pump over fakes that write down in which order things happen."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import cast

from crapette_p2p.net.failures import StorageError, storage_error
from crapette_p2p.net.pump import Pump
from crapette_p2p.net.recorder import Recorder
from crapette_p2p.session.commands import Command
from crapette_p2p.session.effects import Effect, Persist
from crapette_p2p.session.notices import Notice
from crapette_p2p.session.session import Session
from crapette_p2p.session.states import State
from tests.net.fakelink import FakeTransport

GAME, OTHER = b"g" * 32, b"h" * 32
NOTE = Persist(GAME, 5, (501, "note"))


@dataclass
class World:
    """Everything a pump touches, writing down what happens to it."""

    done: list[object] = field(default_factory=list)
    fail_at: int | None = None
    """Which write of records fails, counted from 0."""
    writes: int = 0
    sync_fails: bool = False
    timed: int = 0
    """How much had been done when times were written last."""


class ToldTransport(FakeTransport):
    """Writes down what is asked of it; nobody reads what is written to it."""

    def __init__(self, world: World, protocol: asyncio.Protocol) -> None:
        super().__init__(protocol)
        self._world = world

    def write(self, data: bytes | bytearray | memoryview) -> None:
        """Bytes for the peer."""
        self._world.done.append(("write", bytes(data)))
        super().write(data)

    def close(self) -> None:
        """Flush and close."""
        self._world.done.append("close")
        super().close()

    def abort(self) -> None:
        """Close at once."""
        self._world.done.append("abort")
        super().abort()


class FakeRecorder:
    """A recorder whose disk fails when it is told to."""

    def __init__(self, world: World) -> None:
        self._world = world
        self.store = self
        self.settled = True

    def write(self, game_id: bytes, records: list[tuple[int, object]]) -> None:
        """Write down a batch."""
        self._world.writes += 1
        if self._world.writes - 1 == self._world.fail_at:
            raise storage_error("cannot-write", "log", "full")
        self._world.done.append(("append", game_id[:1], len(records)))
        self.settled = False

    def settle(self) -> None:
        """Write down a sync where there is something to sync."""
        if not self.settled:
            self.settled = True  # or taken back
            if self._world.sync_fails:
                raise storage_error("cannot-write", "log", "broken")
            self._world.done.append("sync")

    def joined(self, game_id: bytes) -> None:
        """Times are of no interest here."""

    def keep_times(self) -> None:
        """Write down how far everything was."""
        self._world.timed = len(self._world.done)

    def save_seeds(self, game_id: bytes, deck: int, seeds: object) -> None:
        """Write down seeds."""
        del seeds
        self._world.done.append(("seeds", game_id[:1], deck))

    def drop_seeds(self, game_id: bytes) -> None:
        """Write down that they are gone."""
        self._world.done.append(("drop", game_id[:1]))


class FakeSession:
    """Answers everything with the effects a test has put in."""

    def __init__(self, *effects: Effect) -> None:
        self.effects = list(effects)
        self.asked: list[object] = []
        self.state = State.PLAY
        self.due: float | None = None
        self.open_game = None

    def _answer(self, *asked: object) -> list[Effect]:
        self.asked.append(asked)
        effects, self.effects = self.effects, []
        return effects

    def connected(self, now: float, digest: bytes, dialler: bool) -> list[Effect]:
        """The link is up."""
        del now
        return self._answer("connected", digest, dialler)

    def receive(self, now: float, data: bytes) -> list[Effect]:
        """Bytes came."""
        del now
        return self._answer("receive", data)

    def eof(self, now: float) -> list[Effect]:
        """The end came."""
        del now
        return self._answer("eof")

    def tick(self, now: float) -> list[Effect]:
        """Time passed."""
        self.due = None
        return self._answer("tick", now)

    def command(self, now: float, command: Command) -> list[Effect]:
        """The owner wants something."""
        del now
        return self._answer(command)

    def deadline(self) -> float | None:
        """When to tick."""
        return self.due


class Owner:
    """Writes down what it is told."""

    def __init__(self, world: World) -> None:
        self._world = world

    def on_notice(self, pump: Pump, notice: Notice) -> None:
        """A notice."""
        del pump
        self._world.done.append(notice)

    def on_over(self, pump: Pump) -> None:
        """The link is gone."""
        del pump
        self._world.done.append("over")

    def on_disk_failure(self, pump: Pump, error: StorageError) -> None:
        """The disk failed."""
        del pump
        self._world.done.append(error.failure.code)


def make_pump(world: World, session: FakeSession, *, started: bool = True) -> Pump:
    """A pump over fakes, its link up."""
    pump = Pump(
        cast("Session", session),
        cast("Recorder", FakeRecorder(world)),
        Owner(world),
        address="somewhere",
    )
    pump.connection_made(ToldTransport(world, pump))
    if started:
        pump.start(b"d" * 32, dialler=True)
    return pump
