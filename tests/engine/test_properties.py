"""What holds along every game: cards, replay, undoing, ends, texts there and back."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from hypothesis import given

from crapette_p2p.cards import UNKNOWN, rank_of, suit_of
from crapette_p2p.engine import (
    Action,
    EndReason,
    Position,
    RuleSet,
    Stop,
    format_action,
    judge,
    parse_action,
    parse_position,
    play,
    position_to_json,
    refusal,
    start,
    turn_up,
)
from crapette_p2p.engine.layout import SEAT_NAMES, foundation_suit, other
from tests.helpers.strategies import (
    Policy,
    any_action,
    examples,
    greedy_action,
    is_over,
    lively_action,
    only_layout,
    random_faces,
    random_game,
    rule_sets,
    seeded,
    seeds,
)


def assert_cards_conserved(position: Position) -> None:
    """All 104 slots lie on the table, each once; foundations are built right."""
    slots = b"".join(position.piles)
    assert sorted(slots) == list(range(104))
    for pile in range(8, 16):
        faces = [position.faces[slot] for slot in position.piles[pile]]
        assert [rank_of(face) for face in faces] == list(range(1, len(faces) + 1))
        assert all(suit_of(face) == foundation_suit(pile) for face in faces)
    assert all(len(position.piles[pile]) <= 1 for pile in (20, 21))


@pytest.mark.slow
@examples(30)
@given(rules=rule_sets(), seed=seeds())
def test_cards_are_conserved(rules: RuleSet, seed: int) -> None:
    """After every action each of the 104 cards lies in exactly one place."""
    for policy in (any_action, lively_action):
        for *_, after in random_game(rules, seed, policy=policy, steps=150):
            assert_cards_conserved(after)


def replayed(
    start_position: Position, events: Iterable[tuple[int, Action, int]]
) -> Position:
    """Fold a list of events."""
    position = start_position
    for seat, action, seq in events:
        position = play(position, seat, action, seq=seq)
    return position


@pytest.mark.slow
@examples(15)
@given(rules=rule_sets(), seed=seeds())
def test_replay_equals_play(rules: RuleSet, seed: int) -> None:
    """The recorded actions lead to the very same position again."""
    steps = list(random_game(rules, seed, steps=250))
    events = [(seat, action, seq) for _, seat, action, seq, _ in steps]
    assert replayed(steps[0][0], events) == steps[-1][-1]


@pytest.mark.slow
@examples(25)
@given(rules=rule_sets(), seed=seeds())
def test_unseen_cards_change_nothing(rules: RuleSet, seed: int) -> None:
    """A game in which each card is opened when it comes up is the same game.

    Faces only grow; what has lain face up is known, whatever is undone later.
    """
    rng = seeded(seed)
    faces = random_faces(rng)
    hidden = start(rules, only_layout(faces, rules), lot=rng.randrange(2))
    for before, seat, action, seq, after in random_game(rules, seed, steps=250):
        seen = hidden.faces
        assert refusal(hidden, seat, action) == refusal(before, seat, action)
        hidden = play(hidden, seat, action, seq=seq)
        slot = hidden.unopened()
        if slot is not None:
            assert hidden.faces[slot] == UNKNOWN
            hidden = turn_up(hidden, slot, faces[slot])
        assert hidden.unopened() is None
        assert all(a in (b, UNKNOWN) for a, b in zip(seen, hidden.faces, strict=True))
        assert hidden.piles == after.piles
        assert hidden.counters == after.counters
        assert hidden.end == after.end
        shown = (*range(16), 22, 23)
        known = b"".join(after.piles[pile] for pile in shown)
        assert all(hidden.faces[slot] == faces[slot] for slot in known)


def assert_upheld(position: Position, stop: Stop, after: Position) -> None:
    """The table is that before the offence but for the named play and a waste."""
    offence = judge(position, stop)
    assert offence is not None
    offender = offence.before.active
    piles = [bytearray(pile) for pile in offence.before.piles]
    if position.rules.missed_card_played_by != "nobody":
        piles[stop.target].append(piles[stop.source].pop())
    if after.end is None or after.end.reason != EndReason.EMPTY:
        piles[22 + offender] += piles[20 + offender]
        piles[20 + offender] = bytearray()
    assert after.piles == tuple(map(bytes, piles))
    assert after.faces == position.faces
    assert after.callable is None
    assert after.offences == ()
    if after.end is None and not any(offence.before.calls.to_sit_out):
        assert after.active == other(offender)
        assert after.acts == 0


@pytest.mark.slow
@examples(25)
@given(rules=rule_sets(), seed=seeds())
def test_stop_undoes_or_changes_nothing(rules: RuleSet, seed: int) -> None:
    """Upheld, a Stop restores the earlier table; wrong, it leaves all as it lies."""
    for before, seat, action, _, after in random_game(rules, seed, steps=250):
        if not isinstance(action, Stop):
            continue
        if judge(before, action) is not None:
            assert_upheld(before, action, after)
        else:
            assert after.piles == before.piles
            assert after.active == before.active
            assert after.calls.wrong[seat] == before.calls.wrong[seat] + 1


def played_out(rules: RuleSet, seed: int, policy: Policy) -> Position:
    """The last position of a game that may take as long as it wants."""
    position = None
    for *_, after in random_game(rules, seed, policy=policy, steps=30_000):
        position = after
    assert position is not None
    return position


@pytest.mark.slow
@examples(8)
@given(rules=rule_sets(), seed=seeds())
@pytest.mark.parametrize("policy", [any_action, lively_action, greedy_action])
def test_every_game_ends(policy: Policy, rules: RuleSet, seed: int) -> None:
    """However it is played, every deal comes to a final end by itself."""
    last = played_out(rules, seed, policy)
    assert is_over(last)
    end = last.end
    assert end is not None
    assert end.points >= 0
    assert (end.points > 0) == (end.winner is not None)


@pytest.mark.slow
@examples(20)
@given(rules=rule_sets(), seed=seeds())
def test_actions_are_read_back_as_written(rules: RuleSet, seed: int) -> None:
    """Every action of a game is the one its text names, cards included."""
    for before, seat, action, *_ in random_game(rules, seed, steps=200):
        text = f"{SEAT_NAMES[seat]}:{format_action(action, before)}"
        assert parse_action(text, before) == (seat, action)
        assert parse_action(text.lower(), before) == (seat, action)


@pytest.mark.slow
@examples(15)
@given(rules=rule_sets(), seed=seeds())
def test_positions_are_read_back_as_written(rules: RuleSet, seed: int) -> None:
    """JSON holds all of a position but the past that a Stop would restore."""
    for *_, after in random_game(rules, seed, steps=120):
        value = position_to_json(after)
        back = position_to_json(parse_position(value))
        value.pop("offence", None)
        assert back == value
