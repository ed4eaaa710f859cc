"""Draw talk: offers, answers, and what declines an offer."""

from __future__ import annotations

import pytest

from crapette_p2p.engine import (
    ACCEPT_DRAW,
    DECLINE_DRAW,
    OFFER_DRAW,
    EndReason,
    Position,
    refusal,
)
from tests.helpers.boards import board, played, result


@pytest.fixture
def offered() -> Position:
    """A, who is to move, has offered a draw."""
    return played(board("russian-bank"), "offer-draw A")


def test_either_player_may_offer() -> None:
    """The one who waits may offer as well as the mover, once each a turn."""
    position = board("russian-bank")
    assert refusal(position, 0, OFFER_DRAW) is None
    assert refusal(position, 1, OFFER_DRAW) is None
    after = played(position, "offer-draw B")
    assert after.offer == 1
    assert after.piles == position.piles


def test_one_open_offer_at_a_time(offered: Position) -> None:
    """While an offer stands nobody makes another."""
    assert refusal(offered, 0, OFFER_DRAW) == "offer-stands"
    assert refusal(offered, 1, OFFER_DRAW) == "offer-stands"


def test_one_offer_a_player_and_turn(offered: Position) -> None:
    """A declined offer is not repeated in the same turn; the other may still offer."""
    declined = played(offered, "decline-draw B")
    assert refusal(declined, 0, OFFER_DRAW) == "already-offered"
    assert refusal(declined, 1, OFFER_DRAW) is None
    next_turn = played(declined, "turn", "discard")
    assert refusal(next_turn, 0, OFFER_DRAW) is None


def test_only_the_addressee_answers(offered: Position) -> None:
    """The offerer can neither accept nor decline, and without an offer nobody can."""
    for answer in (ACCEPT_DRAW, DECLINE_DRAW):
        assert refusal(offered, 0, answer) == "no-offer"
        assert refusal(offered, 1, answer) is None
        assert refusal(board("russian-bank"), 1, answer) == "no-offer"


@pytest.mark.parametrize("preset", ["russian-bank", "crapette"])
def test_an_accepted_offer_is_a_draw_at_once(preset: str) -> None:
    """Agreed, final, nothing scored, in every preset."""
    after = played(board(preset), "offer-draw A", "accept-draw B")
    assert result(after) == "draw"
    assert after.end is not None
    assert after.end.reason is EndReason.AGREED
    assert after.end.points == 0
    assert after.offer is None


def test_the_addressees_next_action_declines() -> None:
    """A table action of the addressee takes the offer off the table."""
    position = played(board("russian-bank"), "offer-draw B")
    for text in ("turn", "5-2"):
        after = played(position, text)
        assert after.offer is None
        assert refusal(after, 0, ACCEPT_DRAW) == "no-offer"


def test_the_offerers_actions_leave_it_standing(offered: Position) -> None:
    """Even over the end of his turn, until the addressee acts."""
    after = played(offered, "5-2", "turn", "discard")
    assert after.offer == 0
    assert refusal(after, 1, ACCEPT_DRAW) is None
    assert played(after, "turn").offer is None


def test_any_end_takes_the_offer_with_it() -> None:
    """A win, provisional or not, and a resignation leave no offer behind."""
    for preset in ("russian-bank", "crapette"):
        position = board(preset, a="/ / JS /")
        after = played(position, "offer-draw A", "D-6")
        assert after.offer is None
        assert refusal(after, 1, ACCEPT_DRAW) in ("game-over", "end-is-provisional")
    assert played(board(), "offer-draw A", "resign B").offer is None
    blocked = board(a="7S / 9S / JC /", counters={"idle": 7, "limit": 8})
    assert played(blocked, "offer-draw A", "discard").offer is None


def test_an_undone_end_brings_no_offer_back() -> None:
    """The offer that an end took away stays away when a Stop undoes the end."""
    columns = "7D KH KD AS QS QH QD QC"
    position = board(columns=columns, a="/ / JS /")
    after = played(position, "offer-draw A", "D-6", "stop 4-F")
    assert after.end is None
    assert after.offer is None


def test_no_talk_while_an_opening_is_owed() -> None:
    """A turned card that nobody has opened comes before any talk."""
    position = board("russian-bank", a="7S / 9 / /")
    pending = played(position, "turn")
    assert refusal(pending, 0, OFFER_DRAW) == "opening-owed"
    talked = played(position, "offer-draw A", "turn")
    assert refusal(talked, 1, ACCEPT_DRAW) == "opening-owed"
