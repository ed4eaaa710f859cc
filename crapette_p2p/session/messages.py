"""What travels: the catalogue of protocol.md 4 as a table, and its codec.

A message is a canonical array ``[type, fields...]``. Each class below lists its
fields with their shape in ``CATALOGUE``; decoding looks the type up (102), then
checks arity, type and range of each field (103). Nothing here knows who sends
what when: that is ``states.py``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import IntEnum
from typing import Final

from crapette_p2p import canonical
from crapette_p2p.errors import DecodeError

MAGIC: Final = "crapette"
VERSION: Final = 1
SPOKEN: Final = f"crapette/{VERSION}"
"""What a peer that speaks something else is told with BYE 200."""
EVENTS_MAX: Final = 20_000
"""No event has this number (P16)."""
SYNC_MAX: Final = 64
"""Events asked for at once."""
RECORDS_MAX: Final = 12_288
"""Bytes of all records of one message."""
CHAT_MAX: Final = 256
BYE_TEXT_MAX: Final = 120


class MessageType(IntEnum):
    """Wire numbers of the messages."""

    HELLO = 1
    HOST = 2
    AUTH = 3
    READY = 4
    BYE = 5
    PING = 8
    PONG = 9
    CHAT = 10
    PROPOSE = 16
    ACCEPT = 17
    START = 18
    RESUME = 19
    SYNC = 20
    RECORDS = 21
    EVENT = 48
    ACK = 49


@dataclass(frozen=True, slots=True)
class Hello:
    """The dialler's first word; commits to its nonce and key."""

    magic: str
    vmin: int
    vmax: int
    commit: bytes
    caps: int


@dataclass(frozen=True, slots=True)
class Host:
    """The listener shows its key and proves it over this very link."""

    magic: str
    version: int
    caps: int
    nonce: bytes
    idpub: bytes
    sig: bytes


@dataclass(frozen=True, slots=True)
class Auth:
    """The dialler opens its commitment and proves its key."""

    nonce: bytes
    idpub: bytes
    nick: str
    sig: bytes
    invite_pass: bytes | None


@dataclass(frozen=True, slots=True)
class Ready:
    """The listener's verdict: 0 accepted, 1 a person is asked, 2 refused."""

    nick: str
    verdict: int


@dataclass(frozen=True, slots=True)
class Bye:
    """Farewell; the link closes."""

    code: int
    seq: int | None
    text: str


@dataclass(frozen=True, slots=True)
class Ping:
    """Are you there?"""

    n: int


@dataclass(frozen=True, slots=True)
class Pong:
    """Yes; repeats the number of the PING."""

    n: int


@dataclass(frozen=True, slots=True)
class Chat:
    """A line for the other person."""

    text: str


@dataclass(frozen=True, slots=True)
class ProposeMessage:
    """A genesis without role 1's nonce."""

    genesis: bytes


@dataclass(frozen=True, slots=True)
class Accept:
    """Role 1's nonce and signature over the game id."""

    nonce: bytes
    sig: bytes


@dataclass(frozen=True, slots=True)
class Start:
    """Role 0's signature over the game id: the game begins."""

    sig: bytes


@dataclass(frozen=True, slots=True)
class Resume:
    """Which game is open, how far, and what of the other's is held."""

    game_id: bytes | None
    length: int
    head: bytes | None
    seen: int


@dataclass(frozen=True, slots=True)
class Sync:
    """Asks for the final events ``first`` .. ``last`` - 1."""

    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Records:
    """Final events from ``first`` on, each with both signatures."""

    first: int
    records: tuple[bytes, ...]


@dataclass(frozen=True, slots=True)
class EventMessage:
    """A signed event."""

    event: bytes
    sig: bytes


@dataclass(frozen=True, slots=True)
class Ack:
    """The countersignature: seen, executed, and this is the state after it."""

    seq: int
    event_hash: bytes
    state_after: bytes
    sig: bytes


Message = (
    Hello
    | Host
    | Auth
    | Ready
    | Bye
    | Ping
    | Pong
    | Chat
    | ProposeMessage
    | Accept
    | Start
    | Resume
    | Sync
    | Records
    | EventMessage
    | Ack
)

Shape = Callable[[object], bool]


def uint(low: int, high: int) -> Shape:
    """An integer in a range; a boolean is none."""
    return lambda value: type(value) is int and low <= value <= high


def data(low: int, high: int | None = None) -> Shape:
    """Bytes of a length, or of a range of lengths."""
    top = low if high is None else high
    return lambda value: type(value) is bytes and low <= len(value) <= top


def text(high: int) -> Shape:
    """Text of at most ``high`` bytes of UTF-8."""
    return lambda value: type(value) is str and len(value.encode()) <= high


def or_nil(shape: Shape) -> Shape:
    """The shape, or nil."""
    return lambda value: value is None or shape(value)


def _is_magic(value: object) -> bool:
    return value == MAGIC


def _are_records(value: object) -> bool:
    if type(value) is not tuple or not 1 <= len(value) <= SYNC_MAX:
        return False
    if not all(type(item) is bytes for item in value):
        return False
    return sum(len(item) for item in value) <= RECORDS_MAX


_U16: Final = uint(0, 2**16 - 1)
_U32: Final = uint(0, 2**32 - 1)
_U63: Final = uint(0, canonical.MAX_INT)
_COUNT: Final = uint(0, EVENTS_MAX)
_SEQ: Final = uint(0, EVENTS_MAX - 1)
_BIN32: Final = data(32)
_SIG: Final = data(64)
_NICK: Final = text(canonical.MAX_STR)
_BLOB: Final = data(1, canonical.MAX_BIN)

CATALOGUE: Final[Mapping[MessageType, tuple[type[Message], tuple[Shape, ...]]]] = {
    MessageType.HELLO: (Hello, (_is_magic, _U16, _U16, _BIN32, _U32)),
    MessageType.HOST: (Host, (_is_magic, _U16, _U32, _BIN32, _BIN32, _SIG)),
    MessageType.AUTH: (Auth, (_BIN32, _BIN32, _NICK, _SIG, or_nil(data(16)))),
    MessageType.READY: (Ready, (_NICK, uint(0, 2))),
    MessageType.BYE: (Bye, (_U16, or_nil(_SEQ), text(BYE_TEXT_MAX))),
    MessageType.PING: (Ping, (_U63,)),
    MessageType.PONG: (Pong, (_U63,)),
    MessageType.CHAT: (Chat, (text(CHAT_MAX),)),
    MessageType.PROPOSE: (ProposeMessage, (_BLOB,)),
    MessageType.ACCEPT: (Accept, (_BIN32, _SIG)),
    MessageType.START: (Start, (_SIG,)),
    MessageType.RESUME: (Resume, (or_nil(_BIN32), _COUNT, or_nil(_BIN32), _COUNT)),
    MessageType.SYNC: (Sync, (_COUNT, _COUNT)),
    MessageType.RECORDS: (Records, (_COUNT, _are_records)),
    MessageType.EVENT: (EventMessage, (_BLOB, _SIG)),
    MessageType.ACK: (Ack, (_SEQ, _BIN32, _BIN32, _SIG)),
}
"""Every message: its class and the shape of each field, in order."""

_TYPE_OF: Final = {shape[0]: number for number, shape in CATALOGUE.items()}


def type_of(message: Message) -> MessageType:
    """The wire number of a message."""
    return _TYPE_OF[type(message)]


def encode_message(message: Message) -> bytes:
    """The payload of a frame."""
    names = type(message).__slots__
    fields = [getattr(message, name) for name in names]
    return canonical.encode([int(type_of(message)), *fields])


def decode_message(payload: bytes) -> Message:
    """Read a payload; raise DecodeError (101, 102 or 103)."""
    array = canonical.decode(payload)
    if type(array) is not tuple or not array or type(array[0]) is not int:
        raise DecodeError("no message", code=103)
    number, *fields = array
    if number not in CATALOGUE:
        raise DecodeError(f"message type {number}", code=102)
    kind, shapes = CATALOGUE[MessageType(number)]
    if len(fields) != len(shapes):
        raise DecodeError(f"{kind.__name__} with {len(fields)} fields", code=103)
    for place, (field, shape) in enumerate(zip(fields, shapes, strict=True)):
        if not shape(field):
            raise DecodeError(f"{kind.__name__}: field {place}", code=103)
    return kind(*fields)
