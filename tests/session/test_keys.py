"""Keys that are refused, and how a key is named."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from crapette_p2p.session.keys import (
    SMALL_ORDER,
    fingerprint,
    format_fingerprint,
    is_expected,
    is_weak_key,
    parse_fingerprint,
)
from tests.helpers.keys import key_of

KNOWN = json.loads(
    (Path(__file__).parents[2] / "tests/helpers/known_answers.json").read_text()
)
PRIME = 2**255 - 19


@pytest.mark.parametrize("case", KNOWN["fingerprint"])
def test_fingerprints_are_the_known_ones(case: dict[str, str]) -> None:
    """Ten bytes of the tagged hash of the key."""
    assert fingerprint(bytes.fromhex(case["public"])).hex() == case["fp"]


@pytest.mark.parametrize("key", sorted(SMALL_ORDER))
def test_every_small_order_key_is_weak(key: bytes) -> None:
    """A6: the fourteen encodings of appendix B."""
    assert is_weak_key(key)


def test_every_key_with_a_too_large_y_is_weak() -> None:
    """P19: 2^255-19 to 2^255-1, with either sign bit."""
    for y in range(PRIME, 2**255):
        for sign in (0, 1):
            assert is_weak_key((y | sign << 255).to_bytes(32, "little"))
    assert not is_weak_key((PRIME - 2).to_bytes(32, "little"))
    assert len(SMALL_ORDER) == 14


def test_an_ordinary_key_is_not_weak() -> None:
    """Keys as the program makes them pass."""
    assert not is_weak_key(key_of("Ala").public)


@pytest.mark.parametrize(
    "change", [str, str.lower, lambda t: t.replace("-", ""), lambda t: f" {t} "]
)
def test_a_fingerprint_is_read_however_it_is_typed(change: object) -> None:
    """Case, dashes and blanks do not matter; it comes back as it was."""
    fp = fingerprint(key_of("Ala").public)
    text = format_fingerprint(fp)
    assert len(text) == 19
    assert callable(change)
    assert parse_fingerprint(change(text)) == fp


@pytest.mark.parametrize("text", ["", "3F2A", "U" * 16, "0" * 17, "é" * 16])
def test_what_is_no_fingerprint_is_refused(text: str) -> None:
    """Wrong length or letters give None."""
    assert parse_fingerprint(text) is None


def test_a_pin_is_a_fingerprint_or_a_whole_key() -> None:
    """Both name the key, and no other one."""
    ala, olek = key_of("Ala").public, key_of("Olek").public
    assert is_expected(ala, fingerprint(ala))
    assert is_expected(ala, ala)
    assert not is_expected(olek, fingerprint(ala))
    assert not is_expected(olek, ala)
