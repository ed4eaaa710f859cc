"""The log of a game: turns as lines, calls and penalties as sentences."""

from __future__ import annotations

from dataclasses import replace

from crapette_p2p.engine import (
    DISCARD,
    RESIGN,
    TURN,
    Action,
    Move,
    PileId,
    Position,
    Seat,
    Stop,
    play,
    turn_up,
)
from crapette_p2p.engine.layout import RESERVE
from crapette_p2p.ui.faces import PLAIN_THEME
from crapette_p2p.ui.language import ENGLISH
from crapette_p2p.ui.play.bar import BarState, bar_pieces
from crapette_p2p.ui.play.scribe import Scribe
from crapette_p2p.ui.render.bars import plain_text
from crapette_p2p.ui.taken_back import NAMED
from tests.ui.boards import Side, board

START = board(
    columns=("9H", "8S", "7D", "3C", "4S QD", "KS", "5H", "2D"),
    foundations={"C": (2, 0)},
    a=Side(reserve=(5, "7H"), stock=20),
    b=Side(reserve=(5, "JS"), stock=20),
)


class Written:
    """A scribe that watches a game."""

    def __init__(self, position: Position = START) -> None:
        self.position = position
        self.scribe = Scribe(("Ala", "Olek"))

    def do(self, author: int, action: Action) -> None:
        """Play and write down; what is uncovered is a three of hearts."""
        before = self.position
        self.position = play(before, author, action)
        self.scribe.record(author, action, before, self.position)
        slot = self.position.unopened()
        if slot is not None:
            self.position = turn_up(self.position, slot, 41)
            self.scribe.opened(41)

    @property
    def lines(self) -> list[str]:
        """The log as text."""
        return [
            entry.head
            + " · ".join(plain_text(item.text, PLAIN_THEME) for item in entry.items)
            for entry in self.scribe.entries()
        ]


def move(source: int, target: int) -> Move:
    """A move between two piles."""
    return Move(PileId(source), PileId(target))


def test_a_turn_is_one_line_and_the_last_two_moves_stand_out() -> None:
    """Notation with the card; the next turn begins a new line."""
    log = Written()
    log.do(0, move(4, 5))
    log.do(0, TURN)
    log.do(0, DISCARD)
    log.do(1, TURN)
    assert log.lines == [
        " 1 Ala   5-6 Q♦ · turn 3♥ · discard 3♥",
        " 2 Olek  turn 3♥",
    ]
    fresh = [i.fresh for entry in log.scribe.entries() for i in entry.items]
    assert fresh == [False, False, True, True]


def test_a_faulty_move_reads_like_any_other() -> None:
    """The three of clubs was due; nothing of it is in the log before a call."""
    faulty = Written()
    faulty.do(0, TURN)
    lawful = Written(board(a=Side(reserve=(5, "7H")), columns=("9H",) * 8))
    lawful.do(0, TURN)
    assert faulty.position.offences
    assert not lawful.position.offences
    assert faulty.lines == lawful.lines


def test_calls_are_sentences_and_counted() -> None:
    """Right and wrong, with what was missed."""
    log = Written()
    log.do(0, TURN)
    log.do(1, Stop(PileId(0), PileId(14)))
    assert log.lines[-1].strip().startswith("Olek calls STOP 1-F – wrong")
    log = Written()
    log.do(0, TURN)
    log.do(1, Stop(PileId(3), PileId(8)))
    assert "right: 3♣ to its foundation was missed; Ala's turn ends" in log.lines[-1]
    assert log.scribe.calls == ([0, 0], [1, 0])


def taken_back(log: Written) -> str:
    """What the last call has undone."""
    return plain_text(log.scribe.taken_back, PLAIN_THEME)


def test_a_right_call_tells_what_is_taken_back() -> None:
    """From the offending action on, with its cards; lawful ones before it stay."""
    log = Written()
    log.do(0, TURN)
    log.do(0, move(4, 5))
    log.do(0, DISCARD)
    log.do(1, Stop(PileId(3), PileId(8)))
    assert taken_back(log) == "Taken back: turn 3♥ · 5-6 Q♦ · discard 3♥"
    log.do(1, TURN)
    log.do(0, Stop(PileId(0), PileId(14)))
    assert not log.scribe.taken_back, "a wrong call undoes nothing"


def test_a_long_list_of_what_is_taken_back_is_cut_short() -> None:
    """The first few by name; the others are counted."""
    columns = ("9H", "8S", "7D", "3C", "KC QD", "KS", "5H", "2D")
    log = Written(board(columns=columns, foundations={"C": (2, 0)}))
    log.do(0, TURN)
    for source, target in ((4, 5), (5, 4)) * 4:
        log.do(0, move(source, target))
    log.do(1, Stop(PileId(3), PileId(8)))
    text = taken_back(log)
    assert text.count(" · ") == NAMED - 1
    assert text.endswith(" and 3 more")


def test_an_automatic_penalty_names_what_was_due() -> None:
    """Undone, the turn lost, and the play that had to come first."""
    start = board(
        columns=("9H", "8S", "7D", "3C", "4S QD", "KS", "5H", "2D"),
        foundations={"C": (2, 0)},
        preset="garibaldka",
    )
    log = Written(start)
    log.do(0, move(4, 5))
    assert "undone, Ala loses the turn: 3♣ had to go to its foundation" in log.lines[-1]
    assert log.scribe.turn == 2


def test_talk_between_two_moves_does_not_part_a_turn() -> None:
    """The turn goes on below it, without another head."""
    log = Written()
    log.do(0, TURN)
    log.scribe.chat("Olek", "hurry")
    log.do(0, DISCARD)
    assert log.lines == [
        " 1 Ala   turn 3♥",
        "         Olek: hurry",
        "         discard 3♥",
    ]


def test_a_turn_that_is_sat_out_is_said() -> None:
    """After three wrong calls the other plays on."""
    calls = replace(START.calls, to_sit_out=(0, 1))
    log = Written(replace(START, calls=calls))
    log.do(0, TURN)
    log.do(0, DISCARD)
    assert log.position.active == 0
    assert log.lines[-1].strip() == "Olek sits out a turn"
    assert log.scribe.turn == 2


def test_the_end_is_said() -> None:
    """Whoever resigns, by name."""
    log = Written()
    log.do(1, RESIGN)
    assert log.lines[-1].strip() == "Olek resigns"


def test_a_blocked_deal_is_counted_down() -> None:
    """Four turns before the end of a deal without progress, and not sooner."""
    for idle, said in ((0, False), (3, False), (4, True), (7, True)):
        counters = replace(START.counters, idle=idle, limit=8)
        state = BarState(
            position=replace(START, counters=counters),
            seat=Seat(0),
            names=("Ala", "Olek"),
            verified=True,
            turn=9,
            link="●",
        )
        texts = [piece.text for piece in bar_pieces(state, ENGLISH)]
        assert (f"blocked in {8 - idle} turn" in " ".join(texts)) is said


def test_the_reserve_is_named_by_its_notation() -> None:
    """``R`` whoever plays; loads carry an O."""
    log = Written(board(columns=("8S",) * 8, a=Side(reserve=(3, "7H"))))
    log.do(0, move(RESERVE, 0))
    assert log.lines == [" 1 Ala   R-1 7♥"]
