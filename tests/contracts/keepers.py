"""Who keeps what a session wants kept: the files of ``net``, and the ones in memory.

Both carry out lists of effects as their shells do, lose their program or their power,
and are asked for the game afterwards.
"""

from __future__ import annotations

import os
import stat
from abc import ABC, abstractmethod
from pathlib import Path
from typing import Final, cast

from crapette_p2p.engine.ruleset import PRESETS
from crapette_p2p.gamelog.genesis import Genesis, encode_genesis, game_id_of
from crapette_p2p.gamelog.records import RecordKind, encode_record
from crapette_p2p.gamelog.secrets import Secrets
from crapette_p2p.net.pump import Pump
from crapette_p2p.net.recorder import Recorder
from crapette_p2p.net.shelf import Shelf
from crapette_p2p.session.commands import Leave
from crapette_p2p.session.effects import Effect, Persist, Send
from crapette_p2p.session.framing import frame
from crapette_p2p.session.messages import Ping, encode_message
from crapette_p2p.session.opengame import OpenGame
from crapette_p2p.session.session import Session
from tests.helpers.pair import Pair, Wire
from tests.net.fakepump import FakeSession, Owner, ToldTransport, World
from tests.net.faults import FailingDisk
from tests.net.tables import make_player

OLEK: Final = b"\x02" * 32
"""The key of the peer."""
SAID: Final = frame(encode_message(Ping(1)))
"""What is sent."""
NEVER: Final = 1 << 30


def genesis_of(key: bytes, peer: bytes = OLEK, *, number: int = 1) -> bytes:
    """What was agreed for a game of ``key``, who is role 0, with ``peer``."""
    return encode_genesis(
        Genesis(
            preset="crapette",
            rules=PRESETS["crapette"],
            keys=(key, peer),
            nicks=("Ala", "Olek"),
            nonces=(bytes([number]) * 32, b"\x04" * 32),
            unix_time=1_796_000_000,
        )
    )


def record(kind: int, body: tuple[object, ...]) -> bytes:
    """A record as it stands in a log."""
    return encode_record(kind, body)


class Keeper(ABC):
    """A program with its disk."""

    public: bytes
    """The key of who plays here."""

    def begin(self, *, number: int = 1, peer: bytes = OLEK) -> Persist:
        """The record that begins a game both have signed."""
        genesis = genesis_of(self.public, peer, number=number)
        body = (genesis, b"s" * 64, b"t" * 64)
        return Persist(game_id_of(genesis), RecordKind.GENESIS, body)

    @abstractmethod
    def do(self, *effects: Effect) -> bool:
        """Carry out a list of effects; False if the disk has ended the program."""

    @property
    @abstractmethod
    def sent(self) -> int:
        """How often SAID was sent."""

    @abstractmethod
    def fail(self, call: str | None) -> None:
        """Let the disk be full (``write``) or broken (``sync``), or neither."""

    @abstractmethod
    def restart(self, *, power: bool = True) -> None:
        """End the program, and the power of the machine; then begin another."""

    @abstractmethod
    def log(self, game_id: bytes) -> bytes | None:
        """What anybody who reads the file sees."""

    @abstractmethod
    def put(self, game_id: bytes, data: bytes) -> None:
        """Have this in the file."""

    @abstractmethod
    def lookup(self, game_id: bytes, peer: bytes = OLEK) -> OpenGame | None:
        """What a session is told."""

    @abstractmethod
    def secrets(self, game_id: bytes) -> Secrets | None:
        """The seeds of a game."""


class PowerDisk(FailingDisk):
    """A disk on which a power cut leaves what was synced, and nothing else."""

    def __init__(self) -> None:
        super().__init__("never", NEVER)
        self.dead = False
        self._lengths: dict[int, int] = {}
        self._names: dict[int, set[str]] = {}

    def sync(self, fd: int) -> None:
        """Note what there is for good: the bytes of a file, the names in a folder."""
        super().sync(fd)
        status = os.fstat(fd)
        if self.dead:
            return
        if stat.S_ISDIR(status.st_mode):
            self._names[status.st_ino] = set(os.listdir(fd))
        else:
            self._lengths[status.st_ino] = status.st_size

    def lose_power(self, *folders: Path) -> None:
        """Take away the rest."""
        for folder in folders:
            names = self._names.get(folder.stat().st_ino, set())
            for path in folder.iterdir():
                if path.name in names:
                    status = path.stat()
                    length = self._lengths.get(status.st_ino, 0)
                    os.truncate(path, min(length, status.st_size))
                else:
                    path.unlink()


class FileKeeper(Keeper):
    """The real one: pump, recorder, shelf and store over a folder."""

    def __init__(self, root: Path) -> None:
        self._disk = PowerDisk()
        self._player = make_player(root, "Ala", self._disk)
        self.public = self._player.identity.public
        self._store = self._player.store
        self._worlds: list[World] = []
        self._begin()

    def _begin(self) -> None:
        self._session, world = FakeSession(), World()
        self._worlds.append(world)
        self._recorder = Recorder(self._store)
        self._shelf = Shelf(self._player, self._recorder)
        session = cast("Session", self._session)
        self._pump = Pump(session, self._recorder, Owner(world), address="")
        self._pump.connection_made(ToldTransport(world, self._pump))
        self._pump.start(b"d" * 32, dialler=True)

    def do(self, *effects: Effect) -> bool:
        """Have the session answer with them."""
        self._session.effects = [*effects]
        try:
            self._pump.command(Leave())
        except RuntimeError:
            return False
        return "cannot-write" not in self._worlds[-1].done and (
            "log-missing" not in self._worlds[-1].done
        )

    @property
    def sent(self) -> int:
        """How often SAID was sent."""
        return sum(world.done.count(("write", SAID)) for world in self._worlds)

    def fail(self, call: str | None) -> None:
        """From the next call on."""
        self._disk.call = call or "never"
        self._disk.left = 0

    def restart(self, *, power: bool = True) -> None:
        """End the program, and the power of the machine; then begin another."""
        self._disk.dead = not power
        self._pump.drop()
        self._recorder.close()
        if not power:
            folders = self._store.games, self._store.secrets
            self._disk.lose_power(*(each for each in folders if each.exists()))
        self._disk.dead = False
        self._begin()

    def log(self, game_id: bytes) -> bytes | None:
        """What anybody who reads the file sees."""
        path = self._store.find(game_id)
        return path.read_bytes() if path is not None else None

    def put(self, game_id: bytes, data: bytes) -> None:
        """Have this in the file."""
        ending = f"*-{game_id[:8].hex()}.crlog"
        (path,) = self._store.games.glob(ending)  # the store lists no bare ones
        path.write_bytes(data)

    def lookup(self, game_id: bytes, peer: bytes = OLEK) -> OpenGame | None:
        """What a session is told."""
        return self._shelf.lookup(game_id, peer)

    def secrets(self, game_id: bytes) -> Secrets | None:
        """The seeds of a game."""
        return self._store.load_secrets(game_id)


class MemoryKeeper(Keeper):
    """The one that session tests play with: a ``Pair`` and its disk."""

    def __init__(self, _root: Path) -> None:
        self._pair = Pair()
        self._player = self._pair.players[0]
        self.public = self._player.key.public
        self._begin()

    def _begin(self) -> None:
        self._session = FakeSession()
        self._player.session = cast("Session", self._session)
        self._pair.wire = Wire(0)

    def do(self, *effects: Effect) -> bool:
        """Have the session answer with them."""
        if self._player.session is None:
            return False
        self._session.effects = [*effects]
        try:
            self._pair.command(0, Leave())
        except AssertionError:  # a test of sessions has found a fault
            self._player.crash()
        return self._player.session is not None

    @property
    def sent(self) -> int:
        """How often SAID was sent."""
        return self._player.sent.count(Ping(1))

    def fail(self, call: str | None) -> None:
        """From the next call on."""
        self._player.disk.fails = call

    def restart(self, *, power: bool = True) -> None:
        """End the program, and the power of the machine; then begin another."""
        self._player.loses_power = not power
        self._player.crash()
        self._begin()

    def log(self, game_id: bytes) -> bytes | None:
        """What anybody who reads the file sees."""
        return self._player.disk.logs.get(game_id)

    def put(self, game_id: bytes, data: bytes) -> None:
        """Have this in the file."""
        self._player.disk.logs[game_id] = data

    def lookup(self, game_id: bytes, peer: bytes = OLEK) -> OpenGame | None:
        """What a session is told."""
        return self._player.lookup(game_id, peer)

    def secrets(self, game_id: bytes) -> Secrets | None:
        """The seeds of a game."""
        return self._player.disk.secrets_of(game_id)


SAY: Final = Send(SAID)
