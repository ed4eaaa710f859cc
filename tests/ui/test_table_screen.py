"""The table in play: what is sent, shown, asked, and what a watcher can tell."""

from __future__ import annotations

from dataclasses import replace

import pytest

from crapette_p2p.engine import (
    DECLINE_DRAW,
    DISCARD,
    GRANT,
    OFFER_DRAW,
    RESIGN,
    TURN,
    Action,
    End,
    EndReason,
    Move,
    PileId,
    Position,
    Seat,
    Stop,
    play,
    turn_up,
)
from crapette_p2p.engine.layout import DRAWN, RESERVE
from crapette_p2p.errors import LocalProtocolError
from crapette_p2p.net.news import Redialling
from crapette_p2p.session.commands import Act, Command, MarkAbandoned, SayChat
from crapette_p2p.session.notices import LinkLost, PeerHeard, PeerQuiet
from crapette_p2p.ui.desk import Desk
from crapette_p2p.ui.play.dealings import LEFT_TABLE
from crapette_p2p.ui.play.seat_screen import TableSetup
from crapette_p2p.ui.play.table_screen import TableScreen
from crapette_p2p.ui.settings import Settings
from tests.ui.boards import Side, board

QUIET = Settings(pace=350)
START = board(
    columns=("9H", "8S", "", "3C", "QD", "KS", "5H", "2D"),
    foundations={"C": (2, 0)},
    a=Side(reserve=(5, "7H"), stock=20),
    b=Side(reserve=(5, "JS"), stock=20),
    active=1,
    acts=0,
)


class Table:
    """A table screen and the world around it."""

    def __init__(
        self, position: Position = START, *, seat: int = 0, settings: Settings = QUIET
    ) -> None:
        self.sent: list[Command] = []
        self.rung = 0
        self.titles: list[str] = []
        self.linked = True
        desk = Desk(settings=settings, ring=self._ring, entitle=self.titles.append)
        setup = TableSetup(
            seat=Seat(seat), names=("Ala", "Olek"), position=position, send=self._send
        )
        self.screen = TableScreen(desk, setup)
        self.position = position
        self.now = 100.0
        self.screen.begin(self.now)

    def _ring(self) -> None:
        self.rung += 1

    def _send(self, command: Command) -> None:
        if not self.linked:
            raise LocalProtocolError("no link")
        self.sent.append(command)

    def keys(self, *keys: str, after: float = 1.0) -> None:
        """Press keys, a second apart unless told otherwise."""
        for key in keys:
            self.now += after
            self.screen.key(key, self.now)

    def happen(self, author: int, action: Action) -> None:
        """An event becomes final; what it uncovers is opened as a three of hearts."""
        self.position = play(self.position, author, action)
        self._tell(author, action)
        slot = self.position.unopened()
        if slot is not None:
            self.position = turn_up(self.position, slot, 41)
            self._tell(author, None)

    def _tell(self, author: int, action: Action | None) -> None:
        self.screen.feed.push(Seat(author), action, self.position)
        self.screen.happened(author, action, self.now)

    def wait(self, seconds: float) -> None:
        """Let time pass, waking the screen when it wants to be woken."""
        until = self.now + seconds
        while (at := self.screen.wakes_at(self.now)) is not None and at <= until:
            self.now = max(at, self.now + 0.001)
            self.screen.wake(self.now)
        self.now = until

    def lines(self, cols: int = 80, rows: int = 24) -> list[str]:
        """The picture as text."""
        return self.screen.draw(cols, rows, self.now).text()

    @property
    def text(self) -> str:
        """The picture as one text."""
        return "\n".join(self.lines())

    @property
    def actions(self) -> list[Action]:
        """The actions that were asked for."""
        return [command.action for command in self.sent if isinstance(command, Act)]


def move(source: int, target: int) -> Move:
    """A move between two piles."""
    return Move(PileId(source), PileId(target))


def mine() -> Table:
    """A's turn."""
    return Table(replace(START, active=Seat(0)))


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
    watcher = Table(seat=1)
    watcher.happen(1, TURN)
    watcher.happen(0, Stop(PileId(4), PileId(10)))
    assert "wrong, that was not missed" in watcher.text


def test_the_end_of_the_deal_offers_what_comes_next() -> None:
    """Result, score, what was held; then next deal, replay, menu."""
    table = mine()
    table.keys("q", "r", "y")
    table.happen(0, RESIGN)
    table.screen.deal_over(End(Seat(1), EndReason.RESIGNED), (0, 30), table.now)
    assert "Olek won" in table.text
    assert "Ala resigns" in table.text
    assert "verified ✓" in table.text
    table.keys("m", after=1.5)
    assert table.screen.done == "menu"


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


def test_without_a_link_a_move_is_refused_in_words() -> None:
    """The game is saved; nothing is half made."""
    table = mine()
    table.screen.heard_of_link(LinkLost(106), table.now)
    table.keys("enter", after=2)
    table.linked = False
    table.keys("4", "f")
    assert "no connection" in table.text
    assert not table.screen.hands.is_waiting


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
        ("goto 3", "No command goto 3"),
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
