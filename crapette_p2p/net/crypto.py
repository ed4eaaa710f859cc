"""Ed25519: the one door to the library, and stricter than it (protocol.md 12, P19).

``verify`` is RFC 8032 without cofactor: S < L and encode([S]B - [k]A) equal to R
byte for byte. OpenSSL computes exactly that; what it lets through is keys, so a
key is looked at first: small-order points and encodings with y >= 2^255 - 19 (a
second name for the same key) verify nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Final

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import (
    Ed25519PrivateKey,
    Ed25519PublicKey,
)

from crapette_p2p.session.keys import KEY_SIZE, is_weak_key

Sign = Callable[[bytes], bytes]
"""Sign a message with a key that only this function knows."""

SIGNATURE_SIZE: Final = 64


@lru_cache(maxsize=64)
def _loaded(public: bytes) -> Ed25519PublicKey | None:
    if len(public) != KEY_SIZE or is_weak_key(public):
        return None
    try:
        return Ed25519PublicKey.from_public_bytes(public)
    except ValueError:
        return None


def verify(public: bytes, signature: bytes, message: bytes) -> bool:
    """Whether ``public`` signed ``message``; never raises on hostile bytes."""
    key = _loaded(bytes(public))
    if key is None or len(signature) != SIGNATURE_SIZE:
        return False
    try:
        key.verify(signature, message)
    except InvalidSignature:
        return False
    return True


def public_of(private: Ed25519PrivateKey) -> bytes:
    """The 32 raw bytes of the public half."""
    return private.public_key().public_bytes_raw()


def signer(secret: bytes) -> tuple[bytes, Sign]:
    """The public key of a 32-byte secret and its ``sign`` function."""
    private = Ed25519PrivateKey.from_private_bytes(secret)
    return public_of(private), private.sign
