"""Judge a FAULT record: does a signed event or ACK prove what it is said to?

The proof is self-contained: the log up to it, and one thing more that the
culprit signed. 402: another event of the same author and number. 404, 302, 304,
405, 406, 408: the next event, which the rules refuse with that code. 407: the
next event, or an ACK, naming a state that is not the one reached
(threats.md 1.9; protocol.md 12, P12, 4.6). An ACK stands in a FAULT as the
canonical array [seq, event hash, state after].
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from crapette_p2p.canonical import decode
from crapette_p2p.engine.layout import Seat, other
from crapette_p2p.errors import DecodeError, LogError
from crapette_p2p.gamelog.events import (
    Event,
    ack_message,
    decode_event,
    event_hash,
    event_message,
)
from crapette_p2p.gamelog.game import step
from crapette_p2p.gamelog.log import Fault, GameLog, SignedEvent
from crapette_p2p.gamelog.state import GameState, state_hash

Verify = Callable[[bytes, bytes, bytes], bool]
"""Whether (public key, signature, message) fit."""

EQUIVOCATION: Final = 402
OTHER_STATE: Final = 407
PROVABLE: Final = frozenset({302, 304, 402, 404, 405, 406, 407, 408})


class RecordError(LogError):
    """A record that does not belong where it stands; ``why`` is a stable code."""

    def __init__(self, why: str, *, code: int, detail: str = "") -> None:
        super().__init__("{reason}", code=code, why=why, detail=detail)


@dataclass(frozen=True, slots=True)
class SignedAck:
    """An ACK as evidence: what the other claims to have reached."""

    seq: int
    hash: bytes
    state_after: bytes

    @classmethod
    def read(cls, data: bytes) -> SignedAck:
        """Read [seq, event hash, state after]; DecodeError otherwise."""
        fields = decode(data)
        if type(fields) is tuple and len(fields) == 3:
            seq, hash_, state = fields
            if type(hash_) is not bytes or type(state) is not bytes:
                raise DecodeError("fault: an ACK's hash or state", code=103)
            if len(hash_) == len(state) == 32 and type(seq) is int and seq < 2**32:
                return cls(seq, hash_, state)
        raise DecodeError("fault: neither an event nor an ACK", code=103)


def read_signed(
    log: GameLog, data: bytes, sig: bytes, verify: Verify | None
) -> SignedEvent:
    """Read an event of this game and check whose it is, not whether it fits.

    Raises DecodeError, or RecordError: other-game (410), bad-signature (403).
    """
    event = decode_event(data)
    if event.game_id != log.game_id:
        raise RecordError("other-game", code=410)
    hash_ = event_hash(data)
    if verify is not None:
        key = log.genesis.keys[event.author]
        if not verify(key, sig, event_message(hash_)):
            raise RecordError("bad-signature", code=403)
    return SignedEvent(event, data, hash_, sig)


def culprit(
    log: GameLog, state: GameState | None, fault: Fault, verify: Verify | None
) -> Seat | None:
    """Who is proven guilty by ``fault`` on top of ``log``; None if nobody.

    ``state`` is the state after the log's final events, None if the log itself
    breaks the rules (then only equivocation can be proven). Without ``verify``
    the signature is taken on faith.
    """
    if fault.code not in PROVABLE:
        return None
    try:
        signed = read_signed(log, fault.data, fault.sig, verify)
    except DecodeError:
        return _bad_ack(log, state, fault, verify)
    except RecordError:
        return None
    proven = (
        _equivocates(log, signed)
        if fault.code == EQUIVOCATION
        else _refused(log, state, signed) == fault.code
    )
    return signed.event.author if proven else None


def _equivocates(log: GameLog, signed: SignedEvent) -> bool:
    event = signed.event
    held = log.held(event.author, event.seq)
    return held is not None and held.hash != signed.hash


def _refused(log: GameLog, state: GameState | None, signed: SignedEvent) -> int | None:
    """The code with which the rules refuse ``signed`` as the next event."""
    event = signed.event
    if state is None or event.seq != log.length or event.prev != log.head:
        return None
    return refusal_of(state, event)


def refusal_of(state: GameState, event: Event) -> int | None:
    """The code that refuses ``event`` in ``state`` (407 first), None if legal."""
    if event.state != state_hash(state):
        return OTHER_STATE
    found = step(state, event.author, event.type, event.body)
    return found if isinstance(found, int) else None


def _bad_ack(
    log: GameLog, state: GameState | None, fault: Fault, verify: Verify | None
) -> Seat | None:
    """An ACK of the pending event that names a state it does not lead to."""
    pending = log.pending
    if fault.code != OTHER_STATE or state is None or pending is None:
        return None
    try:
        ack = SignedAck.read(fault.data)
    except DecodeError:
        return None
    event = pending.event
    if (ack.seq, ack.hash) != (event.seq, pending.hash):
        return None
    by = other(event.author)
    if verify is not None:
        message = ack_message(log.game_id, ack.seq, ack.hash, ack.state_after)
        if not verify(log.genesis.keys[by], fault.sig, message):
            return None
    after = step(state, event.author, event.type, event.body)
    if isinstance(after, int) or state_hash(after) == ack.state_after:
        return None
    return by
