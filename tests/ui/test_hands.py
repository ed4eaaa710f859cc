"""Hands: held keys, keys typed ahead, drags and double presses."""

from __future__ import annotations

from dataclasses import replace

from crapette_p2p.engine import OFFER_DRAW, TURN, Move, PileId, Seat
from crapette_p2p.engine.layout import DRAWN, RESERVE
from crapette_p2p.ui.input.hand_state import Do, Scene, Wish
from crapette_p2p.ui.input.hands import DOUBLE, Hands
from tests.ui.boards import Side, board

TABLE = board(
    columns=("9H", "8S", "", "3C", "", "", "", ""),
    foundations={"C": (2, 0)},
    a=Side(reserve=(5, "7H"), stock=20),
)
WHERE = Scene(position=TABLE, latest=TABLE, seat=Seat(0), may_act=True)


def caught_up(hands: Hands, now: float) -> tuple[Wish, ...]:
    """The action has arrived; what the keys that waited ask for."""
    hands.arrived()
    return hands.catch_up(WHERE, now)


def test_a_held_key_makes_one_action() -> None:
    """Thirty repeats a second of Space, or of a best move, are one action."""
    for key in (" ", "4"):
        hands = Hands()
        made = [hands.key(key, WHERE, repeat / 30) for repeat in range(30)]
        assert sum(map(len, made)) == 1


def test_two_quick_presses_are_still_a_best_move() -> None:
    """Only what follows an action is a held key."""
    hands = Hands()
    hands.key("4", WHERE, 0.0)
    assert len(hands.key("4", WHERE, 0.01)) == 1


def test_keys_wait_for_the_move_on_its_way() -> None:
    """A move typed while another one travels is made when that has arrived."""
    hands = Hands()
    hands.key("2", WHERE, 0.0)
    (wish,) = hands.key("1", WHERE, 0.5)
    assert isinstance(wish, Do)
    hands.sent(wish.action)
    assert hands.key("4", WHERE, 1.0) == ()
    assert hands.key("f", WHERE, 1.2) == ()
    assert caught_up(hands, 2.0) == (Do(Move(PileId(3), PileId(8))),)


def test_no_key_acts_on_a_card_that_nobody_has_seen() -> None:
    """While a drawn card is being turned up nothing is typed ahead."""
    hands = Hands()
    hands.sent(TURN)
    for key in ("4", "f", " ", "d", "c"):
        assert hands.key(key, WHERE, 1.0) == ()
    assert caught_up(hands, 2.0) == ()


def test_the_reserve_that_turns_up_is_left_alone() -> None:
    """Other piles and one Space may wait for a move of the reserve; ``c`` may not."""
    hands = Hands()
    hands.sent(Move(PileId(RESERVE), PileId(2)))
    for key in ("c", "4", "f"):
        hands.key(key, WHERE, 1.0)
    assert caught_up(hands, 2.0) == (Do(Move(PileId(3), PileId(8))),)
    hands = Hands()
    hands.sent(Move(PileId(RESERVE), PileId(2)))
    for key in (" ", " ", "4", "f"):
        hands.key(key, WHERE, 1.0)
    assert caught_up(hands, 2.0) == (Do(TURN),)
    hands.sent(TURN)
    assert caught_up(hands, 3.0) == ()


def test_a_drag_plays_on_release() -> None:
    """Press, move, release on another pile; released where it began: a pick."""
    hands = Hands()
    assert hands.press(1, WHERE, 0.0) == ()
    assert hands.release(1, WHERE) == ()
    assert hands.state.picked == 1
    hands = Hands()
    hands.press(1, WHERE, 0.0)
    assert hands.release(0, WHERE) == (Do(Move(PileId(1), PileId(0))),)


def test_a_picked_card_can_be_dragged_too() -> None:
    """Pressed again it is put back only when it is released where it lies."""
    hands = Hands()
    hands.press(1, WHERE, 0.0)
    hands.release(1, WHERE)
    hands.press(1, WHERE, 2.0)
    assert hands.release(0, WHERE) == (Do(Move(PileId(1), PileId(0))),)
    hands = Hands()
    hands.press(1, WHERE, 0.0)
    hands.release(1, WHERE)
    hands.press(1, WHERE, 2.0)
    assert hands.state.picked == 1
    hands.release(1, WHERE)
    assert hands.state.picked is None


def test_a_drag_of_a_fan_is_no_play_of_the_drawn_card() -> None:
    """With a drawn card picked, the release tells which of the two was meant."""
    table = board(columns=("9H", "8S", *[""] * 6), a=Side(drawn="8C"))
    where = replace(WHERE, position=table, latest=table)
    for pressed, released, source in ((0, 0, DRAWN), (1, 0, 1), (0, 6, 0)):
        hands = Hands()
        hands.state = replace(hands.state, picked=DRAWN)
        assert hands.press(pressed, where, 0.0) == ()
        made = hands.release(released, where)
        assert made == (Do(Move(PileId(source), PileId(released))),)


def test_a_drag_that_ends_nowhere_changes_nothing() -> None:
    """The drawn card stays picked."""
    table = board(columns=("9H", "8S", *[""] * 6), a=Side(drawn="8C"))
    where = replace(WHERE, position=table, latest=table)
    hands = Hands()
    hands.state = replace(hands.state, picked=DRAWN)
    hands.press(1, where, 0.0)
    assert hands.release(None, where) == ()
    assert hands.state.picked == DRAWN


def test_a_card_stays_picked_while_a_draw_is_offered() -> None:
    """An offer moves no card; a play does."""
    for action, picked in ((OFFER_DRAW, 3), (TURN, None)):
        hands = Hands()
        hands.key("4", WHERE, 0.0)
        hands.sent(action)
        assert hands.state.picked is None
        hands.arrived()
        hands.refresh(WHERE)
        assert hands.state.picked == picked


def test_a_double_press_is_quick() -> None:
    """Within 400 ms it is the best move, later it puts the card back."""
    hands = Hands()
    hands.press(3, WHERE, 0.0)
    assert len(hands.press(3, WHERE, DOUBLE - 0.1)) == 1
    hands = Hands()
    hands.press(3, WHERE, 0.0)
    assert hands.press(3, WHERE, DOUBLE + 0.1) == ()
    hands.release(3, WHERE)
    assert hands.state.picked is None


def test_the_right_button_puts_back() -> None:
    """It lets go of the card and of an unfinished command."""
    hands = Hands()
    hands.press(3, WHERE, 0.0)
    hands.put_back(WHERE)
    assert hands.state.picked is None


def test_what_is_no_longer_there_is_let_go() -> None:
    """A pile that has become empty, or a turn that is over, drops the pick."""
    hands = Hands()
    hands.key("4", WHERE, 0.0)
    gone = Scene(position=board(), latest=board(), seat=Seat(0), may_act=True)
    hands.refresh(gone)
    assert hands.state.picked is None
    shown = board(a=Side(drawn="6S"))
    hands.refresh(
        Scene(position=shown, latest=shown, seat=Seat(0), may_act=True), drawn=True
    )
    assert hands.state.picked == DRAWN
