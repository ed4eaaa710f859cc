"""Games on the disk: append only, synced, locked, whole after a failure."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from crapette_p2p.engine.ruleset import PRESETS
from crapette_p2p.gamelog.genesis import Genesis, encode_genesis, game_id_of
from crapette_p2p.gamelog.records import MAGIC, RecordKind, read_records
from crapette_p2p.net import files
from crapette_p2p.net.failures import StorageError
from crapette_p2p.net.files import REAL_DISK, Disk, open_new
from crapette_p2p.net.peers import PeerBook
from crapette_p2p.net.recorder import Recorder
from crapette_p2p.net.store import GameStore, log_name, read_log_file
from tests.net.faults import FailingDisk

GENESIS = encode_genesis(
    Genesis(
        preset="crapette",
        rules=PRESETS["crapette"],
        keys=(b"\x01" * 32, b"\x02" * 32),
        nicks=("Ala", "Olek"),
        nonces=(b"\x03" * 32, b"\x04" * 32),
        unix_time=1_796_000_000,
    )
)
GAME = game_id_of(GENESIS)
NAME = f"20261130-{GAME[:8].hex()}.crlog"
FIRST = (RecordKind.GENESIS, (GENESIS, None, b"s" * 64))
NOTE = (RecordKind.NOTE, (501, "left"))


def store_in(root: Path, disk: Disk = REAL_DISK) -> GameStore:
    """A store below ``root``."""
    return GameStore(root / "games", root / "secrets", disk)


def kinds_in(path: Path) -> list[int]:
    """The kinds of the records a log holds, which has to be whole."""
    found = read_records(path.read_bytes())
    assert not found.torn
    assert found.damage is None
    return [record.kind for record in found.records]


def test_a_game_is_written_record_by_record(tmp_path: Path) -> None:
    """The genesis makes the file, named by date and id, and records follow."""
    recorder = Recorder(store_in(tmp_path))
    recorder.append(GAME, [FIRST])
    recorder.append(GAME, [NOTE, NOTE])
    path = tmp_path / "games" / NAME
    assert recorder.path_of(GAME) == path
    assert kinds_in(path) == [1, 5, 5]
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.parent.stat().st_mode & 0o777 == 0o700


def test_each_batch_is_one_synced_write(tmp_path: Path) -> None:
    """Records that belong together share one write and one fsync."""
    disk = FailingDisk("never", 0)
    recorder = Recorder(store_in(tmp_path, disk))
    recorder.append(GAME, [FIRST])
    before = disk.writes, disk.syncs
    recorder.append(GAME, [NOTE, NOTE])
    assert (disk.writes, disk.syncs) == (before[0] + 1, before[1] + 1)


def test_what_was_written_is_synced_once_before_it_counts(tmp_path: Path) -> None:
    """Several writes share one fsync; closing a log syncs what nobody waited for."""
    disk = FailingDisk("never", 0)
    recorder = Recorder(store_in(tmp_path, disk))
    recorder.append(GAME, [FIRST])
    before = disk.syncs
    recorder.write(GAME, [NOTE])
    recorder.write(GAME, [NOTE])
    assert (recorder.settled, disk.syncs) == (False, before)
    recorder.settle()
    recorder.settle()
    assert (recorder.settled, disk.syncs) == (True, before + 1)
    recorder.write(GAME, [NOTE])
    recorder.close()
    assert disk.syncs == before + 2
    assert kinds_in(tmp_path / "games" / NAME) == [1, 5, 5, 5]


@pytest.mark.parametrize(("call", "kept"), [("write", [1, 5]), ("sync", [1])])
def test_a_failure_leaves_nothing_that_was_not_synced(
    tmp_path: Path, call: str, kept: list[int]
) -> None:
    """A failed fsync takes back all since the last good one, a write only its own."""
    disk = FailingDisk(call, 10_000)
    recorder = Recorder(store_in(tmp_path, disk))
    recorder.append(GAME, [FIRST])
    recorder.write(GAME, [NOTE])
    disk.left = 0
    with pytest.raises(StorageError):
        recorder.append(GAME, [NOTE])
    assert kinds_in(tmp_path / "games" / NAME) == kept
    recorder.close()


def test_the_directory_is_synced_with_a_new_log(tmp_path: Path) -> None:
    """The file's name has to survive a power cut too."""
    disk = FailingDisk("never", 0)
    store_in(tmp_path, disk).create(GAME, 0).close()
    assert disk.syncs == 2  # the magic, and the directory


def test_only_a_genesis_makes_a_log(tmp_path: Path) -> None:
    """A record of a game without a log has nowhere to go."""
    with pytest.raises(StorageError) as error:
        Recorder(store_in(tmp_path)).append(GAME, [NOTE])
    assert error.value.failure.code == "log-missing"


def test_a_log_that_exists_goes_on(tmp_path: Path) -> None:
    """After a restart the records of the game go to the same file."""
    first = Recorder(store_in(tmp_path))
    first.append(GAME, [FIRST])
    first.close()
    second = Recorder(store_in(tmp_path))
    second.append(GAME, [FIRST])
    second.close()
    assert kinds_in(tmp_path / "games" / NAME) == [1, 1]
    assert len(store_in(tmp_path).logs()) == 1


def test_an_existing_file_is_not_taken_for_a_new_log(tmp_path: Path) -> None:
    """Whatever stands at the name, a symlink too, is not written to."""
    games = tmp_path / "games"
    games.mkdir()
    (tmp_path / "target").write_text("precious")
    (games / NAME).symlink_to(tmp_path / "target")
    with pytest.raises(StorageError):
        store_in(tmp_path).create(GAME, 1_796_000_000)
    with pytest.raises(StorageError):
        store_in(tmp_path).open(games / NAME)
    assert (tmp_path / "target").read_text() == "precious"


def test_the_same_game_in_two_processes(tmp_path: Path) -> None:
    """A second process that would write the same game is refused at once."""
    recorder = Recorder(store_in(tmp_path))
    recorder.append(GAME, [FIRST])
    script = (
        "import sys; from pathlib import Path\n"
        "from crapette_p2p.net.store import GameStore\n"
        "from crapette_p2p.net.failures import StorageError\n"
        "games = Path(sys.argv[1])\n"
        "store = GameStore(games, games)\n"
        "try: store.open(store.logs()[0])\n"
        "except StorageError as error: print(error.failure.code)\n"
        "else: print('opened')\n"
    )

    def other_process() -> str:
        command = [sys.executable, "-c", script, str(tmp_path / "games")]
        environ = {**os.environ, "PYTHONPATH": str(Path.cwd())}
        return subprocess.check_output(command, env=environ, text=True).strip()

    assert other_process() == "game-in-use"
    recorder.close()
    assert other_process() == "opened"


def test_a_lock_does_not_keep_readers_out(tmp_path: Path) -> None:
    """A log can be verified while it is played."""
    recorder = Recorder(store_in(tmp_path))
    recorder.append(GAME, [FIRST])
    data = read_log_file(tmp_path / "games" / NAME)
    assert data.startswith(MAGIC)


@pytest.mark.parametrize("call", ["write", "sync"])
def test_a_failed_append_leaves_the_log_as_it_was(tmp_path: Path, call: str) -> None:
    """A full disk in mid-record leaves no torn record behind, and says so."""
    recorder = Recorder(store_in(tmp_path))
    recorder.append(GAME, [FIRST])
    recorder.close()
    path = tmp_path / "games" / NAME
    before = path.read_bytes()
    broken = Recorder(store_in(tmp_path, FailingDisk(call, 0)))
    with pytest.raises(StorageError) as error:
        broken.append(GAME, [NOTE])
    broken.close()
    assert error.value.failure.code == "cannot-write"
    assert path.read_bytes() == before


@pytest.mark.parametrize("call", ["write", "sync"])
@pytest.mark.parametrize("good", [0, 1])
def test_a_failed_creation_leaves_no_log(tmp_path: Path, call: str, good: int) -> None:
    """A game that could not be put on the disk does not exist afterwards."""
    disk = FailingDisk(call, good)
    recorder = Recorder(store_in(tmp_path, disk))
    with pytest.raises(StorageError):
        recorder.append(GAME, [FIRST])
    recorder.close()
    store = store_in(tmp_path)
    assert all(kinds_in(path) == [] for path in store.logs())


def test_read_only_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A directory that takes no file is named in the error."""

    def refuse(*_args: object) -> int:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "open", refuse)
    with pytest.raises(StorageError) as error:
        store_in(tmp_path).create(GAME, 0)
    assert error.value.failure.facts["reason"] == "Permission denied"


@pytest.mark.parametrize("call", ["write", "sync"])
def test_no_place_for_a_game(tmp_path: Path, call: str) -> None:
    """It is said of the directory that takes none, and nothing is left in it."""
    store = GameStore(tmp_path / "games", tmp_path / "secrets")
    store.check()
    store = GameStore(store.games, store.secrets, FailingDisk(call, 0))
    with pytest.raises(StorageError) as error:
        store.check()
    assert error.value.failure.facts["path"] == str(store.games)
    assert not [*store.games.iterdir(), *store.secrets.iterdir()]
    # What one directory has shown of their disk is not tried in the other.
    GameStore(store.games, store.secrets, FailingDisk(call, 1)).check()


def test_a_directory_of_secrets_that_takes_no_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is tried by itself, though its disk has room."""
    store = GameStore(tmp_path / "games", tmp_path / "secrets")

    def refuse(path: Path) -> int:
        if path.parent == store.secrets:
            raise PermissionError(13, "Permission denied")
        return open_new(path)

    monkeypatch.setattr(files, "open_new", refuse)
    with pytest.raises(StorageError) as error:
        store.check()
    assert error.value.failure.facts["path"] == str(store.secrets)


def test_a_file_system_without_locks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a lock nothing is written: the file is named, with the reason."""

    def refuse(*_args: object, **_options: object) -> bool:
        raise OSError(37, "No locks available")

    monkeypatch.setattr("crapette_p2p.net.store.lock_descriptor", refuse)
    monkeypatch.setattr("crapette_p2p.net.files.lock_descriptor", refuse)
    store, book = store_in(tmp_path), PeerBook(tmp_path / "peers.toml")
    attempts: tuple[Callable[[], object], ...] = (
        lambda: store.create(GAME, 0),
        lambda: book.forget("Ala"),
    )
    for attempt in attempts:
        with pytest.raises(StorageError) as error:
            attempt()
        assert error.value.failure.facts["reason"] == "No locks available"


def test_torn_tail_is_cut(tmp_path: Path) -> None:
    """Cutting a log at a record leaves it whole, and appending goes on there."""
    recorder = Recorder(store_in(tmp_path))
    recorder.append(GAME, [FIRST])
    recorder.close()
    path = tmp_path / "games" / NAME
    whole = len(path.read_bytes())
    path.write_bytes(path.read_bytes() + b"\x00\x00\x00\x50\x02torn")
    log = store_in(tmp_path).open(path)
    assert len(log.read()) > whole
    log.cut(whole)
    recorder.adopt(GAME, log)
    recorder.append(GAME, [NOTE])
    assert kinds_in(path) == [1, 5]


def test_names_hold_nothing_of_the_peers() -> None:
    """Only the date and the game id; no clock is so wrong that it breaks it."""
    assert log_name(GAME, 0) == f"19700101-{GAME[:8].hex()}.crlog"
    assert log_name(GAME, 2**62) == f"00000000-{GAME[:8].hex()}.crlog"


def test_seeds_are_kept_apart_and_dropped(tmp_path: Path) -> None:
    """Seeds of both decks come back until the game is over, from 0600 files."""
    store = store_in(tmp_path)
    seeds = [bytes([n]) * 32 for n in range(4)]
    store.save_seeds(GAME, 0, seeds[:2])
    assert store.load_secrets(GAME) is None  # only one deck: nothing promised
    store.save_seeds(GAME, 1, seeds[2:])
    secrets = store.load_secrets(GAME)
    assert secrets is not None
    assert [secrets.seed(1, 0), secrets.seed(1, 1)] == seeds[2:]
    files = list((tmp_path / "secrets").iterdir())
    assert {path.stat().st_mode & 0o777 for path in files} == {0o600}
    store.drop_seeds(GAME)
    store.drop_seeds(GAME)
    assert store.load_secrets(GAME) is None
    assert list((tmp_path / "secrets").iterdir()) == []


@pytest.mark.parametrize("content", [b"", b"CRAPSEED\x01", b"x" * 64, b"y" * 73])
def test_damaged_seeds_are_refused(tmp_path: Path, content: bytes) -> None:
    """Seeds that are no seeds are an error that names the file, not a new deal."""
    store = store_in(tmp_path)
    for deck in (0, 1):
        store.save_seeds(GAME, deck, [b"a" * 32, b"b" * 32])
    next((tmp_path / "secrets").iterdir()).write_bytes(content)
    with pytest.raises(StorageError) as error:
        store.load_secrets(GAME)
    assert error.value.failure.code == "seeds-damaged"


@pytest.mark.parametrize("call", ["write", "sync"])
def test_a_full_disk_keeps_no_half_seeds(tmp_path: Path, call: str) -> None:
    """Seeds are stored whole or not at all."""
    store = store_in(tmp_path, FailingDisk(call, 0))
    with pytest.raises(StorageError):
        store.save_seeds(GAME, 0, [b"a" * 32, b"b" * 32])
    assert list((tmp_path / "secrets").iterdir()) == []


def test_deleting_takes_log_and_seeds(tmp_path: Path) -> None:
    """A deleted game leaves nothing; a game in play cannot be deleted."""
    recorder = Recorder(store_in(tmp_path))
    recorder.append(GAME, [FIRST])
    store = store_in(tmp_path)
    store.save_seeds(GAME, 0, [b"a" * 32, b"b" * 32])
    path = tmp_path / "games" / NAME
    with pytest.raises(StorageError) as error:
        store.delete(path)
    assert error.value.failure.code == "game-in-use"
    recorder.close()
    store.delete(path)
    assert store.logs() == ()
    assert list((tmp_path / "secrets").iterdir()) == []


def test_a_log_without_a_record_is_no_game(tmp_path: Path) -> None:
    """A program killed while it makes a log leaves no game that was played."""
    store = store_in(tmp_path)
    store.create(GAME, 1_796_000_000).close()
    (store.games / log_name(b"\x07" * 32, 1_796_000_000)).touch()
    assert store.logs() == ()
    other = b"\x08" * 32
    log = store.create(other, 1_796_000_000)
    log.append(b"anything")
    log.close()
    assert store.logs() == (log.path,)
    assert store.find(GAME) is None


def test_what_is_no_log_file(tmp_path: Path) -> None:
    """Missing, symlink, FIFO, device and giant files each have their reason."""
    fifo, giant = tmp_path / "fifo", tmp_path / "giant"
    os.mkfifo(fifo)
    giant.touch()
    os.truncate(giant, 64 * 2**20 + 1)
    (tmp_path / "link").symlink_to(giant)
    codes = {
        "missing": "no-such-file",
        "fifo": "cannot-read",
        "giant": "file-too-long",
        "link": "cannot-read",
        "/dev/zero": "cannot-read",
    }
    for name, code in codes.items():
        with pytest.raises(StorageError) as error:
            read_log_file(tmp_path / name)
        assert error.value.failure.code == code, name
