"""A bot's fast boards say the same as the engine's positions."""

from __future__ import annotations

import pytest
from hypothesis import given

from crapette_p2p.bot.board import (
    NOTHING,
    after,
    board_of,
    discarded,
    key_of,
    may_turn,
    personal,
    plays,
    swapped,
    terms_of,
    turned,
    unseen_cards,
)
from crapette_p2p.bot.choosing import action_for
from crapette_p2p.cards import UNKNOWN
from crapette_p2p.engine import (
    PASS,
    TURN,
    Discard,
    Move,
    Position,
    RuleSet,
    Turn,
    legal_with_offences,
)
from crapette_p2p.engine.duties import opens_with_turn
from crapette_p2p.engine.layout import other
from tests.helpers.boards import board
from tests.helpers.strategies import (
    examples,
    greedy_action,
    lively_action,
    random_game,
    rule_sets,
    seeds,
)


def clean_moves(position: Position) -> set[Move]:
    """The moves that are no offence."""
    listed = legal_with_offences(position)
    return {a for a, offence in listed if offence is None and isinstance(a, Move)}


def assert_same_plays(position: Position) -> None:
    """The bot sees the engine's clean moves; of several spaces it takes one."""
    table = board_of(position, position.active)
    seen = {action_for(position, p) for p in plays(table, terms_of(position.rules))}
    clean = clean_moves(position)
    assert seen - {PASS} <= clean
    for move in clean - seen:
        # Left out: other spaces, and a column's only card into a space.
        assert not position.piles[move.target]
        into_other = any(
            isinstance(a, Move)
            and a.source == move.source
            and not position.piles[a.target]
            for a in seen
        )
        assert into_other or len(position.piles[move.source]) == 1
    clean_turn = (TURN, None) in legal_with_offences(position)
    owes_foundation = position.rules.has_duties and any(
        8 <= move.target < 16 for move in clean
    )
    terms = terms_of(position.rules)
    assert clean_turn == (may_turn(table, terms) and not owes_foundation)


@pytest.mark.slow
@examples(25)
@given(rules=rule_sets(), seed=seeds())
def test_the_bot_sees_what_the_engine_accepts(rules: RuleSet, seed: int) -> None:
    """In every position of a game the clean plays are the engine's."""
    for position, *_ in random_game(rules, seed, steps=120):
        if position.end is None and not opens_with_turn(position):
            assert_same_plays(position)


@pytest.mark.slow
@examples(25)
@given(rules=rule_sets(), seed=seeds())
def test_boards_follow_as_positions_do(rules: RuleSet, seed: int) -> None:
    """A play, a turn and a discard lead to the board of the position that follows."""
    for before, seat, action, _, position in random_game(
        rules, seed, policy=greedy_action, steps=120
    ):
        table = board_of(before, seat)
        if position.end is not None or seat != before.active:
            continue
        expected = board_of(position, seat)
        if isinstance(action, Move) and position.penalty is None:
            found = {
                after(table, p)
                for p in plays(table, terms_of(rules))
                if action_for(before, p) == action
            }
            assert found <= {expected}
        elif isinstance(action, Turn) and position.penalty is None:
            assert turned(table, expected.drawn) == expected
        elif isinstance(action, Discard):
            assert discarded(table) == expected


@pytest.mark.slow
@examples(10)
@given(rules=rule_sets(), seed=seeds())
def test_both_sides_see_one_table(rules: RuleSet, seed: int) -> None:
    """Looked at from the other side twice, a board is the same."""
    for position, *_ in random_game(rules, seed, policy=lively_action, steps=60):
        mine = board_of(position, 0)
        assert swapped(mine) == board_of(position, 1)
        assert swapped(swapped(mine)) == mine
        assert personal(mine) == position.personal(0)


def test_columns_are_interchangeable_unless_a_win_needs_the_own_ones() -> None:
    """Boards that differ in the order of columns only are one, but under own4."""
    one = board_of(board(columns="5S 6H 7S 8H 9S TH JS QH"), 0)
    two = board_of(board(columns="6H 5S 7S 8H 9S TH JS QH"), 0)
    plain = terms_of(board().rules)
    own4 = terms_of(board({"preset": "crapette", "win_needs_tableau": "own4"}).rules)
    assert key_of(one, plain) == key_of(two, plain)
    assert key_of(one, own4) != key_of(two, own4)


def test_unseen_cards_are_those_of_the_own_deck_nobody_saw() -> None:
    """What has come up is no longer to be expected."""
    position = board(a="?? 8S / 20 / /", b="7C 8C / 4S 4C / /")
    seat = position.active
    unseen = unseen_cards(position, seat)
    shown = {face for face in position.faces[:52] if face != UNKNOWN}
    assert all(not unseen >> face & 1 for face in shown)
    assert board_of(position, other(seat)).drawn == NOTHING
