"""A moved card is seen to go from pile to pile, and nothing waits for it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from crapette_p2p.engine import DISCARD, TURN
from crapette_p2p.ui.faces import PLAIN_THEME
from crapette_p2p.ui.play.flying import FRAME, SECONDS
from crapette_p2p.ui.render import PileHit, render
from crapette_p2p.ui.settings import Settings
from crapette_p2p.ui.table_view import Flight
from tests.ui.pictures import TABLE
from tests.ui.seated import START, Table, mine, move

SIZES = [(60, 18), (80, 24), (100, 30), (120, 40), (140, 45)]


def watched() -> Table:
    """The opponent's turn, with moving cards."""
    return Table(settings=Settings(pace=350, animation=True))


def test_a_move_is_seen_on_its_way_and_then_lies_there() -> None:
    """First at its pile, then between both, then at the other; in few pictures."""
    table = watched()
    table.screen.dealt_at = 0.0
    table.happen(1, move(1, 0))
    begun = table.now
    times = [begun + frame * FRAME for frame in range(4)]
    seen = [table.screen.draw(80, 24, time).text() for time in times]
    assert all("\n".join(rows[:18]).count("8♠") == 1 for rows in seen)
    assert len({tuple(rows) for rows in seen}) >= 3
    landed = table.screen.draw(80, 24, begun + SECONDS).text()
    assert any("{ 8♠} 9♥" in row for row in landed)
    assert table.screen.wakes_at(begun) == pytest.approx(begun + FRAME)


@pytest.mark.parametrize("size", SIZES)
def test_a_flight_begins_at_its_pile_and_ends_at_the_other(
    size: tuple[int, int],
) -> None:
    """At every size and for every pile the card is drawn over that pile's cells."""
    cols, rows = size
    bare = render(TABLE, cols, rows, PLAIN_THEME).text()
    for pile in range(24):
        for flight in (Flight(pile, 9, 51, 0.0), Flight(9, pile, 51, 1.0)):
            frame = render(replace(TABLE, flight=flight), cols, rows, PLAIN_THEME)
            changed = {
                frame.hit(x, y)
                for y, row in enumerate(frame.text())
                for x, char in enumerate(row)
                if char != bare[y][x]
            }
            assert changed - {None} <= {PileHit(pile)}


def test_any_key_ends_the_flight() -> None:
    """What is played next is judged by the table as it is."""
    table = mine(animation=True)
    table.keys("4", "f")
    table.happen(0, move(3, 8))
    assert table.screen.flying is not None
    table.keys("c", after=0.01)
    assert table.screen.flying is None
    assert table.screen.hands.state.picked == 16


def test_without_animation_or_in_a_hurry_nothing_flies() -> None:
    """The setting, the pace, and Enter."""
    for settings in (
        Settings(pace=350, animation=False),
        Settings(pace=100, animation=True),
    ):
        table = Table(settings=settings)
        table.happen(1, move(1, 0))
        assert table.screen.flying is None
    table = watched()
    for action in (move(1, 0), move(0, 1), move(1, 0)):
        table.happen(1, action)
    table.keys("enter")
    table.screen.flying = None
    table.wait(3)
    assert table.screen.flying is None


def test_drawing_and_discarding_are_seen_too() -> None:
    """From the stock face down, to the waste as the card it is."""
    table = mine(animation=True)
    table.happen(0, TURN)
    flight = table.screen.flying
    assert flight is not None
    assert (flight.source, flight.target, flight.face) == (18, 20, 255)
    table.happen(0, DISCARD)
    flight = table.screen.flying
    assert flight is not None
    assert (flight.source, flight.target) == (20, 22)
    assert START.piles[18]
