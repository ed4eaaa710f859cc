"""The public state of a fair deal: commitments, openings, audit, blame.

Theory of operation. Both players commit to K candidates of a layer for each deck
(COMMIT), each picks which candidate the other has to keep (CHALLENGE), all others
are opened and re-derived (REVEAL): a cheat survives that with 1/K. After it a
position of deck d is opened in two halves: the non-owner opens his layer there
and so names a slot (OPEN_A), then the owner opens that slot of his own layer
(OPEN_B), which is the card. At the end both seeds are opened and the kept layers
re-derived (AUDIT). protocol.md 5; 12, P12, P20; threats.md 1.2-1.6.

``*_problem`` functions judge what has the right shape: 302, 304, 405, 406, 408,
or None. Shapes and turns are the caller's. A ``Deal`` is immutable.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from crapette_p2p.fairdeal.layer import (
    HASH_SIZE,
    SEED_SIZE,
    SLOTS,
    context,
    derive_layer,
    opens,
    root_of,
)

BAD_REVEAL: Final = 302
DUPLICATE_ROOT: Final = 304
BAD_OPENING: Final = 405
DUPLICATE_CARD: Final = 406
BAD_AUDIT: Final = 408

_BEACON_TAG: Final = b"crapette/1/beacon\0"


class Opening(NamedTuple):
    """One line of OPEN_A (position, value) or OPEN_B (slot, card)."""

    at: int
    """Where the layer is opened: a deal position, a slot of the owner's layer."""
    value: int
    """What lies there: a slot of the owner's layer, a card."""
    salt: bytes


@dataclass(frozen=True, slots=True)
class Deal:
    """What both players know of the four layers."""

    game_id: bytes
    k: int
    roots: tuple[bytes, ...] = ()
    """Joined roots of the candidates by 2 * player + deck, as committed."""
    challenges: tuple[int, ...] = ()
    """Role 0's pair (the candidates role 1 keeps), then role 1's pair."""
    slots: tuple[bytes, ...] = ()
    """Slot hashes of the kept candidates by 2 * player + deck."""
    used_slots: tuple[int, int] = (0, 0)
    """Bit mask of the slots that OPEN_A has named, per deck."""
    used_cards: tuple[int, int] = (0, 0)
    """Bit mask of the cards that OPEN_B has shown, per deck."""

    def kept(self, player: int, deck: int) -> int:
        """The candidate ``player`` had to keep for ``deck``."""
        return self.challenges[2 * (1 - player) + deck]

    def root(self, player: int, deck: int) -> bytes:
        """The root of the kept candidate."""
        return _root_at(self.roots[2 * player + deck], self.kept(player, deck))


def _root_at(roots: bytes, candidate: int) -> bytes:
    return roots[HASH_SIZE * candidate : HASH_SIZE * (candidate + 1)]


def commit_problem(deal: Deal, roots: tuple[bytes, bytes]) -> int | None:
    """Refuse a root that stands anywhere twice (mirrored commitments)."""
    joined = b"".join((*deal.roots, *roots))
    single = {joined[i : i + HASH_SIZE] for i in range(0, len(joined), HASH_SIZE)}
    return DUPLICATE_ROOT if HASH_SIZE * len(single) < len(joined) else None


def commit(deal: Deal, roots: tuple[bytes, bytes]) -> Deal:
    """Take the roots of the next player."""
    return replace(deal, roots=deal.roots + roots)


def challenge(deal: Deal, kept: tuple[int, int]) -> Deal:
    """Take which candidates the next player makes the other keep."""
    return replace(deal, challenges=deal.challenges + kept)


def reveal_problem(
    deal: Deal, player: int, seeds: tuple[bytes, bytes], slots: tuple[bytes, bytes]
) -> int | None:
    """Re-derive every opened candidate of ``player``: 2(K-1) layers."""
    for deck in (0, 1):
        kept = deal.kept(player, deck)
        if root_of(context(deal.game_id, player, deck, kept), slots[deck]) != (
            deal.root(player, deck)
        ):
            return BAD_REVEAL
    for deck in (0, 1):
        kept, roots = deal.kept(player, deck), deal.roots[2 * player + deck]
        others = [c for c in range(deal.k) if c != kept]
        for number, candidate in enumerate(others):
            seed = seeds[deck][SEED_SIZE * number : SEED_SIZE * (number + 1)]
            ctx = context(deal.game_id, player, deck, candidate)
            if derive_layer(seed, ctx).root != _root_at(roots, candidate):
                return BAD_REVEAL
    return None


def reveal(deal: Deal, slots: tuple[bytes, bytes]) -> Deal:
    """Take the slot hashes of the next player's kept candidates."""
    return replace(deal, slots=deal.slots + slots)


def first_half_problem(
    deal: Deal, deck: int, openings: tuple[Opening, ...]
) -> int | None:
    """Judge OPEN_A: the non-owner's layer of ``deck``."""
    player = 1 - deck
    return _opening_problem(deal, player, deck, openings, deal.used_slots[deck])


def second_half_problem(
    deal: Deal, deck: int, openings: tuple[Opening, ...]
) -> int | None:
    """Judge OPEN_B: the owner's layer of ``deck``."""
    return _opening_problem(deal, deck, deck, openings, deal.used_cards[deck])


def _opening_problem(
    deal: Deal, player: int, deck: int, openings: tuple[Opening, ...], used: int
) -> int | None:
    ctx = context(deal.game_id, player, deck, deal.kept(player, deck))
    slots = deal.slots[2 * player + deck]
    for at, value, salt in openings:
        if not opens(ctx, slots, at, value, salt):
            return BAD_OPENING
    for _, value, _ in openings:
        if used >> value & 1:
            return DUPLICATE_CARD
        used |= 1 << value
    return None


def first_half(deal: Deal, deck: int, openings: tuple[Opening, ...]) -> Deal:
    """Remember the slots that OPEN_A named."""
    return replace(deal, used_slots=_marked(deal.used_slots, deck, openings))


def second_half(deal: Deal, deck: int, openings: tuple[Opening, ...]) -> Deal:
    """Remember the cards that OPEN_B showed."""
    return replace(deal, used_cards=_marked(deal.used_cards, deck, openings))


def _marked(
    masks: tuple[int, int], deck: int, openings: tuple[Opening, ...]
) -> tuple[int, int]:
    mask = masks[deck]
    for opening in openings:
        mask |= 1 << opening.value
    return (mask, masks[1]) if deck == 0 else (masks[0], mask)


def audit_problem(deal: Deal, player: int, seeds: tuple[bytes, bytes]) -> int | None:
    """Re-derive both kept layers of ``player`` from the seeds he opens at the end.

    A derived layer is a permutation, so an equal root is all there is to check.
    """
    for deck in (0, 1):
        ctx = context(deal.game_id, player, deck, deal.kept(player, deck))
        if derive_layer(seeds[deck], ctx).root != deal.root(player, deck):
            return BAD_AUDIT
    return None


def lay_out_positions(reserve_size: int) -> tuple[int, ...]:
    """The deal positions that are opened first: reserve top and four columns."""
    return tuple(range(reserve_size - 1, reserve_size + 4))


def lot_of(game_id: bytes, first_reveal: bytes, second_reveal: bytes) -> int:
    """The shared bit that decides a tie of the starting cards."""
    made = hashlib.sha256(_BEACON_TAG + game_id + first_reveal + second_reveal)
    return made.digest()[-1] & 1


def full_deck(first: bytes, second: bytes) -> bytes:
    """The 52 cards by deal position, from both layers after the audit."""
    return bytes(second[first[position]] for position in range(SLOTS))
