"""The feed: the opponent's moves one by one, none skipped."""

from __future__ import annotations

from crapette_p2p.engine import TURN, Seat
from crapette_p2p.ui.play.feed import Feed
from tests.ui.boards import Side, board

POSITIONS = [board(a=Side(stock=n)) for n in range(6)]


def feed() -> Feed:
    """Seat 0 watches from the first position, a third of a second a move."""
    return Feed(Seat(0), POSITIONS[0], pace=0.35)


def shown(line: Feed, now: float) -> list[int]:
    """Which positions come into sight by ``now``."""
    return [POSITIONS.index(event.after) for event in line.advance(now)]


def test_each_move_of_the_opponent_stands_for_the_pace() -> None:
    """A burst is queued and shown move by move."""
    line = feed()
    for position in POSITIONS[1:4]:
        line.push(Seat(1), TURN, position)
    assert line.latest == POSITIONS[3]
    assert shown(line, 10.0) == [1]
    assert line.wakes_at() == 10.35
    assert shown(line, 10.2) == []
    assert shown(line, 10.4) == [2]
    assert shown(line, 11.0) == [3]
    assert not line.is_behind


def test_openings_come_with_the_move_they_belong_to() -> None:
    """A card that is turned up does not wait by itself."""
    line = feed()
    line.push(Seat(1), TURN, POSITIONS[1])
    line.push(Seat(0), None, POSITIONS[2])
    assert shown(line, 1.0) == [1, 2]


def test_own_events_never_wait_and_nothing_is_overtaken() -> None:
    """An own Stop shows what was queued before it, then itself."""
    line = feed()
    for position in POSITIONS[1:3]:
        line.push(Seat(1), TURN, position)
    line.push(Seat(0), TURN, POSITIONS[3])
    assert shown(line, 1.0) == [1, 2, 3]


def test_enter_shows_faster() -> None:
    """Hurried, the next one comes at once and the others soon."""
    line = feed()
    for position in POSITIONS[1:4]:
        line.push(Seat(1), TURN, position)
    assert shown(line, 1.0) == [1]
    line.hurry()
    assert shown(line, 1.01) == [2]
    assert shown(line, 1.09) == [3]
    assert not line.hurried


def test_without_a_pace_everything_is_shown_at_once() -> None:
    """A pace of 0 ms skips nothing and waits for nothing."""
    line = Feed(Seat(0), POSITIONS[0], pace=0.0)
    for position in POSITIONS[1:4]:
        line.push(Seat(1), TURN, position)
    assert shown(line, 1.0) == [1, 2, 3]
