"""The sentences of the line mode."""

from __future__ import annotations

import pytest

from crapette_p2p.engine.actions import (
    ACCEPT_DRAW,
    DECLINE_DRAW,
    DISCARD,
    GRANT,
    OFFER_DRAW,
    PASS,
    RESIGN,
    TURN,
    Action,
    Stop,
)
from crapette_p2p.engine.layout import Seat, drawn, reserve
from crapette_p2p.engine.notation import parse_action
from crapette_p2p.engine.play import play
from crapette_p2p.engine.position import End, EndReason, Position
from crapette_p2p.engine.position_json import parse_position
from crapette_p2p.ui.answers import answer_lines
from crapette_p2p.ui.lines import (
    Speech,
    action_lines,
    end_line,
    fan_line,
    made_up_line,
    opened_line,
    other_line,
    own_line,
    table_lines,
    undone_lines,
)
from crapette_p2p.ui.narrator import Narrator
from crapette_p2p.ui.taken_back import NAMED, Undone

A, B = Seat(0), Seat(1)
ALA = Speech(seat=A, names=("Ala", "Olek"))
OLEK = Speech(seat=B, names=("Ala", "Olek"))
ALOUD = Speech(seat=A, names=("Ala", "Olek"), spoken=True)
ROW = {
    "format": "crapette-position/1",
    "rules": "crapette",
    "to_move": "A",
    "turn_opened": True,
    "tableau": [
        ["QS"],
        ["TH"],
        ["AH"],
        [],
        ["QC", "JH"],
        ["KS", "QD", "JC", "TD"],
        ["TC"],
        ["8C"],
    ],
    "foundations": {"S": [2, 0], "H": [0, 0], "D": [0, 0], "C": [5, 1]},
    "A": {
        "reserve": ["9D", "7H"],
        "stock": ["2C", "KH"],
        "drawn": "JD",
        "waste": ["TS"],
    },
    "B": {"reserve": ["4D", "JH"], "stock": [], "drawn": None, "waste": ["QD"]},
}


def position(**changes: object) -> Position:
    """The table of the tests, with some fields changed."""
    return parse_position({**ROW, **changes})


def told(text: str, before: Position, speech: Speech) -> list[str]:
    """What is said about an action written in notation."""
    author, action = parse_action(text, before)
    after = play(before, author, action)
    return list(action_lines(action, author, before=before, after=after, speech=speech))


def test_the_table() -> None:
    """Four lines say the whole table."""
    assert table_lines(position(), ALA, turn=15) == [
        "turn 15, you. reserve 7H, 2 cards. in hand JD. stock 2. waste TS, 1 card. "
        "Olek: reserve JH, 2 cards. stock empty. waste QD, 1 card.",
        "fans: 1 QS. 2 TH. 3 AH. 4 empty.",
        "fans: 5 QC JH. 6 KS to TD, 4 cards. 7 TC. 8 8C.",
        "foundations: spades 2, 0. hearts 0, 0. diamonds 0, 0. clubs 5, 1.",
    ]


def test_cards_in_words() -> None:
    """Spoken lines name cards in words."""
    assert own_line(position(), ALOUD).startswith("reserve seven of hearts, 2 cards.")
    assert fan_line(position(), ALOUD, 4) == (
        "fan 5: queen of clubs, jack of hearts. 2 cards."
    )
    assert fan_line(position(), ALA, 3) == "fan 4 empty."


def test_what_may_be_played_is_said_in_words() -> None:
    """What is typed, and aloud what it does: nobody has to decipher ``8-OR``."""
    for spoken, told in (
        (False, "3-F, "),
        (True, "3-F (fan 3 to foundation, ace of hearts), "),
    ):
        narrator = Narrator(spoken=spoken)
        narrator.speech, narrator.position = (ALOUD if spoken else ALA), position()
        (line,) = answer_lines(
            "legal", "", narrator=narrator, genesis=None, peer=None, assist=True
        )
        assert line.startswith("you may play: ")
        assert told in line
        assert ", discard" in line


def test_the_other_side() -> None:
    """Each player reads his own piles first."""
    assert own_line(position(), OLEK).startswith("reserve JH")
    assert other_line(position(), OLEK).startswith("Ala: reserve 7H")


@pytest.mark.parametrize(
    ("move", "mine", "theirs"),
    [
        ("R-4", "you: reserve to fan 4, 7H.", "Ala: reserve to fan 4, 7H."),
        ("3-F", "you: fan 3 to foundation, AH.", "Ala: fan 3 to foundation, AH."),
        (
            "D-OW",
            "you: drawn card to Olek's waste, JD.",
            "Ala: drawn card to your waste, JD.",
        ),
        ("discard", "you: discard JD.", "Ala: discard JD."),
        ("resign A", "you: resign.", "Ala: resign."),
        ("resign B", "Olek: resign.", "you: resign."),
        ("offer-draw A", "you: a draw is offered.", "Ala: a draw is offered."),
    ],
)
def test_actions_from_both_sides(move: str, mine: str, theirs: str) -> None:
    """Both read the same action, each from his own side."""
    assert told(move, position(), ALA) == [mine]
    assert told(move, position(), OLEK) == [theirs]


def test_a_known_card_is_said_when_it_is_turned() -> None:
    """A card both know is named at once; an unseen one when it is open."""
    piles = {"reserve": ["7H"], "stock": ["2C", "KH"], "drawn": None, "waste": []}
    assert told("turn", position(A=piles), OLEK) == ["Ala: turn KH."]
    hidden = {**piles, "stock": 2}
    assert told("turn", position(A=hidden), OLEK) == []


def test_recycling_is_said() -> None:
    """Turning the waste over is an event of its own."""
    piles = {"reserve": ["7H"], "stock": [], "drawn": None, "waste": ["2C", "KH"]}
    assert told("turn", position(A=piles), ALA) == [
        "you: the waste is turned over.",
        "drew 2C. name a pile, or d to discard and end your turn.",
    ]


def test_what_has_been_turned_up() -> None:
    """The card that an opening shows is said with its pile."""
    assert opened_line(position(), reserve(B), ALA) == (
        "Olek: the reserve shows JH, 2 cards."
    )
    assert opened_line(position(), drawn(A), OLEK) == "Ala: turn JD."


def test_a_faulty_move_reads_like_any_other() -> None:
    """Nothing tells of a missed duty before a call."""
    calls, free = position(), position(rules="russian-bank")
    assert told("D-1", calls, OLEK) == told("D-1", free, OLEK)


def test_a_stop_is_judged_in_words() -> None:
    """A right call and a wrong one are told apart, and name the missed play."""
    after = play(position(), A, parse_action("D-1", position())[1])
    assert told("stop 3-F", after, ALA) == [
        "Olek: STOP. missed: fan 3 to foundation.",
        "right: the offence is undone.",
    ]
    assert told("stop R-4", after, OLEK) == [
        "you: STOP. missed: reserve to fan 4.",
        "wrong: that was not due.",
    ]


def test_the_missed_play_is_said_to_be_made() -> None:
    """After a right call, where the rules have somebody make it."""
    for rules, lines in (
        ("crapette", ["the missed play is made: fan 3 to foundation, AH."]),
        ("russian-bank-knock", ["the missed play is made: fan 3 to foundation, AH."]),
        ({"preset": "crapette", "missed_card_played_by": "nobody"}, []),
    ):
        start = position(rules=rules)
        after = play(start, A, parse_action("D-1", start)[1])
        for text, expected in (("stop 3-F", lines), ("stop R-4", [])):
            stop = parse_action(text, after)[1]
            assert isinstance(stop, Stop)
            assert list(made_up_line(stop, after, ALA)) == expected


def test_an_automatic_penalty_is_said() -> None:
    """Under automatic enforcement the offence is named and the turn lost."""
    lines = told("D-1", position(rules="garibaldka"), OLEK)
    assert lines[1:] == [
        "that was an offence: a card had to go to a foundation.",
        "it is undone and the turn is lost.",
    ]


@pytest.mark.parametrize("action", [PASS, GRANT, ACCEPT_DRAW, DECLINE_DRAW, OFFER_DRAW])
def test_talk(action: Action) -> None:
    """Talk is one line each."""
    table = position()
    lines = list(action_lines(action, B, before=table, after=table, speech=ALA))
    assert len(lines) == 1
    assert lines[0].startswith("Olek: ")


@pytest.mark.parametrize(
    ("end", "line"),
    [
        (
            End(A, EndReason.EMPTY, points=61),
            "you win: all own cards are gone. 61 points.",
        ),
        (
            End(B, EndReason.RESIGNED, points=1),
            "Olek wins: you resigned. 1 point.",
        ),
        (End(None, EndReason.AGREED), "the deal is drawn: a draw was agreed."),
        (End(A, EndReason.EMPTY, A), "that ends the deal, if Olek grants it."),
        (
            End(B, EndReason.BLOCKED, B),
            "Olek has ended the deal: grant it, or call stop with the missed play.",
        ),
    ],
)
def test_ends(end: End, line: str) -> None:
    """How a deal ended, and that a provisional end awaits the other player."""
    assert end_line(end, ALA) == line


def test_no_sentence_has_a_control_character() -> None:
    """Nothing but printable text is ever said."""
    actions: list[Action] = [TURN, DISCARD, RESIGN]
    for action in actions:
        table = position()
        for line in action_lines(action, A, before=table, after=table, speech=ALA):
            assert line.isprintable()


def test_what_a_call_takes_back_is_read_out() -> None:
    """A line an action, a card that was turned by name; a long list is counted."""
    before = parse_position(ROW)
    discard = Undone(A, DISCARD, before, play(before, A, DISCARD))
    turn = Undone(A, TURN, before, before)
    assert list(undone_lines((turn, discard), ALA)) == [
        "2 plays are taken back:",
        "you: turn JD.",
        "you: discard JD.",
    ]
    many = list(undone_lines((discard,) * (NAMED + 2), OLEK))
    assert many[0] == "8 plays are taken back:"
    assert many[-1] == "and 2 more."
    assert len(many) == NAMED + 2
    assert list(undone_lines((), ALA)) == []
