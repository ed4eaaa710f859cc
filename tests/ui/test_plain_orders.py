"""The words of the screen's palette, typed in line mode."""

from __future__ import annotations

from pathlib import Path

import pytest

from crapette_p2p.engine import Seat
from crapette_p2p.ui.catalogues import words_of
from crapette_p2p.ui.desk import Desk
from crapette_p2p.ui.input.palette import commands_at
from crapette_p2p.ui.settings import Settings
from crapette_p2p.ui.typed import Misread, parse_typed
from tests.ui.seated import START
from tests.ui.test_plain_app import typed


def test_the_language_is_changed_at_the_prompt() -> None:
    """From the next line on, and kept; what is no language leaves all as it is."""
    kept: list[tuple[str, object]] = []
    desk = Desk(words_of=words_of, keep=lambda key, value: kept.append((key, value)))
    lines = typed("lang xx", "lang de", "discard", ":lang en", "lang", desk=desk)
    assert lines[1].startswith("lang: has to be one of")
    assert lines[3] == "lang: de"
    assert lines[5].startswith("Keine gezogene Karte")
    assert lines[7] == lines[9] == "lang: en"
    assert kept == [("lang", "de"), ("lang", "en")]


def test_a_name_is_kept_for_the_next_game() -> None:
    """As it is typed, capitals too; one that cannot be is refused."""
    desk = Desk()
    lines = typed("name Zoe", "name \x1b[2J", desk=desk)
    assert lines[1] == "name: Zoe"
    assert lines[3].startswith("name: has to be 1 to 20 letters")
    assert desk.settings.name == "Zoe"


def test_the_log_is_copied_by_a_word(tmp_path: Path) -> None:
    """Never over a file; without a path it is said where the log is."""
    log, copy = tmp_path / "a.crlog", tmp_path / "Copy.crlog"
    log.write_bytes(b"log")
    lines = typed("log", f"log {copy}", f":log {copy}", log=str(log))
    assert lines[1] == f"saved: {log}"
    assert lines[3] == f"saved: {copy}"
    assert lines[5] == f"Not saved: {copy}: File exists"
    assert copy.read_bytes() == b"log"


@pytest.mark.parametrize("word", ["theme mono", ":four-color", "mouse off", "pace 10"])
def test_what_only_a_screen_has_is_said_to_be_that(word: str) -> None:
    """It is a word of the program all the same, and changes nothing here."""
    name = word.removeprefix(":").split()[0]
    desk = Desk()
    lines = typed(word, desk=desk)
    assert lines[1] == f"{name} is about the screen: lines stay as they are."
    assert desk.settings == Settings()


def test_every_word_of_the_palette_means_something_in_lines() -> None:
    """The same words work without the colon."""
    for command in commands_at("table"):
        read = parse_typed(command.name, START, Seat(0))
        if command.name != "chat":  # which says something here: mute, unmute
            assert not isinstance(read, Misread), command.name
