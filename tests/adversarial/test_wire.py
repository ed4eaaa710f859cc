"""W: frames and messages that are none (threats.md 3; protocol.md 3, 4)."""

from __future__ import annotations

import os
import random
import time
from collections import Counter

import pytest

from crapette_p2p import canonical
from crapette_p2p.errors import DecodeError
from crapette_p2p.session.messages import Auth, Ready, decode_message
from crapette_p2p.session.notices import ChatReceived, LinkLost
from crapette_p2p.session.states import State
from tests.adversarial.hostile import SPLITS
from tests.adversarial.messages import BROKEN, SAMPLES
from tests.adversarial.stages import (
    AFTER_LOGIN,
    DIALLER_STATES,
    LISTENER_STATES,
    at_state,
    at_table,
    in_lobby,
)
from tests.adversarial.verdicts import require_good, verdict_on
from tests.helpers.pair import make_player
from tests.helpers.stranger import Dialler

EVERY_SPLIT = pytest.mark.parametrize("split", SPLITS)
BEFORE_LOGIN = (*LISTENER_STATES, *DIALLER_STATES)


def refused(payload: bytes, code: int, split: str) -> None:
    """A payload has that code in the lobby; in the game too, once a split."""
    hostile = in_lobby(split=split)
    hostile.say(payload)
    hostile.require(code)


@EVERY_SPLIT
@pytest.mark.parametrize("state", [*BEFORE_LOGIN, *AFTER_LOGIN])
def test_w01_a_frame_of_no_bytes(state: State, split: str) -> None:
    """W1: length 0 is 100 in every state."""
    hostile = at_state(state, split=split)
    hostile.raw(bytes(4))
    hostile.require(100)


@EVERY_SPLIT
@pytest.mark.parametrize("state", BEFORE_LOGIN)
def test_w02_a_long_frame_before_login(state: State, split: str) -> None:
    """W2: 1,025 bytes are 100 as soon as the length is there; 1,024 are waited for."""
    hostile = at_state(state, split=split)
    hostile.raw((1024).to_bytes(4, "big"))
    hostile.require_unmoved()
    hostile = at_state(state, split=split)
    hostile.raw((1025).to_bytes(4, "big") + b"\x92")
    hostile.require(100)


@EVERY_SPLIT
@pytest.mark.parametrize("state", AFTER_LOGIN)
def test_w03_a_long_frame_after_login(state: State, split: str) -> None:
    """W3: 16,385 bytes are 100; 16,384 are waited for."""
    hostile = at_state(state, split=split)
    hostile.raw((16_384).to_bytes(4, "big"))
    hostile.require_unmoved()
    hostile = at_state(state, split=split)
    hostile.raw((16_385).to_bytes(4, "big") + b"\x92")
    hostile.require(100)


@EVERY_SPLIT
@pytest.mark.parametrize("length", [2**32 - 1, 2**31, 2**30])
def test_w04_a_gigantic_length(length: int, split: str) -> None:
    """W4: nothing is waited for, nothing is kept, whatever comes behind it."""
    hostile = at_table(split=split)
    hostile.raw(length.to_bytes(4, "big"))
    hostile.require(100)
    session = hostile.session
    for _ in range(4):
        assert session.receive(hostile.pair.now, bytes(1 << 20)) == []
    assert len(session._reader._buffer) == 0


@EVERY_SPLIT
@pytest.mark.parametrize("state", [State.AUTH, State.LOBBY, State.PLAY])
def test_w05_a_truncated_frame_then_the_end(state: State, split: str) -> None:
    """W5: the link is lost, no more: no fault, and the game goes on later."""
    hostile = at_state(state, split=split)
    hostile.raw((200).to_bytes(4, "big") + b"\x93\x30\xc4")
    hostile.require_unmoved()
    hostile.pair.cut()
    assert hostile.honest.of(LinkLost) == [LinkLost(0)]
    if state is State.PLAY:
        (data,) = hostile.honest.disk.logs.values()
        require_good(data)
        hostile.pair.split = "whole"
        hostile.pair.connect()
        hostile.require_goes_on()


NOT_MINIMAL = {
    "uint8": b"\x92\x08\xcc\x01",
    "uint16": b"\x92\x08\xcd\x00\x01",
    "uint32": b"\x92\x08\xce\x00\x00\x00\x01",
    "uint64": b"\x92\x08\xcf" + bytes(7) + b"\x01",
    "int8": b"\x92\x08\xd0\x01",
    "int64": b"\x92\x08\xd3" + bytes(7) + b"\x01",
    "type": b"\x92\xcc\x08\x01",
    "array16": b"\xdc\x00\x02\x08\x01",
    "array32": b"\xdd\x00\x00\x00\x02\x08\x01",
    "str8": b"\x92\x0a\xd9\x02hi",
    "str16": b"\x92\x0a\xda\x00\x02hi",
    "str32": b"\x92\x0a\xdb\x00\x00\x00\x02hi",
    "bin16": b"\x92\x12\xc5\x00\x40" + bytes(64),
    "bin32": b"\x92\x12\xc6\x00\x00\x00\x40" + bytes(64),
}


@EVERY_SPLIT
def test_w06_headers_longer_than_needed(split: str) -> None:
    """W6: a value has one spelling; every other is 101."""
    for payload in NOT_MINIMAL.values():
        refused(payload, 101, split)


FOREIGN = {
    "map": b"\x92\x08\x81\x01\x02",
    "empty map": b"\x92\x08\x80",
    "float32": b"\x92\x08\xca\x3f\x80\x00\x00",
    "float64": b"\x92\x08\xcb\x3f\xf0" + bytes(6),
    "NaN": b"\x92\x08\xcb\x7f\xf8" + bytes(6),
    "negative": b"\x92\x08\xff",
    "int16": b"\x92\x08\xd1\xff\x00",
    "too big": b"\x92\x08\xcf\x80" + bytes(7),
    "ext": b"\x92\x08\xd4\x05\x00",
    "empty ext": b"\x92\x08\xc7\x00\x05",
    "timestamp": b"\x92\x08\xd6\xff" + bytes(4),
    "never used": b"\x92\x08\xc1",
    "map alone": b"\x80",
    "duplicate keys": b"\x92\x08\x82\x01\x02\x01\x03",
    "bytes as key": b"\x92\x08\x81\xc4\x01a\x01",
    "array as key": b"\x92\x08\x81\x90\x01",
}


@EVERY_SPLIT
def test_w07_values_that_do_not_exist(split: str) -> None:
    """W7: maps, floats, negative numbers and extensions are 101."""
    for payload in FOREIGN.values():
        refused(payload, 101, split)


@EVERY_SPLIT
def test_w08_a_boolean_is_no_number(split: str) -> None:
    """W8: true where 1 is meant is 103, in every place of every message."""
    for fields in SAMPLES.values():
        for place, field in enumerate(fields):
            if type(field) is int:
                bent = [*fields[:place], True, *fields[place + 1 :]]
                refused(canonical.encode(bent), 103, split)


@EVERY_SPLIT
def test_w09_text_that_is_none(split: str) -> None:
    """W9: broken UTF-8 and surrogates are 101; a NUL is no letter of a nick."""
    for raw in (b"\xff", b"\xc3", b"\xed\xa0\x80", b"\xc0\x80", b"\xf5\x80\x80\x80"):
        refused(b"\x92\x0a" + bytes([0xA0 + len(raw)]) + raw, 101, split)
    hostile = in_lobby(split=split)
    hostile.say(b"\x92\x0a\xa3a\x00b")
    assert hostile.honest.of(ChatReceived) == [ChatReceived("ab")]
    stranger = Dialler(make_player("Ala"))
    stranger.greet()
    stranger.pair.split = split
    stranger.say(stranger.auth("a\0b"))
    while stranger.pair.deliver(0):
        pass
    assert stranger.listener.closed == 208


@EVERY_SPLIT
def test_w10_arrays_in_arrays(split: str) -> None:
    """W10: depth 5 is 101, and so is any depth a frame can hold."""
    for depth in (5, 6, 1023, 1024, 1025, 16_383):
        refused(b"\x91" * depth + b"\x01", 101, split)
    with pytest.raises(DecodeError):
        canonical.decode(b"\x91" * 100_000 + b"\x01", limit=200_000)


@EVERY_SPLIT
def test_w11_a_byte_too_many(split: str) -> None:
    """W11: what follows the value is 101, a second whole value too."""
    for rest in (b"\x00", b"\xc0", b"\x92\x08\x01"):
        refused(b"\x92\x08\x01" + rest, 101, split)


@EVERY_SPLIT
def test_w12_unknown_types_and_fields_one_off(split: str) -> None:
    """W12: an unknown type is 102; arity and each field's borders are 103."""
    for kind in (0, 6, 7, 11, 15, 22, 47, 50, 255, 2**63 - 1):
        refused(canonical.encode([kind, 1]), 102, split)
    for payload in BROKEN:
        refused(payload, 103, split)


def test_w12_the_borders_themselves_are_good() -> None:
    """W12: every sample of the catalogue, at both ends of its ranges, is read."""
    for fields in SAMPLES.values():
        decode_message(canonical.encode(fields))


@pytest.mark.parametrize("byte", [b"\x80", b"\x90", b"\xc0", b"\x91", b"\xa0"])
def test_w13_a_frame_of_tiny_values_is_refused_at_once(byte: bytes) -> None:
    """W13: 64 KiB are refused unread, and the longest frame costs under 5 ms."""
    with pytest.raises(DecodeError):
        canonical.decode(byte * 65_536)
    times = []
    for _ in range(5):
        hostile = in_lobby()
        before = time.process_time()
        hostile.say(byte * 16_384)
        times.append(time.process_time() - before)
        hostile.require(101)
    assert min(times) < 0.005


@EVERY_SPLIT
@pytest.mark.parametrize("state", [*BEFORE_LOGIN, *AFTER_LOGIN])
def test_w14_random_bytes_have_an_answer(state: State, split: str) -> None:
    """W14: noise of any kind, in any state, is accepted or has a code."""
    rng = random.Random(f"14 {state} {split}")  # noqa: S311 - repeatable noise
    for _ in range(25):
        hostile = at_state(state, split=split)
        size = rng.choice((3, 40, 700))
        noise = rng.randbytes(size)
        if rng.random() < 0.7:
            hostile.say(noise)
        else:
            hostile.raw(noise)
        if hostile.honest.closed is None:
            hostile.require_unmoved()  # a length was read, its frame is awaited
        else:
            hostile.require(hostile.honest.closed)
            assert hostile.honest.closed in (100, 101, 102, 103)


RUNS = 1_000_000 if "CRAPETTE_EVERY_BYTE" in os.environ else 150_000
"""Of the decoder: the million at night."""


@pytest.mark.slow
def test_w14_random_payloads_are_decoded_or_refused() -> None:
    """W14: the decoder itself, often: a message or one DecodeError, no other word."""
    rng = random.Random(141)  # noqa: S311 - repeatable noise
    good = [canonical.encode(fields) for fields in SAMPLES.values()]
    codes = Counter[int]()
    for number in range(RUNS):
        if number % 3:
            payload = bytearray(rng.choice(good))
            for _ in range(rng.randint(1, 4)):
                payload[rng.randrange(len(payload))] = rng.randrange(256)
        else:
            payload = bytearray(rng.randbytes(rng.randint(1, 60)))
        codes[code_of(bytes(payload))] += 1
    assert set(codes) == {0, 101, 102, 103}


def code_of(payload: bytes) -> int:
    """What a payload is refused with; 0 if it is a message."""
    try:
        decode_message(payload)
    except DecodeError as error:
        return error.code
    return 0


def test_w09_a_nul_in_either_nick_is_208() -> None:
    """W9: the dialler does not take such a name from the listener either."""
    for state, message in (
        (State.READY, Ready("A\0a", 0)),
        (State.AUTH, Auth(bytes(32), bytes(31) + b"\x08", "A\0a", bytes(64), None)),
    ):
        hostile = at_state(state)
        hostile.say(message)
        code = 208 if state is State.READY else 201  # its commitment comes first
        verdict_on(hostile.honest, code, proven=False)
