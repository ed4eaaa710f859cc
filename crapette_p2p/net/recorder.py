"""Writes what a session wants kept into the logs of the games it plays."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from crapette_p2p.gamelog.genesis import Genesis, decode_genesis
from crapette_p2p.gamelog.records import RecordKind, encode_record
from crapette_p2p.net.failures import storage_error
from crapette_p2p.net.store import GameStore, LogFile
from crapette_p2p.net.times import TimeKeeper

Body = tuple[object, ...]
"""The fields of a record."""


def _nobody_asks(_game_id: bytes, _genesis: Genesis) -> None:
    return None


class Recorder:
    """Carries out what a session wants kept; one per table.

    It holds the logs it writes, and so their locks, until it is closed.
    """

    def __init__(self, store: GameStore, times: TimeKeeper | None = None) -> None:
        self.store = store
        self._times = times or TimeKeeper()
        self._open: dict[bytes, LogFile] = {}
        self._unsynced: set[LogFile] = set()
        self.on_accepted: Callable[[bytes, Genesis], None] = _nobody_asks
        """Told of each deal that only role 1 (this player) has signed so far."""
        self.on_restored: Callable[[Path], None] = lambda _path: None
        """Told of each log that somebody removed and that was written again."""

    def held(self) -> set[bytes]:
        """The games whose logs are held."""
        return {*self._open}

    def adopt(self, game_id: bytes, log: LogFile) -> None:
        """Write the records of ``game_id`` to a log that is open already."""
        self._open[game_id] = log

    def release(self, game_id: bytes) -> None:
        """Let go of one log, if it is held."""
        log = self._open.pop(game_id, None)
        if log is not None:
            self._unsynced.discard(log)
            self._times.release(game_id)
            log.close()

    def log_of(self, game_id: bytes) -> LogFile | None:
        """The log this recorder holds for ``game_id``."""
        return self._open.get(game_id)

    def append(self, game_id: bytes, records: Sequence[tuple[int, Body]]) -> None:
        """Append records with one write and one fsync; create the log at need."""
        self.write(game_id, records)
        self.settle()

    def write(self, game_id: bytes, records: Sequence[tuple[int, Body]]) -> None:
        """Append records with one write; ``settle`` before anything depends on them."""
        data = b"".join(encode_record(kind, body) for kind, body in records)
        log = self._log(game_id, *records[0])
        log.write(data)
        self._unsynced.add(log)
        for kind, body in records:
            if kind == RecordKind.EVENT and isinstance(body[0], bytes):
                self._times.note(game_id, log.path, body[0])

    def joined(self, game_id: bytes) -> None:
        """Both sit at the table of a game: its time runs, in this run too."""
        self._times.joined(game_id)

    def keep_times(self) -> None:
        """Write when events were recorded, now that nobody waits; never fails."""
        self._times.write()

    @property
    def settled(self) -> bool:
        """Whether all that was written has reached the disk."""
        return not self._unsynced

    def settle(self) -> None:
        """Return when all that was written has reached the disk."""
        while self._unsynced:
            log = self._unsynced.pop()
            log.sync()
            if log.restored:
                log.restored = False
                self.on_restored(log.path)

    def path_of(self, game_id: bytes) -> Path | None:
        """Where the log of ``game_id`` is."""
        log = self._open.get(game_id)
        return log.path if log is not None else self.store.find(game_id)

    def close(self) -> None:
        """Let go of every log."""
        self._unsynced.clear()
        self._times.close()
        while self._open:
            self._open.popitem()[1].close()

    def _log(self, game_id: bytes, kind: int, body: Body) -> LogFile:
        log = self._open.get(game_id)
        if log is None:
            path = self.store.find(game_id)
            if path is not None:
                log = self.store.open(path)
            elif kind == RecordKind.GENESIS and isinstance(body[0], bytes):
                genesis = decode_genesis(body[0])
                log = self.store.create(game_id, genesis.unix_time)
                if body[1] is None:
                    self.on_accepted(game_id, genesis)
            else:
                raise storage_error("log-missing", self.store.games, game_id.hex())
            self._open[game_id] = log
        return log
