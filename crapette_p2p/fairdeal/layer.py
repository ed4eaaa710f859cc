"""One player's secret permutation of one deck: derive, commit, open.

Theory of operation. A layer is drawn from a 32-byte seed by HMAC-SHA256 (a
Fisher-Yates shuffle with rejection, so it is the same on every machine and
unbiased) and committed slot by slot under fresh 32-byte salts; the root binds
the 52 slot hashes in order. Every hash carries game, player, deck, candidate
and index, so a commitment is of no use in any other place (threats.md 1.6).
A card of deck d (owner d, other o) at deal position i is
``perm_d[perm_o[i]]``: two layers, neither of which anybody knows whole.
"""

from __future__ import annotations

import hashlib
import struct
from dataclasses import dataclass
from typing import Final

SLOTS: Final = 52
HASH_SIZE: Final = 32
SEED_SIZE: Final = 32

_SLOT_TAG: Final = b"crapette/1/slot\0"
_ROOT_TAG: Final = b"crapette/1/root\0"
_PERM_LABEL: Final = b"crapette/1/perm\0"
_SALT_LABEL: Final = b"crapette/1/salt\0"
_U32: Final = tuple(struct.pack(">I", n) for n in range(SLOTS))
_BYTE: Final = tuple(bytes([n]) for n in range(256))
_IPAD: Final = bytes(x ^ 0x36 for x in range(256))
_OPAD: Final = bytes(x ^ 0x5C for x in range(256))
_LIMIT: Final = tuple(0 if m == 0 else 256 - 256 % m for m in range(SLOTS + 1))
"""For each range m the first byte value to reject."""


@dataclass(frozen=True, slots=True)
class Layer:
    """A derived layer with everything needed to commit to it and to open it."""

    perm: bytes
    """perm[i] is the value committed at slot i."""
    salts: tuple[bytes, ...]
    """One 32-byte salt a slot."""
    slots: bytes
    """The 52 slot hashes, joined."""
    root: bytes
    """The hash that binds them."""


def context(game_id: bytes, player: int, deck: int, candidate: int) -> bytes:
    """The 36 bytes that label everything of one layer."""
    return game_id + struct.pack(">BBH", player, deck, candidate)


class _Stream:
    """PRF(seed, label, n) for one seed: HMAC with its key schedule done once."""

    __slots__ = ("_inner", "_outer")

    def __init__(self, seed: bytes) -> None:
        key = seed.ljust(64, b"\0")
        self._inner = hashlib.sha256(key.translate(_IPAD))
        self._outer = hashlib.sha256(key.translate(_OPAD))

    def blocks(self, prefix: bytes, count: int) -> list[bytes]:
        """The first ``count`` blocks of the stream labelled ``prefix``."""
        inner, outer = self._inner.copy(), self._outer
        inner.update(prefix)
        found = []
        for number in _U32[:count]:
            first, last = inner.copy(), outer.copy()
            first.update(number)
            last.update(first.digest())
            found.append(last.digest())
        return found


def _permutation(stream: _Stream, ctx: bytes) -> bytes:
    perm = bytearray(range(SLOTS))
    need = 2
    while True:
        # Two blocks hold 64 bytes; 51 are used and few rejected, so this
        # nearly always ends in the first round.
        source = iter(b"".join(stream.blocks(_PERM_LABEL + ctx, need)))
        try:
            for i in range(SLOTS - 1, 0, -1):
                size = i + 1
                x = next(source)
                while x >= _LIMIT[size]:
                    x = next(source)
                j = x % size
                perm[i], perm[j] = perm[j], perm[i]
        except StopIteration:
            perm = bytearray(range(SLOTS))
            need += 2
        else:
            return bytes(perm)


def derive_layer(seed: bytes, ctx: bytes) -> Layer:
    """The layer that ``seed`` stands for in the place ``ctx``."""
    stream = _Stream(seed)
    perm = _permutation(stream, ctx)
    salts = tuple(stream.blocks(_SALT_LABEL + ctx, SLOTS))
    prefix = _SLOT_TAG + ctx
    sha256, byte = hashlib.sha256, _BYTE
    slots = b"".join(
        [
            sha256(prefix + byte[i] + byte[value] + salt).digest()
            for i, (value, salt) in enumerate(zip(perm, salts, strict=True))
        ]
    )
    return Layer(perm, salts, slots, root_of(ctx, slots))


def root_of(ctx: bytes, slots: bytes) -> bytes:
    """The root that binds 52 slot hashes to their place."""
    return hashlib.sha256(_ROOT_TAG + ctx + slots).digest()


def opens(ctx: bytes, slots: bytes, index: int, value: int, salt: bytes) -> bool:
    """Whether ``value`` and ``salt`` open slot ``index`` of the committed layer."""
    made = hashlib.sha256(_SLOT_TAG + ctx + _BYTE[index] + _BYTE[value] + salt)
    return made.digest() == slots[HASH_SIZE * index : HASH_SIZE * (index + 1)]
