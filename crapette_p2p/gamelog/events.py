"""The facts a log records: event types, their bytes, hashes and what is signed.

Event bytes are hashed and signed as received, and only canonical bytes are
accepted, so raw and re-encoded are the same (protocol.md 6; 12, P1, P12, 4.2).
"""

from __future__ import annotations

import hashlib
import struct
from dataclasses import dataclass
from enum import IntEnum
from typing import Final

from crapette_p2p.canonical import decode, encode
from crapette_p2p.engine.actions import (
    ACCEPT_DRAW,
    DECLINE_DRAW,
    DISCARD,
    GRANT,
    OFFER_DRAW,
    PASS,
    RESIGN,
    TURN,
    Action,
    AnswerDraw,
    Discard,
    Grant,
    Move,
    OfferDraw,
    Pass,
    Resign,
    Stop,
    Turn,
)
from crapette_p2p.engine.fit import MOVES
from crapette_p2p.engine.layout import PILE_COUNT, PileId, Seat
from crapette_p2p.errors import DecodeError

VERSION: Final = 1
HASH_SIZE: Final = 32
SIGNATURE_SIZE: Final = 64
MAX_EVENTS: Final = 20_000
"""No event has a number from here on (protocol.md 12, P16)."""

_EVENT_TAG: Final = b"crapette/1/event\0"
_EVENT_SIG_TAG: Final = b"crapette/1/sig-event\0"
_ACK_SIG_TAG: Final = b"crapette/1/sig-ack\0"
_BEGINNING: Final = bytes((0x98, VERSION, 0xC4, 32))
"""An array of 8, the version, 32 bytes that follow: the game id."""
_SEQ_AT: Final = len(_BEGINNING) + 32
_LONG: Final = {0xCC: 2, 0xCD: 3}
"""How many bytes a number takes that is not one byte itself, by its first."""


class EventType(IntEnum):
    """What an event says; wire values."""

    COMMIT = 1
    CHALLENGE = 2
    REVEAL = 3
    OPEN_A = 4
    OPEN_B = 5
    MOVE = 32
    TURN = 33
    END = 34
    STOP = 35
    RESIGN = 36
    DRAW_OFFER = 37
    DRAW_ANSWER = 38
    GRANT = 39
    AUDIT = 48
    RESULT = 49


PLAY_TYPES: Final = frozenset(range(32, 40))
"""The types that carry an action of a player."""


@dataclass(frozen=True, slots=True)
class Event:
    """One event; ``type`` may be unknown (then it is not legal: 404)."""

    game_id: bytes
    seq: int
    author: Seat
    prev: bytes
    """Hash of the event before; the game id for the first."""
    state: bytes
    """State hash before the event."""
    type: int
    body: tuple[object, ...]


def encode_event(event: Event) -> bytes:
    """The canonical bytes that are hashed and signed."""
    return encode(
        [
            VERSION,
            event.game_id,
            event.seq,
            int(event.author),
            event.prev,
            event.state,
            int(event.type),
            event.body,
        ]
    )


def seq_of(data: bytes) -> int | None:
    """The number of an event, without reading the rest; None for what is none.

    For whoever wants no more of an event that was read before.
    """
    if not data.startswith(_BEGINNING):
        return None
    size = _LONG.get(data[_SEQ_AT] if len(data) > _SEQ_AT else 0, 1)
    try:
        seq = decode(data[_SEQ_AT : _SEQ_AT + size])
    except DecodeError:
        return None
    return seq if type(seq) is int and 0 <= seq < MAX_EVENTS else None


def decode_event(data: bytes) -> Event:
    """Read event bytes; DecodeError 101 (spelling) or 103 (an outer field)."""
    fields = decode(data)
    if type(fields) is not tuple or len(fields) != 8:
        raise DecodeError("event: not an array of 8", code=103)
    version, game_id, seq, author, prev, state, kind, body = fields
    if type(version) is not int or version != VERSION:
        raise DecodeError("event: unknown version", code=103)
    for value in (game_id, prev, state):
        if type(value) is not bytes or len(value) != HASH_SIZE:
            raise DecodeError("event: a hash is not 32 bytes", code=103)
    if type(seq) is not int or seq >= 2**32:
        raise DecodeError("event: seq out of range", code=103)
    if type(author) is not int or author > 1:
        raise DecodeError("event: author is not 0 or 1", code=103)
    if type(kind) is not int or type(body) is not tuple:
        raise DecodeError("event: type or body", code=103)
    return Event(game_id, seq, Seat(author), prev, state, kind, body)


def event_hash(data: bytes) -> bytes:
    """The hash the chain links and both players sign."""
    return hashlib.sha256(_EVENT_TAG + data).digest()


def event_message(hash_: bytes) -> bytes:
    """What the author signs."""
    return _EVENT_SIG_TAG + hash_


def ack_message(game_id: bytes, seq: int, hash_: bytes, state_after: bytes) -> bytes:
    """What the other signs: seen, executed, this state reached."""
    return _ACK_SIG_TAG + game_id + struct.pack(">I", seq) + hash_ + state_after


def priority(kind: int) -> int:
    """Which of two events with one number wins (protocol.md 12, P1)."""
    if kind == EventType.RESIGN:
        return 3
    if kind == EventType.STOP:
        return 2
    if kind in (EventType.DRAW_OFFER, EventType.DRAW_ANSWER):
        return 0
    return 1


def wins(event: Event, over: Event) -> bool:
    """Whether ``event`` makes ``over`` void; equal priority is role 0's."""
    ours, theirs = priority(event.type), priority(over.type)
    return ours > theirs or (ours == theirs and event.author == 0)


def action_to_body(action: Action) -> tuple[EventType, tuple[object, ...]]:
    """The event type and body that record an action."""
    match action:
        case Move(source, target):
            return EventType.MOVE, (int(source), int(target))
        case Stop(source, target):
            return EventType.STOP, (int(source), int(target))
        case Turn():
            return EventType.TURN, ()
        case Discard():
            return EventType.END, (0,)
        case Pass():
            return EventType.END, (1,)
        case Resign():
            return EventType.RESIGN, ()
        case OfferDraw():
            return EventType.DRAW_OFFER, ()
        case AnswerDraw(accept):
            return EventType.DRAW_ANSWER, (int(accept),)
        case Grant():
            return EventType.GRANT, ()


_EMPTY_BODY: Final[dict[int, Action]] = {
    EventType.TURN: TURN,
    EventType.RESIGN: RESIGN,
    EventType.DRAW_OFFER: OFFER_DRAW,
    EventType.GRANT: GRANT,
}
_CHOICE_BODY: Final[dict[int, tuple[Action, Action]]] = {
    EventType.END: (DISCARD, PASS),
    EventType.DRAW_ANSWER: (DECLINE_DRAW, ACCEPT_DRAW),
}


def body_to_action(kind: int, body: tuple[object, ...]) -> Action | None:
    """The action an event records; None if type, arity, type or range is wrong."""
    if kind in _EMPTY_BODY:
        return None if body else _EMPTY_BODY[kind]
    numbers = [value for value in body if type(value) is int]
    if len(numbers) != len(body):
        return None
    if kind in _CHOICE_BODY:
        if len(numbers) == 1 and numbers[0] < 2:
            return _CHOICE_BODY[kind][numbers[0]]
    elif len(numbers) == 2 and min(numbers) >= 0 and max(numbers) < PILE_COUNT:
        source, target = numbers
        if kind == EventType.MOVE:
            return MOVES[source][target]  # the shared one: the engine knows it again
        if kind == EventType.STOP:
            return Stop(PileId(source), PileId(target))
    return None
