"""The file of a log: records, their order, and what it proves (spec 40, 6 to 9)."""

from dataclasses import dataclass, field

from tests.interop.checker_canonical import (
    ProtocolError,
    Value,
    as_array,
    as_bin,
    as_text,
    as_uint,
    decode,
)
from tests.interop.checker_events import Event, collision, read_event, same_number
from tests.interop.checker_game import Game
from tests.interop.checker_genesis import read_genesis
from tests.interop.checker_owed import owed_by

MAGIC = b"CRAPLOG\x01"
GENESIS, EVENT, ACK, VOID, NOTE, FAULT = range(1, 7)
WORDS = {404: "illegal-event", 407: "other-state", 304: "duplicate-root"}
WORDS |= {
    302: "bad-reveal",
    405: "bad-opening",
    406: "duplicate-card",
    408: "bad-audit",
}
LEVELS = {404: 1, 407: 1, 302: 2, 304: 2, 405: 2, 406: 2, 408: 3}


class DamageError(Exception):
    """A record that does not fit, by a word."""


@dataclass(frozen=True)
class Record:
    """One record of a log."""

    kind: int
    body: tuple[Value, ...]


def read_record(data: bytes) -> Record:
    """Take kind and body of a record.

    Args:
        data: The bytes after the length.

    Returns:
        The record.

    Raises:
        ProtocolError: `bad-record`.
    """
    kind = data[0] if data else 0
    counts = {GENESIS: 3, EVENT: 2, ACK: 4, VOID: 2, NOTE: 2, FAULT: 3}
    if kind not in counts:
        raise ProtocolError("bad-record", "no such kind")
    try:
        body = as_array(decode(data[1:]), counts[kind], counts[kind])
        if kind == NOTE:
            as_uint(body[0], 0, 65_535)
            as_text(body[1], 256)
        elif kind == ACK:
            as_uint(body[0], 0, 19_999)
            as_bin(body[1], 32, 32)
            as_bin(body[2], 32, 32)
            as_bin(body[3], 64, 64)
        else:
            if kind == FAULT:
                as_uint(body[0], 0, 65_535)
            as_bin(body[kind == FAULT], 1, 12_288)
            if kind != GENESIS or body[1] is not None:
                as_bin(body[1 + (kind == FAULT)], 64, 64)
            if kind == GENESIS:
                as_bin(body[2], 64, 64)
    except ProtocolError as error:
        raise ProtocolError("bad-record", str(error)) from error
    return Record(kind, body)


@dataclass
class Records:
    """The records of a file.

    Attributes:
        found: The whole ones.
        torn: Whether the file ends within a record.
        end: Where the last whole record ends.
        bad: The number of the record that is damaged.
    """

    found: list[Record] = field(default_factory=list)
    torn: bool = False
    end: int = 0
    bad: int | None = None


def read_records(data: bytes) -> Records:
    """Take a file.

    Args:
        data: Its bytes.

    Returns:
        Its records, up to what is damaged or torn.
    """
    records = Records()
    if data[:8] != MAGIC or len(data) > 64 << 20:
        records.bad = 0
        return records
    records.end = 8
    while records.end < len(data):
        start = records.end + 4
        size = int.from_bytes(data[records.end : start], "big")
        if start > len(data):
            records.torn = True
            break
        if not 2 <= size <= 16_384 or len(records.found) == 65_536:
            records.bad = len(records.found)
            break
        if start + size > len(data):
            records.torn = True
            break
        try:
            records.found.append(read_record(data[start : start + size]))
        except ProtocolError:
            records.bad = len(records.found)
            break
        records.end = start + size
    return records


@dataclass(frozen=True)
class Entry:
    """A final event with its signatures; `ack` is missing in a last one."""

    event: Event
    sig: bytes
    after: bytes
    ack: bytes


class Log:
    """A log, record by record.

    Attributes:
        game: The deal, once both have signed its terms.
        entries: Its final events.
        pending: An event without its ACK, with its signature.
        voids: Events that lost a collision.
        fault: The code of what was refused on the way.
        damaged: Whether its file is.
        proven: The code and the guilty role of a FAULT.
    """

    def __init__(self) -> None:
        """Start before the first record."""
        self.game: Game | None = None
        self.entries: list[Entry] = []
        self.pending: tuple[Event, bytes] | None = None
        self.voids: list[Event] = []
        self.fault = 0
        self.proven: tuple[int, int] | None = None
        self.head = b""
        self.damaged = False
        self._half: bytes | None = None

    @property
    def level(self) -> int:
        """What a sound log proves (spec 40, 7.2)."""
        if self.damaged or self.game is None:
            return 0
        if self.fault:
            return LEVELS[self.fault]
        if len(self.game.audits) < 2:
            return 3
        return 5 if self.game.done else 4

    @property
    def game_id(self) -> bytes | None:
        """Which game it is of."""
        half = None if self._half is None else read_genesis(self._half).game_id
        return half if self.game is None else self.game.genesis.game_id

    @property
    def owed(self) -> tuple[int, str | None] | None:
        """Whose signed message the log waits for."""
        if self.game is None:
            return None if self._half is None else (0, "START")
        return owed_by(self.game)

    def take(self, record: Record) -> None:
        """Take the next record.

        Args:
            record: The record.

        Raises:
            DamageError: When it does not fit.
        """
        kind, body = record.kind, record.body
        if kind == NOTE:
            if self.game is None and self._half is None:
                raise DamageError("no-genesis")
        elif kind == GENESIS:
            self._genesis(body)
        elif self.game is None:
            raise DamageError("not-started" if self._half else "no-genesis")
        elif self.proven is not None:
            raise DamageError("after-fault")
        elif kind == ACK:
            self._ack(body, self.game)
        elif kind == FAULT:
            self._fault(body, self.game)
        else:
            self._event(kind, body, self.game)

    def _genesis(self, body: tuple[Value, ...]) -> None:
        data = as_bin(body[0], 1, 12_288)
        first = self.game is None and self._half is None
        if not first and (self._half != data or body[1] is None or self.game):
            raise DamageError("second-genesis")
        try:
            genesis = read_genesis(data)
            genesis.check(1, as_bin(body[2], 64, 64))
            if body[1] is None:
                self._half = data
                return
            genesis.check(0, as_bin(body[1], 64, 64))
        except ProtocolError as error:
            signed = "-signature" if error.code == 403 else ""
            raise DamageError(f"bad-genesis{signed}") from error
        self.game = Game(genesis)
        self.head = self.game.head

    def lone(self, record: Record) -> None:
        """Take one EVENT that is not chained, as evidence of 402 holds it."""
        if self.game is not None:
            self.pending = self._read(record.body, self.game, "event"), b""

    def _read(self, body: tuple[Value, ...], game: Game, word: str) -> Event:
        try:
            event = read_event(as_bin(body[0], 1, 12_288))
            if event.game_id != game.genesis.game_id:
                raise DamageError("other-game" if word == "event" else word)
            public = game.genesis.keys[event.author]
            event.check(public, as_bin(body[1], 64, 64))
        except ProtocolError as error:
            why = "bad-signature" if error.code == 403 else "bad-record"
            raise DamageError(why if word == "event" else word) from error
        return event

    def _event(self, kind: int, body: tuple[Value, ...], game: Game) -> None:
        event = self._read(body, game, "event")
        if kind == VOID:
            self._void(event, game)
            return
        if any(same_number(event, held) for held in self._held()):
            same = event.digest in [held.digest for held in self._held()]
            raise DamageError("repeated-event" if same else "equivocation")
        number = len(self.entries)
        if event.seq < number:
            raise DamageError("repeated-event")
        if event.seq > number:
            waits = self.pending is not None and event.seq == number + 1
            raise DamageError("not-acknowledged" if waits else "gap")
        if event.prev != self.head:
            raise DamageError("bad-link")
        if self.pending is not None:
            first = self.pending[0]
            if collision(first, event) is first:
                raise DamageError("lost-collision")
            self.voids.append(first)
        self.pending = event, as_bin(body[1], 64, 64)
        if not self.fault:
            self.fault = refused(game, event) or 0

    def _void(self, event: Event, game: Game) -> None:
        place = len(self.entries), self.head
        if self.pending is None or (event.seq, event.prev) != place:
            raise DamageError("stray-void")
        if any(same_number(event, held) for held in self._held()):
            raise DamageError("repeated-event")
        if collision(self.pending[0], event) is event:
            raise DamageError("lost-collision")
        if refused(game, event):
            raise DamageError("stray-void")
        self.voids.append(event)

    def _held(self) -> list[Event]:
        waits = [] if self.pending is None else [self.pending[0]]
        return [*(entry.event for entry in self.entries), *self.voids, *waits]

    def _ack(self, body: tuple[Value, ...], game: Game) -> None:
        if self.pending is None:
            raise DamageError("stray-ack")
        event, sig = self.pending
        if body[:2] != (event.seq, event.digest):
            raise DamageError("stray-ack")
        after, ack = as_bin(body[2], 32, 32), as_bin(body[3], 64, 64)
        try:
            event.check_ack(game.genesis.keys[1 - event.author], ack, after)
        except ProtocolError as error:
            raise DamageError("bad-ack-signature") from error
        self.pending = None
        self.entries.append(Entry(event, sig, after, ack))
        self.head = event.digest
        if not self.fault:
            game.apply(event)
            self.fault = 0 if game.hash == after else 407

    def _fault(self, body: tuple[Value, ...], game: Game) -> None:
        code, data = as_uint(body[0], 0, 65_535), as_bin(body[1], 1, 12_288)
        guilty = self.guilty(code, data, as_bin(body[2], 64, 64), game)
        if guilty is None:
            raise DamageError("unproven-fault")
        self.proven = code, guilty

    def guilty(self, code: int, data: bytes, sig: bytes, game: Game) -> int | None:
        """Whom a signed event or ACK proves guilty, if anybody.

        Args:
            code: What of.
            data: The event or the ACK.
            sig: Its signature.
            game: The deal before it.

        Returns:
            The role.
        """
        try:
            parts = decode(data)
            if isinstance(parts, tuple) and len(parts) == 3:
                return self._guilty_ack(code, parts, sig, game)
            event = self._read((data, sig), game, "unproven-fault")
        except (ProtocolError, DamageError):
            return None
        if code == 402:
            same = [held for held in self._held() if same_number(event, held)]
            return event.author if any(e.digest != event.digest for e in same) else None
        if (event.seq, event.prev) != (len(self.entries), self.head):
            return None
        return event.author if refused(game, event) == code else None

    def _guilty_ack(
        self, code: int, parts: tuple[Value, ...], sig: bytes, game: Game
    ) -> int | None:
        if self.pending is None or code != 407:
            return None
        event = self.pending[0]
        after = as_bin(parts[2], 32, 32)
        event.check_ack(game.genesis.keys[1 - event.author], sig, after)
        replay = game.copy()
        if parts[:2] != (event.seq, event.digest) or refused(game, event):
            return None
        replay.apply(event)
        return None if replay.hash == after else 1 - event.author


def refused(game: Game, event: Event) -> int | None:
    """The code an event would be refused with, or None."""
    if event.state != game.hash:
        return 407
    try:
        game.copy().apply(event)
    except ProtocolError as error:
        return int(error.code)
    return None


def verify(data: bytes) -> tuple[Log, Records, tuple[int, str] | None]:
    """Verify a file (spec 40, 7).

    Args:
        data: Its bytes.

    Returns:
        The log as far as it is sound, the records, and for damage which record
        and a word.
    """
    log, records = Log(), read_records(data)
    wrong: tuple[int, str] | None = None
    for number, record in enumerate(records.found):
        try:
            log.take(record)
        except DamageError as damage:
            log.damaged = True
            return log, records, wrong or (number, str(damage))
        if log.fault and wrong is None:
            wrong = number, WORDS[log.fault]
    count = len(records.found)
    log.damaged = True
    if records.bad is not None:
        word = "bad-record" if data[:8] == MAGIC else "not-a-log"
        return log, records, wrong or (records.bad, word)
    if log.game is None and not count:
        return log, records, (0, "no-genesis")
    log.damaged = False
    return log, records, wrong
