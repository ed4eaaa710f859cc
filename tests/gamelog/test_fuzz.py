"""Whatever a peer puts into an event or a file, there is an answer."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from crapette_p2p.engine.ruleset import PRESETS
from crapette_p2p.gamelog.bodies import Body
from crapette_p2p.gamelog.events import EventType
from crapette_p2p.gamelog.evidence import judge_evidence
from crapette_p2p.gamelog.game import step
from crapette_p2p.gamelog.state import GameState, encode_state, owes
from tests.helpers.fakegame import FakeGame, make_genesis, turns, verify

CODES = {302, 304, 404, 405, 406, 408}


def values(rng: random.Random) -> Iterator[object]:
    """Parts of bodies, likely and unlikely ones."""
    while True:
        yield rng.choice(
            (
                rng.randrange(24),
                rng.randrange(24),
                rng.randrange(2),
                rng.randrange(2**63),
                None,
                True,
                "text",
                b"",
                rng.randbytes(32),
                (),
                (rng.randrange(52), rng.randrange(52), rng.randbytes(32)),
                ((rng.randrange(52), rng.randrange(52), rng.randbytes(32)),),
            )
        )


def some_body(rng: random.Random, honest: Body) -> Body:
    """An honest body with a part exchanged, or any parts at all."""
    parts = values(rng)
    if honest and rng.random() < 0.5:
        at = rng.randrange(len(honest))
        return (*honest[:at], next(parts), *honest[at + 1 :])
    if rng.random() < 0.5:
        return rng.randrange(24), rng.randrange(24)
    return tuple(next(parts) for _ in range(rng.randrange(4)))


@pytest.mark.slow
@pytest.mark.parametrize("preset", PRESETS)
def test_any_event_is_lawful_or_refused_with_a_code(preset: str) -> None:
    """No body raises, and a refusal leaves the state as it was."""
    rng = random.Random(77)  # noqa: S311 - repeatable bodies
    game = FakeGame(make_genesis(preset, k=2, seed=9), seed=9)
    kinds = [*map(int, EventType), 0, 6, 40, 255]
    taken: set[int] = set()

    def probe(state: GameState, honest: Body) -> None:
        before = encode_state(state)
        for _ in range(12):
            kind, author = rng.choice(kinds), rng.randrange(2)
            found = step(state, author, kind, some_body(rng, honest))
            if isinstance(found, GameState):
                assert found.length == state.length + 1
                taken.add(kind)
            else:
                assert found in CODES
        assert encode_state(state) == before

    while game.state.position is None:
        made = game.owed()
        assert made is not None
        probe(game.state, made[2])
        game.event(*made)
    for state in turns(game, 120):
        probe(state, ())
    assert EventType.RESIGN in taken
    assert len(taken) >= 3


@pytest.mark.slow
def test_whatever_is_accepted_goes_on() -> None:
    """A state reached by a lawful event always owes something or is over."""
    rng = random.Random(78)  # noqa: S311 - repeatable choices
    for seed in range(4):
        preset = list(PRESETS)[seed]
        game = FakeGame(make_genesis(preset, k=2, seed=seed), seed=seed)
        for state in turns(game, 150):
            assert owes(state) is not None
            for kind in (EventType.STOP, EventType.RESIGN, EventType.DRAW_OFFER):
                body = (rng.randrange(24), rng.randrange(24))
                found = step(state, rng.randrange(2), kind, body if kind == 35 else ())
                if isinstance(found, GameState):
                    assert owes(found) is not None
        assert owes(game.state) is None


@pytest.mark.slow
def test_random_evidence_proves_nothing() -> None:
    """Bytes behind the right head are judged, never raised."""
    rng = random.Random(79)  # noqa: S311 - repeatable bytes
    for _ in range(2_000):
        data = b"\x95\xb1crapette-evidence\x01" + rng.randbytes(rng.randrange(80))
        assert not judge_evidence(data, verify).proven
