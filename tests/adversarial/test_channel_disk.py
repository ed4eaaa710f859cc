"""C11: disks that are full, read-only or fail to sync, at every write of a game.

Nothing that depends on the failed record is sent, a clear text says what happened,
what is on the disk verifies, and the game goes on once the disk does.
"""

from __future__ import annotations

import asyncio
import errno
import os
from pathlib import Path

import pytest

from crapette_p2p.gamelog.evidence import is_evidence
from crapette_p2p.gamelog.verify import verify_log
from crapette_p2p.net.address import Address
from crapette_p2p.net.crypto import verify
from crapette_p2p.net.endpoint import ResumeOptions, resume
from crapette_p2p.net.failures import Exit, StorageError
from crapette_p2p.net.files import Disk
from crapette_p2p.net.hosting import host
from crapette_p2p.net.joining import join
from crapette_p2p.net.news import Closed, Expecting
from crapette_p2p.net.player import Player
from crapette_p2p.net.pump import Pump
from crapette_p2p.net.recorder import Recorder
from crapette_p2p.session.effects import Send
from crapette_p2p.session.notices import GameOver, SessionFailed
from crapette_p2p.session.session import Session
from crapette_p2p.ui.wording import explain
from tests.adversarial.stages import hostile_pair
from tests.helpers.pair import CERT, terms
from tests.helpers.pair import make_player as make_pair_player
from tests.net.fakelink import FakeTransport
from tests.net.fasttime import fast
from tests.net.tables import (
    LOOPBACK,
    LazyDisk,
    assert_same_games,
    host_options,
    join_options,
    make_player,
    playing,
    seat_at,
    terms_of,
    where,
)


class DyingDisk(Disk):
    """Works for ``good`` calls of one kind, then fails until it is ``mended``."""

    def __init__(self, call: str, good: int) -> None:
        self.call = call
        self.left = good
        self.mended = False
        self.failures = 0

    def write(self, fd: int, data: bytes) -> None:
        """Write, or write half and report a full disk."""
        if self._dies("write"):
            os.write(fd, data[: len(data) // 2])
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        super().write(fd, data)

    def sync(self, fd: int) -> None:
        """Say it is done, or report an I/O error."""
        del fd
        if self._dies("sync"):
            raise OSError(errno.EIO, os.strerror(errno.EIO))

    def _dies(self, call: str) -> bool:
        if call != self.call or self.mended:
            return False
        self.left -= 1
        self.failures += self.left < 0
        return self.left < 0


async def play_until_it_dies(ala: Player, olek: Player) -> tuple[Closed, bool]:
    """A game in which Olek's disk fails; how his table closed, and if it was over."""
    async with host(host_options(ala, terms=terms_of("russian-bank"))) as hosting:
        first = seat_at(hosting.table)
        async with playing(first), join(where(hosting), join_options(olek)) as guest:
            second = seat_at(guest, seed=2, resigns_at=30)
            closed = await second.play()
    assert not [n for n in first.heard if isinstance(n, SessionFailed)]
    return closed, any(isinstance(n, GameOver) for n in second.heard)


async def finish(ala: Player, olek: Player) -> None:
    """Both take the game up again and play it to its end."""
    (log,) = ala.store.logs()
    (other,) = olek.store.logs()
    async with resume(log, ResumeOptions(player=ala, ports=(0,))) as first:
        expecting = await first.next_notice()
        assert isinstance(expecting, Expecting)
        options = ResumeOptions(
            player=olek,
            hosted=False,
            places=[Address(LOOPBACK, expecting.port)],
        )
        async with resume(other, options) as second:
            seats = seat_at(first), seat_at(second, seed=2, resigns_at=10)
            ends = await asyncio.gather(*(seat.play() for seat in seats))
    assert [end.failure for end in ends] == [None, None]


@pytest.mark.slow
@pytest.mark.parametrize("call", ["write", "sync"])
@pytest.mark.parametrize("good", [6, 7, 8, 11, 17, 26])
@fast
async def test_c11_a_disk_that_fails_in_mid_game(
    tmp_path: Path, call: str, good: int
) -> None:
    """C11: the table closes with the reason; nobody is accused; the game resumes."""
    disk = DyingDisk(call, 10_000)
    ala = make_player(tmp_path, "Ala")
    olek = make_player(tmp_path, "Olek", disk)
    disk.left = good
    closed, over = await play_until_it_dies(ala, olek)
    assert disk.failures
    assert closed.failure is not None
    assert closed.failure.code == "cannot-write"
    assert closed.failure.status in (Exit.PEER_LOST, Exit.BUG)
    told = explain(closed.failure.code, closed.failure.facts)
    assert str(tmp_path) in told.sentence
    assert os.strerror(errno.ENOSPC if call == "write" else errno.EIO) in told.sentence
    for player in (ala, olek):
        for path in player.store.logs():
            assert not is_evidence(path.read_bytes())
            verdict = verify_log(path.read_bytes(), verify)
            assert not verdict.torn
            assert verdict.first_bad is None or verdict.why == "no-genesis"
    disk.mended = True
    resumable = not over and _started(olek) and _started(ala)
    assert resumable or good < 9  # before START nothing is lost but a proposal
    if not resumable:
        return
    await finish(ala, olek)
    assert_same_games(ala, olek)


def _started(player: Player) -> bool:
    return any(game.status == "open" for game in player.kept.summaries())


class Deaf:
    """An owner who does not mind."""

    def __init__(self) -> None:
        self.errors: list[Exception] = []

    def on_notice(self, _pump: object, _notice: object) -> None:
        """Nothing."""

    def on_over(self, _pump: object) -> None:
        """Nothing."""

    def on_disk_failure(self, _pump: object, error: Exception) -> None:
        """Keep it."""
        self.errors.append(error)


def honest_bytes() -> list[bytes]:
    """What a listener hears up to the lay-out, frame by frame."""
    hostile = hostile_pair("russian-bank", victim=0, seed=6)
    for player in hostile.pair.players:
        player.options["known"] = lambda _key: "sas"
    hostile.pair.connect()
    return [e.data for e in hostile.cheat.trace if isinstance(e, Send)]


@pytest.mark.slow
@pytest.mark.parametrize("call", ["write", "sync"])
def test_c11_nothing_is_sent_after_a_failed_record(tmp_path: Path, call: str) -> None:
    """C11: at each single write of the set-up: not a byte leaves after it."""
    frames = honest_bytes()

    async def run(good: int) -> bool:
        disk = DyingDisk(call, good)
        store = make_player(tmp_path / str(good), "Ala", disk).store
        player = make_pair_player("Ala", seed=6)
        player.options |= {
            "terms": terms("russian-bank"),
            "known": lambda _key: "sas",
        }
        owner = Deaf()
        recorder = Recorder(store)
        pump = Pump(Session(player.config()), recorder, owner, address="")
        transport = FakeTransport(pump)
        pump.connection_made(transport)
        pump.start(CERT, dialler=False)
        for data in frames:
            before, failed = transport.written, disk.failures
            pump.data_received(data)
            if failed:
                assert transport.written == before
                assert transport.is_closing()
        recorder.close()
        pump.connection_lost(None)
        assert len(owner.errors) == min(1, disk.failures)
        return disk.failures > 0

    good = 3  # the identity's key is written before the game
    count = 0
    while asyncio.run(run(good)):
        good += 1
        count += 1
        assert count < 100
    assert count >= 8


def test_c11_a_read_only_directory(tmp_path: Path) -> None:
    """C11: nothing can be kept there, so no game begins; the text names it."""
    player = make_player(tmp_path, "Ala", LazyDisk())
    player.store.games.mkdir(parents=True, exist_ok=True)
    if os.geteuid() == 0:
        # Root writes everywhere: a file in the directory's place refuses alike.
        player.store.games.rmdir()
        player.store.games.write_text("in the way")
    else:
        player.store.games.chmod(0o500)
    with pytest.raises(StorageError) as error:
        player.store.create(bytes(32), 0)
    refusal = "cannot-make" if os.geteuid() == 0 else "cannot-write"
    assert error.value.failure.code == refusal
    told = explain(error.value.failure.code, error.value.failure.facts)
    assert str(player.store.games) in told.sentence
