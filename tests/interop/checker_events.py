"""Events, their hashes and signatures (spec 40, 2 and 3)."""

from dataclasses import dataclass
from typing import Any

from tests.interop.checker_canonical import (
    ProtocolError,
    Value,
    as_array,
    as_bin,
    as_uint,
    decode,
    encode,
)
from tests.interop.checker_crypto import check_sig, sha, sign
from tests.interop.checker_folder import table
from tests.interop.checker_messages import check_fields

HUGE = 2**63 - 1


@dataclass(frozen=True)
class Event:
    """An event as its bytes say it."""

    game_id: bytes
    seq: int
    author: int
    prev: bytes
    state: bytes
    type: int
    body: tuple[Value, ...]

    @property
    def data(self) -> bytes:
        """The bytes that are hashed."""
        head = (1, self.game_id, self.seq, self.author, self.prev, self.state)
        return encode((*head, self.type, self.body))

    @property
    def digest(self) -> bytes:
        """The hash."""
        return event_hash(self.data)

    @property
    def name(self) -> str:
        """The name of its type."""
        return str(entry(self.type)["name"])

    def check_body(self) -> None:
        """Refuse a type of no entry and a wrong body (404)."""
        check_fields(self.body, entry(self.type)["body"], 404)

    def number(self, at: int) -> int:
        """A number of the body, after it was checked."""
        return as_uint(self.body[at], 0, HUGE, 404)

    def bytes_at(self, at: int) -> bytes:
        """Bytes of the body, after it was checked."""
        return as_bin(self.body[at], 0, HUGE, 404)

    def sign(self, secret: bytes) -> bytes:
        """The author's signature."""
        return sign(secret, "crapette/1/sig-event", self.digest)

    def check(self, public: bytes, sig: bytes) -> None:
        """Refuse an author's signature that does not fit (403)."""
        check_sig(403, public, sig, "crapette/1/sig-event", self.digest)

    def _acknowledged(self, after: bytes) -> tuple[bytes, ...]:
        return self.game_id, self.seq.to_bytes(4, "big"), self.digest, after

    def ack(self, secret: bytes, after: bytes) -> bytes:
        """The other's signature."""
        return sign(secret, "crapette/1/sig-ack", *self._acknowledged(after))

    def check_ack(self, public: bytes, sig: bytes, after: bytes) -> None:
        """Refuse the other's signature that does not fit (403)."""
        parts = self._acknowledged(after)
        check_sig(403, public, sig, "crapette/1/sig-ack", *parts)


def event_hash(data: bytes) -> bytes:
    """The hash of the bytes of an event."""
    return sha("crapette/1/event", data)


def state_hash(state: Value) -> bytes:
    """The hash of a public state."""
    return sha("crapette/1/state", encode(state))


def entry(number: int) -> dict[str, Any]:
    """The table's entry of a type.

    Raises:
        ProtocolError: 404, where there is none.
    """
    for found in table("event-types")["events"]:
        if found["type"] == number:
            return dict(found)
    raise ProtocolError(404, "no such type")


def type_of(name: str) -> int:
    """The number of a type's name."""
    found = {e["name"]: e["type"] for e in table("event-types")["events"]}
    return int(found[name])


def read_event(data: bytes) -> Event:
    """Take the bytes of an event.

    Args:
        data: The bytes.

    Returns:
        The event; its body is not looked at.

    Raises:
        ProtocolError: 101 or 103.
    """
    parts = as_array(decode(data), 8, 8)
    as_uint(parts[0], 1, 1)
    return Event(
        as_bin(parts[1], 32, 32),
        as_uint(parts[2], 0, 2**32 - 1),
        as_uint(parts[3], 0, 1),
        as_bin(parts[4], 32, 32),
        as_bin(parts[5], 32, 32),
        as_uint(parts[6], 0, HUGE),
        as_array(parts[7], 0, 160),
    )


def same_number(first: Event, second: Event) -> bool:
    """Whether two events are of one author and number."""
    return (first.author, first.seq) == (second.author, second.seq)


def collision(first: Event, second: Event) -> Event:
    """Which of two events of one number wins (spec 60, 8.3)."""
    pairs = [
        (entry(event.type)["priority"], -event.author, event)
        for event in (first, second)
    ]
    return max(pairs, key=lambda pair: pair[:2])[2]
