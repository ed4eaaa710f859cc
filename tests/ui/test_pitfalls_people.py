"""What players of other games reported of input, talk and questions.

The numbers are those of the field reports; the network's side of each (crossing
messages, moves of a modified program) is in the adversarial tests.
"""

from __future__ import annotations

import io
import re
from dataclasses import replace

import pytest
from wcwidth import wcswidth

from crapette_p2p.engine import (
    AnswerDraw,
    Discard,
    Grant,
    OfferDraw,
    PileId,
    Stop,
    Turn,
)
from crapette_p2p.session.notices import LinkLost
from crapette_p2p.ui.console import Console
from crapette_p2p.ui.render import render
from crapette_p2p.ui.view import Dialog
from tests.ui import test_table_boxes
from tests.ui.harness import staged
from tests.ui.pictures import TABLE
from tests.ui.seated import Table, mine
from tests.ui.test_app import QUICK, board, play
from tests.ui.test_whole_game import TypedGame

HOSTILE = (
    "\x1b[2J\x1b[?1003h",
    "\x1b]52;c;AAAA\x07",
    "\x9b31m\r\n",
    "\u202egnorw",
    "x" * 10_000,
    "o" + "\u0301" * 500,
)


def test_report_26_keys_during_a_run_make_no_move() -> None:
    """While the other's moves are still being shown, keys play nothing."""
    table = Table()
    for _ in range(3):
        table.keys("c", "f", " ", "d", after=0.01)
    assert table.sent == []


def test_report_35_nothing_freezes_on_the_others_turn() -> None:
    """Log, help, talk, the leaving question: all of it while the other plays."""
    table = Table()
    table.keys("?")
    assert "Keys" in table.text
    table.keys("escape", "t", *"hi")
    assert "hi" in table.text
    table.keys("enter", "pageup", "escape", "q")
    assert "Leave the table?" in table.text
    table.keys("escape")
    assert "Leave the table?" not in table.text


def test_report_24_a_held_key_acts_once() -> None:
    """Thirty repeats a second while the link is slow: one card, one discard."""
    table = mine()
    for _ in range(30):
        table.keys(" ", after=1 / 30)
    assert table.actions == [Turn()]
    table.happen(0, Turn())
    for _ in range(30):
        table.keys("d", after=1 / 30)
    assert table.actions == [Turn(), Discard()]


def test_report_24_held_answers_act_once() -> None:
    """Stop!, grant and an answer, each held down: one of each."""
    table = Table()
    table.happen(1, Turn())
    table.keys("!", "4")
    for _ in range(30):
        table.keys("f", after=1 / 30)
    assert table.actions == [Stop(PileId(3), PileId(8))]
    table = test_table_boxes.provisional()
    for _ in range(30):
        table.keys("g", after=1 / 30)
    assert table.actions == [Grant()]
    table = Table()
    table.happen(1, OfferDraw())
    table.wait(2.0)
    for _ in range(30):
        table.keys("n", after=1 / 30)
    assert table.actions == [AnswerDraw(accept=False)]


@pytest.mark.parametrize("animation", [True, False])
def test_report_26_the_log_is_the_same_without_animation(animation: bool) -> None:
    """What is typed makes the same game, whatever moves on the screen."""
    game = TypedGame(1, {}, animation=animation)
    game.play(40)
    plain = TypedGame(1, {})
    plain.play(40)
    assert game.state == plain.state


def test_report_30_a_second_question_inherits_no_key() -> None:
    """An offer that opens under the finger is deaf for its first second."""
    test_table_boxes.test_a_draw_offer_takes_no_key_for_a_second()


@pytest.mark.parametrize("text", HOSTILE)
def test_report_81_words_of_others_stay_in_their_cells(text: str) -> None:
    """Titles, boxes and messages with escapes, reversals, marks or no blank."""
    view = replace(TABLE, message=(text,), dialog=Dialog(text, ((text,),)))
    for cols, rows in ((80, 24), (60, 18)):
        for line in render(view, cols, rows).text():
            assert wcswidth(line) == cols
            assert line.isprintable()


def test_report_03_a_move_is_delivered_or_taken_back() -> None:
    """The link breaks on an own move: after it is back the move is there or is not."""
    for arrived in (True, False):
        table = mine()
        table.keys("4", "f")
        assert table.screen.hands.is_waiting
        table.screen.heard_of_link(LinkLost(0), table.now)
        table.screen.back(table.now, pending=arrived)
        assert table.screen.hands.is_waiting is arrived  # never half
        if arrived:
            table.happen(0, table.actions[0])
            assert "4-F 3♣" in table.text
        else:
            table.keys("4", "f")
            assert len(table.actions) == 2


def test_report_05_the_header_counts_the_turn_that_is() -> None:
    """Seventy seconds of silence; what happened meanwhile makes it our turn: ours."""
    table = Table()
    assert "Olek plays" in table.lines(132)[0]
    table.wait(5)
    table.screen.heard_of_link(LinkLost(106), table.now)
    table.wait(70)
    assert "this turn 02:55" in table.lines(132)[0]
    table.happen(1, Turn())
    table.happen(1, Discard())
    table.wait(2)
    table.screen.back(table.now)
    table.wait(3)
    header = table.lines(132)[0]
    assert "► YOUR MOVE" in header
    assert "this turn 00:0" in header


@pytest.mark.parametrize("text", HOSTILE)
async def test_report_81_talk_reaches_no_terminal_but_as_text(text: str) -> None:
    """Said by the other, shown, scrolled back to and read again as a page."""
    async with staged(play, settings=QUICK) as (stage, _):
        await stage.shows("YOUR MOVE")
        mark = len(stage.bytes)
        board(stage).heard_chat(text, stage.shell.now)
        board(stage).scribe.chat(text, text)
        stage.shell.changed()
        stage.type("l")
        await stage.shows("Log")
        stage.type("\x1bt")
        await stage.shows("say:")
        sent = stage.bytes[mark:]
    assert not re.findall(r"\x1b\]52|\x1b\[2J|\x1b\[\?1003h|[\x9b\x07\u202e]", sent)
    assert "\u0301" * 3 not in sent


def test_report_81_not_in_line_mode_either() -> None:
    """The same words on a line of their own, without a byte that is no text."""
    for text in HOSTILE:
        sink = io.StringIO()
        Console(io.StringIO(), sink, interactive=False).say([f"Olek: {text}"])
        assert sink.getvalue()[:-1].isprintable()
