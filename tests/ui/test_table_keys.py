"""The input machine: two keys a move, best, Stop!, looking, the cursor."""

from __future__ import annotations

from dataclasses import replace

import pytest

from crapette_p2p.engine import (
    DISCARD,
    PASS,
    TURN,
    Move,
    PileId,
    Position,
    Seat,
    Stop,
    refusal,
)
from crapette_p2p.engine.layout import DRAWN, RESERVE, STOCK, WASTE
from crapette_p2p.engine.position import End, EndReason
from crapette_p2p.ui.input.aliases import at_table
from crapette_p2p.ui.input.calling import may_call
from crapette_p2p.ui.input.hand_state import Do, Look, Open, Scene, TableInput, Wish
from crapette_p2p.ui.input.table_keys import press, touch
from crapette_p2p.ui.language import ENGLISH
from crapette_p2p.ui.play.bar import usual_message
from tests.helpers.boards import COLUMNS, played
from tests.helpers.boards import board as owing
from tests.ui.boards import Side, board

TABLE = board(
    columns=("9H", "TS", "QH JS TD 9C", "3C", "8S", "7D", "", "6H"),
    foundations={"C": (2, 0), "S": (5, 0)},
    a=Side(reserve=(9, "7H"), drawn="6S", waste="QD"),
    b=Side(reserve=(8, "7S"), waste="KD"),
)


def scene(
    position: Position = TABLE, *, may_act: bool = True, confirm_stop: bool = False
) -> Scene:
    """What A sees when it is his turn."""
    return Scene(
        position=position,
        latest=position,
        seat=Seat(0),
        may_act=may_act,
        confirm_stop=confirm_stop,
    )


def typed(
    keys: list[str] | str, where: Scene | None = None
) -> tuple[TableInput, list[Wish]]:
    """The state and all wishes after some keys."""
    state = TableInput()
    wishes: list[Wish] = []
    for key in keys:
        state, asked = press(state, key, where or scene())
        wishes += asked
    return state, wishes


def move(source: int, target: int) -> Do:
    """The wish to move."""
    return Do(Move(PileId(source), PileId(target)))


def text_of(state: TableInput) -> str:
    """The machine's sentence, cards as numbers."""
    return "".join(str(piece) for piece in state.message)


@pytest.mark.parametrize(
    ("keys", "wish"),
    [
        ("57", move(4, 6)),
        ("4f", move(3, 8)),
        (" f", move(DRAWN, 12)),
        ("f", move(DRAWN, 12)),
        (" o", move(DRAWN, RESERVE + 1)),
        ("c5", move(RESERVE, 4)),
        (" c5", move(RESERVE, 4)),
        ("4c5", move(RESERVE, 4)),
        ("d", Do(DISCARD)),
        (" d", Do(DISCARD)),
        ("44", move(3, 8)),
        ("33", move(2, 6)),
    ],
)
def test_two_keys_make_a_move(keys: str, wish: Wish) -> None:
    """Source, then destination; the same key twice finds the best place."""
    _, wishes = typed(keys)
    assert wishes == [wish]


def test_the_same_key_twice_lists_what_it_cannot_choose() -> None:
    """Several places and no foundation: the destination's own key picks."""
    position = board(columns=("9H", "8S", "", "9D", "", "", "", ""))
    state, wishes = typed("22", scene(position))
    assert wishes == []
    assert text_of(state).endswith("goes to 1, 3, 4, 5, 6, 7, 8: which one?")
    assert state.picked == 1
    assert press(state, "4", scene(position))[1] == (move(1, 3),)


def test_a_card_that_goes_nowhere_stays_picked() -> None:
    """An unlawful try costs nothing: it says why, and the card stays picked."""
    state, wishes = typed("15")
    assert wishes == []
    assert state.picked == 0
    assert state.is_error
    assert "same colour" not in text_of(state)
    state, _ = typed("1" + "6")
    assert "same colour" in text_of(state)


def test_a_fan_that_does_not_take_the_drawn_card_gives_its_own() -> None:
    """No Escape is needed to play another card; the sentence says which is picked."""
    picked = TableInput(picked=DRAWN)
    state, wishes = press(picked, "4", scene())
    assert (state.picked, wishes, state.is_error) == (3, (), False)
    assert "does not go on" in text_of(state)
    assert "is picked: where to?" in text_of(state)
    assert press(state, "f", scene())[1] == (move(3, 8),)


def test_the_drawn_card_stays_picked_where_no_other_can_be_meant() -> None:
    """It fits, or the fan's card goes nowhere, or it was dropped there."""
    picked = TableInput(picked=DRAWN)
    assert press(picked, "6", scene())[1] == (move(DRAWN, 5),)
    stuck = board(columns=("9H", "9C", *["KS"] * 6), a=Side(drawn="6S"))
    state, wishes = press(picked, "1", scene(stuck))
    assert (state.picked, wishes, state.is_error) == (DRAWN, (), True)
    state, wishes = touch(picked, 3, scene(), dropped=True)
    assert (state.picked, wishes, state.is_error) == (DRAWN, (), True)


def test_a_card_that_waits_for_the_first_turned_one_says_so() -> None:
    """Where a turn begins by turning, no place is wrong yet: the key helps."""
    early = board(columns=("9H", "TS", *[""] * 6), acts=0, preset="garibaldka")
    state, wishes = typed("11", scene(early))
    assert wishes == []
    assert "a turn begins by turning a card" in text_of(state)
    begun = replace(early, acts=1)
    assert typed("11", scene(begun))[1] == [move(0, 1)]


def test_space_turns_a_card_and_never_twice() -> None:
    """With a card drawn Space picks it; more of it does nothing."""
    fresh = board(a=Side(stock=5))
    assert typed(" ", scene(fresh))[1] == [Do(TURN)]
    state, wishes = typed("    ")
    assert wishes == []
    assert state.picked == DRAWN


def test_d_passes_when_nothing_is_left() -> None:
    """With no card drawn and none to turn ``d`` ends the turn."""
    bare = board(columns=("9H",) + ("",) * 7, a=Side(stock=0, waste=""))
    assert typed("d", scene(bare))[1] == [Do(PASS)]
    full = board(a=Side(stock=3))
    state, wishes = typed("d", scene(full))
    assert wishes == []
    assert "no drawn card" in text_of(state)


def test_escape_and_u_put_back() -> None:
    """Nothing is made, nothing stays picked."""
    for key in ("escape", "u"):
        state, wishes = typed(["c", key])
        assert state.picked is None
        assert wishes == []


def test_nothing_can_be_picked_out_of_turn() -> None:
    """The keys of moves say whose turn it is."""
    other = board(active=1)
    for keys in ("c", "5", " ", "d"):
        state, wishes = typed(keys, scene(other, may_act=False))
        assert wishes == []
        assert state.is_error
        assert "not your turn" in text_of(state)


def test_empty_and_foreign_piles_are_no_source() -> None:
    """A space, the opponent's piles and an empty waste are not picked up."""
    assert typed("7")[0].picked is None
    for pile in (RESERVE + 1, WASTE + 1, STOCK + 1, 8):
        state, wishes = touch(TableInput(), pile, scene())
        assert (state.picked, wishes) == (None, ())


def called_scene(*, confirm_stop: bool = False) -> Scene:
    """A sees B in the middle of his turn, in a game with calls."""
    position = replace(TABLE, active=Seat(1), callable=Seat(1), last_actor=Seat(1))
    return scene(position, may_act=False, confirm_stop=confirm_stop)


@pytest.mark.parametrize(
    ("keys", "source", "target"),
    [
        ("!4f", 3, 8),
        ("!cf", RESERVE + 1, 12),
        ("!of", RESERVE + 1, 12),
        ("!c7", RESERVE + 1, 6),
    ],
)
def test_a_stop_names_the_missed_play(keys: str, source: int, target: int) -> None:
    """``!`` and two pile keys call at once."""
    _, wishes = typed(keys, called_scene())
    assert wishes == [Do(Stop(PileId(source), PileId(target)))]


def test_a_stop_can_be_confirmed_and_left() -> None:
    """With the setting on it wants Enter; Esc leaves at any point."""
    where = called_scene(confirm_stop=True)
    state, wishes = typed("!4f", where)
    assert wishes == []
    _, asked = press(state, "enter", where)
    assert asked == (Do(Stop(PileId(3), PileId(8))),)
    for keys in ("!", "!4", "!4f"):
        state, _ = typed([*keys, "escape"], where)
        assert state.typed == ""


def test_no_stop_where_there_is_nothing_to_call() -> None:
    """In one's own turn, and in a game without calls, the key says so."""
    state, _ = typed("!")
    assert state.typed == ""
    assert "nothing to call" in text_of(state)
    state, _ = typed("!", scene(board(preset="garibaldka")))
    assert "no Stop! calls" in text_of(state)


def test_v_and_a_pile_looks_at_it() -> None:
    """Any pile can be looked at, at any time."""
    away = scene(may_act=False)
    assert typed("v6", away)[1] == [Look(5)]
    assert typed("vp", away)[1] == [Look(WASTE + 1)]
    assert typed("vc", away)[1] == [Look(RESERVE)]


def test_the_cursor_walks_and_enter_picks_and_places() -> None:
    """Arrows move over the piles as they lie; Enter twice is a move."""
    state, _ = typed(["up"])
    assert state.cursor == RESERVE
    state, _ = typed(["up", "up"])
    assert state.cursor == 3
    state, wishes = typed(["up", "up", "enter", "right", "right", "enter"])
    assert wishes == [move(3, 8)]
    assert typed(["tab", "tab"])[0].cursor == 0


def test_screens_are_asked_for_by_their_keys() -> None:
    """Help, palette, find, talk and the rest are wishes, not state."""
    for key in ("?", ":", "/", "t", "i", "l", "q", "c-c", "pageup", "g", "h"):
        assert typed([key])[1] == [Open(key)]


@pytest.mark.parametrize(
    ("alias", "key"),
    [
        ("с", "c"),
        ("в", "d"),
        ("Т", "N"),
        ("й", "q"),
        ("'", "4"),
        ("è", "7"),
        ("f1", "?"),
    ],
)
def test_other_layouts_mean_the_same_physical_key(alias: str, key: str) -> None:
    """ЙЦУКЕН letters and the digit row of AZERTY."""
    assert at_table(alias) == key
    assert at_table("c") == "c"


def test_two_presses_of_the_mouse_are_a_move_and_a_double_press_is_best() -> None:
    """The mouse goes through the same machine."""
    state, _ = touch(TableInput(), RESERVE, scene())
    assert state.picked == RESERVE
    assert touch(state, 4, scene())[1] == (move(RESERVE, 4),)
    assert touch(state, RESERVE, scene())[0].picked is None
    assert touch(TableInput(), 3, scene(), twice=True)[1] == (move(3, 8),)
    assert touch(TableInput(), WASTE, scene())[1] == (Do(DISCARD),)


def test_a_card_that_goes_nowhere_is_let_go() -> None:
    """Else the next key would mean a target: here the turn ends, as it says."""
    stuck = board(columns=("9H", *["KS"] * 7), a=Side(drawn="6S", reserve=(3, "2H")))
    state, wishes = typed("cc", scene(stuck))
    assert (state.picked, wishes, state.is_error) == (None, [], True)
    assert typed("ccd", scene(stuck))[1] == [Do(DISCARD)]
    assert "Esc lets this one go" in text_of(typed("cd", scene(stuck))[0])


@pytest.mark.parametrize("key", ["f", "o", "p", "c", "1"])
def test_no_key_asks_for_more_when_it_is_not_your_turn(key: str) -> None:
    """Where from would be no help."""
    theirs = scene(replace(TABLE, active=Seat(1)), may_act=False)
    assert "not your turn" in text_of(typed(key, theirs)[0])


def test_the_bar_and_the_key_agree_on_who_may_call() -> None:
    """While a card is being turned up both say yes: the call waits until it is open."""
    after = played(owing(columns=COLUMNS, a="?? AC / 9S 9C / /"), "turn", "stop R-F")
    assert refusal(after, 1, Stop(PileId(0), PileId(0))) == "opening-owed"
    where = replace(scene(after), seat=Seat(1))
    state, _ = press(TableInput(), "!", where)
    assert state.typed == "!"
    assert "! calls Stop!" in str(usual_message(after, 1, "Ala", ENGLISH))
    where = replace(scene(replace(after, end=End(None, EndReason.EMPTY))), seat=Seat(1))
    state, _ = press(TableInput(), "!", where)
    assert state.is_error
    assert not may_call(where.latest, where.seat)
