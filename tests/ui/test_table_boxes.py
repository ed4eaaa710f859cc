"""The boxes of the table in play, and what is known of the connection."""

from __future__ import annotations

import re
from dataclasses import replace

from crapette_p2p.engine import (
    DECLINE_DRAW,
    DISCARD,
    GRANT,
    OFFER_DRAW,
    RESIGN,
    TURN,
    End,
    EndReason,
    PileId,
    Seat,
    Stop,
)
from crapette_p2p.engine.layout import DRAWN
from crapette_p2p.engine.ruleset import PRESETS
from crapette_p2p.net.news import Redialling
from crapette_p2p.session.commands import MarkAbandoned
from crapette_p2p.session.notices import LinkLost, PeerHeard, PeerLeft, PeerQuiet
from crapette_p2p.ui.catalogues import words_of
from crapette_p2p.ui.play.dealings import LEFT_TABLE
from tests.ui.boards import Side, board
from tests.ui.seated import START, Table, mine, move

# Boxes ----------------------------------------------------------------------------


def test_a_draw_offer_takes_no_key_for_a_second() -> None:
    """A key meant for the table must not answer it."""
    table = Table()
    table.happen(1, OFFER_DRAW)
    table.wait(0.4)
    assert "Olek offers a draw" in table.text
    table.keys("y", after=0.1)
    assert table.sent == []
    table.keys("n", after=1.0)
    assert table.actions == [DECLINE_DRAW]


def test_an_offer_can_wait() -> None:
    """Esc closes the box, ``:draw`` opens it again, an own move declines."""
    table = Table()
    table.happen(1, OFFER_DRAW)
    table.wait(0.4)
    table.keys("escape", after=1.5)
    assert table.screen.question is None
    table.keys(*":draw", "enter")
    assert table.screen.question is not None
    assert table.sent == []


def provisional() -> Table:
    """B has played his last card, in a game with calls."""
    position = board(
        columns=("9H", "8S", "", "3C", "QD", "KS", "5H", "2D"),
        a=Side(reserve=(5, "7H"), stock=20),
        b=Side(reserve=(0, ""), stock=0, drawn="JS"),
        active=1,
    )
    table = Table(position)
    table.happen(1, move(DRAWN + 1, 4))
    table.wait(0.4)
    return table


def test_the_end_has_to_be_granted_with_its_own_key() -> None:
    """Enter grants nothing; ``g`` does, after the first second."""
    table = provisional()
    assert "Olek has played the last card" in table.text
    table.keys("enter", after=2)
    table.keys("g", after=0.1)
    assert table.actions == [GRANT]


def test_the_end_can_be_contested() -> None:
    """``!`` in the box leads to the prompt that names the missed play."""
    table = provisional()
    table.keys("!", after=2)
    table.keys("4", "f")
    assert table.actions == [Stop(PileId(3), PileId(8))]


def test_the_box_can_be_put_aside_to_look_at_the_table() -> None:
    """Esc hides it; ``g`` and ``!`` still answer."""
    table = provisional()
    table.keys("escape", after=2)
    assert "g grants it" in table.text
    table.keys("g")
    assert table.actions == [GRANT]


def test_leaving_is_asked_and_can_resign() -> None:
    """Esc stays; ``r`` asks once more and the deal is lost."""
    table = mine()
    table.keys("q", "escape")
    assert table.screen.done is None
    table.keys("q", "r", "n")
    assert table.sent == []
    table.keys("q", "r", "y")
    assert table.actions == [RESIGN]
    table.keys("q", "s")
    assert table.screen.done == LEFT_TABLE


def test_a_stop_is_announced_on_both_screens() -> None:
    """The call, its verdict and what was missed are said in a box."""
    table = Table()
    table.happen(1, TURN)
    table.keys("!", "4", "f")
    table.happen(0, Stop(PileId(3), PileId(8)))
    assert "STOP!" in table.text
    assert "right: 3♣ to its foundation was missed" in table.text
    assert "Taken back: turn 3♥" in table.text
    watcher = Table(seat=1)
    watcher.happen(1, TURN)
    watcher.happen(0, Stop(PileId(4), PileId(10)))
    assert "wrong, that was not missed" in watcher.text
    assert "Taken back" not in watcher.text


def test_the_end_of_the_deal_offers_what_comes_next() -> None:
    """Result, score, what was held; then next deal, replay, menu."""
    table = mine()
    table.keys("q", "r", "y")
    table.happen(0, RESIGN)

    table.screen.hands.state = replace(table.screen.hands.state, message=("too late",))
    assert "too late" in table.text
    table.screen.deal_over(End(Seat(1), EndReason.RESIGNED), (0, 30), table.now)
    assert "too late" not in table.text, "what a key was refused is no news any more"
    assert "Olek won" in table.text
    assert "Ala resigns" in table.text
    assert "verified ✓" in table.text
    assert "1 turn, 1 move" in table.text
    assert "q    leave the table" in table.text
    assert "01:4" in table.text
    table.keys("m", after=1.5)
    assert table.screen.done == "menu"


def test_the_keys_of_the_end_count_on_the_bare_table_too() -> None:
    """What Esc put away is still offered, by the message and by the key line."""
    table = mine()
    table.screen.desk.has_menu = True
    table.happen(0, RESIGN)
    table.screen.deal_over(End(Seat(1), EndReason.RESIGNED), (0, 30), table.now)
    table.keys("escape", after=1.5)
    assert "The deal is over. n: next deal, r: replay, m: menu" in table.text
    assert "n next deal" in table.lines()[-1]
    assert "Stop" not in table.lines()[-1]
    table.keys("n")
    assert table.screen.done == "next"


def test_nobody_offers_a_deal_with_whoever_has_left() -> None:
    """A table that stays open waits for somebody else instead."""
    table = mine()
    table.happen(0, RESIGN)
    table.screen.deal_over(End(Seat(1), EndReason.RESIGNED), (0, 30), table.now)
    table.screen.nobody_there(stays_open=True)
    assert "n    wait for another player" in table.text
    assert "Olek has left" in table.lines()[0]
    table.screen.nobody_there(stays_open=False)
    assert "next" not in table.text
    table.keys("n", after=1.5)
    assert table.screen.done is None


def test_a_proposal_goes_with_its_link() -> None:
    """The box tells of it once, beside what was said, and no longer than it stands."""
    table = mine()
    table.happen(0, RESIGN)
    table.keys(*":rematch", "enter")  # not proven yet: nothing can follow
    assert table.screen.done is None
    table.screen.deal_over(End(Seat(1), EndReason.RESIGNED), (0, 30), table.now)
    for _ in range(2):
        table.screen.proposed("Olek proposes the next deal.", table.now)
    table.screen.said_after("Olek: once more?")
    assert table.text.count("Olek proposes the next deal.") == 1
    table.screen.proposal = ""
    assert "proposes" not in table.text
    assert "Olek: once more?" in table.text
    table.keys("escape", after=1.5)
    table.keys(*":rematch", "enter")
    assert table.screen.done == "next"


def test_no_time_is_told_of_a_game_that_was_resumed() -> None:
    """Each side has sat there for another while; the next turn is timed again.

    At its end the box knows what was kept beside the log.
    """
    table = mine()
    screen = table.screen
    assert "game 01:" in table.lines(140)[0]
    screen.setup = replace(screen.setup, whole=False)
    screen.turn_timed = False
    assert "01:" not in table.lines(140)[0]
    table.happen(0, TURN)
    table.happen(0, DISCARD)
    table.wait(2.0)
    assert "this turn 00:0" in table.lines(140)[0]
    table.happen(1, RESIGN)
    screen.deal_over(End(Seat(0), EndReason.RESIGNED), (30, 0), table.now)
    assert re.search(r"│  \d turns?, \d moves", table.text)
    screen.setup = replace(screen.setup, took=lambda: 754.9)  # where it was kept
    screen.deal_over(End(Seat(0), EndReason.RESIGNED), (30, 0), table.now)
    assert re.search(r"│  12:34, \d turns?, \d moves", table.text)


def test_boxes_are_answered_by_place_on_a_russian_keyboard() -> None:
    """``ы`` lies where ``s`` does; the Russian no means no, though y lies there."""
    table = mine()
    table.keys("q", "ы")
    assert table.screen.done == LEFT_TABLE
    table = mine()
    table.screen.desk.words_of = words_of
    table.screen.desk.settings = replace(table.screen.desk.settings, lang="ru")
    table.keys("q", "к", "н")
    assert table.sent == []
    table.keys("q", "к", "д")
    assert table.actions == [RESIGN]


def test_who_may_still_call_stop_in_his_own_turn_is_told_so() -> None:
    """Until his first action; it says nothing of there being a reason."""
    table = Table(replace(START, active=Seat(1)))
    table.happen(1, TURN)
    table.happen(1, DISCARD)
    table.wait(3.0)
    assert "until then ! calls Stop!" in table.text
    table.happen(0, TURN)
    assert "until then" not in table.text
    silent = replace(START, rules=PRESETS["russian-bank"])
    assert "! Stop" not in Table(silent).lines()[-1]


def test_a_deliberate_leave_is_no_lost_connection() -> None:
    """The box is headed by what has happened."""
    table = mine()
    table.screen.heard_of_link(PeerLeft(501, ""), table.now)
    assert "─ Olek has left ─" in table.text
    assert "lost" not in table.text


def test_a_program_that_gives_the_link_up_has_not_left() -> None:
    """It has not heard us in time: that is a lost connection."""
    table = mine()
    table.screen.heard_of_link(PeerLeft(106, ""), table.now)
    assert "─ Connection to Olek lost ─" in table.text
    assert "has left" not in table.text


# The connection --------------------------------------------------------------------


def test_a_quiet_and_a_lost_opponent_are_told_apart() -> None:
    """A word in the bar, then a box that counts; gone when he is back."""
    table = mine()
    table.screen.heard_of_link(PeerQuiet(10), table.now)
    assert "Olek is quiet (10 s)" in table.lines()[0]
    table.screen.heard_of_link(PeerHeard(), table.now)
    table.screen.heard_of_link(LinkLost(106), table.now)
    table.screen.heard_of_link(Redialling(3, 4.0, None), table.now)
    assert "Attempt 3, next in 4 s" in table.text
    table.wait(7.0)
    assert "Lost 00:07 ago" in table.text
    table.screen.back(table.now)
    assert "Lost" not in table.text
    assert "goes on" in table.text


def test_abandoning_is_offered_after_two_minutes_and_asked_twice() -> None:
    """Before that the key says so; after it a note is made and the table left."""
    table = mine()
    table.screen.heard_of_link(LinkLost(106), table.now)
    table.keys("a", after=5)
    assert "two minutes" in table.text
    table.wait(130)
    table.keys("a")
    assert table.sent == []
    table.keys("y")
    assert table.sent == [MarkAbandoned()]
    assert "Recorded as abandoned by Olek" in table.text
    assert "taken back by itself when Olek returns" in table.text
    assert "crapette resume" in table.text
    assert table.screen.done is None, "that has to be read first"
    table.keys("escape")
    assert "keep waiting" in table.text
    assert table.screen.done is None
    table.keys("a", "y", "enter")
    assert table.screen.done == LEFT_TABLE


def test_what_was_noted_as_abandoned_goes_on_when_the_other_returns() -> None:
    """The box about it is past then."""
    table = mine()
    table.screen.heard_of_link(LinkLost(106), table.now)
    table.wait(130)
    table.keys("a", "y")
    table.screen.back(table.now)
    assert table.screen.question is None
    assert "the game goes on" in table.text


def test_without_a_link_a_move_is_refused_in_words() -> None:
    """The game is saved; nothing is half made."""
    table = mine()
    table.screen.heard_of_link(LinkLost(106), table.now)
    table.keys("enter", after=2)
    table.linked = False
    table.keys("4", "f")
    assert "no connection" in table.text
    assert not table.screen.hands.is_waiting


def test_the_line_below_a_lost_connection_asks_for_no_play() -> None:
    """Nothing can be played then; it says so until the other is back."""
    table = mine()
    assert "Your move" in table.lines()[-2]
    table.screen.heard_of_link(LinkLost(106), table.now)
    assert "There is no connection now; the game is saved." in table.lines()[-2]
    table.screen.back(table.now)
    table.wait(10)
    assert "Your move" in table.lines()[-2]


def test_a_question_that_was_covered_is_asked_again() -> None:
    """An announced Stop! covers a draw offer; closed, the offer is there again."""
    table = Table()
    table.happen(1, TURN)
    table.happen(1, OFFER_DRAW)
    table.wait(1.0)
    table.happen(0, Stop(PileId(4), PileId(10)))
    assert "STOP!" in table.text
    table.keys("enter", after=1.5)
    assert "Olek offers a draw" in table.text
    table.keys("escape", after=1.5)
    assert table.screen.question is None
