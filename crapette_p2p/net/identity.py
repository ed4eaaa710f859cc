"""Who we are: one Ed25519 key in a file that nobody else can read.

The key is a person's only name on the network, so the file is never replaced:
it is created whole or not at all, and a file that is not ours, that others can
read or that holds something else is refused with the reason, never repaired.
The format is unencrypted PKCS #8 PEM, which ``openssl`` and others can read.
"""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)

from crapette_p2p.net import sources
from crapette_p2p.net.crypto import Sign, public_of
from crapette_p2p.net.failures import storage_error
from crapette_p2p.net.files import (
    REAL_DISK,
    Disk,
    create_file,
    open_regular,
    read_all,
)

_LIMIT: Final = 4096
_OTHERS: Final = 0o077


@dataclass(frozen=True, slots=True)
class Identity:
    """A key that can sign; the secret half never leaves this object."""

    public: bytes
    """The 32 raw bytes others know us by."""
    sign: Sign = field(repr=False, compare=False)
    """Sign a message with the secret half."""
    path: Path | None = None
    """Where the key is kept; None for one made for the occasion."""


def throwaway_identity() -> Identity:
    """A fresh key that is kept nowhere: for a bot that plays its own user."""
    private = _new_key()
    return Identity(public_of(private), private.sign)


def load_identity(path: Path) -> Identity:
    """The key in ``path``; raise StorageError with the reason it is refused."""
    private = _parse(path, _read_pem(path))
    return Identity(public_of(private), private.sign, path)


def load_or_create_identity(path: Path, disk: Disk = REAL_DISK) -> Identity:
    """The key in ``path``, made on first use.

    Two processes that start together end with the same key.
    """
    if not os.path.lexists(path):
        private = _new_key()
        create_file(path, _pem(private), disk)
    return load_identity(path)


def _new_key() -> Ed25519PrivateKey:
    """RFC 8032, 5.1.5: a secret key is 32 random bytes."""
    return Ed25519PrivateKey.from_private_bytes(sources.entropy()(32))


def export_identity(path: Path, target: Path, disk: Disk = REAL_DISK) -> None:
    """Copy the key to ``target``, 0600; an existing file is refused."""
    pem = _read_pem(path)
    _parse(path, pem)
    if not create_file(target, pem, disk):
        raise storage_error("file-exists", target)


def import_identity(
    pem: bytes, source: Path, path: Path, disk: Disk = REAL_DISK
) -> Identity:
    """Make the key that ``source`` holds ours; one that is already there is refused."""
    private = _parse(source, pem, "import-no-key")
    if not create_file(path, _pem(private), disk):
        raise storage_error("key-exists", path)
    return load_identity(path)


def _read_pem(path: Path) -> bytes:
    """The bytes of our own key file, which has to be private to its owner."""
    try:
        fd = open_regular(path)
    except OSError as error:
        raise storage_error("key-unreadable", path, error) from error
    try:
        _check_owner(path, os.fstat(fd))
        return read_all(fd, _LIMIT)
    except OSError as error:
        raise storage_error("key-unreadable", path, error) from error
    finally:
        os.close(fd)


def _check_owner(path: Path, status: os.stat_result) -> None:
    if os.name != "posix":
        return  # the profile directory's own access list guards it there
    if status.st_uid != os.geteuid():
        raise storage_error("key-foreign", path, f"uid {status.st_uid}")
    if status.st_mode & _OTHERS:
        mode = format(stat.S_IMODE(status.st_mode), "04o")
        raise storage_error("key-open-to-others", path, mode)


def _parse(path: Path, pem: bytes, refusal: str = "key-no-key") -> Ed25519PrivateKey:
    """The key in ``pem``; ``refusal`` is the code of a file that holds none."""
    if not pem:
        raise storage_error(refusal, path, "an empty file")
    if len(pem) > _LIMIT:
        raise storage_error(refusal, path, "too long")
    try:
        private = load_pem_private_key(pem, password=None)
    except ValueError as error:
        raise storage_error(refusal, path, "another kind of file") from error
    except (TypeError, UnsupportedAlgorithm) as error:  # TypeError: encrypted
        raise storage_error(refusal, path, "another kind of key") from error
    if not isinstance(private, Ed25519PrivateKey):
        raise storage_error(refusal, path, "another kind of key")
    return private


def _pem(private: Ed25519PrivateKey) -> bytes:
    return private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
