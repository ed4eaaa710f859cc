"""Two windows of a terminal, two programs, people's keys: a game from hello to end."""

from __future__ import annotations

import re
import signal
from pathlib import Path

import pytest

from crapette_p2p.engine import (
    DISCARD,
    TURN,
    Action,
    Move,
    Position,
    Stop,
    due_plays,
    legal_with_offences,
    play,
    turn_up,
)
from crapette_p2p.engine.layout import DRAWN
from tests.helpers import windows
from tests.helpers.by_keys import (
    Player,
    come_to_rest,
    ended,
    insist,
    is_quiet,
    play_on,
    seated,
    turn_of,
)
from tests.helpers.windows import Window, crapette

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(bool(windows.MISSING), reason=windows.MISSING),
]


def test_a_game_is_played_by_keys_from_the_menu_to_the_box_at_its_end(
    tmp_path: Path,
) -> None:
    """Some turns, then a resignation; both see the end, both logs prove it."""
    with seated(tmp_path, "crapette") as (ala, olek):
        seconds = play_on((ala, olek), turns=5)
        ala.window.type(":resign\r")
        ala.window.shows("Resign?")
        ala.window.type("y")
        deal = ended((ala, olek), seconds)
    assert "Olek won" in deal.screens[0]
    assert "You won" in deal.screens[1]
    # The first turns are moves of two keys, most of them, and every deal is another
    # one: whole games of known deals are what tells how few keys are enough.
    assert deal.keys_per_action <= 2.0


def position_of(player: Player) -> Position:
    """The table as a player's log has it."""
    position = player.state().position
    assert position is not None
    return position


def watcher_first(players: tuple[Player, Player]) -> tuple[Player, Player]:
    """The one who watches, and the one whose turn it is."""
    first, second = players
    moves = position_of(first).active
    return (second, first) if moves == first.seat else (first, second)


def read(players: tuple[Player, Player]) -> None:
    """Both close the box that tells of a call."""
    for player in players:
        insist(player.window, "\r", "─ STOP! ─")


def test_wrong_calls_draws_and_talk_in_two_windows(tmp_path: Path) -> None:
    """What one says, offers and calls stands on the other's screen."""
    with seated(tmp_path, "crapette") as players:
        for player in players:
            player.state()
        watcher, mover = watcher_first(players)
        mover.press(" ")
        mover.window.shows(" in hand – press a pile")
        come_to_rest(players)  # else there may be nothing to call in the other window
        watcher.press("!", "2", "8")  # no space has been left open at the start
        for player in players:
            said = (f"{watcher.name} calls STOP 2-8", "wrong, that was not missed")
            player.window.shows("─ STOP! ─", *said)
        read(players)
        watcher.window.shows("Stop! 0✓1✗ : 0✓0✗")
        mover.window.shows("Stop! 0✓0✗ : 0✓1✗")
        assert position_of(mover).calls.wrong[watcher.seat] == 1

        watcher.window.type("tсам &é\"'(-è_\r")  # as typed, on any keyboard
        mover.window.shows(f"{watcher.name}: сам &é\"'(-è_")

        mover.window.type("\x1b:draw\r")
        watcher.window.shows(f"{mover.name} offers a draw")
        insist(watcher.window, "n", "agree")
        mover.window.shows(f"{watcher.name} declines the draw")
        mover.window.type("d")
        watcher.window.shows("YOUR MOVE")
        watcher.window.type(":draw\r")
        mover.window.shows(f"{watcher.name} offers a draw")
        insist(mover.window, "y", "decline")
        deal = ended(players, 0.0)
        assert all("A draw" in screen for screen in deal.screens)


def offence_in(position: Position) -> Action | None:
    """Something faulty that the player may do here, if there is anything."""
    faulty = [a for a, offence in legal_with_offences(position) if offence]
    wanted = [a for a in faulty if isinstance(a, Move) or a in {TURN, DISCARD}]
    return wanted[0] if wanted else None


@pytest.mark.parametrize("drawn", [False, True], ids=["before", "after"])
def test_a_right_call_takes_the_fault_back_in_both_windows(
    tmp_path: Path, *, drawn: bool
) -> None:
    """A duty is left undone; the other names it, and the table shows what follows."""
    # Neither makes a fault before, nor calls one; and who plays by this or that level
    # is sooner at a duty with a card in hand, or without.
    level = "baseline" if drawn else "club"
    with seated(tmp_path, "crapette", levels=(level, level)) as players:
        action, watcher, mover, before = play_to_an_offence(players, drawn=drawn)
        length = mover.state().length
        duty = due_plays(before)[0]
        right, wrong = calls_of(watcher)
        mover.press(*mover.keys_for(action, before, mover.window.text))
        watcher.wait_for(lambda state: state.length > length and state.due is None)
        watcher.window.until(lambda _: watcher.is_up_to_date())  # else "!" is too early
        call = Stop(duty.source, duty.target)
        keys = watcher.keys_for(call, position_of(watcher), watcher.window.text)
        watcher.press(*keys)
        for player in players:
            player.window.shows("─ STOP! ─", f"{watcher.name} calls STOP", "was missed")
        read(players)
        told = f"{right + 1}✓{wrong}✗"
        watcher.window.shows(f"Stop! {told} : ", "YOUR MOVE")
        mover.window.shows(f" : {told}", f"{watcher.name} plays")
        rolled = position_of(watcher)
        assert rolled.active == watcher.seat
        assert rolled.piles == after_a_call(before, mover.seat, action, call).piles
        assert not rolled.piles[DRAWN + mover.seat]


def calls_of(player: Player) -> tuple[int, int]:
    """How many of the player's calls were right and wrong so far, by the window."""
    told = re.search(r"Stop! (\d+)✓(\d+)✗", player.window.text)
    return (int(told[1]), int(told[2])) if told else (0, 0)


def after_a_call(before: Position, seat: int, action: Action, call: Stop) -> Position:
    """What the rules make of a fault and the other's call."""
    faulty = play(before, seat, action)
    if (slot := faulty.unopened()) is not None:
        faulty = turn_up(faulty, slot, 0)  # the card goes back, whatever it is
    return play(faulty, 1 - seat, call)


def play_to_an_offence(
    players: tuple[Player, Player], *, drawn: bool
) -> tuple[Action, Player, Player, Position]:
    """Play lawfully until whoever moves can leave a duty undone; then all rests.

    ``drawn``: with a card in hand or before one is drawn.
    """
    while players[0].state().final_end is None:
        watcher, mover = watcher_first(players)
        position = position_of(mover)
        in_hand = bool(position.piles[DRAWN + mover.seat])
        action = offence_in(position) if in_hand is drawn else None
        if action is not None and is_quiet(players):
            come_to_rest(players)
            if position_of(mover) == position:
                assert mover.sees(action)
                return action, watcher, mover, position
        if not any(player.step() for player in players):
            windows.news_of([player.window for player in players], 0.3)
    raise AssertionError("nobody can do anything wrong")


def test_a_killed_player_comes_back_to_the_same_table(tmp_path: Path) -> None:
    """KILL in mid-turn, ``resume`` in a new window; at last HUP and TERM."""
    with seated(tmp_path, "russian-bank") as players:
        play_on(players, turns=3)
        ala, olek = players
        turn = turn_of(ala)
        olek.window.signal(signal.SIGKILL)
        assert olek.window.ended() == 137
        saved = "The game is saved on both computers"
        ala.window.shows("Olek lost ─", saved, "keep waiting")
        with Window(crapette(olek.home, "resume")) as again:
            ala.window.shows("Connected again; the game goes on.")  # goes by itself
            again.shows("Ala ✓", f"turn {turn} ")
            assert " lost ─" not in ala.window.text
            assert again.lines[1:16] != ala.window.lines[1:16]  # each from its side
            ala.window.signal(signal.SIGHUP)
            assert ala.window.ended() == 129
            again.shows("Ala has left ─")
            again.signal(signal.SIGTERM)
            assert again.ended() == 143
            assert again.is_given_back()
        assert ala.window.is_given_back()


def test_a_card_is_dragged_by_the_mouse(tmp_path: Path) -> None:
    """Pressed, moved with the button down, released: what a terminal reports then."""
    with seated(tmp_path, "russian-bank") as (ala, olek):
        mover = ala if position_of(ala).active == ala.seat else olek
        window = mover.window
        flags = "#{mouse_button_flag} #{mouse_all_flag} #{mouse_sgr_flag}"
        assert window.tell("display-message", "-p", flags) == ["1 0 1"]
        mover.press(" ")
        window.shows("in hand")
        rows = window.lines
        labels = next(y for y, row in enumerate(rows) if "c reserve" in row)
        there = [(rows[labels].index(name) + 2, labels - 2) for name in ("draw", "d w")]
        (x, y), (goal, _) = there
        reports = [f"\x1b[<0;{x + 1};{y + 1}M"]
        reports += [f"\x1b[<32;{n + 1};{y + 1}M" for n in range(x, goal, -1)]
        window.type("".join([*reports, f"\x1b[<0;{goal + 1};{y + 1}m"]))
        for player in (ala, olek):
            player.window.shows("turn 2", "discard")
