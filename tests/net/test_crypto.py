"""Signatures: stricter than the library where it is lax."""

from __future__ import annotations

import pytest

from crapette_p2p.net.crypto import signer, verify

L = 2**252 + 27742317777372353535851937790883648493
"""The order of the base point."""


def test_known_answer() -> None:
    """A secret of 01 x 32 has the published public key and signature."""
    public, sign = signer(b"\x01" * 32)
    assert public.hex() == (
        "8a88e3dd7409f195fd52db2d3cba5d72ca6709bf1d94121bf3748801b40f6f5c"
    )
    digest = bytes.fromhex(
        "24c68a074859880cbf00151fd2c9f30fc02458d5c4dc2e7352dd6ce3da44a36f"
    )
    assert sign(b"crapette/1/sig-event\0" + digest).hex() == (
        "015e2b8fa55f3b4225e59e6bc8335f8dff9352624b36975bd5071c66cf65d2a8"
        "f0af28d2e88db65a83cb9e9a19199c9b791ae8530d7b5a441dfb1ea02335280b"
    )


def test_a_signature_fits_one_key_and_message() -> None:
    """Another message, key or bit of the signature does not verify."""
    public, sign = signer(b"\x01" * 32)
    other, _ = signer(b"\x02" * 32)
    good = sign(b"message")
    assert verify(public, good, b"message")
    assert not verify(public, good, b"messagf")
    assert not verify(other, good, b"message")
    flipped = bytes([good[0] ^ 1]) + good[1:]
    assert not verify(public, flipped, b"message")


@pytest.mark.parametrize("size", [0, 1, 31, 33, 63, 65, 1000])
def test_wrong_sizes_are_just_wrong(size: int) -> None:
    """Keys and signatures of any length give False, never an exception."""
    public, sign = signer(b"\x01" * 32)
    assert not verify(public, b"\x00" * size, b"m")
    if size != 32:
        assert not verify(b"\x01" * size, sign(b"m"), b"m")


def test_s_plus_order_is_refused() -> None:
    """The other spelling of a signature (S + L) is no signature."""
    public, sign = signer(b"\x03" * 32)
    good = sign(b"m")
    s = int.from_bytes(good[32:], "little") + L
    assert not verify(public, good[:32] + s.to_bytes(32, "little"), b"m")


@pytest.mark.parametrize(
    "text",
    [
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
        *(f"{n:02x}" + "ff" * 30 + "7f" for n in range(0xED, 0x100)),
        *(f"{n:02x}" + "ff" * 31 for n in range(0xED, 0x100)),
    ],
)
def test_weak_and_doubly_named_keys_sign_nothing(text: str) -> None:
    """Under a small-order key S = 0 would fit most messages; here it fits none."""
    key = bytes.fromhex(text)
    for r in (b"\x01" + b"\x00" * 31, key):
        for n in range(20):
            assert not verify(key, r + b"\x00" * 32, bytes([n]))


def test_keys_that_are_no_points() -> None:
    """Bytes that name no point of the curve verify nothing."""
    _, sign = signer(b"\x01" * 32)
    assert not verify(b"\x02" + b"\x00" * 31, sign(b"m"), b"m")
