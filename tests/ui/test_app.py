"""The application in the toolkit: keys, mouse, sizes, ends, stray errors."""

from __future__ import annotations

import asyncio
import errno
import os
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from crapette_p2p.ui import app
from crapette_p2p.ui.app import Shell
from crapette_p2p.ui.play.table_screen import TableScreen
from crapette_p2p.ui.probe import SIGNS, question
from crapette_p2p.ui.screens.menu import Item, Menu
from crapette_p2p.ui.screens.screen import Screen
from crapette_p2p.ui.screens.waiting import Opening
from crapette_p2p.ui.settings import Settings
from crapette_p2p.ui.table_flow import TableFlow
from crapette_p2p.ui.table_like import FlowOptions
from tests.ui.harness import PATIENCE, Stage, staged
from tests.ui.screen_table import screen_table

QUICK = Settings(pace=0, bell=False, animation=False)
TRUSTING = FlowOptions(accept_unverified=True, accept_terms=True)


async def play(shell: Shell) -> int:
    """A game whose other side does nothing."""
    table = screen_table(seed=1, robot=False)
    return await TableFlow(shell, table, TRUSTING).run()


def board(stage: Stage) -> TableScreen:
    """The table on the stage."""
    screen = stage.shell.screen
    assert isinstance(screen, TableScreen)
    return screen


async def test_a_move_is_two_keys() -> None:
    """``c f`` carries the reserve's ace to its foundation."""
    async with staged(play, settings=QUICK) as (stage, _):
        await stage.shows("YOUR MOVE")
        stage.type("cf")
        await stage.shows("R-F A♥")
        assert "{ A♥}" in stage.text


async def test_cyrillic_keys_play_the_same_game() -> None:
    """The keys of ЙЦУКЕН mean the same physical keys."""
    async with staged(play, settings=QUICK) as (stage, _):
        await stage.shows("YOUR MOVE")
        stage.type("са")
        await stage.shows("R-F A♥")


async def seconds_of_an_escape(stage: Stage) -> float:
    """How long a lone Escape takes to put a card back, at best of a few times.

    A machine that is busy makes one of them late, or two; what waits for another key
    makes all of them late.
    """
    took = []
    for _ in range(9):
        stage.type("1")
        await stage.until(lambda: board(stage).hands.state.picked == 0)
        began = stage.shell.now
        stage.type("\x1b")
        await stage.until(lambda: board(stage).hands.state.picked is None)
        took.append(stage.shell.now - began)
    return min(took)


async def test_escape_puts_a_card_back_at_once() -> None:
    """A lone Escape is not waited on: no binding begins with it."""
    async with staged(play, settings=QUICK) as (stage, _):
        await stage.shows("YOUR MOVE")
        assert await seconds_of_an_escape(stage) < stage.shell.app.timeoutlen


async def test_pasted_text_presses_no_key() -> None:
    """A bracketed paste at the table does nothing but say so."""
    async with staged(play, settings=QUICK) as (stage, _):
        await stage.shows("YOUR MOVE")
        stage.type("\x1b[200~qqq cf\x1b[201~")
        await stage.shows("Pasted text")
        assert "R-F" not in stage.text


async def test_the_mouse_plays_and_no_motion_is_asked_for() -> None:
    """Press on a pile, press on another; 1003 is never switched on."""
    async with staged(play, settings=QUICK) as (stage, _):
        await stage.shows("YOUR MOVE")
        row = next(n for n, line in enumerate(stage.lines) if "[ A♥]" in line)
        stage.mouse(stage.lines[row].index("A♥"), row)
        await stage.until(lambda: board(stage).hands.state.picked is not None)
        stage.mouse(36, 8)
        await stage.shows("R-F A♥")
        assert "?1003h" not in stage.bytes
        assert "?1000h" in stage.bytes
        assert "?1002h" in stage.bytes
        assert "?1006h" in stage.bytes


async def test_motion_draws_nothing() -> None:
    """A thousand motion reports cause no redraw."""
    quiet = Settings(pace=0, bell=False, animation=False)
    async with staged(play, settings=quiet) as (stage, _):
        await stage.shows("YOUR MOVE")
        await asyncio.sleep(0)
        drawn, began = stage.shell.app.render_counter, stage.shell.now
        stage.type("".join(f"\x1b[<35;{n % 80 + 1};5M" for n in range(1000)) + "c")
        await stage.shows("c… A♥")
        ticks = int(stage.shell.now - began) + 1  # of the clock in the bar
        assert stage.shell.app.render_counter - drawn <= 4 + ticks


async def test_every_size_is_drawn_and_the_game_goes_on() -> None:
    """Resizing down to one cell and back never raises, and keys still work."""
    sizes = [(200, 60), (80, 24), (60, 18), (40, 10), (1, 1), (140, 45), (80, 24)]
    async with staged(play, settings=QUICK) as (stage, task):
        await stage.shows("YOUR MOVE")
        for cols, rows in sizes:
            stage.resize(cols, rows)
            wanted = (cols, rows)
            await stage.until(lambda wanted=wanted: board(stage).size == wanted)  # type: ignore[misc] # the loop's own value
        stage.type("cf")
        await stage.shows("R-F A♥")
        assert not task.done()


async def test_leaving_is_asked_about_and_a_second_ctrl_c_leaves() -> None:
    """``q``, Esc and one Ctrl-C leave the game on; the second Ctrl-C ends it."""
    async with staged(play, settings=QUICK) as (stage, task):
        await stage.shows("YOUR MOVE")
        stage.type("q")
        await stage.shows("Leave the table?")
        stage.type("\x1b")
        await stage.until(lambda: "Leave the table?" not in stage.text)
        stage.type("\x03")
        await stage.shows("Leave the table?")
        assert not task.done()
        stage.type("\x03")
        assert await asyncio.wait_for(task, PATIENCE) == 0
    assert "\x1b[?1049l" in stage.bytes
    assert stage.bytes.rindex("\x1b[?25h") > stage.bytes.rindex("\x1b[?25l")
    assert "\x1b[?1000l" in stage.bytes


async def test_stopping_twice_is_no_error() -> None:
    """The toolkit refuses a second exit; ours is guarded, the first code counts."""
    async with staged(play, settings=QUICK) as (stage, task):
        await stage.shows("YOUR MOVE")
        stage.shell.stop(143)
        stage.shell.stop(130)
        assert await asyncio.wait_for(task, PATIENCE) == 143


async def test_an_error_of_a_key_ends_the_program_with_it() -> None:
    """The terminal is given back and the error comes out of ``run``."""

    class Broken(Screen):
        def key(self, key: str, now: float) -> None:
            raise RuntimeError("a bug")

    async def flow(shell: Shell) -> int:
        await shell.show(Broken(shell.desk))
        return 0

    async with staged(flow) as (stage, task):
        await stage.until(lambda: bool(stage.bytes))
        stage.type("x")
        with pytest.raises(RuntimeError, match="a bug"):
            await asyncio.wait_for(task, PATIENCE)
        assert "\x1b[?1049l" in stage.bytes


async def test_a_terminal_may_be_gone_before_its_signal_comes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A window closed while a frame is drawn is a hang-up, and no bug."""

    def gone() -> None:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    async with staged(play, settings=QUICK) as (stage, task):
        await stage.shows("YOUR MOVE")
        monkeypatch.setattr(stage.shell.app.output, "flush", gone)
        stage.type("?")
        assert await asyncio.wait_for(task, PATIENCE) == 129


@pytest.mark.parametrize("screen_too", [False, True])
async def test_the_keys_may_end_before_the_signal_comes(
    monkeypatch: pytest.MonkeyPatch, *, screen_too: bool
) -> None:
    """A closed window that shows as no more keys is the same hang-up."""

    def gone() -> None:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    async with staged(play, settings=QUICK) as (stage, task):
        await stage.shows("YOUR MOVE")
        if screen_too:
            monkeypatch.setattr(stage.shell.app.output, "flush", gone)
        stage.source.close()
        assert await asyncio.wait_for(task, PATIENCE) == 129


async def test_an_error_of_the_flow_ends_the_program_with_it() -> None:
    """What the flow raises comes out once the terminal is given back."""

    async def flow(shell: Shell) -> int:
        shell.put(Screen(shell.desk))
        raise LookupError("no such table")

    async with staged(flow) as (stage, task):
        with pytest.raises(LookupError):
            await asyncio.wait_for(task, PATIENCE)
        assert "\x1b[?1049h" not in stage.bytes or "\x1b[?1049l" in stage.bytes


async def test_strays_go_to_the_log_file_and_not_across_the_table(
    tmp_path: Path,
) -> None:
    """stderr, its descriptor, a task's error: a line to see, the text in a file."""
    log_file = tmp_path / "crapette.log"
    async with staged(play, settings=QUICK, log_file=log_file) as (stage, task):
        await stage.shows("YOUR MOVE")
        sys.stderr.write("something odd\n")
        await stage.shows("Something went wrong")
        os.write(2, b"from below Python\n")

        async def stray() -> None:
            raise ValueError("a stray error")

        spoilt = asyncio.get_running_loop().create_task(stray())
        await asyncio.wait({spoilt})
        del spoilt
        await stage.until(lambda: "a stray error" in log_file.read_text())
        assert not task.done()
        assert "odd" not in stage.text
    text = log_file.read_text()
    assert "something odd" in text
    assert "from below Python" in text


async def test_a_thread_may_write_to_stderr(tmp_path: Path) -> None:
    """A bot or a proof is worked at in a thread; what it warns of is told as well."""
    log_file = tmp_path / "crapette.log"
    async with staged(play, settings=QUICK, log_file=log_file) as (stage, _):
        await stage.shows("YOUR MOVE")
        await asyncio.to_thread(sys.stderr.write, "odd, in a thread\n")
        await stage.shows("Something went wrong")
        assert "odd" not in stage.text
    assert "odd, in a thread" in log_file.read_text()


async def test_strays_without_a_place_for_the_log_are_still_told_of(
    tmp_path: Path,
) -> None:
    """A log that cannot be written keeps nobody from the table."""
    spoilt = tmp_path / "home"
    spoilt.write_bytes(b"")
    log_file = spoilt / "crapette.log"
    async with staged(play, settings=QUICK, log_file=log_file) as (stage, task):
        await stage.shows("YOUR MOVE")
        sys.stderr.write("something odd\n")
        await stage.shows("Something went wrong; there is no log to tell what")
        assert not task.done()
        assert "odd" not in stage.text


async def test_only_a_clock_draws_by_itself() -> None:
    """A screen that does not ask to be woken is drawn once and left alone."""

    async def flow(shell: Shell) -> int:
        await shell.show(Screen(shell.desk))
        return 0

    async with staged(flow) as (stage, _):
        await stage.until(lambda: bool(stage.bytes))
        assert stage.shell.screen.wakes_at(stage.shell.now) is None
        assert stage.shell.app.refresh_interval is None


async def test_colours_are_the_terminals_own() -> None:
    """Suits are red or the default; nothing sets black, white or a background."""
    async with staged(play, settings=QUICK) as (stage, _):
        await stage.shows("YOUR MOVE")
        for y, line in enumerate(stage.lines):
            for x, char in enumerate(line):
                cell = stage.style_at(x, y)
                assert cell.bg == "default"
                assert cell.fg not in {"black", "white"}
                if char in "♥♦":
                    assert cell.fg == "red"
                if char in "♠♣":
                    assert cell.fg == "default"


async def test_a_title_is_ascii_where_the_terminal_is() -> None:
    """One byte of UTF-8 may end the title, and the rest stand on the table."""
    async with staged(play, settings=replace(QUICK, ascii=True)) as (stage, _):
        await stage.until(lambda: "\x1b]2;" in stage.bytes)
        assert stage.bytes.isascii()


@pytest.mark.parametrize(("column", "wide"), [(2, False), (3, True)])
async def test_the_terminal_tells_how_wide_it_draws(
    monkeypatch: pytest.MonkeyPatch, column: int, wide: bool
) -> None:
    """It is asked before the first frame; its answers are read among the keys."""
    monkeypatch.setattr(app, "LATEST", PATIENCE)  # a busy machine is late, too
    async with staged(play, settings=QUICK, asks_width=True) as (stage, _):
        await stage.shows("YOUR MOVE")
        asked, _, drawn = stage.bytes.partition(question())
        assert drawn
        assert "\x1b[?1049h" not in asked, "it is not asked across the table"
        stage.type(f"\x1b[7;{column}R" * len(SIGNS) + "cf")
        await stage.shows("R-F Ah" if wide else "R-F A♥")
        assert ("♥" in stage.text) is not wide
        assert stage.text.isascii() is wide


async def test_a_terminal_that_was_not_asked_tells_nothing() -> None:
    """Ctrl with F3 is sent by the same bytes, and changes nothing."""
    async with staged(play, settings=QUICK) as (stage, _):
        await stage.shows("YOUR MOVE")
        assert question() not in stage.bytes
        stage.type("\x1b[1;5Rcf")
        await stage.shows("R-F A♥")


async def test_keys_typed_while_something_opens_are_for_what_opens() -> None:
    """The page in front of it takes only what leaves."""

    async def flow(shell: Shell) -> int:
        page = Opening(shell.desk, "The table")
        shell.put(page)
        while len(page.typed) < 2:
            await shell.next_change()
        shell.type_ahead(page.typed)
        menu = Menu(shell.desk, "Choose", [Item("a", "A"), Item("b", "B")])
        return len(str(await shell.show(menu)))

    async with staged(flow, settings=QUICK) as (stage, task):
        await stage.shows("The table")
        stage.type("\x1b[B\r")
        async with asyncio.timeout(PATIENCE):
            assert await task == len("b")
            screen = stage.shell.screen
            assert screen.done == "b"
