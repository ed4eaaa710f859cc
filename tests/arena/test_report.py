"""The figures of an arena, from outcomes made up for the purpose."""

from __future__ import annotations

import pytest

from crapette_p2p.arena.deals import Outcome
from crapette_p2p.arena.report import report_on, share_of


def outcome(
    number: int,
    winner: int | None,
    *,
    swapped: bool = False,
    reason: str = "empty",
    starter: int = 0,
    events: int = 300,
) -> Outcome:
    """An outcome of which only this matters."""
    return Outcome(
        number=number,
        swapped=swapped,
        winner=winner,
        reason=reason,
        points=0 if winner is None else 40,
        starter=starter,
        events=events,
        turns=events // 8,
        longest_turn=events // 10,
        offences=(2, 1),
        right_calls=(1, 0),
        wrong_calls=(0, 3),
    )


def test_sides_follow_the_levels_not_the_seats() -> None:
    """``a`` sits at A in the first game of a deal and at B in the second."""
    report = report_on([outcome(0, 0), outcome(0, 1, swapped=True)])
    assert (report.a.wins, report.b.wins) == (2, 0)
    assert (report.a.points, report.b.points) == (80, 0)
    assert (report.a.offences, report.b.offences) == (3, 3)
    assert (report.a.right_calls, report.a.wrong_calls) == (1, 3)


def test_draws_count_half() -> None:
    """A drawn game is half a point for both."""
    games = [outcome(0, None, reason="blocked"), outcome(0, None, reason="limit")]
    report = report_on(games)
    assert report.score.value == 0.5
    assert (report.draws, report.blocked, report.at_limit) == (2, 1, 1)


def test_luck_that_both_seatings_share_cancels_out() -> None:
    """Deals that the first seat always wins say nothing against a pair's 0.5."""
    games = [outcome(n, 0, swapped=s) for n in range(30) for s in (False, True)]
    report = report_on(games)
    assert report.score.value == 0.5
    assert report.first_player.value == 1.0
    assert report.first_player.high == 1.0
    assert 0.9 < report.first_player.low < 1.0


def test_intervals() -> None:
    """More games narrow the interval; no interval leaves 0..1."""
    few = share_of([0.0, 1.0, 1.0, 0.5])
    many = share_of([0.0, 1.0, 1.0, 0.5] * 50)
    assert few.value == many.value == pytest.approx(0.625)
    assert few.high - few.low > many.high - many.low
    assert few.low >= 0.0
    assert few.high <= 1.0
    assert share_of([0.0] * 10).low == 0.0
    assert 0.2 < share_of([0.0] * 10).high < 0.35
    assert share_of([1.0]).low < 0.5


def test_lengths() -> None:
    """Mean, median, ninth decile and the most."""
    games = [outcome(n, 0, events=100 * (n + 1)) for n in range(10)]
    assert report_on(games).longest_turn.most == 100
    spread = report_on(games).events
    assert (spread.mean, spread.median, spread.p90, spread.most) == (
        550,
        600,
        1000,
        1000,
    )


def test_the_report_is_json() -> None:
    """Every figure is there under its name."""
    value = report_on([outcome(0, 0), outcome(0, 0, swapped=True)]).to_json()
    assert value["score"] == {"value": 0.5, "low": 0.0546, "high": 0.9454}
    assert value["a"] == {
        "wins": 1,
        "points": 40,
        "offences": 3,
        "right_calls": 1,
        "wrong_calls": 3,
    }
    assert set(value) >= {"deals", "games", "b", "draws", "blocked", "limit", "turns"}
