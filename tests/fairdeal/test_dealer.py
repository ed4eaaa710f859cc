"""The public state of a deal: what is refused with which code."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace

import pytest

from crapette_p2p.fairdeal import dealer
from crapette_p2p.fairdeal.dealer import Deal, Opening
from crapette_p2p.fairdeal.layer import Layer, context, derive_layer, root_of

GAME = b"\x09" * 32
K = 4


def seed_of(player: int, deck: int, candidate: int) -> bytes:
    """A fixed seed for each candidate."""
    return bytes([player, deck, candidate]) * 10 + b"\0\0"


def layer_of(player: int, deck: int, candidate: int, game: bytes = GAME) -> Layer:
    """The layer of a candidate."""
    ctx = context(game, player, deck, candidate)
    return derive_layer(seed_of(player, deck, candidate), ctx)


def roots_of(player: int, game: bytes = GAME) -> tuple[bytes, bytes]:
    """What ``player`` commits to."""
    first, second = (
        b"".join(layer_of(player, deck, c, game).root for c in range(K))
        for deck in (0, 1)
    )
    return first, second


@dataclass(frozen=True)
class Reveal:
    """The body of a REVEAL."""

    seeds: tuple[bytes, bytes]
    slots: tuple[bytes, bytes]


def reveal_of(deal: Deal, player: int) -> Reveal:
    """What ``player`` has to reveal."""
    kept = [deal.kept(player, deck) for deck in (0, 1)]
    seeds = [
        b"".join(seed_of(player, d, c) for c in range(K) if c != kept[d])
        for d in (0, 1)
    ]
    slots = [layer_of(player, d, kept[d]).slots for d in (0, 1)]
    return Reveal((seeds[0], seeds[1]), (slots[0], slots[1]))


@pytest.fixture
def challenged() -> Deal:
    """A deal whose candidates are committed and challenged."""
    deal = Deal(GAME, K)
    for player in (0, 1):
        assert dealer.commit_problem(deal, roots_of(player)) is None
        deal = dealer.commit(deal, roots_of(player))
    return dealer.challenge(dealer.challenge(deal, (2, 0)), (1, 3))


@pytest.fixture
def dealt(challenged: Deal) -> Deal:
    """A deal that is ready for openings."""
    deal = challenged
    for player in (0, 1):
        deal = dealer.reveal(deal, reveal_of(deal, player).slots)
    return deal


def test_a_challenge_binds_the_other_player(challenged: Deal) -> None:
    """Role 0's pair says what role 1 keeps, and the other way round."""
    assert [challenged.kept(1, deck) for deck in (0, 1)] == [2, 0]
    assert [challenged.kept(0, deck) for deck in (0, 1)] == [1, 3]


def test_mirrored_and_repeated_roots_are_refused() -> None:
    """D5, 304: no root stands twice, neither the other's nor one's own."""
    mine, deal = roots_of(0), Deal(GAME, K)
    assert dealer.commit_problem(deal, (mine[0], mine[0])) == 304
    assert dealer.commit_problem(deal, (mine[0][:32] * K, mine[1])) == 304
    deal = dealer.commit(deal, mine)
    assert dealer.commit_problem(deal, mine) == 304
    theirs = roots_of(1)
    copied = (theirs[0][:-32] + mine[1][:32], theirs[1])
    assert dealer.commit_problem(deal, copied) == 304
    assert dealer.commit_problem(deal, theirs) is None


@pytest.mark.parametrize("player", [0, 1])
def test_an_honest_reveal_is_taken(challenged: Deal, player: int) -> None:
    """All candidates but the kept one re-derive, in ascending order."""
    made = reveal_of(challenged, player)
    assert dealer.reveal_problem(challenged, player, made.seeds, made.slots) is None


def test_a_wrong_reveal_is_refused(challenged: Deal) -> None:
    """D1, D2, D3, D6, D7: seeds or slots that are not the committed ones."""
    good = reveal_of(challenged, 0)
    flipped = bytes([good.seeds[1][0] ^ 1]) + good.seeds[1][1:]
    swapped = good.seeds[0][32:64] + good.seeds[0][:32] + good.seeds[0][64:]
    slots = bytes([good.slots[0][0] ^ 1]) + good.slots[0][1:]
    old = layer_of(0, 0, challenged.kept(0, 0), game=b"\x0a" * 32).slots
    for bad in (
        replace(good, seeds=(good.seeds[0], flipped)),
        replace(good, seeds=(swapped, good.seeds[1])),
        replace(good, seeds=(good.seeds[1], good.seeds[0])),
        replace(good, slots=(slots, good.slots[1])),
        replace(good, slots=(good.slots[1], good.slots[0])),
        replace(good, slots=(old, good.slots[1])),
    ):
        assert dealer.reveal_problem(challenged, 0, bad.seeds, bad.slots) == 302


def test_a_candidate_with_duplicates_cannot_be_revealed(challenged: Deal) -> None:
    """D3: no seed gives a layer that is no permutation, so it fails as 302."""
    ctx = context(GAME, 0, 0, 0)
    rigged = root_of(ctx, bytes(52 * 32))
    roots = rigged + challenged.roots[0][32:]
    deal = replace(challenged, roots=(roots, *challenged.roots[1:]))
    made = reveal_of(deal, 0)
    assert dealer.reveal_problem(deal, 0, made.seeds, made.slots) == 302


def opening(player: int, deck: int, kept: int, at: int) -> Opening:
    """An honest line of an opening."""
    layer = layer_of(player, deck, kept)
    return Opening(at, layer.perm[at], layer.salts[at])


def test_openings_name_a_slot_and_then_the_card(dealt: Deal) -> None:
    """The non-owner's layer names a slot, the owner's layer its card."""
    for deck in (0, 1):
        other = 1 - deck
        first = opening(other, deck, dealt.kept(other, deck), 12)
        assert dealer.first_half_problem(dealt, deck, (first,)) is None
        second = opening(deck, deck, dealt.kept(deck, deck), first.value)
        assert dealer.second_half_problem(dealt, deck, (second,)) is None
        card = layer_of(deck, deck, dealt.kept(deck, deck)).perm[
            layer_of(other, deck, dealt.kept(other, deck)).perm[12]
        ]
        assert second.value == card


def test_wrong_openings_are_refused(dealt: Deal) -> None:
    """D12, 405: wrong value, wrong salt, the salt of another slot."""
    good = opening(1, 0, dealt.kept(1, 0), 12)
    salt = layer_of(1, 0, dealt.kept(1, 0)).salts[13]
    for bad in (
        good._replace(value=(good.value + 1) % 52),
        good._replace(salt=salt),
        good._replace(salt=bytes(32)),
        good._replace(at=13),
        opening(0, 0, dealt.kept(0, 0), 12),
        opening(1, 1, dealt.kept(1, 1), 12),
        opening(1, 0, 0, 12),
    ):
        assert dealer.first_half_problem(dealt, 0, (bad,)) == 405
        assert dealer.first_half_problem(dealt, 0, (good, bad)) == 405


def test_a_card_or_slot_shown_twice_is_refused(dealt: Deal) -> None:
    """D4, 406: a layer that is no permutation shows itself sooner or later."""
    ctx = context(GAME, 0, 0, dealt.kept(0, 0))
    salts = [bytes([i]) * 32 for i in range(52)]
    rigged = rigged_slots(ctx, [7] * 52, salts)
    deal = replace(dealt, slots=(rigged, *dealt.slots[1:]))
    first, again = Opening(3, 7, salts[3]), Opening(4, 7, salts[4])
    assert dealer.second_half_problem(deal, 0, (first,)) is None
    assert dealer.second_half_problem(deal, 0, (first, again)) == 406
    deal = dealer.second_half(deal, 0, (first,))
    assert dealer.second_half_problem(deal, 0, (again,)) == 406
    # The other deck has its own seven.
    assert deal.used_cards == (1 << 7, 0)


def rigged_slots(ctx: bytes, values: list[int], salts: list[bytes]) -> bytes:
    """Slot hashes of an arbitrary layer."""
    return b"".join(
        hashlib.sha256(b"crapette/1/slot\0" + ctx + bytes([i, v]) + s).digest()
        for i, (v, s) in enumerate(zip(values, salts, strict=True))
    )


def test_the_audit_wants_the_kept_seeds(dealt: Deal) -> None:
    """E1, 408: a wrong seed, another candidate's, or a layer that no seed makes."""
    kept = [dealt.kept(0, deck) for deck in (0, 1)]
    seeds = (seed_of(0, 0, kept[0]), seed_of(0, 1, kept[1]))
    assert dealer.audit_problem(dealt, 0, seeds) is None
    assert dealer.audit_problem(dealt, 0, (bytes(32), seeds[1])) == 408
    assert dealer.audit_problem(dealt, 0, (seeds[0], seed_of(0, 1, 0))) == 408
    assert dealer.audit_problem(dealt, 0, (seeds[1], seeds[0])) == 408
    assert dealer.audit_problem(dealt, 1, seeds) == 408
    rigged = root_of(context(GAME, 0, 0, kept[0]), bytes(52 * 32))
    roots = bytearray(dealt.roots[0])
    roots[32 * kept[0] : 32 * kept[0] + 32] = rigged
    deal = replace(dealt, roots=(bytes(roots), *dealt.roots[1:]))
    assert dealer.audit_problem(deal, 0, seeds) == 408


@pytest.mark.parametrize(
    ("size", "positions"),
    [
        (11, (10, 11, 12, 13, 14)),
        (12, (11, 12, 13, 14, 15)),
        (13, (12, 13, 14, 15, 16)),
    ],
)
def test_the_lay_out_opens_five_positions(
    size: int, positions: tuple[int, ...]
) -> None:
    """The reserve's top and the four columns, in the order of the deal."""
    assert dealer.lay_out_positions(size) == positions


def test_a_full_deck_is_both_layers_one_after_the_other() -> None:
    """After the audits every hidden card can be shown."""
    first, second = layer_of(1, 0, 0).perm, layer_of(0, 0, 0).perm
    deck = dealer.full_deck(first, second)
    assert sorted(deck) == list(range(52))
    assert deck[40] == second[first[40]]
