"""One game's log in memory: final events, what is pending, what became void.

``GameLog`` only keeps; it judges nothing. Who appends has judged (a session, a
verifier, ``loading.py``). The file holds the same facts as records
(``records.py``), written in the order in which they became true.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from crapette_p2p.engine.layout import Seat
from crapette_p2p.gamelog.events import Event, encode_event, event_hash
from crapette_p2p.gamelog.genesis import Genesis, decode_genesis, game_id_of


@dataclass(frozen=True, slots=True)
class SignedEvent:
    """An event with its author's signature, as bytes and as read."""

    event: Event
    data: bytes
    """The bytes that are hashed and signed."""
    hash: bytes
    sig: bytes

    @classmethod
    def of(cls, event: Event, sig: bytes) -> SignedEvent:
        """Wrap an event of our own making."""
        data = encode_event(event)
        return cls(event, data, event_hash(data), sig)


@dataclass(frozen=True, slots=True)
class Entry:
    """A final event: signed by its author, countersigned by the other."""

    signed: SignedEvent
    state_after: bytes
    ack: bytes | None
    """The other's signature; None only for a last event whose ACK was not
    written before a crash (its maker makes it again)."""


@dataclass(frozen=True, slots=True)
class Note:
    """A local, unsigned remark: abandoned, failed, returned."""

    code: int
    text: str
    at: int = 0
    """How many events stood before it."""


@dataclass(frozen=True, slots=True)
class Fault:
    """What the culprit signed, kept as evidence (``faults.py`` judges it)."""

    code: int
    data: bytes
    """Event bytes; for an ACK the canonical array [seq, hash, state after]."""
    sig: bytes


@dataclass(slots=True)
class GameLog:
    """The log of one game; append only."""

    genesis_bytes: bytes
    sigs: tuple[bytes | None, bytes]
    """Signatures of role 0 and role 1; the first is None until START."""
    genesis: Genesis = field(init=False)
    game_id: bytes = field(init=False)
    entries: list[Entry] = field(default_factory=list)
    """Final events; the place is the seq."""
    pending: SignedEvent | None = None
    """The event that waits for its ACK (a session's own: ``mine``)."""
    voids: list[SignedEvent] = field(default_factory=list)
    """Losers of collisions, of both players, by number; none is ever signed again."""
    notes: list[Note] = field(default_factory=list)
    fault: Fault | None = None

    def __post_init__(self) -> None:
        self.genesis = decode_genesis(self.genesis_bytes)
        self.game_id = game_id_of(self.genesis_bytes)

    @property
    def length(self) -> int:
        """How many events are final."""
        return len(self.entries)

    @property
    def head(self) -> bytes:
        """Hash of the last final event; the game id before the first."""
        return self.head_at(len(self.entries))

    def head_at(self, length: int) -> bytes:
        """The head when the log had that many final events."""
        return self.entries[length - 1].signed.hash if length else self.game_id

    def append(self, entry: Entry) -> None:
        """Add the next final event; a pending one of that number is settled."""
        self.entries.append(entry)
        pending = self.pending
        if pending is not None and pending.event.seq == entry.signed.event.seq:
            if pending.hash != entry.signed.hash:
                self.voids.append(pending)
            self.pending = None

    def held(self, author: int, seq: int) -> SignedEvent | None:
        """The event of that author and number, final, pending or void."""
        if seq < len(self.entries):
            signed = self.entries[seq].signed
            if signed.event.author == author:
                return signed
        if self.pending is not None and _is_by(self.pending, author, seq):
            return self.pending
        for found in reversed(self.voids):
            if found.event.seq < seq:
                break  # they are kept in the order of their numbers
            if _is_by(found, author, seq):
                return found
        return None

    def seen(self, author: Seat) -> int:
        """1 + the highest number at which an event signed by ``author`` is held."""
        highest = 0
        for entry in reversed(self.entries):
            if entry.signed.event.author == author:
                highest = entry.signed.event.seq + 1
                break
        losers = self.voids if self.pending is None else [self.pending, *self.voids]
        numbers = [s.event.seq + 1 for s in losers if s.event.author == author]
        return max([highest, *numbers])


def _is_by(signed: SignedEvent, author: int, seq: int) -> bool:
    return signed.event.seq == seq and signed.event.author == author
