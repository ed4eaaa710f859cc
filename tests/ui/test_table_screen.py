"""The table in play: what is sent, shown, found, and what a watcher can tell."""

from __future__ import annotations

import pytest

from crapette_p2p.engine import (
    DISCARD,
    TURN,
    PileId,
    Seat,
    Stop,
    play,
    turn_up,
)
from crapette_p2p.engine.layout import DRAWN, RESERVE
from crapette_p2p.gamelog.replay import open_replay
from crapette_p2p.session.commands import SayChat
from crapette_p2p.ui.language import ENGLISH
from crapette_p2p.ui.play.history import recall
from crapette_p2p.ui.screens.screen import LEFT
from tests.ui.boards import Side, board
from tests.ui.seated import Table, mine, move
from tests.ui.test_replay_app import LOG

# Own moves ----------------------------------------------------------------------


def test_a_move_is_sent_and_shown_only_once_it_is_final() -> None:
    """Nothing on the table changes before the session says so."""
    table = mine()
    before = table.lines()[2:13]
    table.keys("4", "f")
    assert table.actions == [move(3, 8)]
    assert "waiting for Olek" in table.text
    assert [line for line in table.lines()[2:13] if "> 3♣<" not in line] == [
        line for line in before if "[ 3♣]" not in line
    ]
    table.happen(0, move(3, 8))
    assert "{ 3♣}" in table.text
    assert "4-F 3♣" in table.text


def test_a_void_move_is_taken_back_in_words() -> None:
    """An own action that lost a collision did not happen, and that is said."""
    table = mine()
    table.keys("4", "f")
    table.screen.void(move(3, 8), table.now)
    assert "4-F was too late" in table.text
    assert not table.screen.hands.is_waiting
    table.keys("4", "f")
    assert len(table.actions) == 2


def test_a_turned_card_is_in_hand_at_once() -> None:
    """After Space its destination is one key away."""
    table = mine()
    table.keys(" ")
    table.happen(0, TURN)
    assert table.screen.hands.state.picked == DRAWN
    assert "in hand" in table.text
    table.keys("d")
    assert table.actions == [TURN, DISCARD]


def test_a_card_laid_by_says_how_it_is_picked_again() -> None:
    """Put back, it is still in hand; a pile key alone would pick that pile."""
    table = mine()
    table.keys(" ")
    table.happen(0, TURN)
    assert "in hand – press a pile" in table.text
    table.keys("escape")
    assert table.screen.hands.state.picked is None
    table.wait(10.0)
    assert "in hand – Space picks it again" in table.text
    table.keys(" ")
    assert table.screen.hands.state.picked == DRAWN


def test_a_held_space_turns_one_card() -> None:
    """Thirty repeats a second while the first is on its way: one turn."""
    table = mine()
    for _ in range(30):
        table.keys(" ", after=1 / 30)
    assert table.actions == [TURN]


def test_a_refused_try_says_why_and_keeps_the_card() -> None:
    """Nothing is sent, the card stays picked."""
    table = mine()
    table.keys("5", "1")
    assert table.sent == []
    assert "does not go on" in table.text
    assert "> Q♦<" in table.text


# The opponent's moves -------------------------------------------------------------


def test_the_opponents_moves_are_shown_one_by_one() -> None:
    """Each stands for the pace, none is skipped, the last one is marked."""
    table = Table()
    table.happen(1, move(7, 2))
    table.happen(1, move(4, 5))
    assert "{ 2♦}" in table.text
    assert "5-6" not in table.text
    table.wait(0.4)
    assert "8-3 2♦ · 5-6 Q♦" in table.text
    assert "{ Q♦}" in table.text


def test_the_turn_comes_with_a_bell_and_a_title() -> None:
    """When the last move of the other has been shown, and not before."""
    table = Table()
    assert table.rung == 0
    table.happen(1, TURN)
    table.happen(1, DISCARD)
    assert table.rung == 0
    table.wait(0.4)
    assert table.rung == 1
    assert "your turn" in table.titles[-1]
    assert "YOUR MOVE" in table.lines()[0]


def test_no_move_is_made_while_the_others_are_still_being_shown() -> None:
    """Keys for moves wait for the picture to catch up; Stop! does not."""
    table = Table()
    table.happen(1, TURN)
    table.happen(1, DISCARD)
    table.keys("4", "f", after=0.01)
    assert table.sent == []
    table.keys("!", "4", "f", after=0.01)
    assert table.actions == [Stop(PileId(3), PileId(8))]


def test_enter_shows_faster() -> None:
    """The queue is hurried, nothing else."""
    table = Table()
    table.happen(1, move(7, 2))
    table.happen(1, move(4, 5))
    table.keys("enter", after=0.01)
    table.screen.wake(table.now)
    assert "5-6 Q♦" in table.text


def test_the_screen_does_not_betray_a_fault() -> None:
    """Frames of a lawful and of a faulty turn are the same for the watcher."""
    frames = []
    for height in (2, 0):  # with the two of clubs up, not playing the three is one
        position = board(
            columns=("9H", "8S", "7D", "3C", "4S QD", "KS", "5H", "2D"),
            foundations={"C": (height, 0)},
            b=Side(reserve=(5, "JS"), stock=20),
            active=1,
        )
        table = Table(position)
        pictures = []
        for action in (move(4, 5), TURN, DISCARD):
            table.happen(1, action)
            faulty = bool(table.position.offences)
            assert faulty == (height == 2)
            table.wait(0.4)
            frame = table.screen.draw(80, 24, table.now)
            pictures.append(
                [
                    [part for part in line if "♣" not in part[1]]
                    for row, line in enumerate(frame.lines)
                    if row != 12  # the clubs' own row differs by the set-up
                ]
            )
        frames.append((pictures, table.rung, table.titles))
    assert frames[0] == frames[1]


# Talk, finding, commands --------------------------------------------------------------


def test_chat_keeps_raw_letters() -> None:
    """The aliases of other layouts are the table's alone."""
    table = mine()
    table.keys("t", *"привет c4", "enter")
    assert table.sent == [SayChat("привет c4")]
    table.screen.heard_chat("hello", table.now)
    assert "Olek: hello" in table.text


def test_a_card_is_found_in_every_place() -> None:
    """Both copies are lit and named."""
    table = mine()
    table.keys("/", *"9h", "enter")
    assert table.screen.found == 47
    assert "fan 1" in table.text
    table.keys("/", *"nonsense", "enter")
    assert "is no card" in table.text


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("xyzzy", "No command xyzzy"),
        ("theme purple", "has to be one of"),
        ("suits letters", "suits: letters"),
        ("pace abc", "whole number"),
        ("goto 3", "That is not possible here."),
        ("gotoo 3", "No command gotoo 3"),
    ],
)
def test_commands_answer_in_words(typed: str, shown: str) -> None:
    """An unknown word names the nearest; a wrong value says what fits."""
    table = mine()
    table.keys(":", *typed, "enter")
    assert shown in table.text


def test_a_pile_is_looked_at_in_words() -> None:
    """Cards by name, unseen ones by number only."""
    table = mine()
    table.keys("v", "c")
    assert "seven of hearts" in table.text
    assert "5 face down" in table.text
    table.keys("escape", "v", " ")
    assert "20 cards, face down" in table.text


def test_hints_are_refused_where_nobody_agreed() -> None:
    """The key says so, and nothing lights up."""
    table = mine()
    table.keys("h")
    assert "No hints in this game" in table.text
    table.keys("4")
    assert table.screen._targets() == frozenset()


def test_the_log_scrolls_and_comes_back() -> None:
    """Page keys and the wheel go back; Esc goes to the newest line."""
    table = mine()
    for place in range(30):
        table.screen.heard_chat(f"line {place}", table.now)
    table.wait(10)
    table.lines()
    table.keys("pageup", "pageup")
    assert "line 29" not in table.text
    table.keys("escape")
    assert "line 29" in table.text


def test_a_reserve_card_is_shown_once_it_is_open() -> None:
    """The next card of the reserve lies there face down until both opened it."""
    table = mine()
    table.keys("c", "2")
    table.position = play(table.position, 0, move(RESERVE, 1))
    table._tell(0, move(RESERVE, 1))
    assert "░░░" in table.lines()[15]
    slot = table.position.unopened()
    assert slot is not None
    table.position = turn_up(table.position, slot, 41)
    table._tell(0, None)
    assert "[ 3♥]" in table.lines()[15]


def test_the_deal_is_watched_for_half_a_second_and_any_key_ends_it() -> None:
    """Only on a fresh table, only where cards may move; nothing else waits for it."""
    table = mine(animation=True)
    assert "[ 3♣]" not in table.text
    assert "YOUR MOVE" not in table.text
    pictures = set()
    for _ in range(12):
        table.wait(0.05)
        pictures.add(table.text)
    assert len(pictures) > 4
    assert "[ 3♣]" in table.text
    table = mine(animation=True)
    table.keys("4", "f", after=0.01)
    assert table.actions == [move(3, 8)]
    assert "> 3♣<" in table.text
    assert "[ 3♣]" in mine().text


def test_keys_typed_ahead_are_made_one_after_the_other() -> None:
    """Each waits until the move before it is final and its card is open."""
    table = mine()
    table.keys("4", "f", "c", "2", " ", after=0.01)
    assert table.actions == [move(3, 8)]
    table.happen(0, move(3, 8))
    assert table.actions == [move(3, 8), move(RESERVE, 1)]
    table.position = play(table.position, 0, move(RESERVE, 1))
    table._tell(0, move(RESERVE, 1))
    assert len(table.actions) == 2
    slot = table.position.unopened()
    assert slot is not None
    table.position = turn_up(table.position, slot, 41)
    table._tell(0, None)
    assert table.actions[2:] == [TURN]


def test_a_refusal_does_not_outlive_the_turn_it_was_about() -> None:
    """`Not your turn` is not what stands there once it is."""
    table = Table()
    table.keys("c")
    assert "not your turn" in table.text
    table.happen(1, TURN)
    table.happen(1, DISCARD)
    table.wait(2.0)
    assert "YOUR MOVE" in table.text
    assert "not your turn" not in table.text


def test_the_last_moves_are_marked_where_a_game_goes_on() -> None:
    """Whoever comes back to a table sees where the last two moves have gone."""
    table = Table()
    table.screen.begin(table.now, ((Seat(1), move(4, 5)), (Seat(1), TURN)))
    assert "{ K♠}" in table.text


def test_the_last_moves_are_remembered_from_the_log() -> None:
    """The scribe's words and the last two moves come from the same reading."""
    replay = open_replay(LOG)
    scribe, moves = recall(replay.log, replay.length, replay.log.genesis.nicks, ENGLISH)
    steps = replay.steps[-2:]
    assert moves == tuple((step.author, step.action) for step in steps)
    assert scribe.entries()


def test_a_log_with_more_than_fits_names_the_key_that_shows_it() -> None:
    """The sign can be pressed too; scrolled back, another sign stands there."""
    table = mine()
    assert "↑ l" not in table.text
    for number in range(6):
        table.screen.scribe.say((f"line {number}",))
    rows = table.lines()
    row = next(row for row, line in enumerate(rows) if "↑ l" in line)
    assert "line" in rows[row]
    table.screen.press(rows[row].index("↑"), row, LEFT, table.now)
    assert "line 0" in table.text
