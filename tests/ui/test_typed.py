"""Typed lines: three spellings of one action, words, and nonsense."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crapette_p2p.engine.actions import (
    ACCEPT_DRAW,
    DISCARD,
    GRANT,
    OFFER_DRAW,
    PASS,
    RESIGN,
    TURN,
    Action,
    Move,
    Stop,
)
from crapette_p2p.engine.layout import PileId, Seat, drawn, reserve, waste
from crapette_p2p.engine.position import Position
from crapette_p2p.engine.position_json import parse_position
from crapette_p2p.ui.typed import (
    Asked,
    Chatted,
    Left,
    Misread,
    Played,
    help_lines,
    parse_typed,
)

A, B = Seat(0), Seat(1)
HEARTS = PileId(14)
ROW = {
    "format": "crapette-position/1",
    "rules": "crapette",
    "to_move": "A",
    "turn_opened": True,
    "tableau": [["QS"], ["TH"], ["AH"], [], ["QC"], ["9S"], ["TC"], ["8C"]],
    "foundations": {"S": [2, 0], "H": [0, 0], "D": [0, 0], "C": [0, 0]},
    "A": {"reserve": ["9D", "2H"], "stock": ["2C"], "drawn": "JD", "waste": ["TS"]},
    "B": {"reserve": ["4D", "JH"], "stock": ["7S"], "drawn": None, "waste": ["QD"]},
}


def position(**changes: object) -> Position:
    """The table of the tests, with some fields changed."""
    return parse_position({**ROW, **changes})


def nothing_drawn() -> Position:
    """A to move with nothing in hand and nothing left to turn."""
    piles = {"reserve": ["9D", "2H"], "stock": [], "drawn": None, "waste": []}
    return position(A=piles)


def column(number: int) -> PileId:
    """The pile of a fan by its number on the screen."""
    return PileId(number - 1)


@pytest.mark.parametrize(
    ("line", "action"),
    [
        ("c4", Move(reserve(A), column(4))),
        ("c 4", Move(reserve(A), column(4))),
        ("R-4", Move(reserve(A), column(4))),
        ("3f", Move(column(3), HEARTS)),
        ("3-F", Move(column(3), HEARTS)),
        ("3-f AH", Move(column(3), HEARTS)),
        ("6 2", Move(column(6), column(2))),
        ("1o", Move(column(1), reserve(B))),
        ("1 p", Move(column(1), waste(B))),
        ("1", Move(drawn(A), column(1))),
        ("p", Move(drawn(A), waste(B))),
        ("D-1", Move(drawn(A), column(1))),
        ("d1", Move(drawn(A), column(1))),
        ("d", DISCARD),
        ("discard", DISCARD),
        ("  D  ", DISCARD),
        ("33", Move(column(3), HEARTS)),
        ("c c", Move(reserve(A), column(4))),
        ("с4", Move(reserve(A), column(4))),  # ЙЦУКЕН: Cyrillic с lies on c
        ("6 é", Move(column(6), column(2))),  # AZERTY
        ("!3а", Stop(column(3), HEARTS)),
        ("grant", GRANT),
        ("accept", ACCEPT_DRAW),
        ("stop 3-f", Stop(column(3), HEARTS)),
        ("stop 3 f", Stop(column(3), HEARTS)),
        ("! 3 f", Stop(column(3), HEARTS)),
        ("!3f", Stop(column(3), HEARTS)),
        ("stop c 4", Stop(reserve(B), column(4))),
        ("A:pass", PASS),
    ],
)
def test_three_spellings(line: str, action: Action) -> None:
    """Key letters, notation and words mean the same actions."""
    assert parse_typed(line, position(), A) == Played(action)


@pytest.mark.parametrize(
    ("line", "then"),
    [("space", ""), ("space 4", "4"), ("space d", "d"), ("␣ f", "f"), (":space", "")],
)
def test_space_turns_and_may_say_what_then(line: str, then: str) -> None:
    """``space 4`` turns a card and already says where it goes."""
    assert parse_typed(line, position(), A) == Played(TURN, then=then)


@pytest.mark.parametrize(
    ("line", "action"),
    [("resign", RESIGN), ("draw", OFFER_DRAW), ("resign A", RESIGN)],
)
def test_what_cannot_be_taken_back_is_asked_about(line: str, action: Action) -> None:
    """Resigning and offering a draw want a second word."""
    assert parse_typed(line, position(), A) == Played(action, sure=False)


def test_d_passes_when_nothing_is_left() -> None:
    """With nothing drawn and nothing to turn, ``d`` ends the turn as a pass."""
    assert parse_typed("d", nothing_drawn(), A) == Played(PASS)


def test_a_double_key_that_could_mean_several() -> None:
    """Where the best place is not unique, the places are named."""
    piles = {"reserve": ["9D", "3S"], "stock": [], "drawn": None, "waste": []}
    foundations = {"S": [0, 0], "H": [0, 0], "D": [0, 0], "C": [0, 0]}
    table = position(
        A=piles,
        tableau=[["4H"], [], [], ["9H"], [], ["9S"], ["TC"], ["8C"]],
        foundations=foundations,
    )
    answer = parse_typed("cc", table, A)
    assert isinstance(answer, Misread)
    assert "1, 2, 3, 5" in answer.sentence
    assert isinstance(parse_typed("66", position(), B), Misread)


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("say", Asked("say")),
        ("table", Asked("table")),
        ("fans", Asked("fans")),
        ("fan 6", Asked("fan", "6")),
        ("MINE", Asked("mine")),
        ("?", Asked("help")),
        ("chat well played", Chatted("well played")),
        ("t well played", Chatted("well played")),
        (":who", Asked("who")),
        ("keys", Asked("help")),
        ("leave", Left()),
        ("abandon", Left(abandoned=True)),
        ("q", Left()),
    ],
)
def test_words(line: str, answer: object) -> None:
    """Questions, chat and leaving need no game."""
    assert parse_typed(line, None, A) == answer
    assert parse_typed(line, position(), A) == answer


@pytest.mark.parametrize(
    "line",
    [
        "fan",
        "fan 9",
        "chat",
        "stop",
        "!",
        "9",
        "c",
        "c9",
        "ff",
        "xyzzy",
        "B:turn",
        "stop 5",
        "R-",
        "-",
        "\x1b[2J",
        "5-F 9Z",
        "d d",
    ],
)
def test_nonsense_gets_a_sentence(line: str) -> None:
    """What means nothing is answered, without a control character."""
    answer = parse_typed(line, nothing_drawn(), A)
    assert isinstance(answer, Misread)
    assert answer.sentence.isprintable()


def test_blank_lines_mean_nothing() -> None:
    """An empty line is no mistake."""
    assert parse_typed("", position(), A) is None
    assert parse_typed("\t", position(), A) is None
    assert parse_typed("  ", None, A) is None


def test_blanks_are_the_key_space() -> None:
    """As on the screen, Space turns a card up; a second blank was a slip."""
    for line in (" ", "  "):
        assert parse_typed(line, position(), A) == Played(TURN)


def test_without_a_game_a_move_means_nothing() -> None:
    """There is no position that it could be made in."""
    assert isinstance(parse_typed("c4", None, A), Misread)


@given(st.text(max_size=30), st.sampled_from([A, B]))
def test_nothing_typed_can_raise(line: str, seat: Seat) -> None:
    """Any text at all is read as something."""
    parse_typed(line, position(), seat)
    parse_typed("stop " + line, position(), seat)


def test_help_names_every_word() -> None:
    """What ``help`` lists can be typed."""
    text = " ".join(help_lines(assist=True))
    for word in ("space", "stop", "grant", "draw", "resign", "leave", "fan 6", "legal"):
        assert word in text
