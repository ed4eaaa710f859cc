"""Identity keys for session tests: real Ed25519, and a toy that is fast.

The toy signs with a hash of (public key, message). Anybody could forge it, but
it is deterministic and tells right from wrong, which is all that thousands of
simulated games need; everything that is about signatures uses the real keys.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import (
    Ed25519PrivateKey,
    Ed25519PublicKey,
)

Verify = Callable[[bytes, bytes, bytes], bool]


@dataclass(frozen=True)
class Key:
    """A key pair and the functions a session is given."""

    public: bytes
    """32 bytes."""
    sign: Callable[[bytes], bytes]
    """Signature of a message."""
    verify: Verify
    """(public key, signature, message)."""


@lru_cache(maxsize=256)
def _load(public: bytes) -> Ed25519PublicKey:
    return Ed25519PublicKey.from_public_bytes(public)


@lru_cache(maxsize=65_536)
def verify(public: bytes, sig: bytes, message: bytes) -> bool:
    """Whether an Ed25519 signature is good; never raises.

    Answers are remembered: the tests read the same logs again and again, and a
    signature that is good stays good.
    """
    try:
        _load(public).verify(sig, message)
    except (InvalidSignature, ValueError):
        return False
    return True


@lru_cache(maxsize=256)
def real_key(secret: bytes) -> Key:
    """The Ed25519 pair of a 32-byte secret."""
    private = Ed25519PrivateKey.from_private_bytes(secret)
    return Key(private.public_key().public_bytes_raw(), private.sign, verify)


def key_of(name: str) -> Key:
    """The same Ed25519 pair for the same name, in every test."""
    return real_key(hashlib.sha256(b"session test " + name.encode()).digest())


def _toy_signature(public: bytes, message: bytes) -> bytes:
    return hashlib.sha512(b"toy" + public + message).digest()


def _toy_verify(public: bytes, sig: bytes, message: bytes) -> bool:
    return _toy_signature(public, message) == sig


def toy_key(name: str) -> Key:
    """A pair that costs a microsecond and protects nothing."""
    public = hashlib.sha256(b"toy key " + name.encode()).digest()[:31] + b"\0"
    return Key(public, lambda message: _toy_signature(public, message), _toy_verify)
