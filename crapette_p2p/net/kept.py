"""The games this player keeps: what is on the disk, for a session to go on with.

``KeptGames`` answers what a session asks of its owner's books (``lookup``) and
what a player asks (``summaries``). A summary reads the records only; loading a
game executes it, and loading it to be played takes its lock first and cuts a torn
last record.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from crapette_p2p.engine.layout import Seat, other
from crapette_p2p.errors import DecodeError, LogError
from crapette_p2p.gamelog.counts import Course, course_of
from crapette_p2p.gamelog.events import EventType
from crapette_p2p.gamelog.genesis import Genesis, decode_genesis, game_id_of
from crapette_p2p.gamelog.glance import glance
from crapette_p2p.gamelog.records import MAGIC, Record, RecordKind, read_records
from crapette_p2p.net.dates import local_minute
from crapette_p2p.net.failures import StorageError, storage_error
from crapette_p2p.net.identity import Identity
from crapette_p2p.net.remembered import Remembered
from crapette_p2p.net.store import (
    GameStore,
    LogFile,
    read_log_file,
    read_log_start,
)
from crapette_p2p.session.opengame import (
    ABANDONED,
    FAILED,
    RETURNED,
    OpenGame,
    load_game,
)

_SMALL: Final = 4096
"""A game that never began is a genesis alone, some 600 bytes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptGame:
    """One log at a glance; all but its course without executing it."""

    path: Path
    """The file."""
    game_id: bytes
    """32 bytes."""
    genesis: Genesis
    """What was agreed."""
    seat: Seat | None
    """Ours; None for a game of others."""
    status: str
    """``accepted``, ``open``, ``finished``, ``failed`` or ``damaged``."""
    events: int
    """Final and pending events."""
    result: tuple[object, ...] | None
    """Winner, reason and points of RESULT."""
    abandoned: bool
    """Whether we noted that the peer abandoned the game."""
    modified: float
    """When the file was written to, in Unix time."""

    @property
    def is_over(self) -> bool:
        """Whether who has won is settled, even if the other has yet to sign it."""
        return self.result is not None and self.status in ("finished", "open")

    @property
    def turns(self) -> int:
        """The number of the turn that was on the table last; 0 before the deal."""
        return self.course.played.turn

    @property
    def course(self) -> Course:
        """The game in numbers: it is executed for them when they are asked for."""
        try:
            return _COURSES.of(self.path)
        except (StorageError, OSError):
            return Course()

    @property
    def short_id(self) -> str:
        """What a player types to mean this game."""
        return self.game_id[:8].hex()

    @property
    def date(self) -> str:
        """When the file was written to, as local time."""
        return local_minute(self.modified)

    @property
    def match_goes_on(self) -> bool:
        """Whether the deal is finished and no score has reached the target."""
        match = self.genesis.match
        if self.result is None or not self.is_over or match.target == 1:
            return False
        winner, _, points = self.result
        scores = list(match.scores)
        if winner in (0, 1) and isinstance(points, int):
            scores[winner == 1] += points
        return max(scores) < match.target

    @property
    def is_agreed(self) -> bool:
        """Whether we, role 1, have agreed to it and only the other can begin it."""
        return self.status == "accepted" and self.seat == 1

    @property
    def peer_key(self) -> bytes | None:
        """The other player's key; None for a game of others."""
        return None if self.seat is None else self.genesis.keys[other(self.seat)]

    @property
    def own_nick(self) -> str | None:
        """What we called ourselves; None for a game of others."""
        return None if self.seat is None else self.genesis.nicks[self.seat]

    @property
    def peer_nick(self) -> str:
        """What the other player called himself."""
        return self.genesis.nicks[0 if self.seat is None else other(self.seat)]


class KeptGames:
    """The logs of one player, read for a purpose."""

    def __init__(self, store: GameStore, identity: Identity) -> None:
        self.store = store
        self._identity = identity
        self._public = identity.public

    def summaries(self) -> tuple[KeptGame, ...]:
        """Every log that is one, the newest first."""
        paths = self.store.logs()
        for listed in (_SUMMARIES, _COURSES):
            listed.keep_only(self.store.games, paths)
        found = (self._listed(path) for path in paths)
        return tuple(summary for summary in found if summary is not None)

    def summary(self, path: Path) -> KeptGame | None:
        """One log at a glance; None for a file without a whole genesis."""
        with contextlib.suppress(StorageError, OSError):
            return _summary_of(path, path.stat().st_mtime_ns / 1e9, self._public)
        return None

    def _listed(self, path: Path) -> KeptGame | None:
        """The same of a log in a list, which is asked for again and again."""
        with contextlib.suppress(StorageError, OSError):
            return _SUMMARIES.of(path, self._public)
        return None

    def open_games(self, peer_key: bytes | None = None) -> tuple[KeptGame, ...]:
        """Games of ours in which something can be played, the newest first."""
        return tuple(
            summary
            for summary in self.summaries()
            if summary.seat is not None
            and summary.status == "open"
            and not summary.is_over
            and peer_key in (None, summary.peer_key)
        )

    def resumable(self) -> tuple[KeptGame, ...]:
        """Everything of ours that can go on: see resumable_of."""
        return resumable_of(self.summaries())

    def find(self, text: str) -> KeptGame | None:
        """The game a player means: a path, a file name, an id or its beginning."""
        path = Path(text)
        if os.path.isfile(path):
            return self.summary(path)
        wanted = path.name.removesuffix(".crlog").lower()
        named = [p for p in self.store.logs() if wanted and wanted in p.name]
        return self.summary(named[0]) if len(named) == 1 else None

    def forget_accepted(self, peer_key: bytes, *, but: bytes) -> list[bytes]:
        """Drop games with a peer that were accepted and never began; their ids.

        The newest one may still be asked for, until a later game is on.
        """
        dropped = []
        for path in self.store.logs():
            with contextlib.suppress(OSError, StorageError):
                if path.stat().st_size > _SMALL:
                    continue
                game = self.summary(path)
                if game is None or game.game_id == but:
                    continue
                if game.status == "accepted" and game.peer_key == peer_key:
                    self.store.delete(path)
                    dropped.append(game.game_id)
        return dropped

    def peer_of(self, path: Path) -> bytes | None:
        """The other player's key, from the genesis alone; None if there is none."""
        try:
            found = genesis_of(read_records(read_log_start(path)).records[:1])
        except StorageError:
            return None
        seat = found[1].seat_of(self._public) if found is not None else None
        return None if found is None or seat is None else found[1].keys[other(seat)]

    def load(self, path: Path) -> tuple[OpenGame, LogFile]:
        """Take a game up again: its lock, its log without a torn end, its seeds.

        Raises StorageError (in use, unreadable) or LogError (damaged, not ours).
        """
        log = self.store.open(path)
        try:
            return self._game(log), log
        except BaseException as error:
            log.close()
            if isinstance(error, LogError):
                error.source = str(path)
            raise

    def _game(self, log: LogFile) -> OpenGame:
        data = log.read()
        records = read_records(data)
        if records.torn:
            log.cut(max(records.end, len(MAGIC)))
            data = data[: records.end]
        genesis = genesis_of(records.records)
        if genesis is None:
            raise storage_error("log-empty", log.path)
        return load_game(
            data,
            idpub=self._public,
            sign=self._identity.sign,
            secrets=self.store.load_secrets(genesis[0]),
        )


def resumable_of(games: Sequence[KeptGame]) -> tuple[KeptGame, ...]:
    """What can go on: games, matches between deals, deals agreed on and not begun.

    Last, games that only the other's signature under their result is missing from.
    """
    ours = [game for game in games if game.seat is not None]
    followed = {game.genesis.match.previous for game in ours}
    is_open = [game for game in ours if game.status == "open"]
    in_play = [game for game in is_open if not game.is_over]
    between_deals = [
        game for game in ours if game.match_goes_on and game.game_id not in followed
    ]
    agreed = [game for game in ours if game.is_agreed]
    unsigned = [game for game in is_open if game.is_over and game not in between_deals]
    return (*in_play, *between_deals, *agreed, *unsigned)


def summarise(
    data: bytes, path: Path, public: bytes, modified: float
) -> KeptGame | None:
    """What the records of a log say; None if there is no genesis."""
    records = read_records(data)
    found = genesis_of(records.records)
    if found is None:
        return None
    game_id, genesis = found
    seen = glance(records.records)
    events = seen.events
    seat = genesis.seat_of(public)
    acked = {r.body[0] for r in records.records if r.kind == RecordKind.ACK}
    results = [event for event in events if event.kind == EventType.RESULT]
    # Our own is still to be signed by the other, who may have to be found for it
    # (protocol/spec/60-session.md, 11.4); his we sign when we read it.
    over = [e for e in results if e.author != seat or e.seq in acked]
    notes = [str(r.body[1]) for r in records.records if r.kind == RecordKind.NOTE]
    started = events or any(_is_start(record) for record in records.records)
    status = "open" if started else "accepted"
    if over:
        status = "finished"
    if FAILED in notes or any(r.kind == RecordKind.FAULT for r in records.records):
        status = "failed"
    if records.damage is not None or not seen.linked:
        status = "damaged"
    last = [note for note in notes if note in (ABANDONED, RETURNED)]
    return KeptGame(
        path=path,
        game_id=game_id,
        genesis=genesis,
        seat=seat,
        status=status,
        events=len({event.seq for event in events}),
        result=_result(results[-1].body) if results else None,
        abandoned=last[-1:] == [ABANDONED],
        modified=modified,
    )


def _summary_of(path: Path, modified: float, public: bytes) -> KeptGame | None:
    return summarise(read_log_file(path), path, public, modified)


def _course_of(path: Path, _modified: float, _public: bytes) -> Course:
    return course_of(read_log_file(path))


def _result(body: object) -> tuple[object, ...] | None:
    return body if type(body) is tuple and len(body) == 3 else None


def _is_start(record: Record) -> bool:
    return record.kind == RecordKind.GENESIS and record.body[1] is not None


def genesis_of(records: tuple[Record, ...]) -> tuple[bytes, Genesis] | None:
    """The id and the genesis that a log begins with, if it does."""
    if not records or records[0].kind != RecordKind.GENESIS:
        return None
    data = records[0].body[0]
    if not isinstance(data, bytes):
        return None
    try:
        return game_id_of(data), decode_genesis(data)
    except DecodeError:
        return None


_SUMMARIES: Final = Remembered(_summary_of)
_COURSES: Final = Remembered(_course_of)
