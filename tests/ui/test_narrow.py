"""60 columns, five languages and a longer one: nothing that is said is cut off."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache

import pytest

from crapette_p2p.engine.ruleset import PRESETS
from crapette_p2p.session.commands import Terms
from crapette_p2p.ui.catalogues import words_of
from crapette_p2p.ui.desk import Desk
from crapette_p2p.ui.faces import Theme
from crapette_p2p.ui.input.keymap import TABLE_KEYS
from crapette_p2p.ui.input.palette import matches
from crapette_p2p.ui.language import ENGLISH, Words
from crapette_p2p.ui.play.bar import usual_message
from crapette_p2p.ui.render import render
from crapette_p2p.ui.render.bars import draw_message, text_cells
from crapette_p2p.ui.render.canvas import Canvas
from crapette_p2p.ui.render.dialogs import draw_dialog
from crapette_p2p.ui.screens.asking import Asking
from crapette_p2p.ui.screens.hosting import HostScreen, OpenTable
from crapette_p2p.ui.screens.meeting import Notice
from crapette_p2p.ui.screens.menu import Item, Menu
from crapette_p2p.ui.screens.reading import Reading, keys_page
from crapette_p2p.ui.screens.rules_editor import RulesEditor
from crapette_p2p.ui.screens.screen import Screen
from crapette_p2p.ui.screens.settings_page import SettingsScreen
from crapette_p2p.ui.screens.waiting import Waiting
from crapette_p2p.ui.view import (
    Choice,
    Dialog,
    PageView,
    Prompt,
)
from tests.ui.boards import Side, board
from tests.ui.pictures import table_view
from tests.ui.seated import START
from tests.ui.test_catalogues import LANGUAGES, stretched
from tests.ui.test_sentences import sentences_module

COLS, ROWS = 60, 18
TONGUES = pytest.mark.parametrize(
    "words",
    [*map(words_of, LANGUAGES), Words("pl", stretched)],
    ids=[*LANGUAGES, "pseudo"],
)
LONG = {"n": "1234", "m": "48000", "s": "120", "time": "1:02:41", "a": "13", "b": "48"}
LONGEST = "Maximiliane-Theodora"
"""What may stand in a field; anything unnamed is as long as a name can be."""


@cache
def sayings() -> list[str]:
    """Every sentence of the screens."""
    return [
        message.many or message.one
        for message, places in sentences_module().Finder().messages().items()
        if any("/ui/" in place for place in places)
    ]


def filled(words: Words, text: str) -> str:
    """The sentence in a language, its fields as long as they get."""
    return re.sub(
        r"\{(\w+)\}", lambda field: LONG.get(field[1], LONGEST), words.sentence(text)
    ).strip()


def flat(lines: list[str]) -> str:
    """Rows as one line of words, without the edges of a box."""
    return " ".join(" ".join(lines).replace("│", " ").split())


@TONGUES
def test_no_message_is_cut_off(words: Words) -> None:
    """Whatever stands on the message line is there to its last word."""
    theme = Theme(words=words)
    for text in (filled(words, text) for text in sayings()):
        if text_cells((text,), theme) > 8 * COLS:
            continue  # a paragraph of the rules, which has a page of its own
        canvas = Canvas(COLS, ROWS)
        draw_message(canvas, ROWS - 2, (text,), "message", theme)
        told = without_blanks(flat(canvas.frame().text()))
        assert without_blanks(text) in told


def test_a_long_message_covers_no_newer_line_of_the_log() -> None:
    """The log makes room above it."""
    text = "A sentence that goes on and on until it takes three rows. " * 3
    view = replace(table_view(ENGLISH, 0), message=(text,), prompt=None)
    short = replace(view, message=("Short.",))
    theme = Theme(words=ENGLISH)
    last = render(short, COLS, ROWS, theme).text()
    long = render(view, COLS, ROWS, theme).text()
    newest = [row for row in last[9:-2] if row.strip()][-1]
    assert newest in long
    assert "three rows." in long[-2]


def without_blanks(text: str) -> str:
    """A word longer than a row is broken in two, which is no loss."""
    return "".join(text.split())


@TONGUES
def test_no_box_loses_a_word(words: Words) -> None:
    """Title, body and answers of a box are whole, in several rows if need be."""
    theme = Theme(words=words)
    for text in (filled(words, text) for text in sayings()):
        if text_cells((text,), theme) > 3 * COLS:
            continue
        for dialog in (
            Dialog(text, (), (Choice("y", "yes"),)),
            Dialog("title", ((text,),), (Choice("y", "yes"),)),
            Dialog("title", (), (Choice("escape", text, "Esc"),)),
        ):
            canvas = Canvas(COLS, 40)
            draw_dialog(canvas, dialog, theme)
            told = without_blanks(flat(canvas.frame().text()))
            told = told.replace("─", "").replace("╭", "").replace("╮", "")
            assert without_blanks(text) in told, text


def screens(desk: Desk) -> Iterator[Screen]:
    """One of each kind of page."""
    terms = Terms(preset="crapette", rules=PRESETS["crapette"])
    table = OpenTable(addresses=(), port=4747, invite="crapette1:…", terms="", bot=True)
    items = [Item("a", f"{LONGEST} – {LONGEST}", "detail", "a")]
    extra = (
        Choice("r", desk.words("ask again")),
        Choice("a", desk.words("an address")),
    )
    yield SettingsScreen(desk)
    yield HostScreen(desk, table, 0.0)
    yield Menu(desk, "menu", items, keys=extra)
    yield RulesEditor(desk, terms)
    yield keys_page(desk, TABLE_KEYS)
    yield Reading(desk, "page", lambda _: ())
    yield Asking(desk, "name", (), label="name:")
    yield Waiting(desk, "waiting")
    yield Notice(desk, "notice", ())


@TONGUES
def test_no_page_loses_a_key(words: Words) -> None:
    """Some form of each key line fits, and it has a way back or help."""
    desk = Desk(words_of=lambda _: words)
    for screen in screens(desk):
        screen.size = (COLS, ROWS)
        view = screen.view(0.0)
        assert isinstance(view, PageView)
        row = render(view, COLS, ROWS, desk.theme).text()[-1]
        assert holds_all(view.key_lines, row), (type(screen).__name__, row)


def holds_all(lines: Sequence[Sequence[Choice]], row: str) -> bool:
    """Whether the keys of some line stand there, and the last with its word."""
    return any(
        all(f" {c.cap or c.key} " in row for c in line)
        and row.rstrip().endswith(line[-1].label)
        for line in lines
    )


@TONGUES
def test_the_usual_sentences_take_one_row(words: Words) -> None:
    """What stands on the message line most of the time has a form that fits."""
    theme = Theme(words=words)
    if words.sentence is stretched:
        return  # no translator has shortened that one
    drawn = board(a=Side(drawn="6S"), b=Side(), active=0)
    early = board(active=0, acts=0, preset="garibaldka")
    for position in (START, drawn, board(active=0), early):
        for laid_by in (False, True):
            seat = 0
            _, brief = usual_message(position, seat, "Olek", words, laid_by=laid_by)
            assert text_cells(brief, theme) <= COLS - 2, brief


@TONGUES
def test_the_palette_says_what_each_command_does(words: Words) -> None:
    """Name and sentence of every command stand in its row."""
    if words.sentence is stretched:
        return
    theme = Theme(words=words)
    for where in ("table", "replay", "menu"):
        for choice in matches("", where, words):
            prompt = Prompt(":", "", 0, (choice,), -1)
            view = PageView(title="", prompt=prompt)
            rows = render(view, COLS, ROWS, theme).text()
            assert without_blanks(choice.label) in without_blanks(flat(rows)), choice
