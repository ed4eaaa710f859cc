"""The terminal: mouse modes, clipboard, encodings, widths, looks."""

from __future__ import annotations

import base64
import io
import os
import pty
import re
import sys
import threading

import pytest
from prompt_toolkit.styles import DEFAULT_ATTRS
from prompt_toolkit.styles.defaults import default_ui_style

from crapette_p2p.ui.desk import Desk, NotKeptError
from crapette_p2p.ui.input.keymap import (
    REPLAY_KEYS,
    TABLE_KEYS,
    Binding,
    help_lines,
    key_lines,
)
from crapette_p2p.ui.language import ENGLISH
from crapette_p2p.ui.probe import SIGNS, draws_wide, probe, question
from crapette_p2p.ui.render import render
from crapette_p2p.ui.screens.reading import READ, keys_page
from crapette_p2p.ui.screens.settings_page import SettingsScreen
from crapette_p2p.ui.settings import THEMES, Settings
from crapette_p2p.ui.style import class_names, looks
from crapette_p2p.ui.terminal import can_write_suits, clipboard_sequence, color_depth
from tests.ui.pictures import PICTURES

COLOURS = {
    "ansired",
    "ansigreen",
    "ansiblue",
    "ansiyellow",
    "ansimagenta",
    "ansicyan",
    "ansibrightblue",  # plain blue cannot be read on black
}


def test_the_clipboard_is_only_written() -> None:
    """OSC 52 with base64, wrapped for tmux, and nothing for a huge text."""
    text = "crapette1:192.168.1.20:4747/…"
    encoded = base64.b64encode(text.encode()).decode()
    assert clipboard_sequence(text, tmux=False) == f"\x1b]52;c;{encoded}\x07"
    wrapped = clipboard_sequence(text, tmux=True)
    assert wrapped == f"\x1bPtmux;\x1b\x1b]52;c;{encoded}\x07\x1b\\"
    assert clipboard_sequence("x" * 100_000, tmux=False) == ""


@pytest.mark.parametrize(
    ("encoding", "able"),
    [("utf-8", True), ("ascii", False), ("latin-1", False), ("cp1252", False)],
)
def test_an_encoding_without_suits_is_noticed(encoding: str, able: bool) -> None:
    """Otherwise every suit and edge would be a question mark."""
    stream = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
    assert can_write_suits(stream) is able


def test_a_terminal_with_wide_signs_is_noticed() -> None:
    """Any sign that moves the cursor by two cells; silence is an ordinary one."""
    narrow = b"\x1b[1;2R" * len(SIGNS)
    wide = b"\x1b[1;2R\x1b[1;3R\x1b[1;2R\x1b[1;2R"
    assert not draws_wide(narrow)
    assert draws_wide(wide)
    assert not draws_wide(b"")
    assert question().count("\x1b[6n") == len(SIGNS)


@pytest.mark.parametrize("answer", [b"\x1b[1;3R" * len(SIGNS), b""])
def test_the_probe_asks_the_terminal_itself(
    answer: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Through a pseudo-terminal that answers, and through one that does not."""
    ours, theirs = pty.openpty()

    def terminal() -> None:
        os.read(ours, 256)
        if answer:
            os.write(ours, answer)

    thread = threading.Thread(target=terminal)
    thread.start()
    with os.fdopen(theirs, "r+b", buffering=0) as tty:
        monkeypatch.setattr(sys, "stdin", tty)
        monkeypatch.setattr(sys, "stdout", tty)
        patience = 60.0 if answer else 0.05  # an answer ends the waiting
        assert probe(patience=patience) is bool(answer)
    thread.join()
    os.close(ours)


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("four", [False, True])
def test_looks_use_the_terminals_own_colours(theme: str, four: bool) -> None:
    """No background, no black or white."""
    chosen = looks(theme, four_color=four)
    for look in chosen.values():
        colours = {word for word in look.split() if word.startswith("ansi")}
        assert colours <= COLOURS
        assert "bg:" not in look
    # Text on the reverse bar leaves it: green or red on it is read by nobody.
    for name in ("turn", "alarm"):
        assert "noreverse" in chosen[name].split()
    if theme == "mono":
        assert not any("ansi" in look for look in chosen.values())


@pytest.mark.parametrize("name", sorted(PICTURES))
def test_no_look_comes_from_the_toolkits_own_style(name: str) -> None:
    """Whatever a picture is made of, the toolkit knows no class of that name."""
    style = default_ui_style()
    view, cols, rows, theme = PICTURES[name]
    for line in render(view, cols, rows, theme).lines:
        for look, _ in line:
            found = style.get_attrs_for_style_str(class_names(look), DEFAULT_ATTRS)
            assert found == DEFAULT_ATTRS, look


def test_colour_settings_are_depths() -> None:
    """Never is one bit; auto is left to the terminal."""
    assert color_depth("auto") is None
    assert color_depth("never") is not None


@pytest.mark.parametrize("bindings", [TABLE_KEYS, REPLAY_KEYS])
def test_the_key_line_and_the_help_come_from_one_table(
    bindings: tuple[Binding, ...],
) -> None:
    """Every key of the line is explained; the shortest line is help alone."""
    lines = key_lines(bindings, ENGLISH)
    explained = {cap for cap, text in help_lines(bindings, ENGLISH) if text}
    for choice in lines[0]:
        assert (choice.cap or choice.key) in explained
    assert [choice.key for choice in lines[-1]] == ["?"]
    assert {line[0].key for line in lines} == {"?"}


def test_typing_filters_the_help() -> None:
    """Headings stay where something below them fits."""
    found = help_lines(TABLE_KEYS, ENGLISH, "stock")
    assert [cap for cap, text in found if text] == ["␣"]
    assert help_lines(TABLE_KEYS, ENGLISH, "xyzzy") == []


def test_a_setting_that_changes_is_kept_and_in_force() -> None:
    """The screen follows at once; a wrong value changes nothing."""
    kept: list[tuple[str, object]] = []
    desk = Desk(settings=Settings(), keep=lambda key, value: kept.append((key, value)))
    desk.change("suits", "letters")
    assert desk.theme.suits == "cdsh"
    assert kept == [("suits", "letters")]
    with pytest.raises(ValueError, match="one of"):
        desk.change("suits", "purple")
    assert desk.settings.suits == "letters"


def test_a_setting_that_cannot_be_kept_is_in_force_and_says_so() -> None:
    """A home that is read-only must not end the program in the middle of a game."""

    def refuse(_key: str, _value: object) -> None:
        raise PermissionError(13, "Permission denied")

    desk = Desk(settings=Settings(), keep=refuse)
    with pytest.raises(NotKeptError, match="not kept: Permission denied"):
        desk.change("suits", "letters")
    assert desk.theme.suits == "cdsh"
    screen = SettingsScreen(desk)
    keys = ["down", "down", "down", "right"]
    for key in keys:
        screen.key(key, 0.0)
    assert desk.settings.suits == "symbols"
    assert "Permission denied" in "\n".join(screen.draw(80, 24, 0.0).text())


def test_the_page_of_keys_says_what_follows_and_how_to_leave() -> None:
    """A blank begins no filter: it turns the page; letters do, q as well."""
    page = keys_page(Desk(), TABLE_KEYS)
    text = "\n".join(page.draw(80, 24, 0.0).text())
    assert "type to filter, Esc to leave:" in text
    assert re.search(r"↓ \d+ more lines", text)
    page.key(" ", 0.0)
    page.key(" ", 0.0)
    text = "\n".join(page.draw(80, 24, 0.0).text())
    assert "more line" not in text
    assert "Ctrl-L" in text
    page.key("q", 0.0)
    assert page.done is None
    page.key("escape", 0.0)
    assert page.done is None
    page.key("escape", 0.0)
    assert page.done == READ
