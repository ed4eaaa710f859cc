"""What a screen betrays: nothing, to the byte, of a play that was missed.

Two watchers see the same turn, cell by cell; for one of them the positions carry
the offence that was made, for the other one they do not. What reaches the terminal
(pictures, bell, title) and when the screen wants to be woken has to be the same.
"""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from crapette_p2p.engine import (
    PRESETS,
    Discard,
    Move,
    OffenceCode,
    Position,
    Seat,
    Turn,
    format_action,
    legal_with_offences,
    parse_position,
    play,
    turn_up,
)
from crapette_p2p.engine.actions import Action
from crapette_p2p.engine.layout import other
from crapette_p2p.ui.app import Shell
from crapette_p2p.ui.catalogues import words_of
from crapette_p2p.ui.desk import Desk
from crapette_p2p.ui.language import LANGUAGES
from crapette_p2p.ui.play.seat_screen import TableSetup
from crapette_p2p.ui.play.table_screen import TableScreen
from crapette_p2p.ui.render import Frame
from crapette_p2p.ui.settings import Settings
from tests.ui.boards import Side, board
from tests.ui.harness import PATIENCE, staged
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
        assert await asyncio.wait_for(task, PATIENCE) == 0
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


CASES = Path(__file__).parents[1] / "engine" / "cases" / "generated.json"
SIZES = ((60, 18), (80, 24), (100, 30), (120, 40), (132, 40), (200, 60))
LENIENT = replace(
    PRESETS["crapette"],
    foundation_duty=False,
    reserve_first=False,
    fill_spaces_before_turn=False,
)
"""The same game where nothing can be missed, and Stop! can still be called."""
Kind = tuple[OffenceCode, str]


@cache
def faulty_actions() -> dict[Kind, tuple[Position, Action]]:
    """One position and action for every kind of offence by every kind of action."""
    found: dict[Kind, tuple[Position, Action]] = {}
    for case in json.loads(CASES.read_text(encoding="utf-8")):
        position = parse_position({**case["position"], "rules": "crapette"})
        for action, offence in legal_with_offences(position):
            if offence is not None:
                kind = type(action).__name__
                if isinstance(action, Move):
                    kind += format_action(action).partition("-")[2].lstrip("12345678")
                found.setdefault((offence, kind), (position, action))
    return found


def seen(
    before: Position, action: Action, after: Position, lang: str
) -> tuple[list[Frame], list[object]]:
    """What the watcher sees at every size, and what else reaches the terminal."""
    told: list[object] = []
    desk = Desk(
        settings=Settings(pace=350, animation=False, lang=lang),
        words_of=words_of,
        ring=lambda: told.append("bell"),
        entitle=told.append,
    )
    setup = TableSetup(
        seat=other(before.active),
        names=("Ala", "Olek"),
        position=before,
        send=lambda _command: None,
    )
    screen = TableScreen(desk, setup)
    screen.begin(100.0)
    frames = [screen.draw(*size, 100.0) for size in SIZES]
    screen.feed.push(before.active, action, after)
    screen.happened(101.0)
    told += [screen.wakes_at(101.0), screen.question]
    screen.wake(102.0)
    frames += [screen.draw(*size, 102.0) for size in SIZES]
    screen.key("!", 102.5)
    return [*frames, screen.draw(80, 24, 103.0)], told


@pytest.mark.parametrize("lang", LANGUAGES)
def test_no_offence_of_any_kind_can_be_seen_at_any_size(lang: str) -> None:
    """To the cell as if the play had been lawful, and as if none had been due."""
    kinds = faulty_actions()
    assert {offence for offence, _ in kinds} == set(OffenceCode)
    assert {kind for _, kind in kinds} >= {"Move", "MoveOR", "MoveOW", "Turn"}
    for position, action in kinds.values():
        after = play(position, position.active, action)
        assert after.offences != position.offences
        guilty = seen(position, action, after, lang)
        innocent = seen(position, action, replace(after, offences=()), lang)
        lenient = replace(position, rules=LENIENT)
        lawful = play(lenient, lenient.active, action)
        assert not lawful.offences
        assert guilty == innocent
        assert guilty == seen(lenient, action, lawful, lang)
