"""The catalogue of messages: there and back, and one field wrong at a time."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crapette_p2p import canonical
from crapette_p2p.errors import DecodeError
from crapette_p2p.session import messages as wire
from crapette_p2p.session.messages import (
    CATALOGUE,
    Message,
    MessageType,
    decode_message,
    encode_message,
    type_of,
)

KEY, SIG = bytes(range(32)), bytes(range(64))
SAMPLES: list[Message] = [
    wire.Hello("crapette", 1, 1, KEY, 0),
    wire.Host("crapette", 1, 0, KEY, KEY, SIG),
    wire.Auth(KEY, KEY, "Zoë", SIG, None),
    wire.Auth(KEY, KEY, "Zoë", SIG, bytes(16)),
    wire.Ready("Ala", 2),
    wire.Bye(404, 17, "why"),
    wire.Bye(501, None, ""),
    wire.Ping(2**63 - 1),
    wire.Pong(0),
    wire.Chat("cześć"),
    wire.ProposeMessage(b"\x90"),
    wire.Accept(KEY, SIG),
    wire.Start(SIG),
    wire.Resume(None, 0, None, 0),
    wire.Resume(KEY, 20_000, KEY, 20_000),
    wire.Sync(3, 67),
    wire.Records(0, (b"a", b"b" * 12_000)),
    wire.EventMessage(bytes(12_288), SIG),
    wire.Ack(19_999, KEY, KEY, SIG),
]
TABLE = json.loads(
    (Path(__file__).parents[2] / "protocol/tables/message-tags.json").read_text()
)


@pytest.mark.parametrize("message", SAMPLES, ids=lambda m: type(m).__name__)
def test_a_message_comes_back_as_it_was(message: Message) -> None:
    """Encoding and decoding are inverse, and the type stands first."""
    payload = encode_message(message)
    assert decode_message(payload) == message
    array = canonical.decode(payload)
    assert isinstance(array, tuple)
    assert array[0] == type_of(message)


def test_every_message_of_the_table_is_known() -> None:
    """The catalogue and ``message-tags.json`` name the same messages."""
    named = {(entry["type"], entry["name"]) for entry in TABLE["messages"]}
    assert named == {(int(kind), kind.name) for kind in MessageType}
    for entry in TABLE["messages"]:
        _, shapes = CATALOGUE[MessageType(entry["type"])]
        assert len(shapes) == len(entry["fields"]), entry["name"]


def _bad_values(field: dict[str, object]) -> list[object]:
    """Values one step outside what the table says of a field."""
    bad: list[object] = [True, [], None]
    if field.get("or_nil"):
        bad.remove(None)
    match field["type"]:
        case "uint":
            bad += [b"", ""]
            if int(str(field["max"])) < canonical.MAX_INT:
                bad.append(int(str(field["max"])) + 1)
            if int(str(field["min"])) > 0:
                bad.append(int(str(field["min"])) - 1)
        case "bin":
            low = field.get("length", field.get("min"))
            high = field.get("length", field.get("max"))
            assert isinstance(low, int)
            assert isinstance(high, int)
            bad += [0, "", bytes(low - 1)]
            if high < canonical.MAX_BIN:
                bad.append(bytes(high + 1))
        case "str":
            bad += [0, b""]
            if "value" in field:
                bad.append("crapettf")
            elif int(str(field["max_bytes"])) < canonical.MAX_STR:
                bad.append("x" * (int(str(field["max_bytes"])) + 1))
        case "array":
            bad = [0, b"", "", None, [], [b"x"] * 65, [b"x", 0]]
            bad.append([bytes(6145), bytes(6145)])
        case other:
            raise AssertionError(other)
    return bad


WRONG_FIELDS = [
    (entry["type"], place, value)
    for entry in TABLE["messages"]
    for place, field in enumerate(entry["fields"])
    for value in _bad_values(field)
]


@pytest.mark.parametrize(("kind", "place", "value"), WRONG_FIELDS)
def test_a_field_out_of_its_range_is_103(kind: int, place: int, value: object) -> None:
    """W8, W12: each field one off its type, length or range."""
    sample = next(m for m in SAMPLES if type_of(m) == kind)
    array = canonical.decode(encode_message(sample))
    assert isinstance(array, tuple)
    fields = list(array)
    fields[place + 1] = value
    with pytest.raises(DecodeError) as caught:
        decode_message(canonical.encode(fields))
    assert caught.value.code == 103


@pytest.mark.parametrize("message", SAMPLES, ids=lambda m: type(m).__name__)
def test_a_field_too_many_or_too_few_is_103(message: Message) -> None:
    """W12: wrong arity."""
    array = canonical.decode(encode_message(message))
    assert isinstance(array, tuple)
    for wrong in (array[:-1], (*array, 0)):
        with pytest.raises(DecodeError) as caught:
            decode_message(canonical.encode(wrong))
        assert caught.value.code == 103


@pytest.mark.parametrize("kind", [0, 6, 7, 11, 15, 22, 47, 50, 2**63 - 1])
def test_an_unknown_type_is_102(kind: int) -> None:
    """W12: a type the catalogue does not hold."""
    with pytest.raises(DecodeError) as caught:
        decode_message(canonical.encode([kind, 0]))
    assert caught.value.code == 102


@pytest.mark.parametrize("value", [0, "x", None, [], [True, 1], [b"\x01"], [[1], 2]])
def test_what_is_no_message_at_all_is_103(value: object) -> None:
    """A canonical value that is no array with a number in front."""
    with pytest.raises(DecodeError) as caught:
        decode_message(canonical.encode(value))
    assert caught.value.code == 103


@given(st.binary(max_size=200))
def test_random_bytes_decode_or_raise_the_one_error(payload: bytes) -> None:
    """W14: whatever arrives, only DecodeError comes out, with a 1xx code."""
    try:
        message = decode_message(payload)
    except DecodeError as error:
        assert error.code in (101, 102, 103)  # noqa: PT017 - or a message, see below
    else:
        assert encode_message(message) == payload


@given(st.sampled_from(SAMPLES), st.data())
def test_a_flipped_bit_decodes_or_raises_the_one_error(
    message: Message, data: st.DataObject
) -> None:
    """W15: one bit wrong gives another lawful message or one defined error."""
    payload = bytearray(encode_message(message)[:400])
    bit = data.draw(st.integers(0, len(payload) * 8 - 1))
    payload[bit // 8] ^= 1 << bit % 8
    try:
        found = decode_message(bytes(payload))
    except DecodeError as error:
        assert error.code in (101, 102, 103)  # noqa: PT017 - or a message, see below
    else:
        assert encode_message(found) == payload
