"""The transcript of a login and the four cards (spec 60, 3)."""

import hashlib
from dataclasses import dataclass

from tests.interop.checker_canonical import ProtocolError
from tests.interop.checker_crypto import check_sig, hmac_sha, sha, sign


@dataclass(frozen=True)
class Transcript:
    """What both sides of a login hash.

    Attributes:
        cert_digest: The digest of the listener's certificate.
        hello: The payload of HELLO.
        version: v of HOST.
        caps: caps of HOST.
        nonce_l: The listener's nonce.
        idpub_l: The listener's key.
    """

    cert_digest: bytes
    hello: bytes
    version: int
    caps: int
    nonce_l: bytes
    idpub_l: bytes

    @property
    def th1(self) -> bytes:
        """The hash that the listener signs."""
        return sha(
            "crapette/1/th1",
            self.cert_digest,
            hashlib.sha256(self.hello).digest(),
            self.version.to_bytes(2, "big"),
            self.caps.to_bytes(4, "big"),
            self.nonce_l,
            self.idpub_l,
        )

    def th2(self, sig_l: bytes, nonce_d: bytes, idpub_d: bytes, nick: str) -> bytes:
        """The hash that the dialler signs."""
        name = nick.encode("utf-8")
        if len(name) > 255:
            raise ProtocolError(208, "nick too long for th2")
        size = bytes([len(name)])
        return sha("crapette/1/th2", self.th1, sig_l, nonce_d, idpub_d, size, name)

    def cards(self, nonce_d: bytes, idpub_d: bytes) -> tuple[int, ...]:
        """The four cards."""
        digest = sha("crapette/1/sas", self.th1, nonce_d, idpub_d)
        n = int.from_bytes(digest[:8], "big")
        found = []
        for _ in range(4):
            n, card = divmod(n, 52)
            found.append(card)
        return tuple(found)


def commit(nonce_d: bytes, idpub_d: bytes) -> bytes:
    """What HELLO holds of the dialler."""
    return sha("crapette/1/nonce", nonce_d, idpub_d)


def sign_listener(secret: bytes, th1: bytes) -> bytes:
    """The signature of HOST."""
    return sign(secret, "crapette/1/auth-listener", th1)


def check_listener(public: bytes, sig: bytes, th1: bytes) -> None:
    """Refuse a signature of HOST that does not fit (201)."""
    check_sig(201, public, sig, "crapette/1/auth-listener", th1)


def sign_dialler(secret: bytes, th2: bytes) -> bytes:
    """The signature of AUTH."""
    return sign(secret, "crapette/1/auth-dialler", th2)


def check_dialler(public: bytes, sig: bytes, th2: bytes) -> None:
    """Refuse a signature of AUTH that does not fit (201)."""
    check_sig(201, public, sig, "crapette/1/auth-dialler", th2)


def invite_pass(token: bytes, th2: bytes) -> bytes:
    """The pass that an invite's token makes."""
    return hmac_sha(token, b"crapette/1/pass\0" + th2)[:16]
