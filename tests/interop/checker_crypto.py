"""Hashes, signatures, names of keys and the layers (spec 50, 3; 30; 40, 2)."""

import functools
import hashlib
import hmac
from dataclasses import dataclass

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import (
    Ed25519PrivateKey,
    Ed25519PublicKey,
)
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from tests.interop.checker_canonical import ProtocolError
from tests.interop.checker_folder import table

BASE32 = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
FIELD = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
PACK = 52


def sha(tag: str, *parts: bytes) -> bytes:
    """Hash a tag, its zero byte, and parts."""
    return hashlib.sha256(tag.encode() + b"\0" + b"".join(parts)).digest()


def hmac_sha(key: bytes, message: bytes) -> bytes:
    """HMAC-SHA-256."""
    return hmac.new(key, message, hashlib.sha256).digest()


@functools.cache
def public_key(secret: bytes) -> bytes:
    """The 32 bytes of the public key of a secret."""
    public = Ed25519PrivateKey.from_private_bytes(secret).public_key()
    return public.public_bytes(Encoding.Raw, PublicFormat.Raw)


def sign(secret: bytes, tag: str, *parts: bytes) -> bytes:
    """Sign a tag, its zero byte, and parts."""
    message = tag.encode() + b"\0" + b"".join(parts)
    return Ed25519PrivateKey.from_private_bytes(secret).sign(message)


@functools.cache
def weak_keys() -> frozenset[str]:
    """The spellings of small order, in hex."""
    return frozenset(table("weak-keys")["keys"])


def check_key(key: bytes, own: bytes | None = None) -> None:
    """Refuse a weak key (204) and one's own (203).

    Args:
        key: The key at the other end.
        own: One's own.

    Raises:
        ProtocolError: 204 or 203.
    """
    if int.from_bytes(key, "little") % 2**255 >= FIELD or key.hex() in weak_keys():
        raise ProtocolError(204, "weak key")
    if key == own:
        raise ProtocolError(203, "own key")


@functools.cache
def fits(public: bytes, sig: bytes, message: bytes) -> bool:
    """Whether a signature fits (RFC 8032, no cofactor)."""
    if len(sig) != 64 or int.from_bytes(sig[32:], "little") >= ORDER:
        return False
    try:
        check_key(public)
        Ed25519PublicKey.from_public_bytes(public).verify(sig, message)
    except (InvalidSignature, ValueError, ProtocolError):
        return False
    return True


def check_sig(code: int, public: bytes, sig: bytes, tag: str, *parts: bytes) -> None:
    """Refuse a signature that does not fit with the code."""
    if not fits(public, sig, tag.encode() + b"\0" + b"".join(parts)):
        raise ProtocolError(code, "signature does not fit")


def base32(data: bytes) -> str:
    """Write bytes in Crockford's base 32."""
    number = int.from_bytes(data, "big")
    count = len(data) * 8 // 5
    return "".join(BASE32[number >> 5 * (count - 1 - i) & 31] for i in range(count))


def fingerprint(public: bytes) -> str:
    """The fingerprint of a key, in groups of four."""
    text = base32(sha("crapette/1/idfp", public)[:10])
    return "-".join(text[i : i + 4] for i in range(0, 16, 4))


@dataclass(frozen=True)
class Layer:
    """One role's permutation of one deck (spec 30, 2).

    Attributes:
        ctx: The 36 bytes that every hash of it holds.
        perm: The permutation.
        salts: 52 salts.
        slots: 52 commitments.
    """

    ctx: bytes
    perm: tuple[int, ...]
    salts: tuple[bytes, ...]
    slots: tuple[bytes, ...]

    @property
    def root(self) -> bytes:
        """The commitment to the whole layer."""
        return layer_root(self.ctx, self.slots)


def context(game_id: bytes, role: int, deck: int, candidate: int) -> bytes:
    """The context of a layer."""
    return game_id + bytes([role, deck]) + candidate.to_bytes(2, "big")


def layer_root(ctx: bytes, slots: tuple[bytes, ...]) -> bytes:
    """The commitment to 52 slot hashes."""
    return sha("crapette/1/root", ctx, *slots)


def slot_hash(ctx: bytes, index: int, value: int, salt: bytes) -> bytes:
    """The commitment to one value."""
    return sha("crapette/1/slot", ctx, bytes([index, value]), salt)


@functools.cache
def derive(seed: bytes, ctx: bytes) -> Layer:
    """Derive a layer from its seed.

    Args:
        seed: 32 bytes.
        ctx: Its context.

    Returns:
        The layer.
    """

    def prf(label: str, n: int) -> bytes:
        parts = label.encode() + b"\0" + ctx + n.to_bytes(4, "big")
        return hmac_sha(seed, parts)

    perm = list(range(PACK))
    stream = b""
    block = 0
    for i in range(PACK - 1, 0, -1):
        m = i + 1
        while True:
            if not stream:
                stream = prf("crapette/1/perm", block)
                block += 1
            x, stream = stream[0], stream[1:]
            if x < 256 - 256 % m:
                break
        j = x % m
        perm[i], perm[j] = perm[j], perm[i]
    salts = tuple(prf("crapette/1/salt", i) for i in range(PACK))
    slots = tuple(slot_hash(ctx, i, perm[i], salts[i]) for i in range(PACK))
    return Layer(ctx, tuple(perm), salts, slots)


def beacon(game_id: bytes, event_4: bytes, event_5: bytes) -> tuple[bytes, int]:
    """The shared bytes and their bit, the lot (spec 30, 6)."""
    data = sha("crapette/1/beacon", game_id, event_4, event_5)
    return data, data[-1] & 1
