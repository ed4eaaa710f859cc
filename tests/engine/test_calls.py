"""What follows a call of Stop!, upheld or wrong."""

from __future__ import annotations

import pytest

from crapette_p2p.cards import parse_card
from crapette_p2p.engine import (
    RESIGN,
    PileId,
    Position,
    Stop,
    parse_action,
    refusal,
    turn_up,
)
from tests.helpers.boards import at, board, played, result

KNOCK = "russian-bank-knock"
ACE = "7D KH KD AS QS QH QD QC"
"""An ace tops column 4; what is played instead is an offence."""


def _refused(position: Position, text: str) -> str | None:
    seat, action = parse_action(text, position)
    return refusal(position, seat, action)


def _rules(preset: str = "crapette", **switches: object) -> dict[str, object]:
    return {"preset": preset, **switches}


# What follows an upheld call.


@pytest.mark.parametrize(
    ("mode", "spades"),
    [("nobody", [0, 0]), ("caller", [1, 0]), ("offender", [1, 0])],
)
def test_who_plays_the_missed_card(mode: str, spades: list[int]) -> None:
    """Nobody, the caller or the offender; the table is the same for the last two."""
    rules = _rules(missed_card_played_by=mode)
    position = board(rules, columns=ACE, a="7S 8S / 9S / 3D / JC")
    after = played(position, "5-2", "stop 4-F")
    assert at(after, "foundations.S") == spades
    assert at(after, "tableau.1") == ["KH"]
    assert at(after, "A.drawn") is None
    assert at(after, "A.waste") == ["JC", "3D"]
    assert at(after, "to_move") == "B"
    assert at(after, "turn_opened") is False
    assert after.offences == ()
    assert after.callable is None
    assert _refused(after, "B:stop 4-F") == "nothing-to-call"


@pytest.mark.parametrize(
    ("mode", "idle", "progressed"),
    [("nobody", 4, False), ("caller", 0, True), ("offender", 1, False)],
)
def test_whose_play_it_is_for_the_counters(
    mode: str, idle: int, progressed: bool
) -> None:
    """The offender's turn is lost; a play by the caller is progress of his turn."""
    rules = _rules(missed_card_played_by=mode)
    position = board(rules, columns=ACE, counters={"idle": 3, "passes": 1})
    after = played(position, "5-2", "stop 4-F")
    assert after.counters.idle == idle
    assert after.counters.progressed is progressed
    assert after.counters.passes == 0


def test_counters_come_back_with_the_position() -> None:
    """Progress made after the offence is undone with the rest."""
    counters = {"idle": 3, "limit": 40, "fewest": 7}
    rules = _rules(KNOCK, missed_card_played_by="nobody")
    position = board(rules, columns=ACE, counters=counters, a="7S QS / 9S / /")
    offended = played(position, "R-2", "4-F")
    assert offended.counters.idle == 0
    assert offended.counters.limit == 8
    after = played(offended, "stop 4-F")
    assert after.counters.idle == 4
    assert after.counters.limit == 40
    assert after.counters.min_personal == 7


def test_an_offending_turn_goes_back_face_up_known() -> None:
    """The turned card is on the stock again, and both have seen it."""
    turned = played(board(columns=ACE, a="7S 8S / 2 / /"), "turn")
    slot = turned.unopened()
    assert slot is not None
    assert _refused(turned, "stop 4-F") == "opening-owed"
    after = played(turn_up(turned, slot, parse_card("6C")), "stop 4-F")
    assert at(after, "A.stock") == ["??", "6C"]
    assert at(after, "A.drawn") is None
    assert at(after, "A.waste") == []


def test_a_recycling_turn_is_undone_too() -> None:
    """The waste lies again as it lay before the offending ``turn``."""
    position = board(columns=ACE, a="7S 8S / / / 2H JC")
    after = played(position, "turn", "stop 4-F")
    assert at(after, "A.waste") == ["2H", "JC"]
    assert at(after, "A.stock") == []


def test_an_upheld_call_after_the_end_of_the_turn() -> None:
    """The turn is restored, the play made, the drawn card goes down, B's turn."""
    position = board(columns=ACE, a="7S 8S / 9S / 3D /")
    after = played(position, "5-2", "discard", "stop 4-F")
    assert at(after, "tableau.4") == ["QS"]
    assert at(after, "foundations.S") == [1, 0]
    assert at(after, "A.waste") == ["3D"]
    assert at(after, "to_move") == "B"


def test_the_played_card_uncovers_the_next_of_the_reserve() -> None:
    """In network play an upheld Stop may leave an opening owed."""
    position = board(columns="KS KH KD KC QS QH QD QC", a="?? AC / 9S 9C / /")
    after = played(position, "turn", "stop R-F")
    slot = after.unopened()
    assert slot is not None
    assert slot in after.piles[16]
    assert refusal(after, 1, Stop(PileId(3), PileId(8))) == "opening-owed"
    assert refusal(after, 1, RESIGN) is None


def test_a_forced_play_can_win_for_the_offender() -> None:
    """Step two empties his piles: he has won, finally, whoever played the card."""
    for mode in ("caller", "offender"):
        rules = _rules(missed_card_played_by=mode)
        position = board(rules, up={"H": [4, 0]}, a="5H / / /")
        after = played(position, "5-2", "stop R-F")
        assert result(after) == "A"
        assert at(after, "counters.end.reason") == "empty"


def test_nobody_gives_no_win_away() -> None:
    """With ``nobody`` the card stays, and so does the deal."""
    rules = _rules(missed_card_played_by="nobody")
    position = board(rules, up={"H": [4, 0]}, a="5H / / /")
    after = played(position, "5-2", "stop R-F")
    assert result(after) is None
    assert at(after, "A.reserve") == ["5H"]


def test_an_upheld_call_can_block_the_deal_finally() -> None:
    """The lost turn is the last idle one: blocked, and no grant is asked."""
    rules = _rules(missed_card_played_by="nobody")
    position = board(rules, columns=ACE, counters={"idle": 7, "limit": 8})
    after = played(position, "5-2", "stop 4-F")
    assert at(after, "counters.end.reason") == "blocked"
    assert after.end is not None
    assert after.end.provisional_by is None


def test_a_play_by_the_caller_saves_a_deal_from_being_blocked() -> None:
    """His play is progress, so the row of idle turns is broken in time."""
    rules = _rules(missed_card_played_by="caller")
    position = board(rules, columns=ACE, counters={"idle": 7, "limit": 8})
    assert played(position, "5-2", "stop 4-F").end is None


def test_draw_talk_is_not_undone() -> None:
    """An offer made after the offence stands after the upheld call."""
    position = played(board(columns=ACE), "5-2", "offer-draw A", "stop 4-F")
    assert position.offer == 0
    assert _refused(position, "accept-draw B") is None


# What follows a wrong call.


def test_a_wrong_call_changes_nothing_on_the_table() -> None:
    """Piles, mover, counters and offences stay; the caller is banned."""
    before = played(board(columns=ACE), "turn")
    after = played(before, "stop 1-F")
    assert after.piles == before.piles
    assert after.active == before.active
    assert after.counters == before.counters
    assert after.offences == before.offences
    assert after.calls.spent
    assert after.calls.wrong == (0, 1)
    assert after.calls.to_sit_out == (0, 0)


def test_every_third_wrong_call_costs_the_next_turn() -> None:
    """The caller's next turn is skipped, and counts as one without progress."""
    counters = {"wrong": [0, 2], "idle": 1, "passes": 1}
    position = board(columns=ACE, a="7S / 9S 9C / JC /", counters=counters)
    called = played(position, "5-2", "stop 1-F")
    assert called.calls.to_sit_out == (0, 1)
    over = played(called, "discard")
    assert over.active == 0
    assert over.acts == 0
    assert over.calls.to_sit_out == (0, 0)
    assert over.calls.wrong == (0, 3)
    assert over.counters.idle == 3
    assert over.counters.passes == 0
    assert over.calls.spent


@pytest.mark.parametrize(("wrong", "cost"), [(0, 0), (1, 0), (2, 1), (3, 0), (5, 1)])
def test_only_every_third_costs(wrong: int, cost: int) -> None:
    """The third, sixth, … wrong call of a deal costs a turn."""
    position = board(columns=ACE, counters={"wrong": [0, wrong]})
    after = played(position, "turn", "stop 1-F")
    assert after.calls.to_sit_out == (0, cost)


def test_no_more_this_turn_costs_no_turn() -> None:
    """With the milder switch the third wrong call only bans."""
    rules = _rules(wrong_call="no-more-this-turn")
    position = board(rules, columns=ACE, counters={"wrong": [0, 2]})
    after = played(position, "turn", "stop 1-F")
    assert after.calls.to_sit_out == (0, 0)
    assert after.calls.spent


def test_a_skipped_caller_can_still_be_called_upon() -> None:
    """His window stays open over the skipped turn: he has not acted himself."""
    counters = {"to_sit_out": [0, 1]}
    position = board(columns=ACE, a="7S / 9S 9C TC / JC /", counters=counters)
    over = played(position, "5-2", "discard")
    assert over.active == 0
    again = played(over, "turn")
    assert len(again.offences) == 3
    assert at(played(again, "stop 4-F"), "tableau.4") == ["QS"]


def test_turns_to_sit_out_never_loop() -> None:
    """Both players sitting out for ever ends as a blocked deal."""
    counters = {"to_sit_out": [9, 9], "limit": 8}
    position = board(a="7S / 9S 9C / JC /", counters=counters)
    after = played(position, "discard")
    assert at(after, "counters.end.reason") == "blocked"
    counters = {"to_sit_out": [3, 1], "limit": 80}
    position = board(a="7S / 9S 9C / JC /", counters=counters)
    after = played(position, "discard")
    assert after.end is None
    assert after.active == 1
    assert after.calls.to_sit_out == (2, 0)
