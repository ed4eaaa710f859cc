"""The pipe: TLS 1.3, a certificate per process, pinned by its digest."""

from __future__ import annotations

import ssl
import tempfile
from pathlib import Path

import pytest

from crapette_p2p.net.failures import StorageError
from crapette_p2p.net.tls import make_client_context, make_server_tls, peer_digest


def shake(
    server: ssl.SSLContext, client: ssl.SSLContext
) -> tuple[ssl.SSLObject, ssl.SSLObject]:
    """Run a handshake in memory; raises what either side raises."""
    to_server, to_client = ssl.MemoryBIO(), ssl.MemoryBIO()
    dialler = client.wrap_bio(to_client, to_server)
    listener = server.wrap_bio(to_server, to_client, server_side=True)
    waiting = [dialler, listener]
    while waiting:
        for side in tuple(waiting):
            try:
                side.do_handshake()
            except ssl.SSLWantReadError:
                continue
            waiting.remove(side)
    return listener, dialler


def test_the_dialler_sees_the_listeners_digest() -> None:
    """Both ends agree on the digest that HOST's signature covers."""
    tls = make_server_tls()
    _, dialler = shake(tls.context, make_client_context())
    assert peer_digest(dialler) == tls.digest
    assert dialler.version() == "TLSv1.3"


def test_without_a_place_for_a_temporary_file_the_reason_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A full or missing /tmp is no fault of the program."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "gone"))
    with pytest.raises(StorageError) as caught:
        make_server_tls()
    assert caught.value.failure.code == "cannot-write"
    assert str(tmp_path) in caught.value.failure.facts["path"]


def test_each_certificate_is_new() -> None:
    """A digest is never met again, so an old login cannot be replayed."""
    assert make_server_tls().digest != make_server_tls().digest


def test_sessions_are_not_resumed() -> None:
    """The listener gives out no tickets."""
    assert make_server_tls().context.num_tickets == 0


@pytest.mark.filterwarnings("ignore:ssl.TLSVersion.TLSv1_2:DeprecationWarning")
def test_older_tls_is_refused() -> None:
    """A client that speaks TLS 1.2 at most does not get through, and vice versa."""
    old_client = make_client_context()
    old_client.minimum_version = ssl.TLSVersion.TLSv1_2
    old_client.maximum_version = ssl.TLSVersion.TLSv1_2
    with pytest.raises(ssl.SSLError):
        shake(make_server_tls().context, old_client)
    old_server = make_server_tls().context
    old_server.minimum_version = ssl.TLSVersion.TLSv1_2
    old_server.maximum_version = ssl.TLSVersion.TLSv1_2
    with pytest.raises(ssl.SSLError):
        shake(old_server, make_client_context())


def test_nothing_is_left_on_the_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The key passes through a file, which is gone when the context is made."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    make_server_tls()
    assert list(tmp_path.iterdir()) == []
