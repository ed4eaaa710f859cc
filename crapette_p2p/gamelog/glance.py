"""A log at a glance: its events and whether each record hangs on the one before.

For lists of games, which have to be quick: hashes are followed, but no signature is
checked, no shuffle and no rule. So a record that is edited, missing or in the wrong
place is mostly seen, and a log that looks whole is no proof: ``verify`` is.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, NamedTuple

from crapette_p2p.canonical import decode
from crapette_p2p.errors import DecodeError
from crapette_p2p.gamelog.events import event_hash
from crapette_p2p.gamelog.genesis import game_id_of
from crapette_p2p.gamelog.records import Record, RecordKind

_FIELDS: Final = 8


class Glimpse(NamedTuple):
    """What a list needs of an event."""

    seq: object
    author: object
    kind: object
    body: object


@dataclass(slots=True)
class Glance:
    """What was seen of a log."""

    events: list[Glimpse] = field(default_factory=list)
    """Each event, final or not."""
    linked: bool = True
    """Whether nothing is seen to be missing or changed."""
    _game: bytes = b""
    _head: object = b""
    _length: int = 0
    _pending: bytes | None = None
    _over: bool = False

    def take(self, record: Record) -> None:
        """Look at the next record."""
        data = record.body[0]
        if record.kind == RecordKind.GENESIS and isinstance(data, bytes):
            self._begin(data)
        elif record.kind == RecordKind.EVENT and isinstance(data, bytes):
            self._event(data)
        elif record.kind == RecordKind.ACK:
            acked = (record.body[0], record.body[1])
            self.linked &= not self._over and acked == (self._length, self._pending)
            self._head, self._pending = record.body[1], None
            self._length += 1
        elif record.kind == RecordKind.VOID:
            self.linked &= self._pending is not None
        elif record.kind == RecordKind.FAULT:
            self._over = True

    def _begin(self, data: bytes) -> None:
        """The genesis stands once more where its second signature came later."""
        game = game_id_of(data)
        self.linked &= self._game in (b"", game) and not self.events
        self._game = self._head = game

    def _event(self, data: bytes) -> None:
        fields: object = None
        try:
            fields = decode(data)
        except DecodeError:
            self.linked = False
        if type(fields) is not tuple or len(fields) != _FIELDS:
            self.linked = False
            return
        _, game, seq, author, prev, _, kind, body = fields
        self.events.append(Glimpse(seq, author, kind, body))
        here = (self._game, self._length, self._head)
        self.linked &= not self._over and (game, seq, prev) == here
        self._pending = event_hash(data)


def glance(records: tuple[Record, ...]) -> Glance:
    """Everything there is to be seen in one pass."""
    seen = Glance()
    for record in records:
        seen.take(record)
    return seen
