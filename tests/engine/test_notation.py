"""Actions as text, there and back."""

from __future__ import annotations

import pytest

from crapette_p2p.engine import (
    ACCEPT_DRAW,
    DECLINE_DRAW,
    DISCARD,
    GRANT,
    OFFER_DRAW,
    PASS,
    RESIGN,
    TURN,
    Action,
    Move,
    PileId,
    Position,
    Stop,
    format_action,
    format_pile,
    legal_actions,
    parse_action,
)
from crapette_p2p.errors import NotationError
from tests.helpers.boards import board, played


@pytest.fixture
def position() -> Position:
    """A to move, a card drawn, something to play everywhere."""
    return board(
        "russian-bank",
        columns="KS KH . AC QS QH QD 6H",
        up={"C": [1, 0], "H": [5, 0]},
        a="7S 8S / 9S 9C / 6S / 2C",
        b="7C 7H / 4S 4C / / 5S",
    )


@pytest.mark.parametrize(
    ("text", "seat", "action"),
    [
        ("R-3", 0, Move(PileId(16), PileId(2))),
        ("D-OW", 0, Move(PileId(20), PileId(23))),
        ("8-OR", 0, Move(PileId(7), PileId(17))),
        ("5-2", 0, Move(PileId(4), PileId(1))),
        ("4-F", 0, Move(PileId(3), PileId(9))),
        ("8-F", 0, Move(PileId(7), PileId(14))),
        ("W-F", 0, Move(PileId(22), PileId(8))),
        ("R-F", 0, Move(PileId(16), PileId(12))),
        ("3-F", 0, Move(PileId(2), PileId(8))),
        ("turn", 0, TURN),
        ("discard", 0, DISCARD),
        ("pass", 0, PASS),
        ("grant", 1, GRANT),
        ("stop 4-F", 1, Stop(PileId(3), PileId(9))),
        ("stop R-3", 1, Stop(PileId(16), PileId(2))),
        ("resign A", 0, RESIGN),
        ("resign B", 1, RESIGN),
        ("resign", 0, RESIGN),
        ("offer-draw B", 1, OFFER_DRAW),
        ("accept-draw A", 0, ACCEPT_DRAW),
        ("decline-draw B", 1, DECLINE_DRAW),
        ("B:turn", 1, TURN),
        ("A:R-3", 0, Move(PileId(16), PileId(2))),
        ("B:R-OR", 1, Move(PileId(17), PileId(16))),
        ("B:D-OW", 1, Move(PileId(21), PileId(22))),
        ("A:stop R-3", 0, Stop(PileId(17), PileId(2))),
        ("B:stop D-F", 1, Stop(PileId(20), PileId(12))),
        ("A:grant", 0, GRANT),
        ("B:resign", 1, RESIGN),
        ("B:resign B", 1, RESIGN),
        ("A:offer-draw", 0, OFFER_DRAW),
        # Case, blanks and the card's name do not matter.
        ("r-3", 0, Move(PileId(16), PileId(2))),
        ("  b:Stop   4-f ", 1, Stop(PileId(3), PileId(9))),
        ("B: turn", 1, TURN),
        ("TURN", 0, TURN),
        ("8-OR 6H", 0, Move(PileId(7), PileId(17))),
        ("8-or 6♥", 0, Move(PileId(7), PileId(17))),
        ("discard 6S", 0, DISCARD),
        ("turn 10H", 0, TURN),
        ("stop 4-F AC", 1, Stop(PileId(3), PileId(9))),
        ("RESIGN a", 0, RESIGN),
    ],
)
def test_what_a_text_means(
    position: Position, text: str, seat: int, action: Action
) -> None:
    """Text names the seat, the action and the exact piles."""
    assert parse_action(text, position) == (seat, action)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   ",
        "A:",
        "C:turn",
        "R",
        "R-",
        "-F",
        "R-9",
        "9-F",
        "0-1",
        "R-R",
        "R-D",
        "F-1",
        "OR-1",
        "S-1",
        "R-F-1",
        "R 3",
        "R--3",
        "turn 1",
        "turn 6S 6S",
        "8-OR 7H",
        "8-OR 6S",
        "discard 7S",
        "stop",
        "stop R",
        "stop R-OR",
        "stop R-OW",
        "stop 4-F AC AC",
        "stop 4-F XX",
        "grant B",
        "resign C",
        "resign A B",
        "A:resign B",
        "accept-draw yes",
        "offer_draw",
        "knock",
        "ſtop 4-F",
        "R-３",
        "turn\x00",
        "5-2" * 100,
        "\ud800",
    ],
)
def test_what_is_no_action(position: Position, text: str) -> None:
    """Everything else is refused as a NotationError naming the field."""
    with pytest.raises(NotationError) as caught:
        parse_action(text, position)
    assert caught.value.field in {"move", "stop"}
    assert len(str(caught.value)) < 120


def test_the_caller_is_found_by_who_acted_last() -> None:
    """``stop`` and ``grant`` are the opponent's of whoever acted last."""
    position = board(a="7S / 9S / JC /")
    assert parse_action("stop R-F", position)[0] == 1
    over = played(position, "discard")
    assert over.active == 1
    assert parse_action("stop R-F", over)[0] == 1
    acted = played(over, "turn")
    assert parse_action("stop R-F", acted)[0] == 0
    assert parse_action("grant", acted)[0] == 0
    fresh = board(opened=False)
    assert parse_action("grant", fresh)[0] == 1


def test_every_legal_action_goes_to_text_and_back(position: Position) -> None:
    """Short and with the card's name, each text means the action it was made of."""
    actions = legal_actions(position)
    assert len(actions) > 12
    for action in actions:
        assert parse_action(format_action(action), position) == (0, action)
        assert parse_action(format_action(action, position), position) == (0, action)


def test_a_log_names_the_card(position: Position) -> None:
    """With the position before it, an action is written with its card."""
    assert format_action(Move(PileId(7), PileId(17)), position) == "8-OR 6H"
    assert format_action(DISCARD, position) == "discard 6S"
    assert format_action(TURN, position) == "turn"
    assert format_action(PASS, position) == "pass"


@pytest.mark.parametrize(
    ("action", "seat", "text"),
    [
        (Move(PileId(16), PileId(8)), None, "R-F"),
        (Move(PileId(17), PileId(15)), None, "R-F"),
        (Move(PileId(20), PileId(7)), None, "D-8"),
        (Move(PileId(23), PileId(16)), None, "W-OR"),
        (Move(PileId(0), PileId(22)), None, "1-OW"),
        (Stop(PileId(17), PileId(3)), 0, "stop R-4"),
        (Stop(PileId(21), PileId(9)), None, "stop D-F"),
        (GRANT, 1, "grant"),
        (RESIGN, None, "resign"),
        (RESIGN, 0, "resign A"),
        (OFFER_DRAW, 1, "offer-draw B"),
        (ACCEPT_DRAW, 0, "accept-draw A"),
        (DECLINE_DRAW, 1, "decline-draw B"),
    ],
)
def test_how_an_action_is_written(action: Action, seat: int | None, text: str) -> None:
    """Text is relative to whoever acts; the seat stands where notation wants it."""
    assert format_action(action, seat=seat) == text


def test_names_of_piles() -> None:
    """Columns by number, foundations F, personal piles by their letter."""
    names = [format_pile(pile) for pile in (0, 7, 8, 15, 16, 17, 18, 20, 21, 22)]
    assert names == ["1", "8", "F", "F", "R", "R", "S", "D", "D", "W"]
