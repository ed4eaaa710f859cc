r"""The records of a log file: bytes there and back, with limits.

``"CRAPLOG\x01"``, then records ``u32be len ‖ u8 kind ‖ body``, where len counts
kind and body and body is a canonical array (protocol.md 10; 12, 4.6). A file
that ends within a record was torn by a crash: the rest is cut and reported.
Anything else that does not fit is damage, and the record is named.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Final

from crapette_p2p.canonical import decode, encode
from crapette_p2p.errors import DecodeError

MAGIC: Final = b"CRAPLOG\x01"
MAX_FILE: Final = 64 * 2**20
"""A game of 20,000 events is about 10 MB."""
MAX_RECORDS: Final = 65_536
"""20,000 events with their ACKs, voids and notes stay below."""
MAX_RECORD: Final = 16_384
"""Kind and body of one record."""

_LENGTH: Final = struct.Struct(">I")


class RecordKind(IntEnum):
    """What a record holds, and the fields of its body."""

    GENESIS = 1
    """genesis, sig0 or nil, sig1"""
    EVENT = 2
    """event, sig"""
    ACK = 3
    """seq, hash, state after, sig"""
    VOID = 4
    """event, sig: the peer's loser of a collision"""
    NOTE = 5
    """code, text: local and unsigned"""
    FAULT = 6
    """code, event, sig: the signed event that proves a fault"""


_NIL: Final = type(None)
_SHAPES: Final[dict[int, tuple[tuple[type, ...], ...]]] = {
    RecordKind.GENESIS: ((bytes, bytes, bytes), (bytes, _NIL, bytes)),
    RecordKind.EVENT: ((bytes, bytes),),
    RecordKind.ACK: ((int, bytes, bytes, bytes),),
    RecordKind.VOID: ((bytes, bytes),),
    RecordKind.NOTE: ((int, str),),
    RecordKind.FAULT: ((int, bytes, bytes),),
}
"""The types a body may have, by kind."""
_KINDS: Final = {int(kind): kind for kind in RecordKind}


@dataclass(frozen=True, slots=True)
class Record:
    """One record: its kind and the fields of its body."""

    kind: RecordKind
    body: tuple[object, ...]


@dataclass(frozen=True, slots=True)
class Records:
    """What a file holds up to its first damage."""

    records: tuple[Record, ...]
    end: int
    """How many bytes of the file are whole records: cut a torn file here."""
    torn: bool = False
    """The file ends within a record."""
    damage: str | None = None
    """Why the record after the last one is none (its number = len(records))."""
    why: str = "bad-record"
    """The same as a stable kebab-case code; only of use with ``damage``."""


def encode_record(kind: int, body: Sequence[object]) -> bytes:
    """The bytes of one record, ready to append to a file."""
    payload = encode_payload(kind, body)
    return _LENGTH.pack(len(payload)) + payload


def encode_payload(kind: int, body: Sequence[object]) -> bytes:
    """Kind and body of one record, without its length."""
    payload = bytes([kind]) + encode(tuple(body))
    if len(payload) > MAX_RECORD:
        raise ValueError(f"a record of {len(payload)} bytes")
    return payload


def decode_record(payload: bytes) -> Record:
    """Read kind and body; raise DecodeError for a shape that no kind has."""
    fields = decode(payload[1:])
    kind = _KINDS.get(payload[0])
    if kind is None:
        raise DecodeError(f"record: unknown kind {payload[0]}", code=103)
    if type(fields) is not tuple or tuple(map(type, fields)) not in _SHAPES[kind]:
        raise DecodeError("record: a field is missing or of the wrong type", code=103)
    return Record(kind, fields)


def _no_log(data: bytes) -> str:
    """Why a file that begins otherwise cannot be read."""
    name, version = MAGIC[:-1], data[len(MAGIC) - 1 : len(MAGIC)]
    if data.startswith(name) and version > MAGIC[-1:]:
        return f"a log of format {version[0]}; a newer version reads it"
    return "not a game log"


def read_records(data: bytes) -> Records:
    """All records of a log file; never raises, whatever the bytes."""
    if len(data) > MAX_FILE:
        return Records((), 0, damage=f"larger than {MAX_FILE} bytes", why="too-large")
    if data[: len(MAGIC)] != MAGIC:
        return Records((), 0, damage=_no_log(data), why="not-a-log")
    found: list[Record] = []
    at = len(MAGIC)
    while at < len(data):
        if len(found) == MAX_RECORDS:
            damage, why = f"over {MAX_RECORDS} records", "too-many-records"
            return Records(tuple(found), at, damage=damage, why=why)
        if at + 4 > len(data):
            return Records(tuple(found), at, torn=True)
        (size,) = _LENGTH.unpack_from(data, at)
        if not 2 <= size <= MAX_RECORD:
            return Records(tuple(found), at, damage=f"a record of {size} bytes")
        if at + 4 + size > len(data):
            return Records(tuple(found), at, torn=True)
        try:
            found.append(decode_record(data[at + 4 : at + 4 + size]))
        except DecodeError as error:
            return Records(tuple(found), at, damage=str(error))
        at += 4 + size
    return Records(tuple(found), at)
