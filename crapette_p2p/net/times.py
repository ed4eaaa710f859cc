"""The side files of the games played here: when each event was recorded.

Theory of operation. What they say is a comment (``gamelog/times.py``), so nothing
here may cost the game anything: the clock is read when a record goes to its log,
and the file is written once all that the record was for has been done, without
fsync. Whatever goes wrong (a full disk, a file that is not ours) ends the keeping
for that game and that run, without a word; a later run goes on behind what is good.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from crapette_p2p.gamelog.events import seq_of
from crapette_p2p.gamelog.times import (
    ANCHOR,
    HEADER,
    MAX_TIMES,
    Times,
    decode_times,
    encode_header,
    encode_time,
)
from crapette_p2p.net.files import REAL_DISK, Disk, open_new, open_regular, read_all

SUFFIX: Final = ".crtimes"
LONGEST_GAP: Final = 24 * 3600 * 1000
"""Milliseconds that an interrupted game counts at most, whatever the clocks say."""


def times_path(log: Path) -> Path:
    """Where the times of a log are, if there are any."""
    return log.with_name(f"{log.name.removesuffix('.crlog')}{SUFFIX}")


def read_times(log: Path, game_id: bytes) -> Times | None:
    """The times kept beside a log; None if there are none, or none of this game."""
    with contextlib.suppress(OSError):
        fd = open_regular(times_path(log))
        try:
            return decode_times(read_all(fd, MAX_TIMES), game_id)
        finally:
            os.close(fd)
    return None


def forget_times(log: Path) -> None:
    """Take the times of a deleted log away, as far as that can be."""
    with contextlib.suppress(OSError):
        times_path(log).unlink()


class TimeKeeper:
    """Keeps the times of the games of one table."""

    def __init__(
        self,
        wall: Callable[[], float] = time.time,
        clock: Callable[[], float] = time.monotonic,
        disk: Disk = REAL_DISK,
    ) -> None:
        self._wall = wall
        self._clock = clock
        self._disk = disk
        self._files: dict[bytes, _SideFile] = {}
        self._joined: dict[bytes, float] = {}

    def joined(self, game_id: bytes) -> None:
        """Both sit at the table of a game: from here on it is being played."""
        self._joined.setdefault(game_id, self._clock())

    def note(self, game_id: bytes, log: Path, event: bytes) -> None:
        """An event has just gone to its log; ``write`` keeps that."""
        file = self._files.get(game_id)
        if file is None:
            file = _SideFile(log, game_id, self._disk, self._joined.get(game_id))
            self._files[game_id] = file
        if not file.given_up:
            file.waiting.append((event, self._clock()))

    def write(self) -> None:
        """Write down what was noted; nothing that goes wrong is said."""
        for file in self._files.values():
            if file.waiting:
                self._write(file)

    def _write(self, file: _SideFile) -> None:
        try:
            file.write(max(0, int(self._wall() * 1000)))
        except OSError:
            file.give_up()

    def release(self, game_id: bytes) -> None:
        """Let go of one game's file."""
        file = self._files.pop(game_id, None)
        self._joined.pop(game_id, None)
        if file is not None:
            self._write(file)
            file.close()

    def close(self) -> None:
        """Let go of every file."""
        for game_id in [*self._files]:
            self.release(game_id)


class _SideFile:
    """The times of one game while it is played here."""

    def __init__(
        self, log: Path, game_id: bytes, disk: Disk, joined: float | None
    ) -> None:
        self.waiting: list[tuple[bytes, float]] = []
        """Events as recorded, with the clock of that moment, yet to be written."""
        self.given_up = False
        """Whether no more is kept in this run."""
        self._path = times_path(log)
        self._game_id = game_id
        self._disk = disk
        self._joined = joined
        self._fd = -1
        self._size = 0
        self._ms = 0
        self._began = 0
        self._since = 0.0

    def write(self, unix: int) -> None:
        """Write what waits; ``unix`` is the time in ms. Raises OSError."""
        noted, self.waiting = self.waiting, []
        numbered = [(seq_of(event), clock) for event, clock in noted]
        known = [(seq, clock) for seq, clock in numbered if seq is not None]
        if not known:
            return
        data = b""
        if self._fd < 0:
            first, self._since = known[0]
            data = self._open(first, unix)
        for seq, clock in known:
            passed = round((clock - self._since) * 1000)
            self._ms = max(self._ms, self._began + passed)
            data += encode_time(seq, self._ms)
        self._append(data)

    def _open(self, first: int, unix: int) -> bytes:
        """Open the file; what has to be written to it first."""
        anchors = encode_time(ANCHOR, unix)
        try:
            self._fd = open_new(self._path)
        except FileExistsError:
            self._fd = open_regular(self._path, write=True)
            if here := self._go_on(first, unix):
                anchors = encode_time(ANCHOR, max(0, unix - here)) + anchors
        return anchors if self._size else encode_header(self._game_id) + anchors

    def _go_on(self, first: int, unix: int) -> int:
        """Go on behind what is good in the file; refuse one that is not ours.

        The result: milliseconds at the table before what is written first.
        """
        here = 0
        data = read_all(self._fd, MAX_TIMES)
        found = decode_times(data, self._game_id, below=first)
        if found is not None:
            self._size, self._ms = found.end, found.last
            if found.at:
                if self._joined is not None:
                    here = max(0, round((self._since - self._joined) * 1000))
                gap = min(max(unix - here - found.unix, 0), LONGEST_GAP)
                self._began = found.last + gap + here
        elif len(data) >= HEADER or not encode_header(self._game_id).startswith(data):
            raise OSError(0, "not the times of this game", str(self._path))
        os.ftruncate(self._fd, self._size)
        return here

    def _append(self, data: bytes) -> None:
        if self._size + len(data) > MAX_TIMES:
            self.give_up()
            return
        self._disk.write(self._fd, data)  # half a record is cut by the next run
        self._size += len(data)

    def give_up(self) -> None:
        """Keep no more of this game in this run."""
        self.given_up = True
        self.waiting.clear()
        self.close()

    def close(self) -> None:
        """Let go of the file."""
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1
