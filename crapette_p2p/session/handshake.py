"""The login transcript: what is hashed, signed and shown (protocol.md 4).

Theory of operation. The dialler commits to its nonce and key in HELLO; only
then does the listener show its own and sign th1, which binds both to the
certificate of this very TLS link. The dialler, having judged the listener's
key, opens the commitment and signs th2. The four cards are drawn from committed
values alone: a man in the middle has one guess in 7.3 million per connection
and nothing left to steer (threats.md S6, A8). Pure functions only.
"""

from __future__ import annotations

import hashlib
import hmac
import struct
from typing import Final

from crapette_p2p.cards import Card

NONCE_SIZE: Final = 32
PASS_SIZE: Final = 16
SAS_CARDS: Final = 4

_NONCE_TAG: Final = b"crapette/1/nonce\0"
_TH1_TAG: Final = b"crapette/1/th1\0"
_TH2_TAG: Final = b"crapette/1/th2\0"
_LISTENER_TAG: Final = b"crapette/1/auth-listener\0"
_DIALLER_TAG: Final = b"crapette/1/auth-dialler\0"
_PASS_TAG: Final = b"crapette/1/pass\0"
_SAS_TAG: Final = b"crapette/1/sas\0"


def _hash(*parts: bytes) -> bytes:
    return hashlib.sha256(b"".join(parts)).digest()


def commitment(nonce_d: bytes, idpub_d: bytes) -> bytes:
    """What HELLO binds the dialler to."""
    return _hash(_NONCE_TAG, nonce_d, idpub_d)


def first_transcript(
    *,
    cert_digest: bytes,
    hello_payload: bytes,
    version: int,
    caps: int,
    nonce_l: bytes,
    idpub_l: bytes,
) -> bytes:
    """th1; version and caps are HOST's."""
    numbers = struct.pack(">HI", version, caps)
    hello = _hash(hello_payload)
    return _hash(_TH1_TAG, cert_digest, hello, numbers, nonce_l, idpub_l)


def second_transcript(
    *, th1: bytes, sig_l: bytes, nonce_d: bytes, idpub_d: bytes, nick: str
) -> bytes:
    """th2; the nick (at most 255 bytes) with its length in front."""
    name = nick.encode()
    length = struct.pack(">B", len(name))
    return _hash(_TH2_TAG, th1, sig_l, nonce_d, idpub_d, length, name)


def listener_message(th1: bytes) -> bytes:
    """What the listener signs."""
    return _LISTENER_TAG + th1


def dialler_message(th2: bytes) -> bytes:
    """What the dialler signs."""
    return _DIALLER_TAG + th2


def invite_pass(token: bytes, th2: bytes) -> bytes:
    """The dialler's proof that it holds the invite's token."""
    return hmac.digest(token, _PASS_TAG + th2, "sha256")[:PASS_SIZE]


def passes_match(left: bytes, right: bytes) -> bool:
    """Compare in constant time."""
    return hmac.compare_digest(left, right)


def four_cards(th1: bytes, nonce_d: bytes, idpub_d: bytes) -> tuple[Card, ...]:
    """The short string both players read aloud; th2 (the nick) stays outside."""
    number = int.from_bytes(_hash(_SAS_TAG, th1, nonce_d, idpub_d)[:8], "big")
    cards = []
    for _ in range(SAS_CARDS):
        number, card = divmod(number, 52)
        cards.append(Card(card))
    return tuple(cards)


def common_version(vmin: int, vmax: int) -> int | None:
    """The highest version both speak, None if there is none (200)."""
    return 1 if vmin <= 1 <= vmax else None
