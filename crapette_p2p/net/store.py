"""Games on the disk: one append-only log each, and the seeds of those not over.

Theory of operation. A log is created at its GENESIS record with a name made of
the game id alone (protocol.md 10), and from then on only grows: one ``write`` per
batch of records, one ``fsync`` before anything that depends on it. While a process
plays a game it holds an exclusive lock on the log's descriptor, which dies with the
process; so two processes of one user can play two games, but never the same one. A
write or fsync that fails leaves the game as it was (the log is cut back where the
disk still lets us) and ends the session as a crash would: nothing that depended on
the record has been sent.

Unrevealed seeds are never in a log, which may be shown around in mid-game, but
in a file of their own that goes when the game is over. When each event was
recorded stands beside the log (``times.py``), and is a comment.
"""

from __future__ import annotations

import contextlib
import errno
import os
import re
import stat
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, NoReturn

from crapette_p2p.fairdeal.layer import SEED_SIZE
from crapette_p2p.gamelog.genesis import MAX_K, MIN_K
from crapette_p2p.gamelog.records import MAGIC, MAX_FILE
from crapette_p2p.gamelog.secrets import Secrets
from crapette_p2p.net.failures import StorageError, storage_error
from crapette_p2p.net.files import (
    REAL_DISK,
    Disk,
    check_writable,
    lock_descriptor,
    make_private,
    open_new,
    open_regular,
    read_all,
    read_small,
    replace_file,
    sync_directory,
)
from crapette_p2p.net.times import forget_times

SUFFIX: Final = ".crlog"
EVIDENCE_SUFFIX: Final = ".crev"
_SEEDS_MAGIC: Final = b"CRAPSEED\x01"
_GENESIS_MAX: Final = 4096
"""Bytes that hold the genesis of any log, some 600 long."""
_NAME: Final = re.compile(r"\d{8}-[0-9a-f]{16}\.crlog")
_NOT_TO_WRITE: Final = frozenset({errno.EROFS, errno.EACCES, errno.EPERM})
"""What opening a file for writing fails with where it could be read."""


def log_name(game_id: bytes, unix_time: int) -> str:
    """``YYYYMMDD-<16 hex>.crlog``, the date in UTC: nothing of the peer's in it."""
    try:
        day = datetime.fromtimestamp(unix_time, UTC).strftime("%Y%m%d")
    except (ValueError, OverflowError, OSError):
        day = "00000000"  # a clock beyond the calendar; the id tells them apart
    return f"{day:0>8}-{game_id[:8].hex()}{SUFFIX}"


class LogFile:
    """One game's log, open, locked and ours until it is closed."""

    def __init__(self, path: Path, fd: int, disk: Disk) -> None:
        self.path = path
        self._fd = fd
        self._disk = disk
        self._length = os.fstat(fd).st_size
        self._synced = self._length
        self.restored = False
        """Whether the file was removed meanwhile, and written again."""

    def read(self) -> bytes:
        """The whole file, torn tail included."""
        try:
            return read_all(self._fd, MAX_FILE)
        except OSError as error:
            raise storage_error("cannot-read", self.path, error) from error

    def append(self, data: bytes) -> None:
        """Write and sync ``data``; on failure the log ends where it ended before."""
        self.write(data)
        self.sync()

    def write(self, data: bytes) -> None:
        """Write ``data``; whoever depends on it calls ``sync`` first."""
        try:
            self._disk.write(self._fd, data)
        except OSError as error:
            self._give_up(self._length, error)
        self._length += len(data)

    def sync(self) -> None:
        """Return when all that was written has reached the disk."""
        if self._synced < self._length:
            self._keep_name()
            try:
                self._disk.sync(self._fd)
            except OSError as error:
                self._give_up(self._synced, error)
            self._synced = self._length

    def _keep_name(self) -> None:
        """Write the file again if somebody has removed it: it is gone once closed.

        Where that cannot be done (its folder is gone, another file has its name) the
        game goes on in the removed one, and it is tried again with the next record.
        """
        if os.fstat(self._fd).st_nlink == 0:
            with contextlib.suppress(OSError, StorageError):
                self._write_again()

    def _write_again(self) -> None:
        data = read_all(self._fd, MAX_FILE)
        make_private(self.path.parent)
        fd = open_new(self.path)
        try:
            _lock(self.path, fd)
            self._disk.write(fd, data)
            self._disk.sync(fd)
            sync_directory(self.path.parent, self._disk)
        except BaseException:
            os.close(fd)
            with contextlib.suppress(OSError):
                self.path.unlink()
            raise
        os.close(self._fd)
        self._fd, self._synced, self.restored = fd, self._length, True

    def _give_up(self, length: int, error: OSError) -> NoReturn:
        """Leave the log as it was when it had that length."""
        with contextlib.suppress(OSError):
            os.ftruncate(self._fd, length)
            self._length = length
        raise storage_error("cannot-write", self.path, error) from error

    def cut(self, length: int) -> None:
        """Drop a torn last record, which never left this machine."""
        try:
            os.ftruncate(self._fd, length)
            self._disk.sync(self._fd)
        except OSError as error:
            raise storage_error("cannot-write", self.path, error) from error
        self._length = self._synced = length

    def close(self, *, deleted: bool = False) -> None:
        """Let go of the file and its lock; may be called again.

        Whoever has ``deleted`` it wants no other.
        """
        if self._fd >= 0:
            if not deleted:
                self._keep_name()
            with contextlib.suppress(StorageError):  # nothing depends on it any more
                self.sync()
            os.close(self._fd)
            self._fd = -1


class GameStore:
    """The directory of logs and the directory of seeds."""

    def __init__(self, games: Path, secrets: Path, disk: Disk = REAL_DISK) -> None:
        self.games = games
        self.secrets = secrets
        self._disk = disk

    def check(self) -> None:
        """Raise StorageError where no game could be kept: before anybody sits down."""
        check_writable(self.games, self.secrets, disk=self._disk)

    def create(self, game_id: bytes, unix_time: int) -> LogFile:
        """A new log with nothing but its magic; refuse to touch an existing one."""
        path = make_private(self.games) / log_name(game_id, unix_time)
        try:
            fd = open_new(path)
        except OSError as error:
            raise storage_error("cannot-write", path, error) from error
        log = LogFile(path, fd, self._disk)
        try:
            _lock(path, fd)
            log.append(MAGIC)
            self._sync(self.games)
        except BaseException:
            log.close(deleted=True)
            with contextlib.suppress(OSError):
                path.unlink()
            raise
        return log

    def open(self, path: Path) -> LogFile:
        """An existing log for writing; refuse one that is played elsewhere."""
        try:
            fd = open_regular(path, write=True)
        except OSError as error:
            only_to_read = error.errno in _NOT_TO_WRITE and os.access(path, os.R_OK)
            code = "cannot-write" if only_to_read else "cannot-read"
            raise storage_error(code, path, error) from error
        try:
            _lock(path, fd)
            return LogFile(path, fd, self._disk)
        except BaseException:
            os.close(fd)
            raise

    def find(self, game_id: bytes) -> Path | None:
        """Where the log of ``game_id`` is."""
        ending = f"-{game_id[:8].hex()}{SUFFIX}"
        return next((p for p in self.logs() if p.name.endswith(ending)), None)

    def logs(self) -> tuple[Path, ...]:
        """Every log, the newest first.

        A file without a record was left by a program that was killed while it made
        the log: no game is in it.
        """
        try:
            entries = list(self.games.iterdir())
        except FileNotFoundError:
            return ()
        except OSError as error:
            raise storage_error("cannot-read", self.games, error) from error
        named = (path for path in entries if _NAME.fullmatch(path.name))
        dated = [(_modified(path), path) for path in named if not _is_bare(path)]
        return tuple(path for _, path in sorted(dated, reverse=True))

    def save_seeds(self, game_id: bytes, deck: int, seeds: Iterable[bytes]) -> None:
        """Keep the seeds of one deck, durably, before their roots are signed."""
        data = _SEEDS_MAGIC + b"".join(seeds)
        replace_file(self._seeds_path(game_id, deck), data, self._disk)

    def load_secrets(self, game_id: bytes) -> Secrets | None:
        """The seeds of both decks, or None if there are none (any more)."""
        decks = [self._seeds(game_id, deck) for deck in (0, 1)]
        if decks[0] is None or decks[1] is None:
            return None  # a crash before COMMIT: nothing was promised yet
        return Secrets(decks[0], decks[1])

    def drop_seeds(self, game_id: bytes) -> None:
        """Forget the seeds of a game that is over."""
        for deck in (0, 1):
            path = self._seeds_path(game_id, deck)
            try:
                path.unlink(missing_ok=True)
            except OSError as error:
                raise storage_error("cannot-write", path, error) from error

    def save_evidence(
        self, game_id: bytes, unix_time: int, *, code: int, data: bytes
    ) -> Path:
        """Keep what proves a fault beside the log, to be shown to anybody."""
        name = log_name(game_id, unix_time).removesuffix(SUFFIX)
        path = self.games / f"{name}-{code}{EVIDENCE_SUFFIX}"
        replace_file(path, data, self._disk)
        return path

    def delete(self, path: Path) -> None:
        """Remove a log, its times and its seeds; refuse one that is being played."""
        log = self.open(path)
        try:
            path.unlink()
            forget_times(path)
            for seeds in self._seeds_beside(path):
                seeds.unlink(missing_ok=True)
        except OSError as error:
            raise storage_error("cannot-write", path, error) from error
        finally:
            log.close(deleted=True)

    def _seeds_beside(self, path: Path) -> Iterator[Path]:
        """The seeds of a log of ours; none of a copy elsewhere or of another name.

        The game that was copied still needs them.
        """
        is_ours = path.parent.resolve() == self.games.resolve()
        if is_ours and _NAME.fullmatch(path.name):
            yield from self.secrets.glob(f"{_short_id(path)}*.seeds")

    def _seeds(self, game_id: bytes, deck: int) -> bytes | None:
        path = self._seeds_path(game_id, deck)
        data = read_small(path)
        if data is None:
            return None
        seeds = data.removeprefix(_SEEDS_MAGIC)
        count, rest = divmod(len(seeds), SEED_SIZE)
        if len(seeds) == len(data) or rest or not MIN_K <= count <= MAX_K:
            raise storage_error("seeds-damaged", path)
        return seeds

    def _seeds_path(self, game_id: bytes, deck: int) -> Path:
        return self.secrets / f"{game_id.hex()}-{deck}.seeds"

    def _sync(self, directory: Path) -> None:
        try:
            sync_directory(directory, self._disk)
        except OSError as error:
            raise storage_error("cannot-write", directory, error) from error


def read_log_start(path: Path) -> bytes:
    """The first bytes of a log, enough for its genesis; else StorageError."""
    try:
        fd = open_regular(path)
        try:
            return os.read(fd, _GENESIS_MAX)
        finally:
            os.close(fd)
    except OSError as error:
        raise storage_error("cannot-read", path, error) from error


def read_log_file(path: Path) -> bytes:
    """A log somebody hands us: a regular file of at most 64 MiB, else StorageError."""
    try:
        fd = open_regular(path)
    except FileNotFoundError as error:
        raise storage_error("no-such-file", path, error) from error
    except OSError as error:
        raise storage_error("cannot-read", path, error) from error
    try:
        if os.fstat(fd).st_size > MAX_FILE:
            raise storage_error("file-too-long", path)
        return read_all(fd, MAX_FILE)
    except OSError as error:
        raise storage_error("cannot-read", path, error) from error
    finally:
        os.close(fd)


def _lock(path: Path, fd: int) -> None:
    try:
        free = lock_descriptor(fd, wait=False)
    except OSError as error:  # a file system without locks
        raise storage_error("cannot-write", path, error) from error
    if not free:
        raise storage_error("game-in-use", path)


def _short_id(path: Path) -> str:
    return path.name.removesuffix(SUFFIX).partition("-")[2]


def _modified(path: Path) -> float:
    with contextlib.suppress(OSError):
        status = path.lstat()
        if stat.S_ISREG(status.st_mode):
            return status.st_mtime
    return 0.0


def _is_bare(path: Path) -> bool:
    """Whether a file ends before its first record; what cannot be seen does not."""
    with contextlib.suppress(OSError):
        status = path.lstat()
        return stat.S_ISREG(status.st_mode) and status.st_size <= len(MAGIC)
    return False
