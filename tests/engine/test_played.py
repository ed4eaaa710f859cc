"""When the number of the turn grows, and what counts as a move."""

from __future__ import annotations

from dataclasses import replace

import pytest

from crapette_p2p.engine import (
    ACCEPT_DRAW,
    DECLINE_DRAW,
    DISCARD,
    GRANT,
    OFFER_DRAW,
    PASS,
    RESIGN,
    TURN,
    Action,
    End,
    EndReason,
    Move,
    PileId,
    Position,
    Seat,
    Stop,
)
from crapette_p2p.engine.played import NOT_DEALT, Played, turn_began
from tests.ui.boards import board

RUNNING = board(columns=["KH"] * 8, acts=3)
BEGUN = replace(RUNNING, acts=0)
SAT_OUT = replace(RUNNING.calls, to_sit_out=(0, 1))
PROVISIONAL = End(Seat(1), EndReason.EMPTY, Seat(1))


@pytest.mark.parametrize(
    ("before", "after", "began"),
    [
        (RUNNING, replace(BEGUN, active=Seat(1)), True),
        (RUNNING, replace(RUNNING, acts=4), False),
        (BEGUN, RUNNING, False),
        (BEGUN, BEGUN, False),  # a card was opened, or talk
        (RUNNING, BEGUN, True),  # the other sits out
        (replace(BEGUN, calls=SAT_OUT), BEGUN, True),  # after a bare pass
        (BEGUN, replace(BEGUN, calls=SAT_OUT), False),  # a wrong call
        (RUNNING, replace(BEGUN, active=Seat(1), end=PROVISIONAL), False),
        (replace(BEGUN, end=PROVISIONAL), BEGUN, True),  # a call undid the end
    ],
)
def test_a_turn_begins_once(before: Position, after: Position, began: bool) -> None:
    """With the other player, with a skipped one, with an end that is taken back."""
    assert turn_began(before, after) == began
    assert Played(7, 9).after(DISCARD, before, after) == Played(7 + began, 10)


@pytest.mark.parametrize(
    ("action", "moves"),
    [
        *((each, 1) for each in (TURN, DISCARD, PASS, RESIGN, GRANT, ACCEPT_DRAW)),
        *((each, 0) for each in (OFFER_DRAW, DECLINE_DRAW)),
        (Move(PileId(1), PileId(2)), 1),
        (Stop(PileId(1), PileId(8)), 1),
    ],
)
def test_a_move_changes_the_table(action: Action, moves: int) -> None:
    """An offer and its refusal leave it as it is."""
    assert Played().after(action, RUNNING, RUNNING) == Played(1, moves)


def test_before_the_deal_there_is_no_turn() -> None:
    """Then the first one."""
    assert (NOT_DEALT.turn, Played().turn) == (0, 1)
