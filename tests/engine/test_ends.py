"""How deals end: wins, blocked deals, resignation, and what each scores."""

from __future__ import annotations

import pytest

from crapette_p2p.engine import (
    DISCARD,
    RESIGN,
    EndReason,
    Position,
    format_action,
    parse_action,
    play,
    refusal,
)
from tests.helpers.boards import at, board, listed, played, result

PASSIVE = "KS KH KD KC KS KH KD KC"


def _end(position: Position) -> tuple[str | None, str, int]:
    assert position.end is not None
    end = position.end
    return result(position), end.reason.name.lower(), end.points


# Wins.


@pytest.mark.parametrize("text", ["D-6", "D-F", "D-OW", "D-OR"])
def test_the_last_personal_card_wins_wherever_it_goes(text: str) -> None:
    """Onto a column, a foundation or the opponent: the deal is won at once."""
    card = {"D-F": "AC", "D-6": "JS"}.get(text, "5C")
    position = board("russian-bank", a=f"/ / {card} /", b="6C / 4S / / 4C")
    assert result(played(position, text)) == "A"


def test_the_last_reserve_card_wins_too() -> None:
    """It matters not which personal pile the last card came from."""
    position = board("russian-bank", a="JS / / /")
    assert result(played(position, "R-6")) == "A"


def test_a_discard_never_wins() -> None:
    """The waste then holds a card."""
    position = board("russian-bank", a="/ / JS /")
    after = played(position, "discard")
    assert after.end is None
    assert at(after, "A.waste") == ["JS"]


@pytest.mark.parametrize(
    ("needs", "columns", "winner"),
    [
        ("none", "KS KH KD KC QS QH QD QC", "A"),
        ("own4", "KS KH KD KC QS QH QD QC", None),
        ("own4", ". . . . QS QH QD QC", "A"),
        ("own4", "KS . . . . . . QC", None),
        ("all8", ". . . . QS QH QD QC", None),
        ("all8", ". . . . . . . .", "A"),
    ],
)
def test_what_a_win_needs_of_the_tableau(
    needs: str, columns: str, winner: str | None
) -> None:
    """``own4``: the columns dealt by that player are empty too; ``all8``: all are."""
    rules = {"preset": "russian-bank", "win_needs_tableau": needs}
    position = board(rules, columns=columns, a="/ / AC /")
    assert result(played(position, "D-F")) == winner


def test_own_columns_of_b_are_the_second_four() -> None:
    """B dealt columns 5 to 8."""
    rules = {"preset": "russian-bank", "win_needs_tableau": "own4"}
    position = board(rules, columns="KS KH KD KC . . . .", b="/ / AC /", to_move="B")
    assert result(played(position, "D-F")) == "B"


def test_a_player_without_cards_plays_on_for_the_tableau() -> None:
    """He moves column cards or passes, and wins with the move that empties them."""
    rules = {"preset": "russian-bank", "win_needs_tableau": "own4"}
    position = board(rules, columns=". . . AC QS QH QD QC", a="/ / /")
    assert position.end is None
    assert "pass" in listed(position)
    assert result(played(position, "4-F")) == "A"


def test_the_opponents_play_wins_nothing_for_me() -> None:
    """A win is looked for after one's own action; then even a pass is enough."""
    rules = {"preset": "russian-bank", "win_needs_tableau": "own4"}
    position = board(
        rules,
        columns=". . . AC QS QH QD QC",
        a="/ / /",
        to_move="B",
        b="7C / 4S / JC /",
    )
    after = played(position, "4-F", "discard")
    assert after.end is None
    won = played(after, "pass")
    assert result(won) == "A"
    assert (won.active, won.acts) == (0, 1), "an action like others; no turn has ended"


# Points.


def test_hoyle_counts_thirty_and_the_losers_cards() -> None:
    """One a stock, drawn or waste card, two a reserve card."""
    position = board("crapette", a="/ / JS /", b="6C 8H 9H / 4S 3D / / 4C TD 2H")
    assert _end(played(position, "D-6", "grant")) == ("A", "empty", 30 + 6 + 2 + 3)


def test_deal_scoring_gives_one() -> None:
    """Whatever is left, a deal is a deal."""
    position = board("russian-bank", a="/ / JS /", b="6C 8H 9H / 4S 3D / /")
    assert _end(played(position, "D-6")) == ("A", "empty", 1)


@pytest.mark.parametrize(
    ("rules", "points"), [("crapette", 30 + 4 + 2 + 1), ("garibaldka", 1)]
)
def test_a_resignation_loses_the_deal(rules: str, points: int) -> None:
    """Either player may resign at any time; the resigner's cards are counted."""
    position = board(rules, a="7S 8S / 9S 9C / JC /")
    assert _end(played(position, "resign A")) == ("B", "resigned", points)
    after = played(position, "resign B")
    assert result(after) == "A"


def test_a_resignation_is_final_at_once_even_with_calls() -> None:
    """No grant is asked, and nothing more may be done."""
    after = played(board(), "resign B")
    assert after.end is not None
    assert after.end.provisional_by is None
    assert refusal(after, 0, RESIGN) == "game-over"


@pytest.mark.parametrize(
    ("blocked", "scoring", "a", "b", "expected"),
    [
        ("draw", "hoyle", "7S / 9S / JC /", "7C / 4S 4C / /", ("draw", 0)),
        ("difference", "hoyle", "7S / 9S / JC /", "7C 8C / 4S / /", ("A", 1)),
        ("difference", "hoyle", "7S 8S TS / / JC /", "7C / 4S / / 4C", ("B", 3)),
        ("difference", "hoyle", "7S / 9S / JC /", "7C / 4S 4C / /", ("draw", 0)),
        ("difference", "deal", "7S 8S TS / / JC /", "7C / 4S / / 4C", ("B", 1)),
        ("difference", "deal", "7S / 9S / JC /", "7C / 4S 4C / /", ("draw", 0)),
    ],
)
def test_what_a_blocked_deal_scores(
    blocked: str, scoring: str, a: str, b: str, expected: tuple[str, int]
) -> None:
    """A draw, or the difference of the counts; one where deals are counted."""
    rules = {
        "preset": "crapette",
        "enforcement": "none",
        "blocked_result": blocked,
        "scoring": scoring,
    }
    position = board(rules, a=a, b=b, counters={"idle": 7, "limit": 8})
    after = played(position, "discard")
    assert _end(after) == (expected[0], "blocked", expected[1])


# Blocked deals.


def test_idle_turns_block_a_deal() -> None:
    """2m + 2 turns in a row without progress, and never fewer than eight."""
    position = board("russian-bank", columns=PASSIVE, a="7S / 3D / /", b="7C / 4S / /")
    assert position.counters.limit == 8
    turns = 0
    while position.end is None:
        position = played(position, "turn", "discard")
        turns += 1
    assert turns == 8
    assert _end(position)[1] == "blocked"
    big = board("russian-bank", a="7S / 3D 5D 6D 8D / / 2H 9H")
    assert big.counters.limit == 14


def test_progress_breaks_the_row_at_once() -> None:
    """A foundation play or a new low of personal cards starts the count anew."""
    counters = {"idle": 6, "limit": 30}
    position = board(
        "russian-bank",
        columns="AS KH KD KC QS QH QD QC",
        a="7S / 9S / JS /",
        counters=counters,
    )
    up = played(position, "1-F")
    assert up.counters.idle == 0
    assert up.counters.progressed
    assert up.counters.limit == 8
    low = played(position, "D-6")
    assert low.counters.idle == 0
    assert low.counters.min_personal == 6
    over = played(up, "discard")
    assert over.counters.idle == 0
    assert not over.counters.progressed


def test_moving_about_is_no_progress() -> None:
    """Column to column, loading back and forth and turning count for nothing."""
    position = board(
        "russian-bank", columns="KS KH KD KC QS QH QD 9C", counters={"idle": 3}
    )
    moved = played(position, "5-2")
    assert moved.counters is position.counters
    loaded = played(position, "8-OR")
    assert loaded.counters == position.counters
    assert played(position, "turn").counters is position.counters


def test_a_card_that_comes_back_is_no_progress_again() -> None:
    """Personal cards must fall below their minimum since the last foundation play."""
    counters = {"idle": 3, "fewest": 5}
    position = board("russian-bank", a="7S / 9S / JS /", counters=counters)
    after = played(position, "D-6")
    assert after.counters.idle == 3
    assert not after.counters.progressed


def test_the_minimum_starts_anew_with_a_foundation_play() -> None:
    """After a foundation play the present number of personal cards is the mark."""
    counters = {"idle": 3, "fewest": 2}
    columns = "AS KH KD KC QS QH QD QC"
    position = board(
        "russian-bank", columns=columns, a="7S / 9S / JS /", counters=counters
    )
    up = played(position, "1-F")
    assert up.counters.min_personal == 7
    again = played(up, "D-6")
    assert again.counters.min_personal == 6


def test_a_hand_that_grows_raises_the_limit() -> None:
    """M is the largest stock, waste and drawn card since the last progress."""
    position = board(
        "russian-bank",
        columns="5C KH KD KC QS QH QD QC",
        a="7S / 9S / JS /",
        b="7C / 4S 4H 4D / / 6C",
    )
    assert position.counters.limit == 10
    after = played(position, "1-OW")
    assert after.counters.limit == 12
    assert after.counters.idle == 0
    assert not after.counters.progressed


def test_two_passes_in_succession_block_a_deal() -> None:
    """Both players pass with no progress in either turn."""
    position = board("russian-bank", columns=PASSIVE, a="7S / / /", b="7C / / /")
    once = played(position, "pass")
    assert once.end is None
    assert once.counters.passes == 1
    assert _end(played(once, "pass"))[:2] == ("draw", "blocked")


def test_a_pass_after_progress_is_no_idle_pass() -> None:
    """A turn in which there was progress breaks the succession."""
    position = board(
        "russian-bank", columns="AS QH KD KC KS KH KD KC", a="7S / / /", b="7C / / /"
    )
    after = played(position, "pass", "1-F", "pass")
    assert after.end is None
    assert after.counters.passes == 0


def test_a_turn_between_breaks_the_succession_of_passes() -> None:
    """Pass, discard, pass is no end."""
    position = board(
        "russian-bank",
        columns=PASSIVE,
        a="7S / / /",
        b="7C / 2 / 3D /",
        to_move="B",
        counters={"passes": 1},
    )
    after = played(position, "discard")
    assert after.counters.passes == 0
    assert played(after, "pass").end is None


def test_the_limit_of_events_blocks_at_a_turns_end() -> None:
    """A turn that ends at event 16000 or later blocks the deal, whatever happens."""
    position = board("russian-bank", a="7S / 9S / JC /")
    assert play(position, 0, DISCARD, seq=15_999).end is None
    after = play(position, 0, DISCARD, seq=16_000)
    assert after.end is not None
    assert after.end.reason is EndReason.BLOCKED
    assert after.end.at_limit
    assert at(after, "counters.end.reason") == "limit"
    moved = play(position, 0, parse_action("5-2", position)[1], seq=16_001)
    assert moved.end is None


def test_after_four_hundred_actions_only_the_end_is_in_sight() -> None:
    """Then only discard, pass, turn or a foundation play are accepted."""
    columns = "AS KH KD KC QS QH QD QC"
    position = board(
        "russian-bank", columns=columns, a="7S / 9S / /", counters={"actions": 399}
    )
    assert {"5-2", "1-F", "turn"} <= set(listed(position))
    after = played(position, "5-2")
    assert after.acts == 400
    assert set(listed(after)) == {"1-F", "turn"}
    seat, action = parse_action("7-1", after)
    assert refusal(after, seat, action) == "too-many-actions"
    turned = played(after, "1-F", "turn")
    assert set(listed(turned)) == {"discard"}
    assert played(turned, "discard").acts == 0


def test_an_ended_position_has_no_actions() -> None:
    """Nothing can be played when the deal is over, provisional or not."""
    for preset in ("russian-bank", "crapette"):
        after = played(board(preset, a="/ / JS /"), "D-6")
        assert listed(after) == {}
        seat, action = parse_action("5-2", after)
        assert refusal(after, seat, action) in ("game-over", "end-is-provisional")
        assert format_action(action) == "5-2"
