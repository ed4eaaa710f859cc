"""Signed events, ACKs and records as a modified client would send them."""

from __future__ import annotations

from dataclasses import replace

from crapette_p2p.engine.actions import Action
from crapette_p2p.gamelog.bodies import Body
from crapette_p2p.gamelog.events import (
    Event,
    EventType,
    ack_message,
    action_to_body,
    decode_event,
    event_message,
)
from crapette_p2p.gamelog.log import SignedEvent
from crapette_p2p.gamelog.records import RecordKind, read_records
from crapette_p2p.gamelog.state import state_hash
from crapette_p2p.session.messages import Ack, EventMessage
from tests.helpers.driving import log_of, state_of
from tests.helpers.keys import Key
from tests.helpers.pair import Pair, Player


def forge(
    player: Player,
    kind: int,
    body: Body = (),
    *,
    key: Key | None = None,
    **changes: object,
) -> EventMessage:
    """The next event of ``player`` as he stands, signed; ``changes`` bend it."""
    log, state, seat = log_of(player), state_of(player), player.live.seat
    assert seat is not None
    event = Event(
        game_id=log.game_id,
        seq=log.length,
        author=seat,
        prev=log.head,
        state=state_hash(state),
        type=kind,
        body=body,
    )
    event = replace(event, **changes)  # type: ignore[arg-type] # fields by name
    signed = SignedEvent.of(event, b"")
    sign = (key or player.key).sign
    return EventMessage(signed.data, sign(event_message(signed.hash)))


def forge_action(player: Player, action: Action) -> EventMessage:
    """An action of ``player``, lawful or not."""
    return forge(player, *action_to_body(action))


def forge_ack(player: Player, message: EventMessage, state_after: bytes) -> Ack:
    """An ACK of ``player`` for an event, naming any state."""
    event = decode_event(message.event)
    hash_ = SignedEvent.of(event, b"").hash
    data = ack_message(event.game_id, event.seq, hash_, state_after)
    return Ack(event.seq, hash_, state_after, player.key.sign(data))


def last_event(player: Player) -> EventMessage:
    """The event ``player`` has sent last."""
    return [m for m in player.sent if isinstance(m, EventMessage)][-1]


def records_of(player: Player, kind: RecordKind) -> list[tuple[object, ...]]:
    """The bodies of one kind in the player's newest log file."""
    data = list(player.disk.logs.values())[-1]
    return [r.body for r in read_records(data).records if r.kind == kind]


def require_one_signature(pair: Pair) -> None:
    """Nobody has ever signed two events with one number (invariant 5)."""
    for player in pair.players:
        seen: dict[tuple[bytes, int], bytes] = {}
        for message in player.sent:
            if isinstance(message, EventMessage):
                event = decode_event(message.event)
                place = event.game_id, event.seq
                first = seen.setdefault(place, message.event)
                assert first == message.event, "two signatures for one number"


def is_kind(message: EventMessage, kind: EventType) -> bool:
    """Whether an event message carries an event of that type."""
    return decode_event(message.event).type == kind
