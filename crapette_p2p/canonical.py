"""Strict canonical msgpack: one spelling per value, nothing else accepted.

Theory of operation. msgpack has many spellings of one value, and what is hashed
or signed must have exactly one. ``decode`` therefore unpacks under hard limits,
walks the result with a whitelist of exact types (``True`` is no integer here),
packs it again and compares the bytes. What a peer sends can only ever raise
DecodeError. ``encode`` refuses the same values, so that nothing leaves this
program that another would not read. (protocol.md 3; 12, P20 for depth.)

Only nil, booleans, integers 0 .. 2^63-1, byte strings, text and arrays exist.
Arrays come back as tuples.
"""

from __future__ import annotations

from typing import Final

import msgpack  # type: ignore[import-untyped] # it ships no types

from crapette_p2p.errors import DecodeError

MAX_BYTES: Final = 16_384
"""One frame after login, one log record (protocol.md 2)."""
MAX_DEPTH: Final = 4
"""Nested arrays, the outermost counts 1: an event with a lay-out opening has 4."""
MAX_ARRAY: Final = 160
MAX_LARGE_ARRAY: Final = 65_535
"""In a file of records: all that the longest header of an array can count."""
MAX_BIN: Final = 12_288
"""A REVEAL of 128 candidates is 11,456 bytes."""
MAX_STR: Final = 256
"""Bytes of UTF-8, not characters."""
MAX_INT: Final = 2**63 - 1
_pack: Final = msgpack.Packer().pack
"""One packer for all: making one costs as much as packing an event. It is left
empty when a value is refused, and nothing can come between while it packs."""


def encode(value: object) -> bytes:
    """The canonical bytes of ``value``; TypeError or ValueError if it has none."""
    _check(value, MAX_ARRAY, MAX_BIN)
    packed: bytes = _pack(value)
    return packed


def encode_known(value: tuple[object, ...]) -> bytes:
    """As ``encode``, for an array whose items are known to have a spelling.

    The state is hashed with every event; looking at each of its items again
    would cost more than packing and hashing them.
    """
    packed: bytes = _pack(value)
    return packed


def encode_large(value: object) -> bytes:
    """As ``encode``, for a file that holds whole records in one array."""
    _check(value, MAX_LARGE_ARRAY, MAX_BYTES)
    packed: bytes = _pack(value)
    return packed


def decode(
    data: bytes,
    *,
    limit: int = MAX_BYTES,
    max_array: int = MAX_ARRAY,
    max_bin: int = MAX_BIN,
) -> object:
    """Read canonical bytes; raise DecodeError (101) for anything else.

    ``limit`` bounds the bytes; ``max_array`` and ``max_bin`` are widened only
    for files that hold whole records.
    """
    if not 0 < len(data) <= limit:
        raise DecodeError(f"{len(data)} bytes, not 1 to {limit}")
    try:
        value: object = msgpack.unpackb(
            data,
            use_list=False,
            raw=False,
            max_array_len=max_array,
            max_bin_len=max_bin,
            max_str_len=MAX_STR,
            max_map_len=0,
            max_ext_len=0,
        )
    except Exception as error:
        # The library raises ValueError, TypeError, RecursionError and more, and
        # which one differs between its C and its Python half.
        raise DecodeError(f"not msgpack: {type(error).__name__}") from error
    try:
        _check(value, max_array, max_bin)
        again: bytes = _pack(value)
    except (TypeError, ValueError) as error:
        raise DecodeError(str(error)) from error
    if again != data:
        raise DecodeError("not the canonical spelling")
    return value


def _check(value: object, max_array: int, max_bin: int, depth: int = 0) -> None:
    """Raise TypeError or ValueError for what has no canonical spelling."""
    kind = type(value)
    if kind is tuple or kind is list:
        if depth == MAX_DEPTH:
            raise ValueError(f"arrays nested deeper than {MAX_DEPTH}")
        if len(value) > max_array:  # type: ignore[arg-type] # an array here
            raise ValueError(f"array longer than {max_array}")
        for item in value:  # type: ignore[attr-defined] # an array here
            # Every event passes here some four times: the common leaves inline.
            kind = type(item)
            if kind is bytes and len(item) <= max_bin:
                continue
            if kind is int and 0 <= item <= MAX_INT:
                continue
            _check(item, max_array, max_bin, depth + 1)
    elif kind is int:
        if not 0 <= value <= MAX_INT:  # type: ignore[operator] # an int here
            raise ValueError("integer outside 0 .. 2^63-1")
    elif kind is bytes:
        if len(value) > max_bin:  # type: ignore[arg-type] # bytes here
            raise ValueError(f"more than {max_bin} bytes")
    elif kind is str:
        if len(value.encode()) > MAX_STR:  # type: ignore[attr-defined] # text here
            raise ValueError(f"text longer than {MAX_STR} bytes")
    elif kind is not bool and value is not None:
        raise TypeError(f"{kind.__name__} has no canonical spelling")
