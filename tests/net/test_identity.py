"""The key file: made once, private, never replaced, refused with a reason."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ec import (
    SECP256R1,
    generate_private_key,
)
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
)

from crapette_p2p.net.crypto import verify
from crapette_p2p.net.failures import StorageError
from crapette_p2p.net.identity import (
    export_identity,
    import_identity,
    load_identity,
    load_or_create_identity,
    throwaway_identity,
)
from tests.net.faults import FailingDisk


def failure_code(error: pytest.ExceptionInfo[StorageError]) -> str:
    """The stable code of a storage error, after a look at the path in it."""
    assert error.value.failure.facts["path"]
    return error.value.failure.code


def test_key_is_made_once_and_kept(tmp_path: Path) -> None:
    """The second start has the same key, and it signs."""
    path = tmp_path / "data" / "identity.key"
    first = load_or_create_identity(path)
    second = load_or_create_identity(path)
    assert first.public == second.public
    assert verify(first.public, second.sign(b"hello"), b"hello")


def test_key_file_is_private(tmp_path: Path) -> None:
    """0600, in a directory of 0700, and nothing beside it."""
    path = tmp_path / "data" / "identity.key"
    load_or_create_identity(path)
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.parent.stat().st_mode & 0o777 == 0o700
    assert list(path.parent.iterdir()) == [path]


def test_a_lost_race_keeps_the_other_key(tmp_path: Path) -> None:
    """A file that appears while ours is made is taken, not replaced."""
    path = tmp_path / "identity.key"

    class SlowDisk(FailingDisk):
        def write(self, fd: int, data: bytes) -> None:
            if not path.exists():
                winner.append(load_or_create_identity(path).public)
            super().write(fd, data)

    winner: list[bytes] = []
    loser = load_or_create_identity(path, SlowDisk("never", 0))
    assert loser.public == winner[0]


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o666])
def test_file_open_to_others_is_refused(tmp_path: Path, mode: int) -> None:
    """A key others can read is refused, and left as it is."""
    path = tmp_path / "identity.key"
    load_or_create_identity(path)
    path.chmod(mode)
    with pytest.raises(StorageError) as error:
        load_or_create_identity(path)
    assert failure_code(error) == "key-open-to-others"
    assert error.value.failure.facts["reason"] == format(mode, "04o")


@pytest.mark.parametrize(
    "content", [b"", b"garbage", b"-----BEGIN PRIVATE KEY-----\n", b"x" * 10_000]
)
def test_file_without_a_key_is_refused(tmp_path: Path, content: bytes) -> None:
    """Something else in the key's place is refused and not overwritten."""
    path = tmp_path / "identity.key"
    path.write_bytes(content)
    path.chmod(0o600)
    with pytest.raises(StorageError) as error:
        load_or_create_identity(path)
    assert failure_code(error) == "key-no-key"
    assert path.read_bytes() == content


def test_another_kind_of_key_is_refused(tmp_path: Path) -> None:
    """A good PEM of another algorithm is no identity."""
    path = tmp_path / "identity.key"
    key = generate_private_key(SECP256R1())
    path.write_bytes(
        key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    )
    path.chmod(0o600)
    with pytest.raises(StorageError) as error:
        load_identity(path)
    assert failure_code(error) == "key-no-key"


def test_symlink_and_fifo_are_refused(tmp_path: Path) -> None:
    """Only a regular file is read, and a FIFO does not hold us up."""
    real = tmp_path / "real.key"
    load_or_create_identity(real)
    link, fifo = tmp_path / "link.key", tmp_path / "fifo.key"
    link.symlink_to(real)
    os.mkfifo(fifo, 0o600)
    for path in (link, fifo, tmp_path):
        with pytest.raises(StorageError) as error:
            load_or_create_identity(path)
        assert failure_code(error) == "key-unreadable"


def test_foreign_owner_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A key file that belongs to another user is not used."""
    path = tmp_path / "identity.key"
    load_or_create_identity(path)
    monkeypatch.setattr(os, "geteuid", lambda: path.stat().st_uid + 1)
    with pytest.raises(StorageError) as error:
        load_identity(path)
    assert failure_code(error) == "key-foreign"


@pytest.mark.parametrize("call", ["write", "sync"])
def test_a_full_disk_leaves_no_half_key(tmp_path: Path, call: str) -> None:
    """When the key cannot be stored there is no file, and the error says why."""
    path = tmp_path / "identity.key"
    with pytest.raises(StorageError) as error:
        load_or_create_identity(path, FailingDisk(call, 0))
    assert failure_code(error) == "cannot-write"
    assert list(tmp_path.iterdir()) == []


def test_data_directory_that_is_a_file(tmp_path: Path) -> None:
    """A file in the directory's place is named in the error."""
    (tmp_path / "data").write_text("in the way")
    with pytest.raises(StorageError) as error:
        load_or_create_identity(tmp_path / "data" / "identity.key")
    assert failure_code(error) in {"cannot-make", "cannot-write", "key-unreadable"}


def test_export_and_import_carry_the_key(tmp_path: Path) -> None:
    """An exported key imported elsewhere is the same person."""
    source, copy = tmp_path / "a" / "identity.key", tmp_path / "copy.key"
    mine = load_or_create_identity(source)
    export_identity(source, copy)
    assert copy.stat().st_mode & 0o777 == 0o600
    copy.chmod(0o644)  # a copy from a stick has whatever mode it has
    moved = import_identity(copy.read_bytes(), copy, tmp_path / "b" / "identity.key")
    assert moved.public == mine.public


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    """Export and import refuse a target that exists."""
    path, other = tmp_path / "identity.key", tmp_path / "other.key"
    load_or_create_identity(path)
    load_or_create_identity(other)
    before = path.read_bytes()
    with pytest.raises(StorageError) as error:
        import_identity(other.read_bytes(), other, path)
    assert failure_code(error) == "key-exists"
    with pytest.raises(StorageError) as error:
        export_identity(other, path)
    assert failure_code(error) == "file-exists"
    assert path.read_bytes() == before


def test_throwaway_keys_differ() -> None:
    """A key made for the occasion is new each time and kept nowhere."""
    first, second = throwaway_identity(), throwaway_identity()
    assert first.public != second.public
    assert first.path is None
    assert "sign" not in repr(first)
