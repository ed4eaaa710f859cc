"""Play one game by the rules alone and print a hash over every state of it.

Run as a program by other interpreters and under other environments: nothing but
the pure layers and msgpack is needed.
"""

from __future__ import annotations

import hashlib
import random
import sys

from crapette_p2p.engine import legal_with_offences
from crapette_p2p.engine.actions import GRANT, RESIGN, Action
from crapette_p2p.engine.layout import Seat, other
from crapette_p2p.engine.ruleset import PRESETS
from crapette_p2p.gamelog.events import action_to_body
from crapette_p2p.gamelog.game import start_game, step
from crapette_p2p.gamelog.genesis import Genesis
from crapette_p2p.gamelog.secrets import Secrets, owed_body
from crapette_p2p.gamelog.state import GameState, encode_state, owes, state_hash


def genesis_of(preset: str) -> Genesis:
    """A game of nobody in particular."""
    return Genesis(
        preset=preset,
        rules=PRESETS[preset],
        k=2,
        keys=(b"\x01" * 32, b"\x02" * 32),
        nicks=("Ala", "Olek"),
        nonces=(b"\x03" * 32, b"\x04" * 32),
    )


def chain_of(preset: str, seed: int, length: int = 150) -> str:
    """The hash over all states of a game that ends by resignation."""
    rng = random.Random(seed)  # noqa: S311 - a game that has to repeat
    state = start_game(genesis_of(preset))
    secrets = [Secrets.fresh(rng.randbytes, 2) for _ in (0, 1)]
    chain = hashlib.sha256()
    while (owed := owes(state)) is not None:
        made = owed_body(state, secrets[owed.author], owed.author, rng.randbytes)
        if made is None:
            seat, action = choose(state, rng, resign=state.length >= length)
            made = action_to_body(action)
        else:
            seat = owed.author
        after = step(state, seat, *made)
        assert isinstance(after, GameState), after
        state = after
        chain.update(state_hash(state))
        chain.update(encode_state(state))
    return chain.hexdigest()


def choose(
    state: GameState, rng: random.Random, *, resign: bool
) -> tuple[Seat, Action]:
    """What happens next where somebody may choose."""
    position = state.position
    assert position is not None
    if position.end is not None:
        return other(position.end.provisional_by or 0), GRANT
    if resign:
        return position.active, RESIGN
    listed = legal_with_offences(position)
    return position.active, listed[int(rng.random() * len(listed))][0]


if __name__ == "__main__":
    sys.stdout.write("\n".join(chain_of(preset, 4) for preset in PRESETS))
