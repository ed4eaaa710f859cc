"""The table while it is played: settings in force at once, pages, boxes reopened."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from crapette_p2p.cards import parse_card
from crapette_p2p.engine import OFFER_DRAW
from crapette_p2p.engine.ruleset import PRESETS
from crapette_p2p.gamelog.genesis import Genesis
from crapette_p2p.net.hints import Hint
from crapette_p2p.session.notices import LinkLost, Peer
from crapette_p2p.ui.catalogues import words_of
from crapette_p2p.ui.desk import Desk
from crapette_p2p.ui.language import ENGLISH
from crapette_p2p.ui.other_way import here_text
from crapette_p2p.ui.play.about import about_lines, save_copy
from crapette_p2p.ui.render.bars import plain_text
from crapette_p2p.ui.replay_app import ReplayScreen
from tests.helpers.fullness import files_end_at
from tests.ui.seated import Table, mine
from tests.ui.test_replay_app import viewer


def typed(table: Table, line: str) -> None:
    """A line of the palette."""
    table.screen.obey(line, table.now)


def test_the_pace_is_in_force_with_the_next_move() -> None:
    """``:pace`` is no matter of the next game."""
    table = Table()
    typed(table, "pace 900")
    assert table.screen.feed.pace == 0.9


def test_the_log_goes_on_in_the_language_in_force() -> None:
    """Sentences after ``:lang`` are in the new language."""
    table = Table()
    table.screen.desk.words_of = words_of
    typed(table, "lang de")
    table.happen(1, OFFER_DRAW)
    assert "Olek bietet Remis an" in table.text


def test_a_replay_changes_its_language_with_the_log_it_has_shown() -> None:
    """Everything it shows was written before it was opened."""
    screen: ReplayScreen = viewer()
    screen.desk = Desk(words_of=words_of)
    before = screen.reel
    screen.obey("lang pl", 0.0)
    assert screen.reel is not before
    assert screen.reel.length == before.length


def test_a_switch_that_is_neither_says_on_and_off() -> None:
    """The palette offers on and off, and so does its complaint."""
    table = mine()
    typed(table, "mouse perhaps")
    assert "on (true) or off (false)" in table.text


def test_a_log_that_cannot_be_saved_names_the_file() -> None:
    """What went wrong, and where."""
    table = mine()

    def save(path: str) -> str:
        raise FileNotFoundError(2, "No such file or directory", path)

    table.screen.setup = replace(table.screen.setup, save_log=save)
    typed(table, "log /nowhere/x.crlog")
    assert "/nowhere/x.crlog: No such file" in table.text


def test_half_a_copy_of_a_log_is_taken_away(tmp_path: Path) -> None:
    """Nobody could take it for the game, or wonder why there is one already."""
    log, copy = tmp_path / "x.crlog", tmp_path / "copy.crlog"
    log.write_bytes(bytes(500))
    with files_end_at(100), pytest.raises(OSError, match="File too large"):
        save_copy(str(log), str(copy))
    assert not copy.exists()
    assert save_copy(str(log), str(copy)) == str(copy)
    with pytest.raises(FileExistsError):
        save_copy(str(log), str(copy))
    assert copy.read_bytes() == bytes(500)


def test_an_empty_log_says_so() -> None:
    """``l`` before the first move is no blank page."""
    table = mine()
    table.keys("l")
    assert "Nothing has happened yet." in table.text


def test_a_box_that_was_asked_for_again_listens_at_once() -> None:
    """Too early for the note: the box is there again and takes the next key."""
    table = mine()
    table.screen.heard_of_link(LinkLost(0), table.now)
    table.keys("a", after=2.0)
    assert "Not before two minutes" in table.text
    table.keys("s", after=0.01)
    assert table.screen.done == "left"


def test_the_cards_that_were_compared_are_told_again() -> None:
    """``i`` shows them with the key, and how the connection is."""

    class Known:
        peer = Peer(
            idpub=b"k" * 32, nick="Olek", fingerprint="4YC8-PBBX", verified="sas"
        )
        address = "10.0.0.2:4747"
        log_path = "/home/ala/.local/share/crapette/games/one.crlog"

    genesis = Genesis(
        preset="crapette",
        rules=PRESETS["crapette"],
        keys=(b"a" * 32, b"k" * 32),
        nicks=("Ala", "Olek"),
        nonces=(bytes(32), bytes(32)),
    )
    cards = tuple(map(parse_card, ("KC", "8S", "3S", "TH")))
    lines = about_lines(ENGLISH, Known(), genesis, cards=cards, link="● 4 ms")
    told = [plain_text(line, Desk().theme) for line in lines]
    assert any(line.startswith("cards") and "K♣ 8♠ 3♠ 10♥" in line for line in told)
    assert any(line.startswith("connection") and "4 ms" in line for line in told)
    at = next(n for n, line in enumerate(told) if line.startswith("log"))
    assert told[at].endswith("one.crlog")
    assert told[at + 1].strip() == "/home/ala/.local/share/crapette/games"


def test_a_table_that_was_bound_waits_where_it_was_bound() -> None:
    """Not at addresses where nobody listens."""
    hint = Hint(hosted=True, port=4747, binds=("127.0.0.1",))
    assert here_text(4747, hint, ENGLISH) == "This computer waits at 127.0.0.1."
