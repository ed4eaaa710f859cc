"""The engine agrees with the oracle, a second reading of the rules, move by move."""

from __future__ import annotations

import pytest
from hypothesis import given

from crapette_p2p.engine import PRESETS, RuleSet, perft, play
from tests.helpers import oracle
from tests.helpers.agreement import (
    assert_agree,
    assert_same_refusals,
    both_started,
    spoken,
)
from tests.helpers.strategies import (
    Policy,
    any_action,
    examples,
    greedy_action,
    is_over,
    lively_action,
    random_step,
    rule_sets,
    seeded,
    seeds,
)

FIRST_SEQ = 10


def assert_game_agrees(
    rules: RuleSet, seed: int, policy: Policy, *, steps: int, seq: int = FIRST_SEQ
) -> None:
    """Play one random game in both and compare everything after every action."""
    rng = seeded(seed)
    position, state = both_started(rules, seed)
    assert_agree(position, state)
    for number in range(seq, seq + steps):
        if is_over(position):
            return
        seat, action = random_step(position, rng, policy)
        position = play(position, seat, action, seq=number)
        state = oracle.play(state, "AB"[seat], spoken(action), seq=number)
        assert_agree(position, state)
        assert_same_refusals(position, state)


@pytest.mark.slow
@examples(16)
@given(rules=rule_sets(), seed=seeds())
def test_lively_games_agree(rules: RuleSet, seed: int) -> None:
    """Games that get somewhere are the same game for engine and oracle."""
    assert_game_agrees(rules, seed, lively_action, steps=350)


@pytest.mark.slow
@examples(8)
@given(rules=rule_sets(), seed=seeds())
def test_aimless_games_agree(rules: RuleSet, seed: int) -> None:
    """So are games of any accepted actions, most of them offences."""
    assert_game_agrees(rules, seed, any_action, steps=350)


@pytest.mark.slow
@pytest.mark.parametrize("preset", sorted(PRESETS))
def test_whole_games_of_each_preset_agree(preset: str) -> None:
    """Each preset's games agree to their very end, whoever of both is careful."""
    for seed, policy in enumerate((greedy_action, lively_action)):
        assert_game_agrees(PRESETS[preset], seed, policy, steps=2500)


@pytest.mark.slow
@examples(6)
@given(rules=rule_sets(), seed=seeds())
def test_the_limit_of_events_agrees(rules: RuleSet, seed: int) -> None:
    """A turn that ends at the limit of events blocks the deal in both."""
    assert_game_agrees(rules, seed, lively_action, steps=120, seq=15_920)


@pytest.mark.slow
@examples(12)
@given(rules=rule_sets(), seed=seeds())
def test_perft_agrees(rules: RuleSet, seed: int) -> None:
    """Both count the same sequences from positions of random games."""
    rng = seeded(seed)
    position, state = both_started(rules, seed)
    for _ in range(rng.randrange(60)):
        seat, action = random_step(position, rng, greedy_action)
        position = play(position, seat, action)
        state = oracle.play(state, "AB"[seat], spoken(action))
    assert perft(position, 2) == oracle.perft(state, 2)
