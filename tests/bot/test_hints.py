"""Hints: what master would do, and a reason that fits the action."""

from __future__ import annotations

import pytest
from hypothesis import given

from crapette_p2p.arena import ArenaOptions, Referee
from crapette_p2p.bot import TurnMemory, hint
from crapette_p2p.bot.board import board_of, key_of, terms_of
from crapette_p2p.bot.hints import reason_for
from crapette_p2p.engine import (
    OFFER_DRAW,
    Move,
    Position,
    RuleSet,
    format_action,
    parse_action,
    play,
    refusal,
    turn_up,
)
from tests.helpers.boards import board, played
from tests.helpers.strategies import examples, is_over, random_game, rule_sets, seeds

REASONS = {
    *("duty-reserve", "duty-foundation", "duty-space", "foundation", "load"),
    *("reserve", "waste", "space", "place", "prepare"),
    *("turn", "discard", "pass", "stop", "grant", "draw"),
}
KINGS = "KS KH KD KC KS KH KD KC"
"""Columns that take nothing but queens."""


def advised(position: Position, seat: int = 0) -> tuple[str, str] | None:
    """The action in notation and the reason."""
    found = hint(position, seat, nodes=30)
    return None if found is None else (format_action(found.action), found.reason)


def test_duties_are_named() -> None:
    """A play that is due is advised as such."""
    assert advised(board(up={"S": [7, 0]})) == ("R-F", "duty-reserve")
    column = board(up={"S": [0, 0]}, columns="AS KH KD KC QS QH QD QC")
    assert advised(column) == ("1-F", "duty-foundation")
    space = board(columns=". KH KD KC KS KH KD KC")
    assert advised(space) == ("R-1", "duty-space")


def test_plays_have_their_reasons() -> None:
    """Loads, reserve plays, places for the drawn card, foundations without duty."""
    b = "2C 2C / 2S 2S / /"
    assert advised(board(columns=KINGS, b="9S 9S / 2S 2S / /", a="7S 8S / 2D / /")) == (
        "R-OR",
        "load",
    )
    reserve = board(columns="9H KH KD KC KS KH KD KC", a="2D 8S / 9C / /", b=b)
    assert advised(reserve) == ("R-1", "reserve")
    drawn = board(columns="TH KH KD KC KS KH KD KC", a="7S 8S / 2D / 9C /", b=b)
    assert advised(drawn) == ("D-1", "place")
    free = board(
        "russian-bank",
        up={"S": [7, 0]},
        columns=KINGS,
        a="6S 8S / 2D / /",
        b="2C 2C / 3D 3D / /",
    )
    assert advised(free) == ("R-F", "foundation")


def test_ends_of_turns_have_their_reasons() -> None:
    """Turn, discard and pass are their own reasons."""
    b = "2C 2C / 2S 2S / /"
    assert advised(board(columns=KINGS, b=b)) == ("turn", "turn")
    drawn = board(columns=KINGS, a="7S 8S / 2D / TC /", b=b)
    assert advised(drawn) == ("discard", "discard")
    assert advised(board(columns=KINGS, a="7S 8S / / /", b=b)) == ("pass", "pass")


def test_hints_out_of_turn() -> None:
    """A call, a grant and an answer to an offer are advised too; else nothing."""
    offended = played(board(up={"S": [7, 0]}, a="7S 8S / 9S / JD /"), "discard")
    assert advised(offended, 1) == ("stop R-F", "stop")
    won = played(board(a="/ / 9D /", columns="KS KH KD KC TS QH QD QC"), "D-5")
    assert advised(won, 1) == ("grant", "grant")
    assert advised(play(board(), 0, OFFER_DRAW), 1) == ("decline-draw", "draw")
    assert advised(board(), 1) is None


def test_a_card_of_the_own_waste_is_no_drawn_card() -> None:
    """Where the house lets it be played, the reason speaks of the waste."""
    rules = {"preset": "crapette", "own_waste_playable": True}
    position = board(rules, columns="TH KH KD KC KS KH KD KC", a="7S 8C / 2D / / 9C")
    _, action = parse_action("W-1", position)
    assert reason_for(position, action) == "waste"


@pytest.mark.slow
@examples(6)
@given(rules=rule_sets(), seed=seeds())
def test_advice_in_every_rule_set(rules: RuleSet, seed: int) -> None:
    """Whatever the house rules, advice can be followed and has a reason."""
    for number, (position, _, _, _, _) in enumerate(random_game(rules, seed)):
        if number % 9 or is_over(position):
            continue
        for seat in (0, 1):
            found = hint(position, seat, nodes=12)
            if found is not None:
                assert refusal(position, seat, found.action) is None
                assert found.reason in REASONS


def test_a_column_move_is_a_preparation() -> None:
    """Moving a card from column to column rids nobody of it; it opens a way."""
    position = board(columns="9H TS KD KC KS KH KD KC", a="7S 8C / 2D / /")
    _, action = parse_action("1-2", position)
    assert reason_for(position, action) == "prepare"


def test_whoever_follows_advice_does_not_go_in_circles() -> None:
    """A plan is kept to: each board of a turn comes once, and so does each answer."""
    task, _ = ArenaOptions(a="club", b="club", deals=1).pair(3)
    referee = Referee(task)
    memories, boards = (TurnMemory(), TurnMemory()), set[object]()
    moves = 0
    while moves < 60:
        position = referee.position
        seat = position.active
        if position.acts == 0:
            boards.clear()
        found = hint(position, seat, nodes=300, memory=memories[seat])
        assert found == hint(position, seat, nodes=300, memory=memories[seat])
        assert found is not None
        if isinstance(found.action, Move):
            moves += 1
            key = key_of(board_of(position, seat), terms_of(position.rules))
            assert key not in boards
            boards.add(key)
        referee.position = opened(play(position, seat, found.action), referee.faces)


def opened(position: Position, faces: bytes) -> Position:
    """The position with whatever came up shown."""
    while (slot := position.unopened()) is not None:
        position = turn_up(position, slot, faces[slot])
    return position
