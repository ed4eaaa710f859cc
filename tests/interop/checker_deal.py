"""Commitments, reveals, openings and audits of a deal (spec 30)."""

import copy
from dataclasses import dataclass

from tests.interop.checker_canonical import ProtocolError, Value, as_array, as_bin
from tests.interop.checker_crypto import context, derive, layer_root, slot_hash
from tests.interop.checker_events import Event
from tests.interop.checker_table import UNSEEN


@dataclass(frozen=True)
class Owed:
    """An opening that is owed."""

    type: int
    deck: int
    positions: tuple[int, ...]
    slots: bytes

    @property
    def author(self) -> int:
        """Who owes it."""
        return 1 - self.deck if self.type == 4 else self.deck

    @property
    def value(self) -> Value:
        """How the public state writes it."""
        return (self.type, self.deck, bytes(self.positions), self.slots)


def split(data: bytes, size: int = 32) -> tuple[bytes, ...]:
    """Cut bytes into pieces of a size."""
    return tuple(data[i : i + size] for i in range(0, len(data), size))


class Deal:
    """What was committed and opened.

    Attributes:
        faces: The card of each slot that has been opened.
        slots_of: For each deck what OPEN_A showed, by position.
        laid_out: The positions that the set-up opens.
    """

    def __init__(self, game_id: bytes, k: int, reserve: int) -> None:
        """Start before COMMIT.

        Args:
            game_id: The game.
            k: How many candidates.
            reserve: How many cards a reserve has.
        """
        self.game_id = game_id
        self.k = k
        self.faces = [UNSEEN] * 104
        self.slots_of: tuple[dict[int, int], dict[int, int]] = ({}, {})
        self.laid_out = tuple(range(reserve - 1, reserve + 4))
        self.roots: dict[tuple[int, int], tuple[bytes, ...]] = {}
        self.kept: dict[tuple[int, int], int] = {}
        self.slots: dict[tuple[int, int], tuple[bytes, ...]] = {}
        self.cards: tuple[dict[int, int], dict[int, int]] = ({}, {})

    def copy(self) -> "Deal":
        """The same deal once more."""
        other = copy.copy(self)
        other.faces = self.faces.copy()
        other.slots_of = (self.slots_of[0].copy(), self.slots_of[1].copy())
        other.cards = (self.cards[0].copy(), self.cards[1].copy())
        other.roots, other.kept = self.roots.copy(), self.kept.copy()
        other.slots = self.slots.copy()
        return other

    def context(self, role: int, deck: int) -> bytes:
        """The context of a kept layer."""
        return context(self.game_id, role, deck, self.kept[role, deck])

    def commit(self, event: Event) -> None:
        """Take COMMIT."""
        for deck in (0, 1):
            data = event.bytes_at(deck)
            if len(data) != 32 * self.k:
                raise ProtocolError(404, "roots")
            self.roots[event.author, deck] = split(data)
        every = [root for roots in self.roots.values() for root in roots]
        if len(set(every)) != len(every):
            raise ProtocolError(304, "two equal roots")

    def challenge(self, event: Event) -> None:
        """Take CHALLENGE."""
        for deck in (0, 1):
            if event.number(deck) >= self.k:
                raise ProtocolError(404, "no such candidate")
            self.kept[1 - event.author, deck] = event.number(deck)

    def reveal(self, event: Event) -> None:
        """Take REVEAL."""
        role = event.author
        for deck in (0, 1):
            if len(event.bytes_at(deck)) != 32 * (self.k - 1):
                raise ProtocolError(404, "seeds")
        for deck in (0, 1):
            kept, roots = self.kept[role, deck], self.roots[role, deck]
            seeds = list(split(event.bytes_at(deck)))
            others = [i for i in range(self.k) if i != kept]
            for candidate, seed in zip(others, seeds, strict=True):
                ctx = context(self.game_id, role, deck, candidate)
                if derive(seed, ctx).root != roots[candidate]:
                    raise ProtocolError(302, "a seed")
            slots = split(event.bytes_at(2 + deck))
            if layer_root(self.context(role, deck), slots) != roots[kept]:
                raise ProtocolError(302, "slots")
            self.slots[role, deck] = slots

    def open(self, event: Event, owed: Owed) -> None:
        """Take OPEN_A or OPEN_B.

        Args:
            event: The event.
            owed: What is owed.
        """
        lines = as_array(event.body[1], 1, 5, 404)
        who = (event.type, event.author, event.body[0], len(lines))
        if who != (owed.type, owed.author, owed.deck, len(owed.positions)):
            raise ProtocolError(404, "an opening that is not owed")
        found = []
        for line in lines:
            first, second, salt = as_array(line, 3, 3, 404)
            if isinstance(first, int) and isinstance(second, int):
                found.append((first, second, as_bin(salt, 32, 32, 404)))
        if owed.type == 4:
            if tuple(index for index, _, _ in found) != owed.positions:
                raise ProtocolError(404, "other positions")
        elif bytes(index for index, _, _ in found) != owed.slots:
            raise ProtocolError(405, "other slots")
        ctx = self.context(event.author, owed.deck)
        for index, value, salt in found:
            expected = self.slots[event.author, owed.deck][index]
            if slot_hash(ctx, index, value, salt) != expected:
                raise ProtocolError(405, "does not open")
        shown = (self.slots_of if owed.type == 4 else self.cards)[owed.deck]
        for at, (index, value, _) in enumerate(found):
            if value in shown.values():
                raise ProtocolError(406, "shown before")
            shown[index] = value
            if owed.type == 5:
                self.faces[52 * owed.deck + owed.positions[at]] = value

    def audit(self, event: Event) -> None:
        """Take AUDIT."""
        for deck in (0, 1):
            ctx = self.context(event.author, deck)
            layer = derive(event.bytes_at(deck), ctx)
            if layer.slots != self.slots[event.author, deck]:
                raise ProtocolError(408, "not the kept layer")
            shown = (self.cards if event.author == deck else self.slots_of)[deck]
            if any(layer.perm[index] != value for index, value in shown.items()):
                raise ProtocolError(408, "not what was opened")
