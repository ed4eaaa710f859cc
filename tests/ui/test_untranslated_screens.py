"""Every word on a screen comes from a catalogue, or is a name of something.

As ``tests/cli/test_untranslated.py`` for the commands: the screens are drawn in a
made-up language of Greek letters, and no word in Latin letters may be left.
"""

from __future__ import annotations

import re
from typing import Final

import pytest

from crapette_p2p.engine.ruleset import PRESETS
from crapette_p2p.ui.catalogues import words_of
from crapette_p2p.ui.desk import Desk
from crapette_p2p.ui.faces import Theme
from crapette_p2p.ui.render import render
from crapette_p2p.ui.screens.rules_page import rules_page
from crapette_p2p.ui.screens.screen import Screen
from crapette_p2p.ui.screens.settings_page import LABELS, ROWS, SettingsScreen
from tests.helpers.greek import GREEK
from tests.ui.pictures import table_view
from tests.ui.test_narrow import LONGEST, screens

NAMES: Final = frozenset(
    {
        *LONGEST.split("-"),
        *("menu", "detail", "notice", "page", "waiting", "name", "Ala", "Olek"),
        *("crapette", "Crapette", "join", "novice", "club", "master", "eth0", "polski"),
        *("Esc", "Enter", "Home", "End", "PgUp", "PgDn", "Tab", "Ctrl"),
        # Actions in the notation of the rules
        *("turn", "discard", "pass", "stop"),
    }
)


def latin(screen: Screen, desk: Desk, size: tuple[int, int]) -> set[str]:
    """Words in Latin letters that are no names, on a screen of that size."""
    screen.size = size
    rows = render(screen.view(0.0), *size, desk.theme).text()
    said = re.sub(r"crapette\d?(:\S+| \w+ \S+)", "", "\n".join(rows))
    return set(re.findall(r"[A-Za-z]{3,}", said)) - NAMES


@pytest.mark.parametrize("size", [(60, 18), (80, 24)])
def test_every_kind_of_page(size: tuple[int, int]) -> None:
    """Menu, hosting, editor, settings, keys, questions: nothing is left in English."""
    desk = Desk(words_of=lambda _: GREEK)
    keys = {part for key in ROWS for part in key.split("_")}
    for screen in screens(desk):
        left = latin(screen, desk, size)
        if isinstance(screen, SettingsScreen):  # the file's own names stand beside
            left -= keys
        assert not left, type(screen).__name__


def test_the_settings_have_names_in_every_language() -> None:
    """Each its label; on a narrow screen the keys of the file make room for it."""
    assert LABELS.keys() == ROWS.keys()
    desk = Desk(words_of=lambda _: GREEK)
    assert not latin(SettingsScreen(desk), desk, (60, 18))


def test_the_table() -> None:
    """Bar, piles, key line and message; the picture's log is English."""
    rows = render(table_view(GREEK, 0), 80, 24, Theme(words=GREEK)).text()
    said = "\n".join((*rows[:18], *rows[-2:]))
    assert not set(re.findall(r"[A-Za-z]{3,}", said)) - NAMES


@pytest.mark.parametrize("lang", ["pl", "ru", "fr", "de"])
def test_no_pile_has_half_a_name(lang: str) -> None:
    """A name that has no room beside its key is the short one."""
    words = words_of(lang)
    rows = render(table_view(words, 0), 80, 24, Theme(words=words)).text()
    assert not any("…" in row for row in (rows[1], rows[17]))


def test_the_rules_of_every_preset() -> None:
    """But for what a game's own country calls its things."""
    desk = Desk(words_of=lambda _: GREEK)
    page = rules_page(desk, PRESETS["russian-bank"])
    assert not latin(page, desk, (80, 60))
