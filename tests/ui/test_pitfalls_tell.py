"""What a screen betrays: nothing, to the byte, of a play that was missed.

Two watchers see the same turn, cell by cell; for one of them the positions carry
the offence that was made, for the other one they do not. What reaches the terminal
(pictures, bell, title) and when the screen wants to be woken has to be the same.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from crapette_p2p.engine import Discard, Position, Seat, Turn, play, turn_up
from crapette_p2p.engine.actions import Action
from crapette_p2p.ui.app import Shell
from crapette_p2p.ui.play.seat_screen import TableSetup
from crapette_p2p.ui.play.table_screen import TableScreen
from crapette_p2p.ui.settings import Settings
from tests.ui.boards import Side, board
from tests.ui.harness import staged
from tests.ui.seated import move

SETTINGS = Settings(pace=350, animation=True, bell=True)
ACTIONS = (move(4, 5), Turn(), Discard())


def start(preset: str) -> Position:
    """The three of clubs has a place, and the other does not play it."""
    return board(
        columns=("9H", "8S", "7D", "3C", "4S QD", "KS", "5H", "2D"),
        foundations={"C": (2, 0)},
        a=Side(reserve=(5, "7H"), stock=20),
        b=Side(reserve=(5, "JS"), stock=20),
        active=1,
        preset=preset,
    )


def turn_of(preset: str) -> list[tuple[Action | None, Position]]:
    """The faulty turn: each action with the position after it."""
    position = start(preset)
    shown: list[tuple[Action | None, Position]] = []
    for action in ACTIONS:
        position = play(position, Seat(1), action)
        shown.append((action, position))
        slot = position.unopened()
        if slot is not None:
            position = turn_up(position, slot, 41)
            shown.append((None, position))
    assert any(position.offences for _, position in shown)
    return shown


async def watched(
    monkeypatch: pytest.MonkeyPatch, *, told: bool, preset: str
) -> tuple[str, list[float | None]]:
    """The bytes for the watcher, and when the screen wanted to be woken."""
    clock = [1000.0]
    monkeypatch.setattr(Shell, "now", property(lambda _self: clock[0]))
    monkeypatch.setattr(Shell, "_arm", lambda _self: None)
    wakes: list[float | None] = []

    async def flow(shell: Shell) -> int:
        setup = TableSetup(
            seat=Seat(0),
            names=("Ala", "Olek"),
            position=start(preset),
            send=lambda _command: None,
            since=clock[0],
        )
        screen = TableScreen(shell.desk, setup)
        screen.begin(clock[0])
        drawn = asyncio.Event()
        shell.app.after_render += lambda _app: drawn.set()
        shell.put(screen)
        for action, position in turn_of(preset):
            seen = position if told else replace(position, offences=())
            screen.feed.push(Seat(1), action, seen)
            screen.happened(clock[0])
            for _ in range(6):
                clock[0] += 0.1
                screen.wake(clock[0])
                wakes.append(screen.wakes_at(clock[0]))
                drawn.clear()
                shell.changed()
                await drawn.wait()
        return 0

    async with staged(flow, settings=SETTINGS) as (stage, task):
        assert await asyncio.wait_for(task, 10) == 0
        return stage.bytes, wakes


@pytest.mark.parametrize("preset", ["crapette", "russian-bank-knock"])
async def test_pitfall_18_the_screen_never_tells(
    monkeypatch: pytest.MonkeyPatch, preset: str
) -> None:
    """Bytes and times are the same whether a compulsory play was missed or not."""
    innocent = await watched(monkeypatch, told=False, preset=preset)
    guilty = await watched(monkeypatch, told=True, preset=preset)
    assert guilty == innocent
    assert "YOUR" in guilty[0]
    assert "\x07" in guilty[0]
