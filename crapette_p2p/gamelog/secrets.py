"""What one player hides during a game, and the events it lets him owe.

``Secrets`` are the seeds of all candidates for both decks, made of fresh entropy
by the shell and kept out of the log. Deriving a layer costs some 80 µs, so each
is derived once and kept on the object.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from crapette_p2p.engine.layout import Seat
from crapette_p2p.errors import LocalProtocolError
from crapette_p2p.fairdeal.layer import SEED_SIZE, Layer, context, derive_layer
from crapette_p2p.gamelog.bodies import Body
from crapette_p2p.gamelog.events import EventType
from crapette_p2p.gamelog.game import lay_out_due, result_body
from crapette_p2p.gamelog.state import GameState, OpeningDue, owes

Rand = Callable[[int], bytes]


class Secrets:
    """One player's seeds for one game: 32 bytes a candidate, deck by deck."""

    __slots__ = ("_layers", "seeds0", "seeds1")

    def __init__(self, seeds0: bytes, seeds1: bytes) -> None:
        if len(seeds0) != len(seeds1) or len(seeds0) % SEED_SIZE:
            raise ValueError("seeds of two decks, 32 bytes a candidate")
        self.seeds0: Final = seeds0
        self.seeds1: Final = seeds1
        self._layers: dict[bytes, Layer] = {}

    @classmethod
    def fresh(cls, rand: Rand, k: int) -> Secrets:
        """New seeds for K candidates of both decks."""
        return cls(rand(SEED_SIZE * k), rand(SEED_SIZE * k))

    def __repr__(self) -> str:
        return f"<Secrets for {len(self.seeds0) // SEED_SIZE} candidates>"

    def seed(self, deck: int, candidate: int) -> bytes:
        """The seed of one candidate."""
        seeds = self.seeds1 if deck else self.seeds0
        return seeds[SEED_SIZE * candidate : SEED_SIZE * (candidate + 1)]

    def layer(self, game_id: bytes, seat: int, deck: int, candidate: int) -> Layer:
        """The layer of one candidate, derived on first use."""
        ctx = context(game_id, seat, deck, candidate)
        found = self._layers.get(ctx)
        if found is None:
            found = derive_layer(self.seed(deck, candidate), ctx)
            self._layers[ctx] = found
        return found


def draw_index(rand: Rand, count: int) -> int:
    """A uniform number below ``count`` (at most 256), by rejection."""
    limit = 256 - 256 % count
    while True:
        (x,) = rand(1)
        if x < limit:
            return x % count


def commit_body(state: GameState, secrets: Secrets, seat: int) -> Body:
    """COMMIT: the roots of all candidates of both decks."""
    return tuple(
        b"".join(
            secrets.layer(state.game_id, seat, deck, candidate).root
            for candidate in range(state.deal.k)
        )
        for deck in (0, 1)
    )


def challenge_body(state: GameState, rand: Rand) -> Body:
    """CHALLENGE: which candidates the other keeps; drawn after all roots are in."""
    return draw_index(rand, state.deal.k), draw_index(rand, state.deal.k)


def reveal_body(state: GameState, secrets: Secrets, seat: int) -> Body:
    """REVEAL: the seeds of all others, the slot hashes of the kept candidate."""
    seeds, slots = [], []
    for deck in (0, 1):
        kept = state.deal.kept(seat, deck)
        others = [c for c in range(state.deal.k) if c != kept]
        seeds.append(b"".join(secrets.seed(deck, c) for c in others))
        slots.append(secrets.layer(state.game_id, seat, deck, kept).slots)
    return (*seeds, *slots)


def opening_body(
    state: GameState, secrets: Secrets, seat: int, due: OpeningDue
) -> Body:
    """OPEN_A or OPEN_B: our layer of the owed deck at what is asked for."""
    kept = state.deal.kept(seat, due.deck)
    layer = secrets.layer(state.game_id, seat, due.deck, kept)
    asked = due.positions if due.type == EventType.OPEN_A else due.slots
    return due.deck, tuple((i, layer.perm[i], layer.salts[i]) for i in asked)


def audit_body(state: GameState, secrets: Secrets, seat: int) -> Body:
    """AUDIT: the seeds of the kept candidates."""
    return tuple(secrets.seed(d, state.deal.kept(seat, d)) for d in (0, 1))


def owed_body(
    state: GameState, secrets: Secrets, seat: Seat, rand: Rand
) -> tuple[EventType, Body] | None:
    """The event ``seat`` owes and can make without asking anybody, or None.

    COMMIT .. OPEN_B, AUDIT and RESULT; neither a play nor GRANT, which are their
    owner's to decide. ``rand`` is used for CHALLENGE only.
    """
    owed = owes(state)
    if owed is None or owed.author != seat or owed.type is None:
        return None
    match owed.type:
        case EventType.COMMIT:
            return owed.type, commit_body(state, secrets, seat)
        case EventType.CHALLENGE:
            return owed.type, challenge_body(state, rand)
        case EventType.REVEAL:
            return owed.type, reveal_body(state, secrets, seat)
        case EventType.OPEN_A | EventType.OPEN_B:
            due = state.due if state.due is not None else lay_out_due(state)
            return owed.type, opening_body(state, secrets, seat, due)
        case EventType.AUDIT:
            return owed.type, audit_body(state, secrets, seat)
        case EventType.RESULT:
            return owed.type, result_body(state)
        case EventType.GRANT:
            return None
        case _:
            raise LocalProtocolError(f"{owed.type.name} is never owed")
