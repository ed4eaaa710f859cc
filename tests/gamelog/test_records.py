"""The records of a file: there and back, torn tails, limits."""

from __future__ import annotations

import random

import pytest

from crapette_p2p.canonical import encode
from crapette_p2p.gamelog.records import (
    MAGIC,
    MAX_FILE,
    MAX_RECORD,
    MAX_RECORDS,
    RecordKind,
    encode_record,
    read_records,
)

BODIES: dict[RecordKind, tuple[object, ...]] = {
    RecordKind.GENESIS: (b"genesis", None, bytes(64)),
    RecordKind.EVENT: (b"event", bytes(64)),
    RecordKind.ACK: (7, bytes(32), bytes(32), bytes(64)),
    RecordKind.VOID: (b"event", bytes(64)),
    RecordKind.NOTE: (501, "abandoned"),
    RecordKind.FAULT: (404, b"event", bytes(64)),
}
FILE = MAGIC + b"".join(encode_record(kind, body) for kind, body in BODIES.items())


def test_records_read_back() -> None:
    """Every kind, in order, to the last byte."""
    found = read_records(FILE)
    assert {r.kind: r.body for r in found.records} == BODIES
    assert (found.end, found.torn, found.damage) == (len(FILE), False, None)


def test_a_file_cut_anywhere_reads_up_to_the_cut() -> None:
    """E4, torn bytes: whole records are kept, a part of one is cut and reported."""
    ends = [len(MAGIC)]
    for kind, body in BODIES.items():
        ends.append(ends[-1] + len(encode_record(kind, body)))
    for size in range(len(MAGIC), len(FILE) + 1):
        found = read_records(FILE[:size])
        whole = sum(end <= size for end in ends) - 1
        assert len(found.records) == whole
        assert found.end == ends[whole]
        assert found.torn == (size != ends[whole])
        assert found.damage is None


@pytest.mark.parametrize("size", range(len(MAGIC)))
def test_a_file_without_its_head_is_no_log(size: int) -> None:
    """Also a file that is shorter than the eight bytes."""
    assert read_records(MAGIC[:size]).damage == "not a game log"
    assert read_records(b"X" + FILE[1:]).damage == "not a game log"


@pytest.mark.parametrize(
    "tail",
    [
        b"\0\0\0\0",
        b"\0\0\0\x01\x02",
        (MAX_RECORD + 1).to_bytes(4) + bytes(MAX_RECORD + 1),
        (MAX_RECORD + 1).to_bytes(4),
        (2**30).to_bytes(4) + b"\x02\x90",
        b"\xff\xff\xff\xff",
        b"\0\0\0\x02\x07\x90",
        b"\0\0\0\x02\x00\x90",
        b"\0\0\0\x02\x02\x90",
        b"\0\0\0\x02\x02\x80",
        b"\0\0\0\x03\x02\x90\x90",
    ],
    ids=[
        "length 0",
        "length 1",
        "16 KiB + 1",
        "16 KiB + 1, no bytes",
        "1 GiB",
        "4 GiB",
        "kind 7",
        "kind 0",
        "no fields",
        "map",
        "trailing byte",
    ],
)
def test_damage_is_told_from_a_torn_tail(tail: bytes) -> None:
    """E8: what no writer writes is damage, at the record after the last good one."""
    found = read_records(FILE + tail)
    assert len(found.records) == len(BODIES)
    assert found.end == len(FILE)
    assert not found.torn
    assert found.damage is not None


@pytest.mark.parametrize("kind", RecordKind)
def test_each_kind_has_its_fields(kind: RecordKind) -> None:
    """A field too few, too many, or of another type is damage."""
    body = BODIES[kind]
    wrong: list[tuple[object, ...]] = [body[:-1], (*body, 1)]
    wrong += [(*body[:i], (), *body[i + 1 :]) for i in range(len(body))]
    for fields in wrong:
        data = MAGIC + encode_record(kind, fields)
        assert read_records(data).damage is not None


def test_a_record_at_the_limit_is_read() -> None:
    """16 KiB of kind and body are lawful, a writer refuses one byte more."""
    body = (b"x" * 12_000, b"y" * (MAX_RECORD - 1 - 12_000 - 7))
    record = encode_record(RecordKind.EVENT, body)
    assert len(record) == 4 + MAX_RECORD
    assert len(read_records(MAGIC + record).records) == 1
    with pytest.raises(ValueError, match="record of"):
        encode_record(RecordKind.EVENT, (body[0], body[1] + b"z"))


@pytest.mark.slow
def test_too_many_records_are_damage() -> None:
    """E8: the 65,537th record is not read."""
    note = encode_record(RecordKind.NOTE, (1, ""))
    found = read_records(MAGIC + note * MAX_RECORDS)
    assert (len(found.records), found.damage) == (MAX_RECORDS, None)
    found = read_records(MAGIC + note * (MAX_RECORDS + 1))
    assert len(found.records) == MAX_RECORDS
    assert found.damage is not None


def test_a_file_over_64_mib_is_not_read() -> None:
    """E8: the size is judged before anything else."""
    found = read_records(bytes(MAX_FILE + 1))
    assert found.damage is not None
    assert "larger" in found.damage


def test_compressed_or_random_files_are_no_logs() -> None:
    """Whatever the bytes, an answer and no exception."""
    rng = random.Random(8)  # noqa: S311 - repeatable bytes
    for _ in range(2_000):
        head = MAGIC if rng.random() < 0.8 else b""
        found = read_records(head + rng.randbytes(rng.randrange(40)))
        assert found.torn or found.damage is not None or not found.records
    assert read_records(b"\x1f\x8b\x08" + FILE).damage == "not a game log"


def test_a_body_of_other_values_cannot_be_written() -> None:
    """A writer's slip raises; nothing half-written comes out."""
    with pytest.raises(TypeError):
        encode_record(RecordKind.NOTE, (1.5, "x"))
    assert encode((1, "x")) in encode_record(RecordKind.NOTE, [1, "x"])
