"""Which identity keys are refused, and how a key is shown (protocol.md 3, B, P19).

Two kinds of public key are refused for everybody (204). The small-order points:
under them one signature fits many messages. And every encoding with y >= p: the
library loads such a key, so one point would have two names.
"""

from __future__ import annotations

import hashlib
from typing import Final

KEY_SIZE: Final = 32
FINGERPRINT_SIZE: Final = 10
"""80 bits: nobody finds a second key for a fingerprint that was given before."""

_FIELD_PRIME: Final = 2**255 - 19
_FINGERPRINT_TAG: Final = b"crapette/1/idfp\0"
_BASE32: Final = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Crockford's alphabet: no I, L, O, U."""

SMALL_ORDER: Final = frozenset(
    bytes.fromhex(text)
    for text in (
        "01" + "00" * 31,
        "01" + "00" * 30 + "80",
        "00" * 32,
        "00" * 31 + "80",
        "ec" + "ff" * 30 + "7f",
        "ec" + "ff" * 31,
        "ed" + "ff" * 30 + "7f",
        "ed" + "ff" * 31,
        "ee" + "ff" * 30 + "7f",
        "ee" + "ff" * 31,
        "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
        "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85",
        "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
        "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
    )
)
"""Eight points in fourteen encodings."""


def is_weak_key(idpub: bytes) -> bool:
    """Whether a key is refused for everybody."""
    y = int.from_bytes(idpub, "little") & (2**255 - 1)
    return idpub in SMALL_ORDER or y >= _FIELD_PRIME


def fingerprint(idpub: bytes) -> bytes:
    """The ten bytes that name a key in an invite."""
    return hashlib.sha256(_FINGERPRINT_TAG + idpub).digest()[:FINGERPRINT_SIZE]


def format_fingerprint(fp: bytes) -> str:
    """Sixteen characters in groups of four, ``3F2A-91C0-77BD-0E14``."""
    number = int.from_bytes(fp, "big")
    digits = [_BASE32[number >> shift & 31] for shift in range(75, -1, -5)]
    return "-".join("".join(digits[i : i + 4]) for i in range(0, 16, 4))


def parse_fingerprint(text: str) -> bytes | None:
    """Read a fingerprint, forgiving case, blanks, dashes, O, I and L."""
    plain = text.upper().replace("-", "").replace(" ", "")
    plain = plain.replace("O", "0").replace("I", "1").replace("L", "1")
    if len(plain) != 16 or any(digit not in _BASE32 for digit in plain):
        return None
    number = 0
    for digit in plain:
        number = number << 5 | _BASE32.index(digit)
    return number.to_bytes(FINGERPRINT_SIZE, "big")


def is_fingerprint_of(code: bytes, expected: bytes) -> bool:
    """Whether ``code`` names the expected key: given whole, or by fingerprint."""
    whole = len(expected) != FINGERPRINT_SIZE
    return code == (fingerprint(expected) if whole else expected)


def is_expected(idpub: bytes, expected: bytes) -> bool:
    """Whether a key is the one pinned, by fingerprint (10 bytes) or whole."""
    if len(expected) == FINGERPRINT_SIZE:
        return fingerprint(idpub) == expected
    return idpub == expected
