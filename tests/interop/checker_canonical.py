"""Canonical values (spec 50, 2): the one spelling of nil, numbers, bytes, lists."""

from dataclasses import dataclass
from typing import TypeAlias

Value: TypeAlias = "bool | int | str | bytes | tuple[Value, ...] | None"

STR_MAX = 256
UINT_MAX = 2**63 - 1


@dataclass(frozen=True)
class Limits:
    """How deep and how long values may be (spec 50, 2.3)."""

    depth: int = 4
    array: int = 160
    bin: int = 12_288


WIRE = Limits()
EVIDENCE = Limits(array=65_535, bin=16_384)

_UINT_SIZES = {0xCC: 1, 0xCD: 2, 0xCE: 4, 0xCF: 8}


class ProtocolError(Exception):
    """Something the protocol refuses, with its code.

    Attributes:
        code: The code of spec 90, or a word where a page gives words.
        why: What is wrong, or which field.
    """

    def __init__(self, code: int | str, why: str = "") -> None:
        """Keep the code and the reason."""
        super().__init__(f"{code}: {why}")
        self.code = code
        self.why = why


def encode(value: Value, limits: Limits = WIRE, depth: int = 0) -> bytes:
    """Spell a value.

    Args:
        value: What is to be written.
        limits: How deep and how long it may be.
        depth: How many arrays are around it.

    Returns:
        Its one canonical spelling.

    Raises:
        ProtocolError: 101, when the value has no spelling.
    """
    if value is None:
        return b"\xc0"
    if isinstance(value, bool):
        return b"\xc3" if value else b"\xc2"
    if isinstance(value, int):
        return _encode_uint(value)
    if isinstance(value, bytes):
        return _sized(value, limits.bin, {0xC4: 1, 0xC5: 2})
    if isinstance(value, str):
        return _encode_text(value)
    if len(value) > limits.array or depth >= limits.depth:
        raise ProtocolError(101, "array too long or too deep")
    items = b"".join(encode(item, limits, depth + 1) for item in value)
    return _array_head(len(value)) + items


def _array_head(count: int) -> bytes:
    if count < 16:
        return bytes([0x90 | count])
    if count < 1 << 16:
        return b"\xdc" + count.to_bytes(2, "big")
    return b"\xdd" + count.to_bytes(4, "big")


def _encode_uint(value: int) -> bytes:
    if not 0 <= value <= UINT_MAX:
        raise ProtocolError(101, "number out of range")
    if value < 0x80:
        return bytes([value])
    for tag, size in _UINT_SIZES.items():
        if value < 1 << 8 * size:
            return bytes([tag]) + value.to_bytes(size, "big")
    raise ProtocolError(101, "number out of range")


def _sized(data: bytes, limit: int, tags: dict[int, int]) -> bytes:
    if len(data) > limit:
        raise ProtocolError(101, "too long")
    for tag, size in tags.items():
        if len(data) < 1 << 8 * size:
            return bytes([tag]) + len(data).to_bytes(size, "big") + data
    raise ProtocolError(101, "too long")


def _encode_text(value: str) -> bytes:
    try:
        data = value.encode("utf-8")
    except UnicodeEncodeError as error:
        raise ProtocolError(101, "text is no UTF-8") from error
    if len(data) < 32:
        return bytes([0xA0 | len(data)]) + data
    return _sized(data, STR_MAX, {0xD9: 1, 0xDA: 2})


class _Reader:
    """Reads one value after the other from bytes."""

    def __init__(self, data: bytes, limits: Limits) -> None:
        self.data = data
        self.limits = limits
        self.at = 0

    def take(self, size: int) -> bytes:
        part = self.data[self.at : self.at + size]
        if len(part) != size:
            raise ProtocolError(101, "cut off")
        self.at += size
        return part

    def number(self, size: int) -> int:
        return int.from_bytes(self.take(size), "big")

    def value(self, depth: int) -> Value:
        tag = self.number(1)
        if tag < 0x80:
            return tag
        if tag in (0xC0, 0xC2, 0xC3):
            return {0xC0: None, 0xC2: False, 0xC3: True}[tag]
        if tag in _UINT_SIZES:
            return self.number(_UINT_SIZES[tag])
        if tag in (0xC4, 0xC5):
            return self.take(self.number(tag - 0xC3))
        if 0xA0 <= tag <= 0xBF or tag in (0xD9, 0xDA):
            size = tag & 0x1F if tag < 0xC0 else self.number(tag - 0xD8)
            try:
                return self.take(size).decode("utf-8")
            except UnicodeDecodeError as error:
                raise ProtocolError(101, "text is no UTF-8") from error
        if 0x90 <= tag <= 0x9F or tag == 0xDC:
            count = tag & 0x0F if tag < 0xA0 else self.number(2)
            if count > self.limits.array or depth >= self.limits.depth:
                raise ProtocolError(101, "array too long or too deep")
            return tuple(self.value(depth + 1) for _ in range(count))
        raise ProtocolError(101, f"no such value {tag:#x}")


def decode(data: bytes, limits: Limits = WIRE) -> Value:
    """Read a value, refusing all but its one spelling.

    Args:
        data: The bytes of exactly one value.
        limits: How deep and how long it may be.

    Returns:
        The value; arrays as tuples.

    Raises:
        ProtocolError: 101.
    """
    reader = _Reader(data, limits)
    value = reader.value(0)
    if reader.at != len(data) or encode(value, limits) != data:
        raise ProtocolError(101, "not the one spelling")
    return value


def as_uint(value: Value, low: int, high: int, code: int | str = 103) -> int:
    """Give back a number of a range or refuse with the code."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise ProtocolError(code, "not a number")
    if not low <= value <= high:
        raise ProtocolError(code, "number out of range")
    return value


def as_bin(value: Value, low: int, high: int, code: int | str = 103) -> bytes:
    """Give back bytes of a length in a range or refuse with the code."""
    if not isinstance(value, bytes) or not low <= len(value) <= high:
        raise ProtocolError(code, "not bytes of that length")
    return value


def as_text(value: Value, high: int, code: int | str = 103) -> str:
    """Give back text of at most so many bytes or refuse with the code."""
    if not isinstance(value, str) or len(value.encode("utf-8")) > high:
        raise ProtocolError(code, "not text of that length")
    return value


def as_array(
    value: Value, low: int, high: int, code: int | str = 103
) -> tuple[Value, ...]:
    """Give back an array with a count in a range or refuse with the code."""
    if not isinstance(value, tuple) or not low <= len(value) <= high:
        raise ProtocolError(code, "not an array of that length")
    return value
