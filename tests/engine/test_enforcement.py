"""What becomes of an offence: nothing, the turn, a call, a refusal."""

from __future__ import annotations

import pytest

from crapette_p2p.engine import OffenceCode, Position, parse_action, refusal
from tests.helpers.boards import at, board, listed, played, result


def _rules(enforcement: str, **switches: object) -> dict[str, object]:
    return {"preset": "crapette", "enforcement": enforcement, **switches}


def _loadable(enforcement: str, counters: object = None) -> Position:
    """The drawn 2D fits a foundation, and the opponent's reserve as well."""
    return board(
        _rules(enforcement),
        up={"D": [1, 0]},
        a="7S 8S / 9S 9C / 2D / JC",
        b="5C AD / 4S 4C / /",
        counters=counters,
    )


def test_none_lets_everything_stand() -> None:
    """With ``none`` no duty is in force and nothing is an offence."""
    position = _loadable("none")
    assert set(listed(position).values()) == {None}
    after = played(position, "D-OR")
    assert at(after, "B.reserve") == ["5C", "AD", "2D"]
    assert after.offences == ()
    assert after.callable is None


def test_automatic_undoes_and_takes_the_turn() -> None:
    """The offence is not made, the drawn card goes to the waste, the turn is lost."""
    position = _loadable("automatic")
    after = played(position, "D-OR")
    assert at(after, "B.reserve") == ["5C", "AD"]
    assert at(after, "A.drawn") is None
    assert at(after, "A.waste") == ["JC", "2D"]
    assert at(after, "foundations.D") == [1, 0]
    assert at(after, "to_move") == "B"
    assert at(after, "turn_opened") is False
    assert after.penalty is OffenceCode.MISSED_FOUNDATION
    assert after.counters.idle == 1
    assert after.offences == ()


def test_an_automatic_penalty_is_noted_once() -> None:
    """The next action no longer carries the penalty of the one before."""
    position = _loadable("automatic")
    lost = played(position, "D-OR")
    assert played(lost, "offer-draw A").penalty is None
    assert played(lost, "R-F").penalty is None


def test_automatic_undoes_a_turn_before_a_card_is_seen() -> None:
    """An offending ``turn`` turns nothing up: the card stays on the stock unseen."""
    position = board("garibaldka", columns="AS KH KD KC QS QH QD QC", a="7S 8S / 2 / /")
    after = played(position, "turn")
    assert at(after, "A.stock") == 2
    assert at(after, "A.drawn") is None
    assert after.penalty is OffenceCode.MISSED_FOUNDATION


def test_automatic_takes_an_offending_win_back() -> None:
    """The last card laid elsewhere while a foundation play stood wins nothing."""
    columns = "AS KH KD KC QS QH QD QC"
    position = board("garibaldka", columns=columns, a="/ / JS /")
    after = played(position, "D-6")
    assert result(after) is None
    assert at(after, "A.waste") == ["JS"]
    assert at(after, "to_move") == "B"


@pytest.mark.parametrize("text", ["discard", "pass"])
def test_automatic_refuses_what_would_end_the_turn_anyway(text: str) -> None:
    """A discard or pass under a duty is refused: a lost turn were no penalty."""
    drawn = "2D" if text == "discard" else ""
    position = board("garibaldka", up={"D": [1, 0]}, a=f"7S 2D / / {drawn} /")
    seat, action = parse_action(text, position)
    assert refusal(position, seat, action) == "missed-foundation"
    assert text not in listed(position)


def test_a_penalty_counts_as_a_turn_without_progress() -> None:
    """Even after progress in the same turn the lost turn is an idle one."""
    columns = "AS 2S KD KC QS QH QD QC"
    counters = {"idle": 5, "limit": 8}
    position = board(
        "garibaldka", columns=columns, counters=counters, a="7S / 9S / JS /"
    )
    after = played(position, "1-F", "D-6")
    assert after.penalty is OffenceCode.MISSED_FOUNDATION
    assert after.counters.idle == 1
    assert after.counters.passes == 0


def test_a_penalty_can_block_the_deal() -> None:
    """The idle turn of a penalty is counted against the limit like any other."""
    position = _loadable("automatic", counters={"idle": 7, "limit": 8})
    after = played(position, "D-OR")
    assert result(after) == "B"
    assert at(after, "counters.end.reason") == "blocked"
    assert after.penalty is OffenceCode.MISSED_FOUNDATION


def test_a_penalty_is_the_addressees_action() -> None:
    """A draw offer to the mover is declined by his action, undone or not."""
    position = _loadable("automatic")
    after = played(position, "offer-draw B", "D-OR")
    assert after.offer is None


def test_forbid_refuses_and_names_the_offence() -> None:
    """The beginners' mode accepts only what no duty forbids."""
    position = _loadable("forbid")
    assert listed(position) == {"D-F": None}
    for text in ("D-OR", "discard"):
        seat, action = parse_action(text, position)
        assert refusal(position, seat, action) == "missed-foundation"


def test_forbid_refuses_by_each_code() -> None:
    """``reserve-first`` and ``unfilled-space`` are refused as such."""
    columns = ". 5S KD KC QS QH QD QC"
    up = {"S": [4, 0], "H": [4, 0]}
    first = board(_rules("forbid"), columns=columns, up=up, a="7S 5H / 9S / /")
    seat, action = parse_action("2-F", first)
    assert refusal(first, seat, action) == "reserve-first"
    space = board(_rules("forbid"), columns=". KH KD KC QS QH QD QC")
    seat, action = parse_action("turn", space)
    assert refusal(space, seat, action) == "unfilled-space"
    assert "turn" not in listed(space)
    assert "R-1" in listed(space)


def test_forbid_never_leaves_a_player_without_an_action() -> None:
    """Whatever duty stands, the play that it asks for can be made."""
    columns = "AS . KD KC QS QH QD QC"
    position = board(_rules("forbid"), columns=columns, a="7S / 9S / /")
    assert listed(position) == {"1-F": None}
    after = played(position, "1-F")
    assert {"R-1", "R-2"} <= set(listed(after))


def test_call_lets_an_offence_stand_and_remembers_it() -> None:
    """The offending move is made; the position before it is kept for a Stop."""
    position = _loadable("call")
    after = played(position, "D-OR")
    assert at(after, "B.reserve") == ["5C", "AD", "2D"]
    (offence,) = after.offences
    assert offence.code is OffenceCode.MISSED_FOUNDATION
    assert offence.before == position
    assert after.callable == 0
    assert after.penalty is None
    assert at(after, "offence") == {"code": "missed-foundation", "by": "A"}


def test_remembered_positions_do_not_nest() -> None:
    """The position before a second offence is kept without the first one."""
    after = played(_loadable("call"), "5-2", "7-1", "D-OR")
    assert [offence.seq for offence in after.offences] == [0, 0, 0]
    assert all(offence.before.offences == () for offence in after.offences)
