"""The pipe: TLS 1.3 with a certificate made for this process.

The certificate proves nobody's identity and is never stored: the listener's
HOST signature covers its digest (protocol.md 3, 4), which binds the identity key
to this very pipe. Hence no authorities, no names, no expiry to trip over.
"""

from __future__ import annotations

import hashlib
import secrets
import ssl
import tempfile
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric.ec import (
    SECP256R1,
    EllipticCurvePrivateKey,
    generate_private_key,
)
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    PrivateFormat,
)
from cryptography.x509.oid import NameOID

from crapette_p2p.errors import LinkError
from crapette_p2p.net.failures import storage_error

HANDSHAKE_SECONDS: Final = 5.0
"""T_TLS: a silent connection costs about 317 kB until it is dropped."""
SHUTDOWN_SECONDS: Final = 1.0
"""How long a closing peer may take to read the last of it and to say goodbye."""
# Both ends ignore the dates; fixed ones give nothing away about our clock.
_NOT_BEFORE: Final = datetime(2000, 1, 1, tzinfo=UTC)
_NOT_AFTER: Final = datetime(2100, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class ServerTls:
    """A listener's context and the digest its dialler will see."""

    context: ssl.SSLContext
    """For ``connect_accepted_socket``."""
    digest: bytes
    """SHA-256 of the DER certificate; the session signs it."""


def make_server_tls() -> ServerTls:
    """A context with a certificate of its own (ECDSA P-256, about 10 ms).

    Raises StorageError where no file can be made for a moment.
    """
    key = generate_private_key(SECP256R1())
    certificate = _self_signed(key)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    context.num_tickets = 0  # no resumption: each link proves itself anew
    _load(context, key, certificate)
    der = certificate.public_bytes(Encoding.DER)
    return ServerTls(context, hashlib.sha256(der).digest())


def make_client_context() -> ssl.SSLContext:
    """A context that accepts any certificate, to be bound by its digest."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    # Identity is verified by HOST's signature over the digest of this very
    # certificate: a man in the middle with his own fails there (code 201).
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context


def peer_digest(tls: ssl.SSLObject) -> bytes:
    """The digest of the certificate the listener showed in this link."""
    # Without binary_form this is {} under CERT_NONE.
    der = tls.getpeercert(binary_form=True)
    if der is None:
        raise LinkError("the listener showed no certificate")
    return hashlib.sha256(der).digest()


def _self_signed(key: EllipticCurvePrivateKey) -> x509.Certificate:
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "crapette")])
    builder = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(_NOT_BEFORE)
        .not_valid_after(_NOT_AFTER)
    )
    return builder.sign(key, SHA256())


def _load(
    context: ssl.SSLContext,
    key: EllipticCurvePrivateKey,
    certificate: x509.Certificate,
) -> None:
    """Hand the key to OpenSSL, which takes it from a path only."""
    password = secrets.token_bytes(24).hex().encode()
    pem = key.private_bytes(
        Encoding.PEM, PrivateFormat.PKCS8, BestAvailableEncryption(password)
    ) + certificate.public_bytes(Encoding.PEM)
    # The directory is 0700 and gone before anybody connects; what a crash in
    # between leaves behind is encrypted with a password nobody has.
    try:
        with tempfile.TemporaryDirectory(prefix="crapette-") as directory:
            path = Path(directory) / "link.pem"
            path.write_bytes(pem)
            context.load_cert_chain(path, password=password)
    except ssl.SSLError:
        raise
    except OSError as error:
        where = error.filename or "TMPDIR"
        raise storage_error("cannot-write", where, error) from error
