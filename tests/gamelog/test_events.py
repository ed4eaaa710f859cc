"""Events: bytes, hashes, signatures, priority, and actions as bodies."""

from __future__ import annotations

from dataclasses import replace

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from crapette_p2p.canonical import encode
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
    Move,
    Stop,
)
from crapette_p2p.engine.layout import PileId, Seat
from crapette_p2p.errors import DecodeError
from crapette_p2p.gamelog.events import (
    Event,
    EventType,
    ack_message,
    action_to_body,
    body_to_action,
    decode_event,
    encode_event,
    event_hash,
    event_message,
    priority,
    seq_of,
    wins,
)
from tests.helpers.known import Case, items, known_answers, number, raw

EVENT = Event(
    game_id=bytes(range(32)),
    seq=12,
    author=Seat(0),
    prev=b"\x09" * 32,
    state=b"\x08" * 32,
    type=EventType.MOVE,
    body=(3, 17),
)


def key(secret: bytes) -> Ed25519PrivateKey:
    """The key of a 32-byte secret."""
    return Ed25519PrivateKey.from_private_bytes(secret)


def test_the_answer_of_the_appendix() -> None:
    """protocol.md, appendix A: bytes, hash, signature and ACK of one event."""
    data = encode_event(EVENT)
    assert len(data) == 110
    assert (
        data.hex()
        == (
            "9801c420"
            + EVENT.game_id.hex()
            + "0c00c420"
            + "09" * 32
            + "c420"
            + "08" * 32
        )
        + "20920311"
    )
    hash_ = event_hash(data)
    assert hash_.hex() == (
        "24c68a074859880cbf00151fd2c9f30fc02458d5c4dc2e7352dd6ce3da44a36f"
    )
    first, second = key(b"\x01" * 32), key(b"\x02" * 32)
    assert [k.public_key().public_bytes_raw().hex() for k in (first, second)] == [
        "8a88e3dd7409f195fd52db2d3cba5d72ca6709bf1d94121bf3748801b40f6f5c",
        "8139770ea87d175f56a35466c34c7ecccb8d8a91b4ee37a25df60f5b8fc9b394",
    ]
    assert first.sign(event_message(hash_)).hex() == (
        "015e2b8fa55f3b4225e59e6bc8335f8dff9352624b36975bd5071c66cf65d2a8"
        "f0af28d2e88db65a83cb9e9a19199c9b791ae8530d7b5a441dfb1ea02335280b"
    )
    message = ack_message(EVENT.game_id, 12, hash_, b"\x07" * 32)
    assert second.sign(message).hex() == (
        "8408b25f136969f7bcbfb40e95be316f85f9b699eeb63b9ccc277403075a8b2a"
        "1b0ff982cf21e1f6b4b9311c6047f4115ce5b161e082c8506b7da7a700a4300d"
    )


@pytest.mark.parametrize("case", known_answers("signatures"), ids=lambda c: c["seq"])
def test_events_and_signatures_of_another_implementation(case: Case) -> None:
    """Event bytes, hash, the author's signature and the other's ACK."""
    event = Event(
        game_id=raw(case, "game_id"),
        seq=number(case, "seq"),
        author=Seat(number(case, "author")),
        prev=raw(case, "prev"),
        state=raw(case, "state"),
        type=number(case, "type"),
        body=tuple(items(case, "body")),
    )
    data = encode_event(event)
    assert data == raw(case, "event")
    assert decode_event(data) == event
    hash_ = event_hash(data)
    assert hash_ == raw(case, "event_hash")
    author, other = key(raw(case, "author_secret")), key(raw(case, "other_secret"))
    assert author.public_key().public_bytes_raw() == raw(case, "author_public")
    assert other.public_key().public_bytes_raw() == raw(case, "other_public")
    assert author.sign(event_message(hash_)) == raw(case, "signature")
    message = ack_message(event.game_id, event.seq, hash_, raw(case, "state_after"))
    assert other.sign(message) == raw(case, "ack_signature")


GOOD: list[object] = [
    1,
    EVENT.game_id,
    12,
    0,
    EVENT.prev,
    EVENT.state,
    32,
    (3, 17),
]


@pytest.mark.parametrize(
    ("place", "value"),
    [
        (0, 2),
        (0, 0),
        (0, True),
        (1, bytes(31)),
        (1, "x" * 32),
        (2, 2**32),
        (2, False),
        (2, None),
        (3, 2),
        (3, True),
        (4, bytes(33)),
        (5, None),
        (6, None),
        (6, "32"),
        (7, None),
        (7, 3),
    ],
)
def test_a_wrong_outer_field_is_103(place: int, value: object) -> None:
    """Version, lengths, ranges and types of the eight outer fields."""
    fields = list(GOOD)
    fields[place] = value
    with pytest.raises(DecodeError) as caught:
        decode_event(encode(fields))
    assert caught.value.code == 103


@pytest.mark.parametrize("fields", [GOOD[:7], [*GOOD, 1], [], GOOD[0]])
def test_an_event_is_an_array_of_eight(fields: object) -> None:
    """Fewer or more fields, or no array at all: 103."""
    with pytest.raises(DecodeError) as caught:
        decode_event(encode(fields))
    assert caught.value.code == 103


def test_bytes_that_are_not_canonical_are_101() -> None:
    """The spelling is judged before the fields."""
    for data in (encode(GOOD) + b"\0", b"\x98\xcc\x01", b"", b"\x80"):
        with pytest.raises(DecodeError) as caught:
            decode_event(data)
        assert caught.value.code == 101


def test_an_unknown_type_reads_but_is_no_action() -> None:
    """What lies inside the body, type included, is judged by the rules: 404."""
    event = replace(EVENT, type=200)
    assert decode_event(encode_event(event)).type == 200
    assert body_to_action(200, ()) is None


ACTIONS: list[tuple[Action, EventType, tuple[int, ...]]] = [
    (Move(PileId(3), PileId(17)), EventType.MOVE, (3, 17)),
    (TURN, EventType.TURN, ()),
    (DISCARD, EventType.END, (0,)),
    (PASS, EventType.END, (1,)),
    (Stop(PileId(16), PileId(8)), EventType.STOP, (16, 8)),
    (RESIGN, EventType.RESIGN, ()),
    (OFFER_DRAW, EventType.DRAW_OFFER, ()),
    (DECLINE_DRAW, EventType.DRAW_ANSWER, (0,)),
    (ACCEPT_DRAW, EventType.DRAW_ANSWER, (1,)),
    (GRANT, EventType.GRANT, ()),
]


@pytest.mark.parametrize(("action", "kind", "body"), ACTIONS, ids=lambda v: str(v))
def test_actions_go_there_and_back(
    action: Action, kind: EventType, body: tuple[int, ...]
) -> None:
    """Each action has one event type and body, and reads back from it."""
    made = action_to_body(action)
    assert made == (kind, body)
    assert [type(value) for value in made[1]] == [int] * len(body)
    assert body_to_action(kind, body) == action


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        (32, ()),
        (32, (3,)),
        (32, (3, 17, 1)),
        (32, (3, 24)),
        (32, (24, 3)),
        (32, (True, 3)),
        (32, (b"3", 3)),
        (32, ((3,), 3)),
        (33, (0,)),
        (34, ()),
        (34, (2,)),
        (34, (False,)),
        (35, (None, 8)),
        (36, (1,)),
        (37, (0,)),
        (38, (2,)),
        (38, (True,)),
        (39, (1,)),
        (1, ()),
        (0, ()),
        (40, ()),
    ],
)
def test_a_body_of_another_shape_is_no_action(
    kind: int, body: tuple[object, ...]
) -> None:
    """Arity, types and ranges are exact; a boolean is no number."""
    assert body_to_action(kind, body) is None


def test_priority_is_decided_by_type_alone() -> None:
    """P1: RESIGN, then STOP, then everything else, draw talk last."""
    ranked = sorted(EventType, key=priority, reverse=True)
    assert ranked[:2] == [EventType.RESIGN, EventType.STOP]
    assert set(ranked[-2:]) == {EventType.DRAW_OFFER, EventType.DRAW_ANSWER}
    assert {priority(kind) for kind in ranked[2:-2]} == {1}


@pytest.mark.parametrize("first", EventType)
@pytest.mark.parametrize("second", EventType)
def test_exactly_one_of_two_colliding_events_wins(
    first: EventType, second: EventType
) -> None:
    """Whoever looks, the winner is the same; equal types are role 0's."""
    by_a = replace(EVENT, author=Seat(0), type=first)
    by_b = replace(EVENT, author=Seat(1), type=second)
    assert wins(by_a, over=by_b) != wins(by_b, over=by_a)
    if priority(first) == priority(second):
        assert wins(by_a, over=by_b)


@pytest.mark.parametrize("seq", [0, 1, 127, 128, 255, 256, 19_999])
def test_the_number_of_an_event_is_read_alone(seq: int) -> None:
    """Whatever its length, as a whole reading has it."""
    data = encode_event(replace(EVENT, seq=seq))
    assert seq_of(data) == decode_event(data).seq == seq


@pytest.mark.parametrize(
    "data",
    [
        b"",
        encode_event(EVENT)[:36],
        encode_event(EVENT)[1:],
        encode_event(replace(EVENT, seq=20_000)),
        encode_event(replace(EVENT, seq=70_000)),
        encode([1, bytes(32), "five", 0, bytes(32), bytes(32), 1, None]),
        encode([1, bytes(31), 5, 0, bytes(32), bytes(32), 1, None]),
        encode([1, bytes(32), 5, 0, bytes(32), bytes(32), 1]),
    ],
)
def test_what_is_no_event_has_no_number(data: bytes) -> None:
    """Nothing is guessed."""
    assert seq_of(data) is None
