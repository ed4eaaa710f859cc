"""One spelling per value: what the codec takes, what it refuses, how fast."""

from __future__ import annotations

import random
import time
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgpack import fallback  # type: ignore[import-untyped] # it ships no types

from crapette_p2p.canonical import MAX_BIN, MAX_INT, decode, encode
from crapette_p2p.errors import DecodeError
from tests.helpers.known import Case, known_answers, raw

LEAVES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(0, MAX_INT),
    st.binary(max_size=40),
    st.text(max_size=20),
)
VALUES = st.recursive(
    LEAVES, lambda inner: st.lists(inner, max_size=5).map(tuple), max_leaves=12
)


def nested(depth: int) -> object:
    """Arrays in arrays, ``depth`` of them."""
    value: object = ()
    for _ in range(depth - 1):
        value = (value,)
    return value


@pytest.mark.parametrize("case", known_answers("canonical"), ids=lambda c: c["bytes"])
def test_known_spellings_are_taken_or_refused(case: Case) -> None:
    """Bytes of another implementation are accepted or refused as it says."""
    data = raw(case, "bytes")
    if case["accept"]:
        assert encode(decode(data)) == data
    else:
        with pytest.raises(DecodeError) as caught:
            decode(data)
        assert caught.value.code == 101


@given(VALUES)
def test_what_is_encoded_reads_back(value: object) -> None:
    """A value that has a spelling reads back as it was, and spells the same."""
    try:
        data = encode(value)
    except ValueError:
        return  # deeper than four arrays
    assert decode(data) == value
    assert encode(decode(data)) == data


@given(st.binary(min_size=1, max_size=200))
def test_any_bytes_read_back_or_are_refused(data: bytes) -> None:
    """Arbitrary bytes raise DecodeError, or are the one spelling of a value."""
    try:
        value = decode(data)
    except DecodeError:
        return
    assert encode(value) == data


REFUSED = {
    "non-minimal int": "cc05",
    "non-minimal int 16": "cd00ff",
    "non-minimal int 32": "ce0000ffff",
    "non-minimal int 64": "cf00000000ffffffff",
    "signed positive": "d005",
    "non-minimal str": "d90161",
    "non-minimal bin": "c5000101",
    "non-minimal array": "dc000101",
    "map": "8101c0",
    "empty map": "80",
    "float": "cb3ff0000000000000",
    "NaN": "cb7ff8000000000000",
    "negative": "ff",
    "negative 64": "d3ffffffffffffffff",
    "over 2^63-1": "cf8000000000000000",
    "ext": "d40500",
    "empty ext": "c70005",
    "timestamp": "d6ff00000000",
    "trailing byte": "9001",
    "truncated": "92c0",
    "unused byte": "c1",
    "invalid UTF-8": "a1ff",
    "surrogate": "a3eda080",
    "overlong UTF-8": "a2c080",
    "huge array": "ddffffffff",
    "huge bin": "c6ffffffff",
    "huge str": "dbffffffff",
    "huge map": "dfffffffff",
    "nested map": "9180",
    "depth 5": "9191919190",
    "map with a bytes key": "81c40161c0",
    "list as key": "8190c0",
    "empty": "",
}


@pytest.mark.parametrize("data", REFUSED.values(), ids=REFUSED.keys())
def test_other_spellings_and_types_are_refused(data: str) -> None:
    """W6, W7, W9, W10, W11: nothing but the one spelling of a plain value."""
    with pytest.raises(DecodeError) as caught:
        decode(bytes.fromhex(data))
    assert caught.value.code == 101


def test_depth_counts_the_outermost_array_as_one() -> None:
    """Four nested arrays are taken, five are not, in both directions."""
    assert decode(encode(nested(4))) == nested(4)
    with pytest.raises(ValueError, match="deeper"):
        encode(nested(5))


@pytest.mark.parametrize("depth", [5, 500, 1025, 16_000])
def test_deep_nesting_is_refused_quickly(depth: int) -> None:
    """However deep, the answer is DecodeError."""
    with pytest.raises(DecodeError):
        decode(b"\x91" * depth + b"\xc0")


@pytest.mark.parametrize(
    "value",
    [
        (None,) * 161,
        b"x" * (MAX_BIN + 1),
        "x" * 257,
        "\u20ac" * 86,
        MAX_INT + 1,
        -1,
        (MAX_INT + 1,),
        "\ud800",
    ],
    ids=[
        "array",
        "bin",
        "str",
        "str in bytes",
        "int",
        "negative",
        "inner",
        "surrogate",
    ],
)
def test_values_beyond_a_limit_have_no_spelling(value: object) -> None:
    """The limits bind the writer as they bind the reader."""
    with pytest.raises(ValueError, match=r".+"):
        encode(value)


@pytest.mark.parametrize("value", [1.0, {}, {1: 2}, {1}, bytearray(b"x"), object()])
def test_values_of_other_types_have_no_spelling(value: object) -> None:
    """Only nil, booleans, integers, bytes, text and arrays exist."""
    with pytest.raises(TypeError):
        encode(value)
    with pytest.raises(TypeError):
        encode((1, (value,)))


@pytest.mark.parametrize(
    "data",
    [
        b"\xdc\x00\xa0" + b"\xc0" * 160,
        b"\xc5\x30\x00" + bytes(12_288),
        b"\xda\x01\x00" + b"a" * 256,
        b"\xcf" + MAX_INT.to_bytes(8),
    ],
    ids=["array", "bin", "str", "int"],
)
def test_values_at_a_limit_are_taken(data: bytes) -> None:
    """The last value within each limit reads back."""
    assert encode(decode(data)) == data


@pytest.mark.parametrize(
    "data",
    [
        b"\xdc\x00\xa1" + b"\xc0" * 161,
        b"\xc5\x30\x01" + bytes(12_289),
        b"\xda\x01\x01" + b"a" * 257,
    ],
    ids=["array", "bin", "str"],
)
def test_values_one_over_a_limit_are_refused(data: bytes) -> None:
    """One more than a limit is refused."""
    with pytest.raises(DecodeError):
        decode(data)


def test_bytes_over_the_size_limit_are_refused_unread() -> None:
    """16,385 bytes are one too many, whatever they say."""
    good = encode((b"x" * 12_000, b"x" * 4_000))
    assert len(good) <= 16_384
    decode(good)
    with pytest.raises(DecodeError, match="bytes"):
        decode(b"\x91" + bytes(16_384))
    with pytest.raises(DecodeError):
        decode(good, limit=100)


@pytest.mark.parametrize("byte", [0x80, 0x90, 0x91, 0xC4, 0xDD])
def test_amplifying_input_costs_nothing(byte: int) -> None:
    """W13: 64 KiB of one byte are refused at once."""
    costs = []
    for _ in range(5):  # what else the computer does may come into one of them
        started = time.process_time()
        with pytest.raises(DecodeError):
            decode(bytes([byte]) * 65_536)
        with pytest.raises(DecodeError):
            decode(bytes([byte]) * 16_384)
        costs.append(time.process_time() - started)
    assert min(costs) < 0.05


def test_true_is_no_integer() -> None:
    """W8: a boolean stays a boolean, so a field of numbers can refuse it."""
    assert decode(b"\x92\x01\xc3") == (1, True)
    assert [type(v) for v in decode(b"\x92\x01\xc3")] == [int, bool]  # type: ignore[attr-defined] # an array


@pytest.fixture
def pure_python(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Swap msgpack's C half for its Python half."""

    def swap() -> None:
        def unpackb(data: bytes, **options: object) -> object:
            unpacker = fallback.Unpacker(None, max_buffer_size=len(data), **options)
            unpacker.feed(data)
            value: object = unpacker._unpack()
            if unpacker._got_extradata():
                raise ValueError("extra data")
            return value

        monkeypatch.setattr("crapette_p2p.canonical.msgpack.unpackb", unpackb)
        monkeypatch.setattr(
            "crapette_p2p.canonical.msgpack.packb",
            lambda value: fallback.Packer().pack(value),
        )

    return swap


def verdict(data: bytes) -> object:
    """The value of ``data``, or the code that refuses it."""
    try:
        return decode(data)
    except DecodeError as error:
        return error.code


def test_both_halves_of_msgpack_judge_alike(pure_python: Callable[[], None]) -> None:
    """W16: with or without the C extension the verdicts are the same."""
    rng = random.Random(16)  # noqa: S311 - repeatable bytes
    seeds = [encode((1, b"abc", ("x", None, True, (2**40,)))), encode("żółw" * 8)]
    samples = [bytes.fromhex(data) for data in REFUSED.values() if data]
    samples += [raw(case, "bytes") for case in known_answers("canonical")]
    for _ in range(4_000):
        data = bytearray(rng.choice(seeds))
        for _ in range(rng.randrange(1, 4)):
            data[rng.randrange(len(data))] = rng.randrange(256)
        samples.append(bytes(data[: rng.randrange(1, len(data) + 1)]))
    samples.append(b"\x91" * 5_000)
    with_c = [verdict(data) for data in samples]
    pure_python()
    assert [verdict(data) for data in samples] == with_c
