"""One lawful message of each type, and every way to be one off."""

from __future__ import annotations

from crapette_p2p import canonical
from crapette_p2p.session.messages import MessageType

B32, B64 = bytes(32), bytes(64)
U16, U32, U63 = 2**16 - 1, 2**32 - 1, 2**63 - 1

SAMPLES: dict[MessageType, list[object]] = {
    MessageType.HELLO: [1, "crapette", 0, U16, B32, U32],
    MessageType.HOST: [2, "crapette", U16, U32, B32, B32, B64],
    MessageType.AUTH: [3, B32, B32, "Olek", B64, bytes(16)],
    MessageType.READY: [4, "Ala", 2],
    MessageType.BYE: [5, U16, 19_999, "x" * 120],
    MessageType.PING: [8, U63],
    MessageType.PONG: [9, U63],
    MessageType.CHAT: [10, "x" * 256],
    MessageType.PROPOSE: [16, bytes(12_288)],
    MessageType.ACCEPT: [17, B32, B64],
    MessageType.START: [18, B64],
    MessageType.RESUME: [19, B32, 20_000, B32, 20_000],
    MessageType.SYNC: [20, 20_000, 20_000],
    MessageType.RECORDS: [21, 20_000, [bytes(192)] * 64],
    MessageType.EVENT: [48, bytes(12_288), B64],
    MessageType.ACK: [49, 19_999, B32, B32, B64],
}
"""Fields at the upper end of their ranges."""

_BAD: dict[MessageType, list[tuple[int, object]]] = {
    MessageType.HELLO: [
        (1, "Crapette"),
        (1, b"crapette"),
        (2, U16 + 1),
        (3, U16 + 1),
        (4, bytes(31)),
        (4, bytes(33)),
        (5, U32 + 1),
    ],
    MessageType.HOST: [
        (1, ""),
        (2, U16 + 1),
        (3, U32 + 1),
        (4, bytes(33)),
        (5, bytes(31)),
        (6, bytes(63)),
        (6, bytes(65)),
    ],
    MessageType.AUTH: [
        (1, bytes(31)),
        (2, bytes(33)),
        (3, b"Olek"),
        (4, bytes(63)),
        (5, bytes(15)),
        (5, bytes(17)),
        (5, 0),
    ],
    MessageType.READY: [(1, None), (2, 3)],
    MessageType.BYE: [(1, U16 + 1), (2, 20_000), (3, "x" * 121), (3, "é" * 61)],
    MessageType.PING: [(1, None), (1, "1")],
    MessageType.PONG: [(1, b"1"), (1, [])],
    MessageType.CHAT: [(1, b"x"), (1, None)],
    MessageType.PROPOSE: [(1, b""), (1, "x")],
    MessageType.ACCEPT: [(1, bytes(31)), (2, bytes(65))],
    MessageType.START: [(1, bytes(63)), (1, None)],
    MessageType.RESUME: [
        (1, bytes(31)),
        (2, 20_001),
        (3, bytes(33)),
        (4, 20_001),
        (2, None),
    ],
    MessageType.SYNC: [(1, 20_001), (2, 20_001)],
    MessageType.RECORDS: [
        (1, 20_001),
        (2, []),
        (2, [b"x"] * 65),
        (2, ["x"]),
        (2, [bytes(6144), bytes(6145)]),
    ],
    MessageType.EVENT: [(1, b""), (2, bytes(63))],
    MessageType.ACK: [
        (1, 20_000),
        (2, bytes(31)),
        (3, bytes(33)),
        (4, bytes(63)),
        (4, bytes(65)),
    ],
}


def _broken() -> list[bytes]:
    found = [canonical.encode(value) for value in (1, "x", None, [], [None], ["x", 1])]
    for kind, fields in SAMPLES.items():
        found.append(canonical.encode(fields[:-1]))
        found.append(canonical.encode([*fields, 0]))
        for place, value in _BAD[kind]:
            bent = [*fields[:place], value, *fields[place + 1 :]]
            found.append(canonical.encode(bent))
    return found


BROKEN = _broken()
"""Payloads of known types that are 103: wrong arity, type, or one off a range."""
