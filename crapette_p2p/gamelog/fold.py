"""Read records into a log and a state, and find the first that does not fit.

Theory of operation. One fold serves everybody who reads a log: a verifier (with
``verify``: every signature is checked), a client that comes back to its game, a
replay (both without). It keeps the log, the state after it, and *findings*: the
first record that is wrong and how much that breaks.

* Damage (a record that is missing, twice, edited, out of order, by a wrong hand)
  ends the reading: nothing after it is believed.
* An event both signed but the rules refuse (404, 407) leaves a signed chain; links
  and signatures are still followed, the play no longer.
* A commitment, opening or audit that does not match (302, 304, 405, 406, 408) is
  taken on faith from there on, to see whether the play was lawful at least.

What a file may hold (protocol.md 6, 10; 12, P6, P12, P17, 4.6): GENESIS once, or
first with role 0's signature missing and again with it; EVENT of the next number,
then its ACK; between them at most the other author's EVENT of that number, if it
wins the collision, or a VOID, if it loses. NOTEs anywhere. FAULT last.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final, NoReturn

from crapette_p2p.engine.layout import Seat, other
from crapette_p2p.errors import DecodeError
from crapette_p2p.gamelog.events import (
    ack_message,
    wins,
)
from crapette_p2p.gamelog.faults import (
    RecordError,
    Verify,
    culprit,
    read_signed,
    refusal_of,
)
from crapette_p2p.gamelog.game import start_game, step
from crapette_p2p.gamelog.genesis import genesis_message
from crapette_p2p.gamelog.log import Entry, Fault, GameLog, Note, SignedEvent
from crapette_p2p.gamelog.records import Record, RecordKind, Records
from crapette_p2p.gamelog.state import GameState, state_hash

DAMAGED: Final = 0
SIGNED: Final = 1
LEGAL: Final = 2
OPENED: Final = 3
AUDITED: Final = 4
CLOSED: Final = 5

_STEP_WHY: Final = {
    302: "bad-reveal",
    304: "duplicate-root",
    404: "illegal-event",
    405: "bad-opening",
    406: "duplicate-card",
    408: "bad-audit",
}
_STEP_LEVEL: Final = {404: SIGNED, 408: OPENED}
"""How far a log stands whose event the rules refuse with that code."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A record that does not fit."""

    record: int
    """Number of the record, from 0."""
    why: str
    """Stable kebab-case code."""
    code: int
    """Wire code that comes nearest."""
    level: int
    """The level the log keeps in spite of it."""
    detail: str = ""
    """For developers, in English."""


@dataclass(frozen=True, slots=True)
class Guilt:
    """Whose signature proves a fault, and which."""

    seat: Seat
    code: int


def _refuse(why: str, code: int, detail: str = "") -> NoReturn:
    """Damage: caught in ``add``, which knows the record."""
    raise RecordError(why, code=code, detail=detail)


class LogFold:
    """Feed it records; it keeps the log, the state after it and the findings."""

    def __init__(self, verify: Verify | None = None) -> None:
        self.log: GameLog | None = None
        self.state: GameState | None = None
        """After the final events; None once an event both signed is not legal."""
        self.findings: list[Finding] = []
        self.playable = 0
        """How many final events can be played again: all but for a finding."""
        self.guilt: Guilt | None = None
        """Whom the log proves guilty: by a FAULT, or by what he signed in it."""
        self._verify = verify
        self._after: GameState | None = None
        """The state after the pending event."""
        self._count = 0

    @property
    def damaged(self) -> bool:
        """Whether the reading has ended at a damaged record."""
        return bool(self.findings) and self.findings[-1].level == DAMAGED

    def read(self, records: Records) -> None:
        """Take all records of a file; damage of the file is a finding too."""
        for record in records.records:
            if not self.add(record):
                return
        if records.damage is not None:
            self._find(records.why, 101, DAMAGED, records.damage)
        elif self.log is None:
            self._find("no-genesis", 103, DAMAGED)

    def add(self, record: Record) -> bool:
        """Take the next record; False once the log is damaged."""
        if self.damaged:
            return False
        try:
            self._take(record)
        except RecordError as broken:
            self._find(broken.why, broken.code, DAMAGED, broken.detail)
            return False
        except DecodeError as error:
            self._find("bad-record", error.code, DAMAGED, str(error))
            return False
        self._count += 1
        return True

    def _find(self, why: str, code: int, level: int, detail: str = "") -> None:
        self.findings.append(Finding(self._count, why, code, level, detail))

    def _blame(self, seat: Seat, code: int) -> None:
        if self.guilt is None:
            self.guilt = Guilt(seat, code)

    def _take(self, record: Record) -> None:
        log, body = self.log, record.body
        if record.kind == RecordKind.GENESIS:
            self._genesis(*body)  # type: ignore[arg-type] # records.py has checked types
            return
        if log is None:
            _refuse("no-genesis", 103)
        if log.sigs[0] is None and record.kind != RecordKind.NOTE:
            _refuse("not-started", 104)
        if log.fault is not None and record.kind != RecordKind.NOTE:
            _refuse("after-fault", 104)
        match record.kind:
            case RecordKind.EVENT:
                self._event(log, *body)  # type: ignore[arg-type] # likewise
            case RecordKind.ACK:
                self._ack(log, *body)  # type: ignore[arg-type] # likewise
            case RecordKind.VOID:
                self._void(log, *body)  # type: ignore[arg-type] # likewise
            case RecordKind.NOTE:
                note = Note(*body)  # type: ignore[arg-type] # likewise
                log.notes.append(replace(note, at=log.length))
            case RecordKind.FAULT:
                self._fault(log, Fault(*body))  # type: ignore[arg-type] # likewise

    def _genesis(self, data: bytes, sig0: bytes | None, sig1: bytes) -> None:
        if self.log is not None:
            same = (data, None, sig1) == (self.log.genesis_bytes, *self.log.sigs)
            if not same or sig0 is None:
                _refuse("second-genesis", 104)
        try:
            log = GameLog(data, (sig0, sig1))
        except DecodeError as error:
            _refuse("bad-genesis", error.code, str(error))
        if self._verify is not None:
            message = genesis_message(log.game_id)
            for seat, sig in enumerate(log.sigs):
                if sig is None and seat == 0:
                    continue
                if not self._verify(log.genesis.keys[seat], sig or b"", message):
                    _refuse("bad-genesis-signature", 403)
        if self.log is not None:
            log.notes.extend(self.log.notes)
        self.log = log
        self.state = start_game(log.genesis, log.game_id)

    def _event(self, log: GameLog, data: bytes, sig: bytes) -> None:
        signed = read_signed(log, data, sig, self._verify)
        event, pending = signed.event, log.pending
        held = log.held(event.author, event.seq)
        if held is not None:
            if held.hash == signed.hash:
                _refuse("repeated-event", 400)
            self._blame(event.author, 402)
            _refuse("equivocation", 402)
        if event.seq != log.length:
            if pending is not None and event.seq == log.length + 1:
                _refuse("not-acknowledged", 400)
            _refuse("gap" if event.seq > log.length else "repeated-event", 400)
        if event.prev != log.head:
            _refuse("bad-link", 401)
        if pending is not None:
            if not wins(event, over=pending.event):
                _refuse("lost-collision", 400)
            log.voids.append(pending)
        log.pending = signed
        self._after = self._judged(signed)

    def _judged(self, signed: SignedEvent) -> GameState | None:
        """The state after an event; a finding if the rules refuse it."""
        event, state = signed.event, self.state
        if state is None:
            return None
        if event.state != state_hash(state):
            self._find("other-state", 407, SIGNED, f"seat {event.author}, event")
            self._blame(event.author, 407)
            return None
        after = step(state, event.author, event.type, event.body)
        if isinstance(after, int):
            level = _STEP_LEVEL.get(after, LEGAL)
            self._find(_STEP_WHY[after], after, level, f"seat {event.author}")
            self._blame(event.author, after)
            if level == SIGNED:
                return None
            after = step(state, event.author, event.type, event.body, trusting=True)
        return None if isinstance(after, int) else after

    def _ack(
        self, log: GameLog, seq: int, hash_: bytes, state: bytes, sig: bytes
    ) -> None:
        signed, after = log.pending, self._after
        if signed is None or (seq, hash_) != (signed.event.seq, signed.hash):
            _refuse("stray-ack", 400)
        if self._verify is not None:
            key = log.genesis.keys[other(signed.event.author)]
            if not self._verify(key, sig, ack_message(log.game_id, seq, hash_, state)):
                _refuse("bad-ack-signature", 403)
        if after is not None and state != state_hash(after):
            by = other(signed.event.author)
            self._find("other-state", 407, SIGNED, f"seat {by}, ACK")
            self._blame(by, 407)
            after = None
        log.append(Entry(signed, state, sig))
        self.playable += after is not None
        self.state, self._after = after, None

    def _void(self, log: GameLog, data: bytes, sig: bytes) -> None:
        signed = read_signed(log, data, sig, self._verify)
        event, pending = signed.event, log.pending
        if pending is None or event.seq != log.length or event.prev != log.head:
            _refuse("stray-void", 400)
        if log.held(event.author, event.seq) is not None:
            _refuse("repeated-event", 400)
        if not wins(pending.event, over=event):
            _refuse("lost-collision", 400)
        if self.state is not None:
            code = refusal_of(self.state, event)
            if code is not None:
                # It should stand as FAULT: whoever wrote this kept no evidence.
                _refuse("stray-void", code)
        log.voids.append(signed)

    def _fault(self, log: GameLog, fault: Fault) -> None:
        seat = culprit(log, self.state, fault, self._verify)
        if seat is None:
            _refuse("unproven-fault", fault.code)
        self._blame(seat, fault.code)
        log.fault = fault
