"""Two windows of a terminal, two programs, people's keys: a game from hello to end."""

from __future__ import annotations

import re
import signal
import time
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
from crapette_p2p.gamelog.state import GameState
from tests.helpers import windows
from tests.helpers.by_keys import Player, ended, insist, play_on, seated
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
        watcher.press("!", "2", "8")  # no space has been left open at the start
        for player in players:
            text = player.window.shows("─ STOP! ─", "wrong, that was not missed")
            assert f"{watcher.name} calls STOP 2-8" in text
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
    with seated(tmp_path, "crapette", levels=("club", "club")) as players:
        action, watcher, mover, state = play_to_an_offence(players, drawn=drawn)
        before, length = state.position, state.length
        assert before is not None
        duty = due_plays(before)[0]
        right, wrong = calls_of(watcher)
        text = mover.window.text
        mover.press(*mover.keys_for(action, before, text))
        watcher.wait_for(lambda state: state.length > length)
        call = Stop(duty.source, duty.target)
        keys = watcher.keys_for(call, position_of(watcher), watcher.window.text)
        watcher.press(*keys)
        for player in players:
            text = player.window.shows("─ STOP! ─", f"{watcher.name} calls STOP")
            assert "was missed" in text
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
) -> tuple[Action, Player, Player, GameState]:
    """Play lawfully until whoever moves can leave a duty undone; then all rests.

    ``drawn``: with a card in hand or before one is drawn.
    """
    looked = time.monotonic()  # since when nobody has done anything
    while players[0].state().final_end is None:
        watcher, mover = watcher_first(players)
        state, seen = mover.state(), watcher.state().length
        at_rest = state.due is None and seen == state.length
        at_rest = at_rest and not any(p.has_pressed_at(state) for p in players)
        waits = False
        if at_rest and state.position is not None:
            in_hand = bool(state.position.piles[DRAWN + mover.seat])
            action = offence_in(state.position) if in_hand is drawn else None
            if action and mover.sees(state.position, action):
                return action, watcher, mover, state
            # The moment is there; the window comes to it a little later.
            waits = action is not None and not any(p.is_told() for p in players)
        if waits and time.monotonic() - looked < 3:
            windows.news_of([mover.window], 0.3)
            continue
        looked = time.monotonic()
        if not any(player.step() for player in players):
            windows.news_of([player.window for player in players], 0.3)
    raise AssertionError("nobody can do anything wrong")


def test_a_killed_player_comes_back_to_the_same_table(tmp_path: Path) -> None:
    """KILL in mid-turn, ``resume`` in a new window; at last HUP and TERM."""
    with seated(tmp_path, "russian-bank") as players:
        play_on(players, turns=3)
        ala, olek = players
        olek.window.signal(signal.SIGKILL)
        assert olek.window.ended() == 137
        text = ala.window.shows("Olek lost ─", "keep waiting")
        assert "The game is saved on both computers" in text
        with Window(crapette(olek.home, "resume")) as again:
            ala.window.shows("Connected again; the game goes on.")  # goes by itself
            again.shows("Ala ✓", "turn 3")
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
