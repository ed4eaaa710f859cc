"""Files of ours: private, whole or absent, and on the disk when we say so.

Every write goes through a ``Disk``, so that a test can hand in one that is full
or whose fsync fails. An OSError becomes a ``StorageError`` that names the path.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, Final

from crapette_p2p.net.failures import storage_error

try:
    import fcntl
except ImportError:  # Windows has none; msvcrt stands in
    fcntl = None  # type: ignore[assignment] # the module or nothing

PRIVATE: Final = 0o600
PRIVATE_DIR: Final = 0o700
"""Nobody else on the machine lists our games or reads our keys."""
SMALL: Final = 1 << 20
"""No key, peers or hint file is longer; more is somebody's joke."""
_BLOCK: Final = 4096
"""Bytes that a disk which is not full has room for."""
NOT_REGULAR: Final = "it is no regular file"
_NO_FOLLOW: Final = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
_BINARY: Final = getattr(os, "O_BINARY", 0)
_NO_WAIT: Final = getattr(os, "O_NONBLOCK", 0)  # a FIFO must not hold us
_OPEN_HERE: Final = ("/dev/fd/", "/dev/stdin", "/proc/self/fd/")
"""How paths of what is open in this process begin."""


class Disk:
    """The two calls that can fail late; tests replace them."""

    def write(self, fd: int, data: bytes) -> None:
        """Write all of ``data`` or raise OSError."""
        view = memoryview(data)
        while view:
            view = view[os.write(fd, view) :]

    def sync(self, fd: int) -> None:
        """Return when what was written has reached the disk."""
        os.fsync(fd)


REAL_DISK: Final = Disk()


def make_private(directory: Path) -> Path:
    """Make ``directory`` for its owner alone where it is missing; return it."""
    try:
        directory.mkdir(mode=PRIVATE_DIR, parents=True, exist_ok=True)
    except OSError as error:
        raise storage_error("cannot-make", directory, error) from error
    return directory


def check_writable(*directories: Path, disk: Disk = REAL_DISK) -> None:
    """Make a file in each and take it away; raise StorageError if it fails.

    Something is written where no other of them has shown that its disk takes it.
    """
    written: set[int] = set()
    for directory in directories:
        device = make_private(directory).stat().st_dev
        _try_to_write(directory, disk, sync=device not in written)
        written.add(device)


def _try_to_write(directory: Path, disk: Disk, *, sync: bool) -> None:
    probe = directory / f".probe.{os.urandom(6).hex()}"
    try:
        fd = open_new(probe)
        try:
            if sync:
                disk.write(fd, bytes(_BLOCK))
                disk.sync(fd)
        finally:
            os.close(fd)
    except OSError as error:
        raise storage_error("cannot-write", directory, error) from error
    finally:
        with contextlib.suppress(OSError):
            probe.unlink(missing_ok=True)


def sync_directory(directory: Path, disk: Disk = REAL_DISK) -> None:
    """Make a new or renamed name in ``directory`` survive a power cut."""
    if os.name != "posix":
        return  # directories cannot be opened elsewhere, and need no sync
    fd = os.open(directory, os.O_RDONLY)
    try:
        disk.sync(fd)
    finally:
        os.close(fd)


def open_new(path: Path) -> int:
    """Open a file that must not exist yet, for its owner alone."""
    flags = os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_APPEND | _NO_FOLLOW | _BINARY
    return os.open(path, flags, PRIVATE)


def open_regular(path: Path, *, write: bool = False) -> int:
    """Open an existing regular file: no symlink, no FIFO, no device."""
    flags = (os.O_RDWR | os.O_APPEND) if write else os.O_RDONLY
    fd = os.open(path, flags | _NO_FOLLOW | _BINARY | _NO_WAIT)
    if not stat.S_ISREG(os.fstat(fd).st_mode):
        os.close(fd)
        raise OSError(NOT_REGULAR)
    return fd


def read_all(fd: int, limit: int) -> bytes:
    """Everything in ``fd`` from its start, at most ``limit`` + 1 bytes."""
    os.lseek(fd, 0, os.SEEK_SET)
    parts: list[bytes] = []
    left = limit + 1
    while left > 0:
        part = os.read(fd, min(left, 1 << 16))
        if not part:
            break
        parts.append(part)
        left -= len(part)
    return b"".join(parts)


def read_small(path: Path) -> bytes | None:
    """A small file's bytes, or None where there is none."""
    try:
        fd = open_regular(path)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise storage_error("cannot-read", path, error) from error
    try:
        data = read_all(fd, SMALL)
    except OSError as error:
        raise storage_error("cannot-read", path, error) from error
    finally:
        os.close(fd)
    if len(data) > SMALL:
        raise storage_error("cannot-read", path, "it is too long")
    return data


def open_named(path: Path) -> BinaryIO:
    """Open for reading what a player named; raises OSError.

    It may be a link, an empty device (``/dev/null``) or a pipe that is open in this
    process (``<(...)`` in a shell). Any other pipe or device is refused before it is
    opened: a FIFO without a writer would hold us, and opening some devices acts.
    """
    _check_named(path)
    return open(path, "rb", opener=_without_waiting)


def _check_named(path: Path) -> None:
    status = path.stat()
    if stat.S_ISREG(status.st_mode) or stat.S_ISDIR(status.st_mode):
        return  # opening a directory says that it is one
    if str(path).startswith(_OPEN_HERE) or path.samefile(os.devnull):
        return
    raise OSError(0, NOT_REGULAR, str(path))


def _without_waiting(path: str, flags: int) -> int:
    """Open; what has become a FIFO since it was checked does not hold us."""
    fd = os.open(path, flags | _NO_WAIT)
    if hasattr(os, "set_blocking"):  # Windows has it from Python 3.12 on
        os.set_blocking(fd, True)
    return fd


def read_named(path: Path, limit: int = SMALL) -> bytes:
    """The bytes of a file that a player named (``open_named``); raises OSError."""
    with open_named(path) as file:
        data = file.read(limit + 1)
    if len(data) > limit:
        raise OSError(errno.EFBIG, os.strerror(errno.EFBIG), str(path))
    return data


@contextmanager
def whole_or_gone(path: Path) -> Iterator[None]:
    """Meanwhile a file that a player named is made: half of one is taken away again.

    It would help nobody, and stand in the way of the next attempt.
    """
    was_there = os.path.lexists(path)
    try:
        yield
    except FileExistsError:
        raise  # somebody else's, made a moment ago
    except BaseException:
        if not was_there:
            with contextlib.suppress(OSError):
                path.unlink()
        raise


def _check_ours(path: Path) -> None:
    """A device or a FIFO is not ours: a file in its place would harm everybody."""
    try:
        mode = path.lstat().st_mode
    except OSError:
        return  # none yet, or whoever opens it says what is wrong
    if not (stat.S_ISREG(mode) or stat.S_ISLNK(mode) or stat.S_ISDIR(mode)):
        raise storage_error("cannot-write", path, NOT_REGULAR)


def replace_file(path: Path, data: bytes, disk: Disk = REAL_DISK) -> None:
    """Put ``data`` in place of ``path``: afterwards the old or the new, whole."""
    _check_ours(path)
    make_private(path.parent)
    with _written(path, data, disk) as temporary:
        temporary.replace(path)


def create_file(path: Path, data: bytes, disk: Disk = REAL_DISK) -> bool:
    """Make ``path`` with ``data`` unless it exists; tell whether it was made.

    Two processes that try at once end with one of the two contents, whole.
    """
    make_private(path.parent)
    with _written(path, data, disk) as temporary:
        try:
            os.link(temporary, path)
        except FileExistsError:
            return False
        except (OSError, NotImplementedError):
            # A file system without hard links (FAT): the rename is atomic too,
            # only not exclusive.
            if path.exists():
                return False
            temporary.replace(path)
    return True


@contextmanager
def _written(path: Path, data: bytes, disk: Disk) -> Iterator[Path]:
    """A synced file beside ``path``, gone afterwards unless it was renamed."""
    temporary = path.with_name(f".{path.name}.{os.urandom(6).hex()}")
    try:
        fd = open_new(temporary)
        try:
            disk.write(fd, data)
            disk.sync(fd)
        finally:
            os.close(fd)
        yield temporary
        sync_directory(path.parent, disk)
    except OSError as error:
        raise storage_error("cannot-write", path, error) from error
    finally:
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)


def lock_descriptor(fd: int, *, wait: bool) -> bool:
    """Lock an open file for this process; False if another process has it.

    The lock goes with the descriptor, so a killed process leaves none behind.
    """
    if fcntl is None:
        return _lock_windows(fd, wait=wait)
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
    except BlockingIOError:
        return False
    return True


def _lock_windows(fd: int, *, wait: bool) -> bool:
    import msvcrt  # exists on Windows only

    os.lseek(fd, 1 << 40, os.SEEK_SET)  # a byte far behind any content
    mode = getattr(msvcrt, "LK_LOCK" if wait else "LK_NBLCK")
    try:
        getattr(msvcrt, "locking")(fd, mode, 1)  # noqa: B009 - absent elsewhere
    except OSError:
        return False
    return True


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold the lock file beside ``path`` while it is read and written again."""
    _check_ours(path)
    make_private(path.parent)
    lock = path.with_name(f".{path.name}.lock")
    flags = os.O_RDWR | os.O_CREAT | _NO_FOLLOW
    try:
        fd = os.open(lock, flags, PRIVATE)
    except OSError as error:
        raise storage_error("cannot-write", lock, error) from error
    try:
        try:
            lock_descriptor(fd, wait=True)
        except OSError as error:  # a file system without locks
            raise storage_error("cannot-write", lock, error) from error
        yield
    finally:
        os.close(fd)
