"""What tests remember is what would be computed."""

from __future__ import annotations

from typing import cast

from crapette_p2p.fairdeal import dealer, layer
from crapette_p2p.net import crypto
from crapette_p2p.net.crypto import signer


def test_a_layer_is_derived_once() -> None:
    """Wherever it is asked for; what was remembered is the function's own answer."""
    assert vars(dealer)["derive_layer"] is layer.derive_layer
    first = layer.derive_layer(b"\x01" * 32, b"\x02" * 36)
    assert layer.derive_layer(b"\x01" * 32, b"\x02" * 36) is first
    bare = vars(layer.derive_layer)["__wrapped__"]
    assert bare(b"\x01" * 32, b"\x02" * 36) == first


def test_a_verdict_on_a_signature_is_its_own() -> None:
    """Another byte anywhere is another question; a view has its answer, too."""
    public, sign = signer(b"\x03" * 32)
    message = b"a move"
    good = sign(message)
    views = [cast("bytes", bytearray(data)) for data in (public, good, message)]
    for _ in range(2):
        assert crypto.verify(public, good, message)
        assert crypto.verify(*views)
        assert not crypto.verify(public, good, b"another move")
        assert not crypto.verify(public, bytes([good[0] ^ 1]) + good[1:], message)
        assert not crypto.verify(bytes([public[0] ^ 1]) + public[1:], good, message)
