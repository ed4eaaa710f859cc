"""Vectors of canonical bytes, frames, messages, keys, nicks and the handshake."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from crapette_p2p import canonical
from crapette_p2p.session.handshake import commitment
from crapette_p2p.session.messages import Hello, encode_message
from tests.helpers.keys import real_key
from tests.vectors.making.picking import Picker
from tests.vectors.making.writing import Group, VectorFile
from tests.vectors.run_bytes import RUNNERS
from tests.vectors.spec_pages import table
from tests.vectors.values import Refused, to_json

WIRE: Final = "spec/50-wire.md"
Field = dict[str, Any]


def files() -> Iterator[VectorFile]:
    """All files of this module."""
    yield VectorFile("framing", "framing", WIRE + "#1", list(_framing()))
    yield VectorFile("canonical", "canonical", WIRE + "#2", list(_canonical()))
    yield VectorFile("messages", "messages", WIRE + "#4", list(_messages()))
    yield VectorFile("keys", "keys", WIRE + "#3", list(_keys()))
    yield VectorFile("handshake", "handshake", "spec/60-session.md#3", [_logins()])


def add_outcome(group: Group, kind: str, comment: str, given: Field) -> None:
    """Add a test with whatever the code under test answers."""
    try:
        output = RUNNERS[kind](given, group.common)
    except Refused as refused:
        group.add(comment, given, refused.output, code=refused.code)
    else:
        group.add(comment, given, output)


def _framing() -> Iterator[Group]:
    limits = {True: 1024, False: 16384}
    pieces = Group("pieces")
    for login in (True, False):
        small, big = b"\x90", bytes(limits[login])
        for payloads in ((small,), (small, b"abc", b"ab"), (big,)):
            stream = b"".join(len(p).to_bytes(4, "big") + p for p in payloads)
            for comment, cuts in list(_cuts(stream))[: 5 if len(stream) < 99 else 1]:
                given = {"login": login, "chunks": [c.hex() for c in cuts]}
                add_outcome(pieces, "framing", comment, given)
    yield pieces
    refused = Group("bad-length")
    for login, limit in limits.items():
        for length in (0, limit + 1, 2**16 + 1, 2**31, 2**32 - 1):
            head = length.to_bytes(4, "big")
            before = b"\0\0\0\1\x90"
            for comment, chunks in (
                ("nothing else", [head]),
                ("after a good frame", [before, head]),
                ("the last byte of the length alone", [head[:3], head[3:]]),
            ):
                given = {"login": login, "chunks": [c.hex() for c in chunks]}
                refused.add(f"{length}, {comment}", given, code=100)
    yield refused


def _cuts(stream: bytes) -> Iterator[tuple[str, list[bytes]]]:
    yield "at once", [stream]
    yield "cut within the length", [stream[:2], stream[2:]]
    yield "the end is missing", [stream[:-1]]
    if len(stream) < 20:
        yield "byte by byte", [bytes([b]) for b in stream]
        yield "only a length", [stream[:4]]


def _canonical() -> Iterator[Group]:
    good = Group("values")
    numbers = [0, 1, 127, 128, 255, 256, 65535, 65536, 2**32 - 1, 2**32, 2**63 - 1]
    values: list[object] = [None, False, True, *numbers]
    values += ["", "a", "é" * 15, "é" * 16, "x" * 31, "x" * 32, "x" * 256, "\0", "♠"]
    values += [bytes(n) for n in (0, 1, 255, 256, 12288)]
    values += [[], [1], [0] * 15, [0] * 16, [0] * 160, [[[[1]]]], [[], [[]], "a", b""]]
    for value in values:
        data = canonical.encode(value)
        good.add("", {"bytes": data.hex()}, {"value": to_json(value)})
    yield good
    writing = Group("writing")
    for value in ([1, [2, "x", b"y"]], 2**63 - 1, [None, True]):
        given = {"value": to_json(value)}
        writing.add("", given, {"bytes": canonical.encode(value).hex()})
    for comment, wrong in (
        ("too deep", [[[[[1]]]]]),
        ("too many items", [0] * 161),
        ("too long a text", "x" * 257),
    ):
        writing.add(comment, {"value": wrong}, code=101)
    yield writing
    yield _broken_bytes()


def _broken_bytes() -> Group:
    group = Group("refused")
    longer: tuple[str, ...] = (
        "cc05",
        "cd0005",
        "ce00000005",
        "cf0000000000000005",
        "cd00ff",
    )
    longer += ("ce0000ffff", "cf00000000ffffffff", "d90161", "da000161", "db0000000161")
    longer += ("c5000161", "c60000000161", "dc000101", "dd0000000101", "92cc0101")
    for data in longer:
        group.add("a longer header than needed", {"bytes": data}, code=101)
    for data in ("d005", "d10005", "d200000005", "d30000000000000005", "d0ff", "ff"):
        group.add("signed", {"bytes": data}, code=101)
    for data in ("cf8000000000000000", "cfffffffffffffffff"):
        group.add("above 2^63-1", {"bytes": data}, code=101)
    for data in ("80", "8101c0", "de0000", "df00000000", "9180"):
        group.add("a map", {"bytes": data}, code=101)
    for data in ("ca00000000", "cb3ff0000000000000", "cb7ff8000000000000"):
        group.add("a float", {"bytes": data}, code=101)
    for data in ("d40500", "c70005", "c7010500", "d6ff00000000", "c80000ff"):
        group.add("an extension", {"bytes": data}, code=101)
    for data in ("c1", "91c1"):
        group.add("no type", {"bytes": data}, code=101)
    for data in ("a1ff", "a2c080", "a3eda080", "a4f4908080", "a1c3", "a2c328"):
        group.add("no UTF-8", {"bytes": data}, code=101)
    for data in ("", "92", "c403", "a3616", "dc00", "cd01", "c4"):
        group.add("cut short", {"bytes": data[: len(data) // 2 * 2]}, code=101)
    for data in ("0000", "c0c0", "9000", "a16100"):
        group.add("bytes after the value", {"bytes": data}, code=101)
    for comment, data, times in (
        ("five deep", "91" * 5 + "c0", 1),
        ("very deep", "91", 100_000),
        ("empty arrays", "90", 65_536),
        ("161 items", "dc00a1" + "c0" * 161, 1),
        ("a text of 257 bytes", "da0101" + "61" * 257, 1),
        ("12,289 bytes", "c53001" + "00" * 12289, 1),
        ("2^32 - 1 items announced", "ddffffffff", 1),
        ("2^32 - 1 bytes announced", "c6ffffffff", 1),
    ):
        group.add(comment, {"bytes": data, "times": times}, code=101)
    return group


def _messages() -> Iterator[Group]:
    for entry in table("message-tags")["messages"]:
        group = Group(entry["name"])
        kind, fields = entry["type"], entry["fields"]
        good = [lawful_values(field)[0] for field in fields]
        _add_message(group, "the lowest values", [kind, *good])
        _add_message(group, "a field too many", [kind, *good, 0])
        _add_message(group, "a field missing", [kind, *good][:-1])
        for place, field in enumerate(fields):
            for value in [*lawful_values(field)[1:], *_wrong_values(field)]:
                row = [kind, *good[:place], value, *good[place + 1 :]]
                _add_message(group, field["name"], row)
        yield group
    yield _no_messages()


def _add_message(group: Group, comment: str, row: list[object]) -> None:
    data = canonical.encode(row)
    add_outcome(group, "messages", comment, {"payload": data.hex()})


def lawful_values(field: Field) -> list[object]:
    """Lawful values: the ends of the range, and nil where it is one."""
    nil: list[object] = [None] if field.get("or_nil") else []
    if "value" in field:
        return [field["value"]]
    if field["type"] == "uint":
        return [field["min"], field["max"], *nil]
    if field["type"] == "str":
        return ["", "♠" * (field["max_bytes"] // 3), *nil]
    if field["type"] == "array":
        return [[b"\x90"], [b""] * field["max"]]
    if "length" in field:
        return [b"\x5a" * field["length"], *nil]
    return [b"\x90", bytes(64)]


def _wrong_values(field: Field) -> list[object]:
    if "value" in field:
        return ["Crapette", "", b"crapette", None]
    if field["type"] == "uint":
        above = field["max"] + 1
        return [False, "0", b"\0", [0], *([above] if above < 2**63 else [])]
    if field["type"] == "str":
        longer = field["max_bytes"] + 1
        return [b"", 0, *(["x" * longer] if longer <= 256 else [])]
    if field["type"] == "array":
        return [[], [b""] * 65, [bytes(6145), bytes(6144)], [1], [[b""]], b""]
    if "length" in field:
        length = field["length"]
        return [bytes(length - 1), bytes(length + 1), "x" * length, 0]
    return [b"", "x", 0, [b""]]


def _no_messages() -> Group:
    group = Group("no-message")
    for value in (None, True, 1, "crapette", b"", [], [None], ["HELLO"], [[1]], [True]):
        _add_row(group, value, 103)
    for number in (0, 6, 7, 11, 15, 22, 47, 50, 255, 2**63 - 1):
        _add_row(group, [number], 102)
        _add_row(group, [number, 1, "x"], 102)
    for data in ("930801", "9208cc01", "92080100", "8208", "d90161", "92d00801"):
        group.add("not canonical", {"payload": data}, code=101)
    return group


def _add_row(group: Group, value: object, code: int) -> None:
    given = {"payload": canonical.encode(value).hex()}
    group.add(f"{value!r}", given, code=code)


def _keys() -> Iterator[Group]:
    weak = Group("refused")
    for key in table("weak-keys")["keys"]:
        weak.add("a point of small order", {"key": key}, code=204)
    prime = 2**255 - 19
    for y in range(prime, 2**255):
        for sign in (0, 1):
            key = (y | sign << 255).to_bytes(32, "little").hex()
            weak.add("y is not below 2^255 - 19", {"key": key}, code=204)
    yield weak
    good = Group("fingerprints")
    picker = Picker("keys")
    for _ in range(12):
        key = real_key(picker.bytes(32)).public.hex()
        add_outcome(good, "keys", "", {"key": key})
    highest = (prime - 1 - 2).to_bytes(32, "little").hex()
    add_outcome(good, "keys", "a high y is no weak key", {"key": highest})
    yield good


def _logins() -> Group:
    group = Group("transcripts")
    picker = Picker("logins")
    for nick in ("Ala", "Żółw", "Ł" * 20, "a", "Жанна д'Арк-2"):
        listener, dialler = picker.bytes(32), picker.bytes(32)
        nonce = picker.bytes(32)
        commit = commitment(nonce, real_key(dialler).public)
        hello = encode_message(Hello("crapette", 1, 1 + picker.below(3), commit, 0))
        given = {
            "listener_secret": listener.hex(),
            "dialler_secret": dialler.hex(),
            "cert_digest": picker.bytes(32).hex(),
            "hello": hello.hex(),
            "version": 1,
            "caps": 0,
            "nonce_l": picker.bytes(32).hex(),
            "nonce_d": nonce.hex(),
            "nick": nick,
            "token": picker.bytes(10).hex(),
        }
        add_outcome(group, "handshake", "", given)
    return group
