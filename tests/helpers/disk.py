"""The files of a player of session tests, in memory.

It keeps what a session wants kept as the files of ``net`` do (tests/contracts holds
them together): what was written is on the disk for good once something that depends
on it is carried out, and a power cut takes away what was not.
"""

from __future__ import annotations

from crapette_p2p.gamelog.records import (
    MAGIC,
    RecordKind,
    encode_record,
    read_records,
)
from crapette_p2p.gamelog.secrets import Secrets
from crapette_p2p.session.effects import DropSecrets, Persist, PersistSecret


class Crashed(Exception):  # noqa: N818 - an event, not a fault
    """The program died in the middle of a list of effects."""


class Disk:
    """The files of one player."""

    def __init__(self) -> None:
        self.logs: dict[bytes, bytes] = {}
        self.seeds: dict[tuple[bytes, int], bytes] = {}
        self.fails: str | None = None
        """``write`` (it is full) or ``sync`` (an I/O error): the program ends then."""
        self._durable: dict[bytes, int] = {}
        """How much of a log survives a power cut, where that is not all."""

    def write(self, effect: Persist | PersistSecret | DropSecrets) -> None:
        """Carry out what has to last."""
        if not isinstance(effect, Persist):
            self.settle()
        match effect:
            case Persist(game_id, kind, body):
                known = game_id in self.logs
                assert known or kind == RecordKind.GENESIS, "a log begins with GENESIS"
                self._require("write")
                before = self.logs.get(game_id, MAGIC)
                self._durable.setdefault(game_id, len(before))
                self.logs[game_id] = before + encode_record(kind, body)
            case PersistSecret(game_id, deck, seeds):
                self._require("write")
                self._require("sync")
                self.seeds[game_id, deck] = b"".join(seeds)
            case DropSecrets(game_id):
                for deck in (0, 1):
                    self.seeds.pop((game_id, deck), None)

    def settle(self) -> None:
        """What was written is there for good: something that depends on it follows."""
        if self._durable:
            if self.fails == "sync":
                self.lose_power()
            self._require("sync")
            self._durable.clear()

    def lose_power(self) -> None:
        """Forget what nothing has depended on so far."""
        for game_id, length in self._durable.items():
            kept = self.logs.pop(game_id, MAGIC)[:length]
            if length > len(MAGIC):  # a file without a record is no game
                self.logs[game_id] = kept
        self._durable.clear()

    def take_up(self, game_id: bytes) -> bytes:
        """A log to go on with: a torn last record never left this machine."""
        data = self.logs[game_id]
        records = read_records(data)
        if records.torn:
            data = self.logs[game_id] = data[: max(records.end, len(MAGIC))]
        return data

    def secrets_of(self, game_id: bytes) -> Secrets | None:
        """The seeds of a game, if both decks' are there."""
        seeds = [self.seeds.get((game_id, deck)) for deck in (0, 1)]
        if seeds[0] is None or seeds[1] is None:
            return None
        return Secrets(seeds[0], seeds[1])

    def copy(self) -> Disk:
        """A backup."""
        other = Disk()
        other.logs, other.seeds = dict(self.logs), dict(self.seeds)
        return other

    def _require(self, call: str) -> None:
        if self.fails == call:
            raise Crashed
