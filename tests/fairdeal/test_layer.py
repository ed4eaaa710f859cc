"""Layers: known answers, opening, and that the shuffle favours nobody."""

from __future__ import annotations

import hashlib
import hmac

import pytest

from crapette_p2p.fairdeal.dealer import lot_of
from crapette_p2p.fairdeal.layer import (
    Layer,
    context,
    derive_layer,
    opens,
    root_of,
)
from tests.helpers.known import Case, items, known_answers, number, raw

LAYERS = known_answers("layers")


def case_context(case: Case) -> bytes:
    """The place of a known layer."""
    return context(
        raw(case, "game_id"),
        number(case, "player"),
        number(case, "deck"),
        number(case, "candidate"),
    )


def case_layer(case: Case) -> Layer:
    """The derived layer of a known answer."""
    return derive_layer(raw(case, "seed"), case_context(case))


@pytest.mark.parametrize("case", LAYERS, ids=lambda c: str(c["candidate"]))
def test_layers_are_those_of_another_implementation(case: Case) -> None:
    """D17: permutation, salts, slot hashes and root of given seeds."""
    layer = case_layer(case)
    assert list(layer.perm) == case["perm"]
    slots = b"".join(bytes.fromhex(str(slot)) for slot in items(case, "slots"))
    assert layer.slots == slots
    assert layer.root == raw(case, "root")
    asked = [int(str(i)) for i in items(case, "salt_slots")]
    assert [layer.salts[i].hex() for i in asked] == case["salts"]


def test_the_answer_of_the_appendix() -> None:
    """protocol.md, appendix A: seed a5 x 32, player 0, deck 1, candidate 7."""
    ctx = context(bytes(range(32)), 0, 1, 7)
    layer = derive_layer(b"\xa5" * 32, ctx)
    assert list(layer.perm[:6]) == [18, 45, 32, 22, 15, 46]
    assert layer.slots[:4].hex() == "3a66d7b9"
    assert layer.slots[51 * 32 :].hex() == (
        "b0217cb3b30edb8342827fb9b58702a9312d4464ff66ffe2ccdba9ca8ddadc3c"
    )
    assert layer.root.hex() == (
        "a60ad8bd2f6aa3aa578a9c68fa3527d13fda85bea0d0345f13cdb3f36a039636"
    )


def test_the_lot_is_the_last_bit_of_the_beacon() -> None:
    """H over the game id and both REVEAL hashes; bit 0 of byte 31 counts."""
    seen = set()
    for n in range(64):
        game_id, four, five = bytes([n]) * 32, b"\x11" * 32, b"\x22" * 32
        text = b"crapette/1/beacon\0" + game_id + four + five
        bit = hashlib.sha256(text).digest()[31] % 2
        assert lot_of(game_id, four, five) == bit
        seen.add(bit)
    assert seen == {0, 1}
    assert lot_of(bytes(32), b"\x11" * 32, b"\x22" * 32) == 1


def test_salts_are_the_plain_hmac_of_the_text() -> None:
    """The unrolled HMAC gives what the standard library gives."""
    seed, ctx = b"\x07" * 32, context(b"\x01" * 32, 1, 0, 127)
    layer = derive_layer(seed, ctx)
    for i in (0, 25, 51):
        message = b"crapette/1/salt\0" + ctx + i.to_bytes(4)
        assert layer.salts[i] == hmac.digest(seed, message, "sha256")


NEEDS_A_THIRD_BLOCK = 40_448
"""The first seed whose shuffle rejects so often that 64 bytes are too few."""


def slow_permutation(seed: bytes, ctx: bytes) -> tuple[list[int], int]:
    """The shuffle as protocol.md 5 words it, and how many bytes it took."""
    perm, used, block = list(range(52)), 0, b""
    for i in range(51, 0, -1):
        m = i + 1
        while True:
            if used % 32 == 0:
                label = b"crapette/1/perm\0" + ctx + (used // 32).to_bytes(4)
                block = hmac.digest(seed, label, "sha256")
            x = block[used % 32]
            used += 1
            if x < 256 - 256 % m:
                break
        j = x % m
        perm[i], perm[j] = perm[j], perm[i]
    return perm, used


def test_the_shuffle_is_the_one_of_the_text_even_when_bytes_run_out() -> None:
    """Fisher-Yates with rejection; the stream goes on where two blocks end."""
    ctx = context(b"\x02" * 32, 0, 0, 0)
    for n in (*range(60), NEEDS_A_THIRD_BLOCK):
        seed = n.to_bytes(32)
        perm, used = slow_permutation(seed, ctx)
        assert list(derive_layer(seed, ctx).perm) == perm
    assert used > 64


def test_a_layer_opens_only_where_and_what_was_committed() -> None:
    """D5, D12: no other value, salt, index, player, deck, candidate or game."""
    game_id = b"\x03" * 32
    ctx = context(game_id, 0, 1, 5)
    layer = derive_layer(b"\x04" * 32, ctx)
    value, salt = layer.perm[9], layer.salts[9]
    assert opens(ctx, layer.slots, 9, value, salt)
    assert not opens(ctx, layer.slots, 9, (value + 1) % 52, salt)
    assert not opens(ctx, layer.slots, 9, value, layer.salts[8])
    assert not opens(ctx, layer.slots, 8, value, salt)
    for other in (
        context(game_id, 1, 1, 5),
        context(game_id, 0, 0, 5),
        context(game_id, 0, 1, 6),
        context(b"\x05" * 32, 0, 1, 5),
    ):
        assert not opens(other, layer.slots, 9, value, salt)
        assert root_of(other, layer.slots) != layer.root


@pytest.mark.slow
def test_cards_are_spread_evenly() -> None:
    """D18: card by position over many seeds, honest and with a constant layer."""
    count, ctx = 4_000, context(b"\x06" * 32, 0, 0, 0)
    honest = [[0] * 52 for _ in range(52)]
    cheated = [[0] * 52 for _ in range(52)]
    constant = derive_layer(b"\x08" * 32, ctx).perm
    for n in range(count):
        perm = derive_layer(n.to_bytes(32), ctx).perm
        for position, value in enumerate(perm):
            honest[position][value] += 1
            cheated[position][perm[constant[position]]] += 1
    for table in (honest, cheated):
        expected = count / 52
        chi2 = sum((n - expected) ** 2 / expected for row in table for n in row)
        # 51 * 51 = 2,601 degrees of freedom, standard deviation 72.
        assert 2_601 - 5 * 72 < chi2 < 2_601 + 5 * 72
