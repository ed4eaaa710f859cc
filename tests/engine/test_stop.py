"""Calls of Stop!: when they may be made, how they are judged, what follows."""

from __future__ import annotations

import pytest

from crapette_p2p.engine import (
    PileId,
    Position,
    Stop,
    format_action,
    judge,
    parse_action,
    refusal,
    resolve_stop,
)
from crapette_p2p.errors import NotationError
from tests.helpers.boards import at, board, played

KNOCK = "russian-bank-knock"
ACE = "7D KH KD AS QS QH QD QC"
"""An ace tops column 4; what is played instead is an offence."""


def _refused(position: Position, text: str) -> str | None:
    seat, action = parse_action(text, position)
    return refusal(position, seat, action)


def _rules(preset: str = "crapette", **switches: object) -> dict[str, object]:
    return {"preset": preset, **switches}


# When a call may be made.


@pytest.mark.parametrize("enforcement", ["none", "automatic", "forbid"])
def test_no_calls_without_calls(enforcement: str) -> None:
    """In the other enforcements nobody calls anything."""
    position = board(_rules(enforcement=enforcement), columns=ACE)
    assert _refused(position, "B:stop 4-F") == "no-calls"


def test_nothing_to_call_before_the_first_action() -> None:
    """A turn that is not opened has no action in it to be called."""
    position = board(columns=ACE, opened=False)
    assert _refused(position, "B:stop 4-F") == "nothing-to-call"
    assert _refused(position, "A:stop 4-F") == "nothing-to-call"


def test_nobody_calls_his_own_actions() -> None:
    """The caller is the opponent of whoever acted last."""
    after = played(board(columns=ACE), "turn")
    assert _refused(after, "A:stop 4-F") == "nothing-to-call"
    assert _refused(after, "stop 4-F") is None
    assert parse_action("stop 4-F", after)[0] == 1


def test_the_window_stays_open_over_the_end_of_the_turn() -> None:
    """After the offender's discard the caller may still call, though it is his turn."""
    after = played(board(columns=ACE), "turn", "discard")
    assert after.active == 1
    assert parse_action("stop 4-F", after)[0] == 1
    assert at(played(after, "stop 4-F"), "foundations.S") == [1, 0]


@pytest.mark.parametrize("own", ["turn", "4-F", "R-8"])
def test_the_callers_own_first_action_closes_the_window(own: str) -> None:
    """Once the caller has acted on the table it is too late."""
    columns = "7D KH KD AS QS QH QD 8H"
    position = board(columns=columns, b="7C / 4S 4C / /")
    over = played(position, "turn", "discard")
    late = played(over, own)
    assert late.callable == 1
    assert all(offence.before.active == 1 for offence in late.offences)
    assert _refused(late, "B:stop 4-F") == "nothing-to-call"


def test_talk_closes_no_window() -> None:
    """Offering and declining a draw leaves the offence open."""
    over = played(board(columns=ACE), "turn", "discard")
    talked = played(over, "offer-draw B", "decline-draw A")
    assert at(played(talked, "stop 4-F"), "foundations.S") == [1, 0]


def test_the_second_call_of_a_banned_player_is_refused() -> None:
    """After a wrong call nothing more is called until the own next first action."""
    position = played(board(columns=ACE, a="7S 8S / 9S 9C TC / /"), "turn", "stop 1-F")
    assert _refused(position, "stop 4-F") == "call-spent"
    over = played(position, "discard")
    assert _refused(over, "B:stop 4-F") == "call-spent"
    again = played(over, "turn", "discard", "turn")
    assert again.callable == 0
    assert _refused(again, "B:stop 4-F") is None


def test_a_ban_binds_only_the_wrong_caller() -> None:
    """B's wrong call does not keep A from calling B's offences."""
    position = played(board(columns=ACE), "turn", "stop 1-F", "discard", "turn")
    assert _refused(position, "A:stop 4-F") is None


def test_a_call_names_piles_that_exist() -> None:
    """Any two piles can be named, but there are only 24."""
    after = played(board(columns=ACE), "turn")
    assert refusal(after, 1, Stop(PileId(3), PileId(23))) is None
    for stop in (Stop(PileId(24), PileId(8)), Stop(PileId(3), PileId(-1))):
        assert refusal(after, 1, stop) == "no-target"


def test_legality_betrays_no_offence() -> None:
    """A call is lawful whether or not there is anything to call."""
    clean = played(board(columns="7D KH KD KC QS QH QD QC"), "turn")
    guilty = played(board(columns=ACE), "turn")
    for text in ("stop 4-F", "stop R-1", "stop D-F"):
        assert _refused(clean, text) is None
        assert _refused(guilty, text) is None


# How a call is judged.


def test_the_earliest_open_offence_before_which_it_was_due_counts() -> None:
    """Of two offences with the same missed play the earlier is undone."""
    position = board(KNOCK, columns="6S 7D KD KC QS QH QD QC", up={"S": [5, 0]})
    first = played(position, "1-2")
    second = played(first, "turn")
    assert [offence.code.text for offence in second.offences] == [
        "missed-foundation",
        "missed-foundation",
    ]
    assert judge(second, Stop(PileId(0), PileId(12))) == second.offences[0]
    assert judge(second, Stop(PileId(1), PileId(12))) == second.offences[1]
    assert judge(second, Stop(PileId(2), PileId(12))) is None


def test_remedying_an_offence_does_not_heal_it() -> None:
    """The missed card goes up one action late: the offence stays open."""
    remedied = played(board(columns=ACE), "5-2", "4-F")
    after = played(remedied, "stop 4-F")
    assert at(after, "foundations.S") == [1, 0]
    assert at(after, "tableau.4") == ["QS"]
    assert at(after, "to_move") == "B"


def test_under_the_action_window_only_the_last_action_counts() -> None:
    """A clean action after the offence closes the window of one action."""
    rules = _rules(stop_window="action")
    offended = played(board(rules, columns=ACE), "5-2")
    assert judge(offended, Stop(PileId(3), PileId(12))) is not None
    remedied = played(offended, "4-F")
    assert remedied.offences == ()
    wrong = played(remedied, "stop 4-F")
    assert wrong.calls.wrong == (0, 1)
    assert wrong.piles == remedied.piles


def test_the_action_window_also_stays_open_over_the_end_of_a_turn() -> None:
    """An offending discard can be called until the caller's own first action."""
    rules = _rules(stop_window="action")
    over = played(board(rules, columns=ACE, a="7S / 9S / 3D /"), "discard")
    assert at(played(over, "stop 4-F"), "foundations.S") == [1, 0]
    late = played(over, "turn")
    assert late.callable == 1


def test_a_play_that_was_not_the_due_one_is_a_wrong_call() -> None:
    """Under ``reserve-first`` naming another fitting card misses."""
    up = {"S": [4, 0], "H": [4, 0]}
    position = board(columns="5S KH KD KC QS QH QD QC", up=up, a="7S 5H / 9S / /")
    after = played(position, "turn")
    assert judge(after, Stop(PileId(16), PileId(14))) is not None
    assert judge(after, Stop(PileId(0), PileId(12))) is None


def test_the_other_foundation_is_not_the_missed_play() -> None:
    """A missed play is named with the foundation it would have gone to."""
    after = played(board(columns=ACE), "turn")
    assert judge(after, Stop(PileId(3), PileId(12))) is not None
    assert judge(after, Stop(PileId(3), PileId(13))) is None


def test_each_space_that_could_be_filled_can_be_named() -> None:
    """An unfilled space is named as reserve to that space."""
    position = played(board(columns=". KH . KC QS QH QD QC"), "turn")
    for text in ("stop R-1", "stop R-3"):
        assert at(played(position, text), "to_move") == "B"
    assert played(position, "stop R-2").calls.wrong == (0, 1)


# What a person means by F.


def test_resolving_looks_at_the_open_offences_first() -> None:
    """The ace has gone up since, but the call means the foundation of that time."""
    remedied = played(board(columns=ACE), "5-2", "4-F")
    assert resolve_stop(remedied, 3, "F") == Stop(PileId(3), PileId(12))


def test_resolving_a_call_that_nothing_supports_still_names_a_pile() -> None:
    """A wrong call can be expressed too: the suit's foundation, or any."""
    position = board(columns="7D . KD 8H QS QH QD QC", up={"H": [7, 0]})
    assert resolve_stop(position, 3, "f").target == 14
    assert resolve_stop(position, 0, "F").target == 10
    assert resolve_stop(position, 1, "F").target == 8
    assert resolve_stop(position, 16, "3") == Stop(PileId(16), PileId(2))


@pytest.mark.parametrize("target", ["", "9", "0", "OR", "FF", "٣"])
def test_a_missed_play_goes_to_a_foundation_or_a_column(target: str) -> None:
    """Nothing else can be due, so nothing else can be named."""
    with pytest.raises(NotationError):
        resolve_stop(board(), 0, target)


def test_a_call_is_written_as_it_is_read() -> None:
    """A Stop names source and target relative to the offender."""
    after = played(board(columns=ACE), "turn")
    seat, action = parse_action("stop 4-F", after)
    assert seat == 1
    assert action == Stop(PileId(3), PileId(12))
    assert format_action(action) == "stop 4-F"
    seat, action = parse_action("STOP r-3", after)
    assert action == Stop(PileId(16), PileId(2))
    assert format_action(action) == "stop R-3"
