"""A player who commits to layers that are no permutations."""

from __future__ import annotations

import hashlib

from crapette_p2p.fairdeal.layer import SLOTS, Layer, context, root_of
from crapette_p2p.gamelog.secrets import Secrets


class RiggedSecrets(Secrets):
    """Every layer of one deck holds one value 52 times; the other deck is honest.

    With ``only`` a single candidate is rigged, the rest re-derive from seeds.
    """

    __slots__ = ("_deck", "_only", "_value")

    def __init__(
        self, honest: Secrets, *, deck: int, value: int = 7, only: int | None = None
    ) -> None:
        super().__init__(honest.seeds0, honest.seeds1)
        self._deck = deck
        self._value = value
        self._only = only

    def layer(self, game_id: bytes, seat: int, deck: int, candidate: int) -> Layer:
        """The honest layer, or the rigged one."""
        honest = super().layer(game_id, seat, deck, candidate)
        if deck != self._deck or self._only not in (None, candidate):
            return honest
        ctx = context(game_id, seat, deck, candidate)
        perm = bytes([self._value]) * SLOTS
        slots = b"".join(
            hashlib.sha256(
                b"crapette/1/slot\0" + ctx + bytes([i, self._value]) + salt
            ).digest()
            for i, salt in enumerate(honest.salts)
        )
        return Layer(perm, honest.salts, slots, root_of(ctx, slots))
