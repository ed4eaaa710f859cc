"""What the bots do: lawful, at their stated rates, from what is seen, to an end."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import pytest
from hypothesis import given

from crapette_p2p.bot import LEVELS, TurnMemory, choose
from crapette_p2p.cards import UNKNOWN
from crapette_p2p.engine import (
    DISCARD,
    PASS,
    PRESETS,
    TURN,
    Action,
    Move,
    Position,
    RuleSet,
    format_action,
    offence_of,
    play,
    refusal,
    start,
    turn_up,
)
from tests.helpers.boards import board
from tests.helpers.strategies import (
    examples,
    is_over,
    only_layout,
    random_faces,
    rule_sets,
    seeded,
    seeds,
)

THINKING = sorted(LEVELS.keys() - {"random"})
"""The levels that want to win."""
FEW_NODES = 40
"""Enough for a search to be one, and quick."""
Deed = tuple[Position, int, Action]
"""A position as a bot saw it, its seat, and what it did."""


def game(
    rules: RuleSet, faces: bytes, levels: tuple[str, str], seed: int
) -> Iterator[Deed]:
    """A game between two bots; each card is opened when it comes up."""
    rand = seeded(seed).random
    memories = (TurnMemory(), TurnMemory())
    position = start(rules, only_layout(faces, rules), lot=0)
    for seq in itertools.count(10):
        if is_over(position):
            return
        for seat in _asked(position):
            action = choose(
                position,
                seat,
                level=levels[seat],
                rand=rand,
                nodes=FEW_NODES,
                memory=memories[seat],
            )
            if action is not None:
                break
        assert action is not None, "nobody has anything to do"
        yield position, seat, action
        position = play(position, seat, action, seq=seq)
        slot = position.unopened()
        if slot is not None:
            position = turn_up(position, slot, faces[slot])


def _asked(position: Position) -> tuple[int, int]:
    first = position.active if position.callable is None else 1 - position.callable
    return first, 1 - first


def game_of(level: str, rules: RuleSet, seed: int) -> list[Deed]:
    """A whole game of a level against itself."""
    return list(game(rules, random_faces(seeded(seed)), (level, level), seed))


@pytest.mark.slow
@pytest.mark.parametrize("level", sorted(LEVELS))
@examples(6)
@given(rules=rule_sets(), seed=seeds())
def test_every_level_plays_every_rule_set_to_its_end(
    level: str, rules: RuleSet, seed: int
) -> None:
    """Whatever the house rules, each action is accepted and the deal ends."""
    for position, seat, action in game_of(level, rules, seed):
        assert refusal(position, seat, action) is None


@pytest.mark.slow
@pytest.mark.parametrize("level", ["master", "baseline"])
@pytest.mark.parametrize("preset", sorted(PRESETS))
def test_careful_levels_never_offend(level: str, preset: str) -> None:
    """Master and baseline do what is due, always."""
    for position, seat, action in game_of(level, PRESETS[preset], 5):
        if seat == position.active and isinstance(action, Move):
            assert offence_of(position, action) is None


@pytest.mark.slow
@pytest.mark.parametrize("level", ["novice", "club"])
def test_careless_levels_offend_at_their_stated_rate(level: str) -> None:
    """Of the times a duty stands, about the stated share is overlooked."""
    position = board(up={"S": [7, 0]}, a="6S 8S / 9S 9C / QH /")
    rand = seeded(1).random
    asked = 4000
    actions = [choose(position, 0, level=level, rand=rand) for _ in range(asked)]
    overlooked = sum(format_action(a) != "R-F" for a in actions if a) / asked
    assert overlooked == pytest.approx(LEVELS[level].overlooks_duty, abs=0.015)


@pytest.mark.slow
@pytest.mark.parametrize("level", sorted(LEVELS))
def test_hidden_cards_do_not_matter(level: str) -> None:
    """With the cards that have not come up changed round, a bot does the same."""
    rules = PRESETS["crapette"]
    faces = random_faces(seeded(11))
    deeds = list(itertools.islice(game(rules, faces, (level, level), 3), 60))
    seen = deeds[-1][0].faces
    other_faces = bytearray(faces)
    for deck in (0, 52):
        hidden = [s for s in range(deck, deck + 52) if seen[s] == UNKNOWN]
        turned_round = [faces[slot] for slot in hidden[1:] + hidden[:1]]
        for slot, face in zip(hidden, turned_round, strict=True):
            other_faces[slot] = face
    assert bytes(other_faces) != faces
    again = list(
        itertools.islice(game(rules, bytes(other_faces), (level, level), 3), 60)
    )
    assert deeds == again


@pytest.mark.slow
@pytest.mark.parametrize("level", THINKING)
@pytest.mark.parametrize("preset", ["crapette", "russian-bank"])
def test_no_board_comes_back_within_a_turn(level: str, preset: str) -> None:
    """A turn makes progress or ends: no bot walks in circles."""
    seen: set[tuple[bytes, ...]] = set()
    last_acts = 0
    for position, seat, action in game_of(level, PRESETS[preset], 21):
        if seat != position.active or not isinstance(action, Move):
            continue
        if position.acts < last_acts or position.acts == 0:
            seen.clear()
        last_acts = position.acts
        assert position.piles not in seen
        seen.add(position.piles)


def test_equal_numbers_give_equal_games() -> None:
    """A seeded bot repeats itself."""
    rules, faces = PRESETS["crapette"], random_faces(seeded(2))
    one = list(game(rules, faces, ("novice", "club"), 9))
    assert one == list(game(rules, faces, ("novice", "club"), 9))


def test_nothing_to_do() -> None:
    """Out of turn with nothing to call, or while a card is to be opened: None."""
    position = board()
    for level in LEVELS:
        assert choose(position, 1, level=level, rand=lambda: 0.5) is None
    owed = play(board(a="7S 8S / 2 / /"), 0, TURN)
    assert owed.unopened() is not None
    for level, seat in itertools.product(LEVELS, (0, 1)):
        assert choose(owed, seat, level=level, rand=lambda: 0.5) is None


@pytest.mark.parametrize("level", THINKING)
def test_the_end_of_a_turn(level: str) -> None:
    """With no place for any card a bot turns, then discards, or passes."""

    def chosen(position: Position) -> Action | None:
        return choose(position, 0, level=level, rand=lambda: 0.99)

    columns, b = "KS KH KD KC KS KH KD KC", "2C 2C / 2S 2S / /"
    assert chosen(board(columns=columns, a="7S 8S / 9S 9C / /", b=b)) == TURN
    assert chosen(board(columns=columns, a="7S 8S / 9S / TD /", b=b)) == DISCARD
    assert chosen(board(columns=columns, a="7S 8S / / /", b=b)) == PASS


@pytest.mark.parametrize("acts", [399, 400, 401])
@pytest.mark.parametrize("level", sorted(LEVELS))
def test_the_longest_turn_still_ends(level: str, acts: int) -> None:
    """At the limit of actions a bot finds what may still be done."""
    position = board(counters={"actions": acts}, columns="KS QH KD KC . QH QD QC")
    action = choose(position, 0, level=level, rand=lambda: 0.5)
    assert action is not None
    assert refusal(position, 0, action) is None


def test_a_search_can_be_broken_off() -> None:
    """Cancelled at once, master still answers with something lawful."""
    position = board(columns="5S 6H 7S 8H 9S TH JS QH")
    action = choose(
        position, 0, level="master", rand=lambda: 0.5, cancelled=lambda: True
    )
    assert action is not None
    assert refusal(position, 0, action) is None
