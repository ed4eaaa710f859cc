"""How long a bot thinks: as long as it may, no longer, and by count with a seed."""

from __future__ import annotations

import pytest

from crapette_p2p.engine import Position, refusal
from crapette_p2p.net import autoplay
from crapette_p2p.net.autoplay import bot_chooser
from tests.helpers.boards import board

OPEN = "5S 6H 7S 8H 9S TH JS QH"


class Clock:
    """A clock that goes on by a millisecond each time it is looked at."""

    def __init__(self) -> None:
        self.looks = 0

    def monotonic(self) -> float:
        """The time now."""
        self.looks += 1
        return self.looks / 1000


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """The clock of the bots."""
    clock = Clock()
    monkeypatch.setattr(autoplay, "time", clock)
    return clock


def table() -> Position:
    """A table with many ways to go on."""
    return board(columns=OPEN, a="7S 4D / 20 / /", b="2C 8C / 20 / /")


def looks_for(clock: Clock, think_ms: int | None) -> int:
    """How often the clock is looked at for one lawful action."""
    before, position = clock.looks, table()
    action = bot_chooser("master", think_ms=think_ms)(position, 0)
    assert action is not None
    assert refusal(position, 0, action) is None
    return clock.looks - before


def test_the_time_given_is_used_and_kept(clock: Clock) -> None:
    """More milliseconds are more looks; past its time a bot stops at once."""
    short, longer = looks_for(clock, 5), looks_for(clock, 60)
    assert short <= 5 + 8
    assert short < longer <= 60 + 8


def test_the_usual_time(clock: Clock) -> None:
    """Where nobody says otherwise it is 300 ms."""
    assert looks_for(clock, None) == looks_for(clock, autoplay.THINK_MS)


def test_with_a_seed_no_clock_is_asked(clock: Clock) -> None:
    """Choices that are to repeat cannot depend on a clock."""
    one, two = (bot_chooser("master", seed=3, think_ms=ms) for ms in (1, 1000))
    assert one(table(), 0) == two(table(), 0)
    assert clock.looks == 0
