"""The main menu: what Escape does, its palette, and the tables that are counted."""

from __future__ import annotations

import asyncio
import errno
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from crapette_p2p.ui import errands, menu_flow
from crapette_p2p.ui.catalogues import words_of
from crapette_p2p.ui.desk import Desk
from crapette_p2p.ui.screens.main_menu import QUIT, MainMenu
from crapette_p2p.ui.screens.menu import Item, Menu
from crapette_p2p.ui.settings import Settings
from tests.ui.test_flows import menu


def main_menu() -> MainMenu:
    """A menu of two items, filled anew in whatever language there is."""

    def fill(menu: MainMenu) -> None:
        words = menu.desk.words
        menu.items = (
            Item("host", words("Host a table"), "", "h"),
            Item(QUIT, words("Quit"), "", "q"),
        )

    return MainMenu(Desk(words_of=words_of), "Crapette", fill)


def text_of(menu: Menu) -> str:
    """The picture as text."""
    return "\n".join(menu.draw(80, 24, 0.0).text())


def type_keys(menu: MainMenu, text: str) -> None:
    """Press key after key."""
    for key in text:
        menu.key({"\r": "enter", "\x1b": "escape"}.get(key, key), 0.0)


def test_the_menu_says_what_escape_does() -> None:
    """It ends the program here; in a list further down it goes back."""
    menu = main_menu()
    assert "Esc quit" in text_of(menu)
    assert ": command" in text_of(menu)
    menu.key("escape", 0.0)
    assert menu.done == QUIT
    assert "Esc back" in text_of(Menu(Desk(), "Games", ()))


@pytest.mark.parametrize(
    ("typed", "done"),
    [
        (":host\r", "host"),
        (":ho\r", "host"),
        (":join 192.168.1.20\r", "join 192.168.1.20"),
        (":stats\r", "stats"),
        (":quit\r", QUIT),
        (":resign\r", None),
        (":host\x1b", None),
        ("?", "keys"),
    ],
)
def test_the_palette_begins_what_it_names(typed: str, done: str | None) -> None:
    """What is of the table only is no command here; Escape ends the line alone."""
    menu = main_menu()
    type_keys(menu, typed)
    assert menu.done == done
    assert menu.typing is None


def test_the_palette_lists_the_errands_first() -> None:
    """The same list above the line as at the table, by letters and by mouse."""
    menu = main_menu()
    menu.key(":", 0.0)
    rows = text_of(menu).split("\n")
    assert "host" in rows[-3]
    assert "join" in rows[-4]
    menu.press(3, 24 - 4, "left", 0.0)
    assert menu.done == "join"


def test_a_setting_is_changed_from_the_menu() -> None:
    """In force at once; what the menu says is made anew. Unknown words are said."""
    menu = main_menu()
    type_keys(menu, ":lang de\r")
    assert "Esc beenden" in text_of(menu)
    assert "Einen Tisch aufmachen" in text_of(menu)
    type_keys(menu, ":lang en\r:xyzzy\r")
    assert "No command xyzzy. Perhaps:" in text_of(menu)
    type_keys(menu, ":theme pink\r")
    assert "theme:" in text_of(menu)
    assert menu.done is None


def test_a_command_of_another_place_is_no_slip() -> None:
    """It is known, and said to be impossible here; only others are guessed at."""
    menu = main_menu()
    type_keys(menu, ":goto 3\r")
    assert "That is not possible here." in text_of(menu)
    type_keys(menu, ":gotoo\r")
    assert "No command gotoo. Perhaps:" in text_of(menu)


def test_the_bare_name_of_a_switch_turns_it_over() -> None:
    """On and off again, also when it is taken from the list; a choice wants a word."""
    menu = main_menu()
    type_keys(menu, ":four-color\r")
    assert menu.desk.settings.four_color
    assert "four-color: on" in text_of(menu)
    type_keys(menu, ":four")
    menu.key("tab", 0.0)
    menu.key("enter", 0.0)
    assert not menu.desk.settings.four_color
    assert "four-color: off" in text_of(menu)
    type_keys(menu, ":mouse\r")
    assert not menu.desk.settings.mouse
    type_keys(menu, ":theme\r")
    assert "theme: has to be one of" in text_of(menu)


def test_a_setting_that_cannot_be_kept_is_in_force() -> None:
    """The menu is made anew in the other language, and says why it will not last."""
    menu = main_menu()

    def keep(_key: str, _value: object) -> None:
        raise PermissionError(errno.EACCES, "no")

    menu.desk.keep = keep
    type_keys(menu, ":lang de\r")
    assert "Einen Tisch aufmachen" in text_of(menu)
    assert "lang: gilt, aber nicht gespeichert: " in text_of(menu)
    assert menu.message_style == "error"


def test_a_command_from_the_list_that_wants_a_word_is_gone_on_with() -> None:
    """Marked and taken, it stands in the line with its values above it."""
    menu = main_menu()
    type_keys(menu, ":the")
    menu.key("tab", 0.0)
    menu.key("enter", 0.0)
    assert menu.typing is not None
    assert menu.typing.line.text == "theme "
    type_keys(menu, "mono\r")
    assert menu.desk.settings.theme == "mono"


class Air:
    """A network on which a test opens tables."""

    def __init__(self) -> None:
        self.tables: tuple[object, ...] = ()
        self.problem: object = None
        self.news = asyncio.Event()

    async def changed(self) -> tuple[object, ...]:
        """As the search says it."""
        await self.news.wait()
        self.news.clear()
        return self.tables

    def open(self, count: int) -> None:
        """So many tables are there now."""
        self.tables = (object(),) * count
        self.news.set()


@pytest.mark.slow
@pytest.mark.parametrize("announce", [True, False])
async def test_the_menu_counts_the_tables_it_sees(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, announce: bool
) -> None:
    """Live while the menu is there; not where the player wants to be unseen."""
    air = Air()
    browsing = []

    @asynccontextmanager
    async def browse(**_options: object) -> AsyncIterator[Air]:
        browsing.append(True)
        try:
            yield air
        finally:
            browsing.append(False)

    monkeypatch.setattr(menu_flow, "_COUNT_AFTER", 0.0)
    monkeypatch.setattr(errands, "EMPTY_AFTER", 0.05)
    monkeypatch.setattr(errands, "browse", browse)
    settings = Settings(name="Ala", announce=announce)
    async with menu(tmp_path, "Ala", settings) as (stage, task):
        if announce:
            await stage.shows("0 found")
            air.open(2)
            await stage.shows("2 found")
        await stage.shows("none yet")
        stage.type("q")
        await asyncio.wait({task})
    assert browsing == [True, False] * announce
