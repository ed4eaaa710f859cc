"""Evidence files: what proves a fault to anybody, in one file.

``["crapette-evidence", 1, code, game_id, [record, ...]]``, canonical, extension
``.crev``. Each record is the kind and body of a log record (``records.py``): the
log up to the fault, and FAULT last. For equivocation (402) that is GENESIS, one
EVENT and the FAULT with the other; the fault codes are those of ``faults.py``.
Only signed bytes go in: no notes, no addresses (protocol.md 8; 12, 4.6).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from crapette_p2p.canonical import MAX_LARGE_ARRAY, decode, encode_large
from crapette_p2p.engine.layout import Seat
from crapette_p2p.errors import DecodeError
from crapette_p2p.gamelog.events import Event, decode_event
from crapette_p2p.gamelog.faults import (
    EQUIVOCATION,
    RecordError,
    Verify,
    culprit,
    read_signed,
)
from crapette_p2p.gamelog.fold import Guilt, LogFold
from crapette_p2p.gamelog.log import Entry, Fault, GameLog, SignedEvent
from crapette_p2p.gamelog.records import (
    MAX_FILE,
    MAX_RECORD,
    Record,
    RecordKind,
    decode_record,
    encode_payload,
)
from crapette_p2p.gamelog.verify import Summary, summary_of

NAME: Final = "crapette-evidence"
VERSION: Final = 1
_HEAD: Final = b"\x95\xb1" + NAME.encode()
"""An array of five whose first item is the name."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """What an evidence file proves."""

    proven: bool
    code: int
    """The fault it is about; 0 if not even that can be read."""
    seat: Seat | None = None
    """Who is guilty."""
    why: str | None = None
    """Stable kebab-case code: why it proves nothing."""
    detail: str = ""
    summary: Summary | None = None


def is_evidence(data: bytes) -> bool:
    """Whether a file claims to be evidence (and not a log)."""
    return data.startswith(_HEAD)


def encode_evidence(log: GameLog, fault: Fault) -> bytes:
    """The evidence file for ``fault``, found on top of ``log``."""
    items = [encode_payload(RecordKind.GENESIS, (log.genesis_bytes, *log.sigs))]
    event = _event_in(fault)
    if fault.code == EQUIVOCATION and event is not None:
        held = log.held(event.author, event.seq)
        if held is not None:
            items.append(_event_record(held))
    else:
        for entry in log.entries:
            items += _entry_records(entry)
        if event is None and log.pending is not None:
            items.append(_event_record(log.pending))  # whose ACK is the fault
    fields = (fault.code, fault.data, fault.sig)
    items.append(encode_payload(RecordKind.FAULT, fields))
    return encode_large((NAME, VERSION, fault.code, log.game_id, items))


def _event_in(fault: Fault) -> Event | None:
    try:
        return decode_event(fault.data)
    except DecodeError:
        return None


def _event_record(signed: SignedEvent) -> bytes:
    return encode_payload(RecordKind.EVENT, (signed.data, signed.sig))


def _entry_records(entry: Entry) -> list[bytes]:
    signed = entry.signed
    records = [_event_record(signed)]
    if entry.ack is not None:
        fields = (signed.event.seq, signed.hash, entry.state_after, entry.ack)
        records.append(encode_payload(RecordKind.ACK, fields))
    return records


def judge_evidence(data: bytes, verify: Verify) -> Judgement:
    """Judge an evidence file; never raises, whatever the bytes."""
    try:
        code, game_id, records = _read(data)
    except DecodeError as error:
        return Judgement(False, 0, None, "not-evidence", str(error))
    fault_record = records[-1]
    fold = LogFold(verify)
    if code == EQUIVOCATION and len(records) == 3:
        fold.add(records[0])
        _find_equivocation(fold, records[1:], verify)
    else:
        for record in records:
            if not fold.add(record):
                break
    log = fold.log
    if fold.findings:
        finding = fold.findings[0]
        where = f"record {finding.record}: {finding.detail}"
        summary = None if log is None else summary_of(log)
        return Judgement(False, code, None, finding.why, where, summary)
    if log is None or log.game_id != game_id or fault_record.body[0] != code:
        return Judgement(False, code, None, "not-evidence", "its head is another's")
    if fold.guilt is None or fold.guilt.code != code:
        return Judgement(False, code, None, "unproven-fault", "", summary_of(log))
    return Judgement(True, code, fold.guilt.seat, summary=summary_of(log))


def _find_equivocation(
    fold: LogFold, records: tuple[Record, ...], verify: Verify
) -> None:
    """Two events of one author and number need no log between them."""
    log = fold.log
    if log is None:
        return
    for record in records:
        try:
            if record.kind == RecordKind.EVENT:
                data, sig = record.body
                log.voids.append(read_signed(log, data, sig, verify))  # type: ignore[arg-type] # records.py has checked types
            elif record.kind == RecordKind.FAULT:
                fault = Fault(*record.body)  # type: ignore[arg-type] # likewise
                seat = culprit(log, None, fault, verify)
                fold.guilt = None if seat is None else Guilt(seat, fault.code)
        except (RecordError, DecodeError):
            continue


_BETWEEN: Final = (RecordKind.EVENT, RecordKind.ACK)
"""What stands between GENESIS and FAULT."""
_BIN: Final = {0xC4: 1, 0xC5: 2}
"""Bytes of the length behind the header of a byte string."""
_ARRAY: Final = {0xDC: 2} | {0x90 + count: 0 for count in range(16)}
"""The same of an array; a short one has it in the header."""
_INT: Final = {0xCC: 1, 0xCD: 2, 0xCE: 4, 0xCF: 8} | dict.fromkeys(range(128), 0)
"""Bytes of a number behind its header."""


def _walk(data: bytes) -> None:
    """See that there are two numbers, a byte string and an array of such, no more.

    Nothing is built meanwhile: a file of 64 MiB could hold as many empty arrays,
    each of them a value.
    """

    def header(at: int, sizes: dict[int, int]) -> tuple[int, int]:
        """What a header says, and where it ends."""
        end = at + 1 + sizes[data[at]]
        if end == at + 1:
            return data[at] & 0x0F, end
        return int.from_bytes(data[at + 1 : end], "big"), end

    try:
        _, at = header(len(_HEAD), _INT)
        _, at = header(at, _INT)
        size, at = header(at, _BIN)
        count, at = header(at + size, _ARRAY)
        for _ in range(count):
            size, at = header(at, _BIN)
            at += size
    except LookupError as error:
        raise DecodeError("evidence: a field of the wrong type", code=103) from error
    if not is_evidence(data) or at != len(data):
        raise DecodeError("evidence: not an array of five", code=103)


def _read(data: bytes) -> tuple[int, bytes, tuple[Record, ...]]:
    _walk(data)
    fields = decode(data, limit=MAX_FILE, max_array=MAX_LARGE_ARRAY, max_bin=MAX_RECORD)
    if type(fields) is not tuple or len(fields) != 5:
        raise DecodeError("evidence: not an array of five", code=103)
    name, version, code, game_id, items = fields
    if name != NAME or type(version) is not int or version != VERSION:
        raise DecodeError("evidence: unknown kind or version", code=103)
    if type(code) is not int or type(game_id) is not bytes or type(items) is not tuple:
        raise DecodeError("evidence: a field of the wrong type", code=103)
    if not items or any(type(item) is not bytes or len(item) < 2 for item in items):
        raise DecodeError("evidence: a record is missing or no bytes", code=103)
    records = tuple(decode_record(item) for item in items)
    if records[0].kind != RecordKind.GENESIS or records[-1].kind != RecordKind.FAULT:
        raise DecodeError("evidence: GENESIS first, FAULT last", code=103)
    if any(record.kind not in _BETWEEN for record in records[1:-1]):
        raise DecodeError("evidence: a record that proves nothing", code=103)
    return code, game_id, records
