"""Disks that fail: full, or without a working fsync, from a chosen call on."""

from __future__ import annotations

import errno
import os

from crapette_p2p.net.files import Disk


class FailingDisk(Disk):
    """A disk that works for ``good`` calls and fails at each one after.

    ``call`` is ``write`` (the disk is full: half of the data is written first) or
    ``sync`` (an I/O error).
    """

    def __init__(self, call: str, good: int) -> None:
        self.call = call
        self.left = good
        self.writes = 0
        self.syncs = 0

    def write(self, fd: int, data: bytes) -> None:
        """Write, or write half and report a full disk."""
        self.writes += 1
        if self.call == "write" and self._spent():
            os.write(fd, data[: len(data) // 2])
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        super().write(fd, data)

    def sync(self, fd: int) -> None:
        """Do nothing (it is a test), or report an I/O error."""
        self.syncs += 1
        if self.call == "sync" and self._spent():
            raise OSError(errno.EIO, os.strerror(errno.EIO))

    def _spent(self) -> bool:
        self.left -= 1
        return self.left < 0
