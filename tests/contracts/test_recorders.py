"""What a pump relies on in a recorder: in the real one, and in the one of its tests."""

from __future__ import annotations

from abc import ABC, abstractmethod
from pathlib import Path

import pytest

from crapette_p2p.gamelog.genesis import game_id_of
from crapette_p2p.gamelog.records import RecordKind
from crapette_p2p.net.failures import StorageError
from crapette_p2p.net.recorder import Recorder
from crapette_p2p.net.store import GameStore
from tests.contracts.keepers import genesis_of
from tests.net.fakepump import FakeRecorder, World
from tests.net.faults import FailingDisk

GENESIS = genesis_of(b"\x01" * 32)
GAME = game_id_of(GENESIS)
FIRST = (RecordKind.GENESIS, (GENESIS, b"s" * 64, b"t" * 64))
NOTE = (RecordKind.NOTE, (501, "left"))


class Bench(ABC):
    """A recorder whose disk fails when it is told to."""

    recorder: Recorder | FakeRecorder

    @abstractmethod
    def fail(self, call: str | None) -> None:
        """Let each ``write`` or each ``sync`` fail from now on, or none."""

    @property
    @abstractmethod
    def syncs(self) -> int:
        """How often it has synced."""


class Real(Bench):
    """Over files."""

    def __init__(self, root: Path) -> None:
        self._disk = FailingDisk("never", 0)
        store = GameStore(root / "games", root / "secrets", self._disk)
        self.recorder: Recorder = Recorder(store)

    def fail(self, call: str | None) -> None:
        """On its disk."""
        self._disk.call = call or "never"

    @property
    def syncs(self) -> int:
        """Of files."""
        return self._disk.syncs


class Fake(Bench):
    """Over a list of what was done."""

    def __init__(self, _root: Path) -> None:
        self._world = World()
        self.recorder: FakeRecorder = FakeRecorder(self._world)

    def fail(self, call: str | None) -> None:
        """Said in advance."""
        self._world.fail_at = self._world.writes if call == "write" else None
        self._world.sync_fails = call == "sync"

    @property
    def syncs(self) -> int:
        """In the list."""
        return self._world.done.count("sync")


@pytest.fixture(params=[Real, Fake])
def bench(request: pytest.FixtureRequest, tmp_path: Path) -> Bench:
    """One with a game that is on the disk."""
    made: Bench = request.param(tmp_path)
    made.recorder.write(GAME, [FIRST])
    made.recorder.settle()
    return made


def test_it_is_settled_until_something_is_written(bench: Bench) -> None:
    """And again after one sync, however many batches there were."""
    before = bench.syncs
    assert bench.recorder.settled
    bench.recorder.settle()
    assert bench.syncs == before
    bench.recorder.write(GAME, [NOTE, NOTE])
    bench.recorder.write(GAME, [NOTE])
    assert not bench.recorder.settled
    bench.recorder.settle()
    bench.recorder.settle()
    assert bench.recorder.settled
    assert bench.syncs == before + 1


def test_a_batch_that_was_not_written_is_nothing_to_sync(bench: Bench) -> None:
    """What was written before it still is."""
    bench.fail("write")
    with pytest.raises(StorageError) as error:
        bench.recorder.write(GAME, [NOTE])
    assert error.value.failure.code == "cannot-write"
    assert bench.recorder.settled
    bench.fail(None)
    bench.recorder.write(GAME, [NOTE])
    bench.fail("write")
    with pytest.raises(StorageError):
        bench.recorder.write(GAME, [NOTE])
    assert not bench.recorder.settled


def test_what_could_not_be_synced_is_taken_back(bench: Bench) -> None:
    """So there is nothing left to sync, and nothing fails twice."""
    bench.recorder.write(GAME, [NOTE])
    bench.fail("sync")
    with pytest.raises(StorageError) as error:
        bench.recorder.settle()
    assert error.value.failure.code == "cannot-write"
    assert bench.recorder.settled
    bench.recorder.settle()
