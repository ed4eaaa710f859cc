"""Ends that await a grant, in games with calls."""

from __future__ import annotations

import pytest

from crapette_p2p.engine import (
    GRANT,
    RESIGN,
    Position,
    parse_action,
    refusal,
)
from tests.helpers.boards import at, board, played, result

KNOCK = "russian-bank-knock"
ACE = "7D KH KD AS QS QH QD QC"
"""An ace tops column 4; what is played instead is an offence."""


def _refused(position: Position, text: str) -> str | None:
    seat, action = parse_action(text, position)
    return refusal(position, seat, action)


@pytest.fixture
def won() -> Position:
    """A's last card has gone onto a column while an ace could have gone up."""
    return played(board(columns=ACE, a="/ / JS /"), "D-6")


def test_a_win_by_an_action_is_provisional(won: Position) -> None:
    """Only the opponent acts now, and he grants or calls."""
    assert result(won) == "A?"
    assert refusal(won, 1, GRANT) is None
    assert refusal(won, 0, GRANT) == "not-yours-to-grant"
    assert _refused(won, "stop 4-F") is None
    assert _refused(won, "turn") == "end-is-provisional"
    assert refusal(won, 0, RESIGN) == "end-is-provisional"
    assert refusal(won, 1, RESIGN) == "end-is-provisional"
    assert _refused(won, "offer-draw B") == "end-is-provisional"
    assert _refused(won, "accept-draw B") == "end-is-provisional"


def test_a_grant_makes_the_end_final(won: Position) -> None:
    """After the grant the deal is over for good."""
    after = played(won, "grant")
    assert result(after) == "A"
    for text in ("grant", "stop 4-F", "turn", "resign A", "offer-draw A"):
        assert _refused(after, text) == "game-over"


def test_a_wrong_call_grants_the_end(won: Position) -> None:
    """Naming a play that was not due ends the deal."""
    after = played(won, "stop 1-F")
    assert result(after) == "A"
    assert after.calls.wrong == (0, 1)


def test_an_upheld_call_undoes_the_end(won: Position) -> None:
    """The last card is back, its turn is lost, and play goes on."""
    after = played(won, "stop 4-F")
    assert result(after) is None
    assert at(after, "A.waste") == ["JS"]
    assert at(after, "to_move") == "B"


def test_a_banned_player_can_only_grant() -> None:
    """A wrong call earlier in the turn leaves nothing but the grant."""
    position = board(columns=ACE, a="/ / JS /")
    after = played(position, "5-2", "stop 1-F", "D-6")
    assert _refused(after, "stop 4-F") == "call-spent"
    assert result(played(after, "grant")) == "A"


def test_a_blocked_deal_is_provisional_too() -> None:
    """It is the opponent of whoever acted that grants, even if he has won."""
    position = board(a="7S / 9S / JC /", counters={"idle": 7, "limit": 8})
    after = played(position, "discard")
    assert result(after) == "A?"
    assert parse_action("grant", after)[0] == 1
    assert refusal(after, 0, GRANT) == "not-yours-to-grant"
    final = played(after, "grant")
    assert final.end is not None
    assert final.end.provisional_by is None


def test_there_is_nothing_to_grant_in_a_running_deal() -> None:
    """A grant without an end is refused, with and without calls."""
    assert refusal(board(), 1, GRANT) == "nothing-to-grant"
    assert refusal(board("garibaldka"), 1, GRANT) == "nothing-to-grant"


@pytest.mark.parametrize("preset", ["garibaldka", "russian-bank"])
def test_without_calls_a_win_is_final_at_once(preset: str) -> None:
    """Nobody is asked where nobody could call."""
    assert result(played(board(preset, a="/ / JS /"), "D-6")) == "A"
