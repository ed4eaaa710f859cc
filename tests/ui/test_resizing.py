"""Every screen and box through sizes that fit and sizes that do not, and back."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.ui.harness import Stage, staged
from tests.ui.test_app import QUICK, board, play
from tests.ui.test_flows import menu

SIZES = ((200, 60), (132, 40), (100, 30), (60, 18), (40, 10), (20, 5), (5, 2), (1, 1))
WORDS_ONLY = (59, 17)
"""A window in which words stand for the table."""
PAGES = (
    ("s", "confirm Stop!"),
    ("t", "club bot"),
    ("k", "to filter"),
    ("j", "address:"),
    ("r", "No game can go on"),
    ("p", "No game was played"),
    ("b", "overlooks a good deal"),
    ("u", "garibaldka"),
    (":", "tables on this network"),
)
BOXES = (
    ("q", "Leave the table?"),
    (":", "offer a draw"),
    ("i", "crapette/1"),
    ("l", "Log"),
    ("v1", "1 card"),
    ("!", "nothing to call"),
    ("/", "find:"),
    ("thello", "hello"),
    ("?", "to filter"),
)


async def comes_back(stage: Stage) -> None:
    """The same picture in the end, whatever the sizes in between."""
    before = stage.lines[1:]  # the bar has a clock
    for cols, rows in SIZES:
        await drawn_anew(stage, cols, rows)
    stage.resize(80, 24)
    await stage.until(lambda: stage.lines[1:] == before)


def is_open(stage: Stage) -> bool:
    """Whether something stands over the table, or a line is being typed."""
    screen = board(stage)
    return any((screen.over, screen.question, screen.typing, screen.hands.state.typed))


async def drawn_anew(stage: Stage, cols: int, rows: int) -> None:
    """Another size, from an empty window on; the one cell of the least says nothing."""
    stage.paper.screen.erase_in_display(2)
    stage.resize(cols, rows)
    if (cols, rows) != (1, 1):
        await stage.until(lambda: bool(stage.text.strip()))


async def goes(stage: Stage, text: str) -> None:
    """Wait until the text stands nowhere any more."""
    await stage.until(lambda: text not in stage.text)


@pytest.mark.slow
async def test_every_page_of_the_menu_stands_any_size(tmp_path: Path) -> None:
    """Lists, settings, a line being typed, the palette."""
    async with menu(tmp_path, "Ala") as (stage, task):
        await stage.shows("none yet")  # the last thing that the menu finds out
        await comes_back(stage)
        for key, shown in PAGES:
            stage.type(key)
            await stage.shows(shown)
            await comes_back(stage)
            stage.type("\x1b")
            await goes(stage, shown)
            assert "Esc quit" in stage.text
        assert not task.done()


@pytest.mark.slow
async def test_every_box_of_the_table_stands_any_size() -> None:
    """Boxes, prompts and pages over the table."""
    async with staged(play, settings=QUICK) as (stage, task):
        await stage.shows("YOUR MOVE")
        await comes_back(stage)
        for keys, shown in BOXES:
            stage.type(keys)
            await stage.shows(shown)
            await comes_back(stage)
            stage.type("\x1b")
            await goes(stage, shown)
        assert not task.done()


@pytest.mark.slow
async def test_keys_are_heard_where_no_table_fits() -> None:
    """What is opened, typed and closed in a window too small is so in a larger one."""
    async with staged(play, settings=QUICK) as (stage, task):
        await stage.shows("YOUR MOVE")
        for keys, shown in BOXES:
            await drawn_anew(stage, *WORDS_ONLY)
            stage.type(keys)
            await stage.until(lambda shown=shown: is_open(stage) or shown in stage.text)  # type: ignore[misc] # bound on purpose
            assert "[ A♥]" not in stage.text
            stage.resize(80, 24)
            await stage.shows(shown)
            await drawn_anew(stage, *WORDS_ONLY)
            stage.type("\x1b")
            await stage.until(lambda: not is_open(stage))
        stage.type("cf")
        await stage.until(lambda: "reserve A♥" not in stage.text)
        stage.resize(80, 24)
        await stage.shows("R-F A♥")
        assert not task.done()
