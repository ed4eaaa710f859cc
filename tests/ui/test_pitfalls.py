"""What other programs got wrong on the terminal, one test each.

The numbers are those of the interface's list of pitfalls; those of the network
are in ``test_pitfalls_network``, what a screen betrays in ``test_pitfalls_tell``.
"""

from __future__ import annotations

import asyncio
import io
import logging
import os
import random
import re
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from wcwidth import wcswidth

from crapette_p2p.engine import Turn
from crapette_p2p.engine.layout import DRAWN, RESERVE
from crapette_p2p.gamelog.replay import open_replay
from crapette_p2p.ui import app
from crapette_p2p.ui.app import Shell
from crapette_p2p.ui.catalogues import words_of
from crapette_p2p.ui.desk import Desk
from crapette_p2p.ui.faces import Theme
from crapette_p2p.ui.input.keymap import REPLAY_KEYS, TABLE_KEYS, help_lines
from crapette_p2p.ui.probe import SIGNS
from crapette_p2p.ui.render import KeyHit, PileHit, render
from crapette_p2p.ui.replay_app import ReplayScreen
from crapette_p2p.ui.screens.hosting import HostScreen
from crapette_p2p.ui.screens.screen import Screen
from crapette_p2p.ui.settings import THEMES, Settings
from crapette_p2p.ui.terminal import can_write_suits
from tests.ui.harness import PATIENCE, staged
from tests.ui.pictures import TABLE
from tests.ui.seated import Table, mine
from tests.ui.test_app import QUICK, board, play, seconds_of_an_escape
from tests.ui.test_meeting import open_table
from tests.ui.test_replay_app import LOG
from tests.ui.test_whole_game import TypedGame

SIZES = [(200, 60), (80, 24), (60, 18), (40, 10), (1, 1), (80, 24)]


def given_back(data: str) -> bool:
    """Whether each mode that was switched on was switched off last."""
    pairs = [(f"\x1b[?{n}h", f"\x1b[?{n}l") for n in (1049, 1000, 1002, 1006, 2004)]
    return all(data.rfind(off) >= data.rfind(on) for on, off in pairs)


async def test_pitfall_01_the_terminal_is_given_back_after_a_crash() -> None:
    """A key handler raises: alternate screen and mouse off (signals: processes)."""

    class Broken(Screen):
        def key(self, key: str, now: float) -> None:
            raise LookupError(key)

    async def flow(shell: Shell) -> int:
        await shell.show(Broken(shell.desk))
        return 0

    async with staged(flow) as (stage, task):
        await stage.until(lambda: "?1049h" in stage.bytes)
        stage.type("x")
        with pytest.raises(LookupError):
            await asyncio.wait_for(task, PATIENCE)
        assert given_back(stage.bytes)
        assert stage.bytes.rfind("\x1b[?25h") > stage.bytes.rfind("\x1b[?25l")


async def _stray() -> None:
    raise ValueError("a stray task")


def _log() -> None:
    handler = logging.lastResort  # what logging has where nobody has set it up
    assert handler is not None
    handler.handle(logging.makeLogRecord({"msg": "torn by logging"}))


def _print() -> None:
    print("torn by print", file=sys.stderr)  # noqa: T201 - that is what is tried


def _write() -> None:
    os.write(2, b"torn from below Python\n")


def _fail() -> None:
    # Collected before anybody looks at its result: the loop is told.
    task = asyncio.get_running_loop().create_task(_stray())
    task.add_done_callback(lambda _: None)


@pytest.mark.parametrize(
    ("noise", "kept", "is_told"),
    [
        (_log, "torn by logging", True),
        (_print, "torn by print", True),
        (_write, "torn from below Python", False),  # nobody hears of that one
        (_fail, "a stray task", True),
    ],
)
async def test_pitfall_02_stderr_does_not_tear_the_table(
    tmp_path: Path, noise: Callable[[], None], kept: str, is_told: bool
) -> None:
    """Whatever is written goes to the file; all rows but the message stay."""
    path = tmp_path / "crapette.log"
    async with staged(play, settings=QUICK, log_file=path) as (stage, task):
        await stage.shows("YOUR MOVE")
        before = stage.lines[1:19]
        noise()
        if is_told:
            await stage.shows("Something went wrong")
        await stage.until(lambda: kept in path.read_text(encoding="utf-8"))
        stage.type("c")
        await stage.shows("> A♥<")
        stage.type("\x1b")
        await stage.shows("[ A♥]")
        assert stage.lines[1:19] == before  # the path may take several rows
        assert not task.done()


async def test_pitfall_03_escape_is_quick() -> None:
    """Nothing is bound to Escape and another key, which would have to wait."""
    async with staged(play, settings=QUICK) as (stage, _):
        await stage.shows("YOUR MOVE")
        keys = stage.shell.app.key_bindings
        assert keys is not None
        chords = [b.keys for b in keys.bindings if len(b.keys) > 1]
        assert not [chord for chord in chords if chord[0] == "escape"]
        assert await seconds_of_an_escape(stage) < stage.shell.app.timeoutlen


async def test_pitfall_04_any_size_during_a_turn() -> None:
    """A picked card stays picked, and the table is right after each size."""
    async with staged(play, settings=QUICK) as (stage, task):
        await stage.shows("YOUR MOVE")
        stage.type("c")
        await stage.shows("> A♥<")
        for cols, rows in SIZES:
            stage.resize(cols, rows)
            size = (cols, rows)
            await stage.until(lambda size=size: board(stage).size == size)  # type: ignore[misc] # the loop's own value
        await stage.shows("> A♥<")
        stage.type("f")
        await stage.shows("R-F A♥")
        assert not task.done()


async def test_pitfall_05_the_mouse_can_be_given_back() -> None:
    """``:mouse off`` switches the reports off, at once."""
    async with staged(play, settings=QUICK) as (stage, _):
        await stage.shows("YOUR MOVE")
        stage.type(":mouse off\r")
        on, off = "\x1b[?1000h", "\x1b[?1000l"
        await stage.until(lambda: stage.bytes.rfind(off) > stage.bytes.rfind(on))


@pytest.mark.parametrize(("cols", "rows"), [(60, 18), (80, 24), (100, 30), (130, 42)])
def test_pitfall_06_a_click_means_what_is_drawn_there(cols: int, rows: int) -> None:
    """After any flip and resize, pressing anywhere looks at the pile drawn there."""
    dice = random.Random(cols)  # noqa: S311 - repeatable clicks
    screen = ReplayScreen(Desk(), open_replay(LOG))
    for _ in range(40):
        screen.key(dice.choice(["f", "right", "]"]), 0.0)
        screen.draw(dice.choice([60, 200]), dice.choice([18, 60]), 0.0)
        frame = screen.draw(cols, rows, 0.0)
        x, y = dice.randrange(cols), dice.randrange(rows - 2)
        looked: list[int] = []
        screen.look = lambda pile, _now, seen=looked: seen.append(pile)  # type: ignore[method-assign, misc] # to see it
        screen.press(x, y, "left", 0.0)
        hit = frame.hit(x, y)
        assert looked == ([hit.pile] if isinstance(hit, PileHit) else [])


async def test_pitfall_07_motion_is_not_asked_for_and_draws_nothing() -> None:
    """No 1003 at the start; a thousand motions are no redraw of their own."""
    async with staged(play, settings=QUICK) as (stage, _):
        await stage.shows("YOUR MOVE")
        drawn = stage.shell.app.render_counter
        stage.type("".join(f"\x1b[<35;{n % 80 + 1};5M" for n in range(1000)) + "c")
        await stage.shows("c… A♥")
        # A clock may have ticked on a busy machine; a thousand motions did not show.
        assert stage.shell.app.render_counter - drawn <= 50
        assert "?1003h" not in stage.bytes


@pytest.mark.parametrize(("cols", "rows"), [(60, 18), (80, 24), (120, 40), (200, 60)])
def test_pitfall_08_suits_have_no_variation_selector(cols: int, rows: int) -> None:
    """Each row is as wide as the terminal; no emoji and no card block."""
    for line in render(TABLE, cols, rows).text():
        assert wcswidth(line) == cols
        assert not re.search("[\ufe0e\ufe0f\U0001f0a0-\U0001f0ff]", line)


async def test_pitfall_09_wide_signs_give_way_to_letters(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A terminal that answers "two cells": letters and edges of ASCII, no others."""
    monkeypatch.setattr(app, "LATEST", PATIENCE)  # a busy machine is late, too
    async with staged(play, settings=QUICK, asks_width=True) as (stage, _):
        await stage.shows("YOUR MOVE")
        assert not stage.text.isascii()  # until it has said so, it is an ordinary one
        stage.type("\x1b[7;3R" * len(SIGNS))
        await stage.until(lambda: "+-----+" in stage.text and stage.text.isascii())


def test_pitfall_10_no_question_marks_for_suits() -> None:
    """An encoding without suits is noticed, and gets ``10s`` instead."""
    stream = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    assert not can_write_suits(stream)
    text = "".join(render(TABLE, 80, 24, Theme(ascii_only=True)).text())
    assert "10s" in text
    assert text.count("?") == 1


@pytest.mark.parametrize("theme", THEMES)
async def test_pitfall_11_nothing_is_black_or_white(theme: str) -> None:
    """Only the terminal's own two colours and the eight, on every kind of screen."""
    settings = replace(QUICK, four_color=True, theme=theme)
    async with staged(play, settings=settings) as (stage, _):
        await stage.shows("YOUR MOVE")
        for keys, shown in (
            ("c", "c… "),
            ("q", "Leave the table?"),
            ("\x1b?", "Keys"),
            ("\x1b:", "the look of the screen"),
            ("\x1bv1", "jack of clubs"),
            ("\x1b/jc\r", "J♣:"),
            ("\x1bi", "you both saw"),
            ("\x1bl", "Log"),
        ):
            stage.type(keys)
            await stage.shows(shown)
        codes = re.findall(r"\x1b\[([0-9;]*)m", stage.bytes)
    sent = {code for group in codes for code in group.split(";")}
    usual = {"", *"013479", "22", "27", "39", "49"}
    assert sent <= usual | {"31", "32", "35", "36", "94"}
    assert theme != "mono" or sent <= usual


@pytest.mark.parametrize("term", ["xterm", "linux", "vt100", "xterm-256color"])
@pytest.mark.parametrize(
    ("color", "red"),
    [("auto", True), ("never", False), ("16", True), ("256", True), ("always", True)],
)
async def test_pitfall_12_true_colour_is_never_needed(
    color: str, red: bool, term: str
) -> None:
    """On any terminal, with any number of colours: red is red, or has its sign."""
    settings = replace(QUICK, color=color)
    async with staged(play, settings=settings, term=term) as (stage, _):
        await stage.shows("YOUR MOVE")
        assert "38;2" not in stage.bytes
        assert "38;5" not in stage.bytes
        y = next(n for n, line in enumerate(stage.lines) if "♥" in line)
        x = stage.lines[y].index("♥")
        assert (stage.style_at(x, y).fg == "red") is red


def test_pitfall_13_everything_differs_in_text() -> None:
    """Picked, moved, playable and whose turn are told apart without any colour."""
    looks = [
        replace(TABLE, picked=None, marks=frozenset()),
        replace(TABLE, picked=1, marks=frozenset()),
        replace(TABLE, picked=None, marks=frozenset({1})),
    ]
    texts = ["\n".join(render(view, 80, 24).text()) for view in looks]
    assert len(set(texts)) == 3
    assert "YOUR MOVE" in mine().text
    assert "YOUR MOVE" not in Table().text


@pytest.mark.slow
def test_pitfall_14_few_keys_are_needed() -> None:
    """At most 1.4 keys an action in a game that is typed."""
    games = [TypedGame(seed, {}) for seed in (1, 2)]
    for game in games:
        game.play(500)
    keys = sum(game.keys for game in games)
    assert keys / sum(game.actions for game in games) <= 1.4


def test_pitfall_15_any_keyboard_layout_plays() -> None:
    """Cyrillic and AZERTY keys are piles; talk keeps the letters as typed."""
    table = mine()
    table.keys("с")
    assert table.screen.hands.state.picked == RESERVE
    table.keys("escape", "é")
    assert table.screen.hands.state.picked == 1
    table.keys("escape", "t", *"сам")
    assert "сам" in table.text


@pytest.mark.parametrize("lang", ["en", "pl", "ru", "fr", "de"])
def test_pitfall_16_help_is_in_sight_and_complete(lang: str) -> None:
    """``?`` first at 60 columns; what the key line names, the help page explains."""
    words = words_of(lang)
    frame = render(TABLE, 60, 18, Theme(words=words))
    assert frame.text()[-1].startswith(" ? ")
    assert frame.hit(1, 17) == KeyHit("?")
    for table in (TABLE_KEYS, REPLAY_KEYS):
        explained = {cap for cap, text in help_lines(table, words) if text}
        named = {binding.cap or binding.key for binding in table if binding.label}
        assert named <= explained


async def test_pitfall_17_nobody_leaves_by_accident() -> None:
    """q, Escape, a paste and one Ctrl-C only ask; the second Ctrl-C leaves."""
    async with staged(play, settings=QUICK) as (stage, task):
        await stage.shows("YOUR MOVE")
        for keys, shown in (
            ("q", "Leave the table?"),
            ("\x1b", "YOUR MOVE"),
            ("\x1b\x1b\x1b[200~qqq\x03\x1b[201~", "Pasted text"),
            ("\x03", "Leave the table?"),
        ):
            stage.type(keys)
            asks = "Leave" in shown
            await stage.until(
                lambda shown=shown, asks=asks: (  # type: ignore[misc] # the loop's own values
                    shown in stage.text and ("Leave the table?" in stage.text) is asks
                )
            )
        assert not task.done()
        stage.type("\x03")
        assert await asyncio.wait_for(task, PATIENCE) == 0


@pytest.mark.slow
async def test_pitfall_28_line_mode_has_no_control_character() -> None:
    """A whole game in lines (``test_plain_app``): what is printed is text."""
    from tests.ui.test_plain_app import test_a_whole_game_by_typed_commands as whole

    await whole("russian-bank", 1)


def test_pitfall_29_any_moment_of_a_replay_from_any_other() -> None:
    """Seeking there and back is the fold; flipping twice changes nothing."""
    replay, fresh = open_replay(LOG), open_replay(LOG)
    dice = random.Random(29)  # noqa: S311 - repeatable places
    for place in [dice.randrange(replay.length + 1) for _ in range(60)]:
        assert replay.position(place) == open_replay(LOG).position(place)
    screen = ReplayScreen(Desk(), fresh)
    screen.key("]", 0.0)
    before = screen.draw(80, 24, 0.0)
    screen.key("f", 0.0)
    assert screen.draw(80, 24, 0.0) != before
    screen.key("f", 0.0)
    assert screen.draw(80, 24, 0.0) == before


async def test_pitfall_31_the_invite_can_be_copied_and_read() -> None:
    """``y`` writes OSC 52; the text stays on the screen for whom that is nothing."""
    table = open_table()

    async def flow(shell: Shell) -> int:
        await shell.show(HostScreen(shell.desk, table, shell.now))
        return 0

    async with staged(flow, settings=QUICK) as (stage, _):
        await stage.shows("Tell your friend")
        stage.type("y")
        await stage.until(lambda: "\x1b]52;c;" in stage.bytes)
        assert table.invite in "".join(line.strip() for line in stage.lines)


def test_pitfall_32_nothing_moves_by_itself_but_the_clock() -> None:
    """Without animation, ten seconds of the opponent's turn: once a second."""
    table = Table(settings=Settings(pace=350, animation=False))
    table.happen(1, Turn())
    table.wait(5.0)
    wakes = 0
    until = table.now + 10
    while (at := table.screen.wakes_at(table.now)) is not None and at <= until:
        table.now = max(at, table.now + 0.001)
        table.screen.wake(table.now)
        wakes += 1
    assert wakes <= 10
    assert table.position.piles[DRAWN + 1]
