"""The program's own log: where it goes, and what never gets into it."""

from __future__ import annotations

import logging
import os
from pathlib import Path

import pytest

from crapette_p2p.cli.context import log_file_of
from crapette_p2p.cli.journal import SIZE, journal
from crapette_p2p.cli.running import parse
from tests.cli.commands import Crapette


def test_a_log_file_is_written_when_asked_for(
    crapette: Crapette, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """``--log-file`` and ``CRAPETTE_LOG`` name the file; -vv says all."""
    target = tmp_path / "my.log"
    assert crapette("-vv", "--log-file", str(target), "rules").code == 0
    assert "rules ends" in target.read_text(encoding="utf-8")
    other = tmp_path / "other.log"
    monkeypatch.setenv("CRAPETTE_LOG", str(other))
    crapette("rules", "-vv")
    assert other.exists()
    monkeypatch.delenv("CRAPETTE_LOG")
    assert not list(tmp_path.glob("home/*.log"))


def test_commands_that_do_not_play_keep_none(crapette: Crapette) -> None:
    """Without being told, ``rules`` writes nothing anywhere."""
    crapette("rules")
    assert not crapette.home.exists()


def test_messages_are_made_harmless(tmp_path: Path) -> None:
    """What a peer may have said reaches the file with its controls escaped."""
    args = parse(["--data-dir", str(tmp_path), "rules"])
    with journal(args):
        logging.getLogger("crapette_p2p.x").warning("a\x1b[2J%s", "\x07\u202e")
        logging.getLogger("crapette_p2p.x").info("not said")
    text = (tmp_path / "crapette.log").read_text(encoding="utf-8")
    assert "a\\x1b[2J\\x07\\u202e" in text
    assert "not said" not in text


@pytest.mark.slow
def test_the_file_is_rotated(tmp_path: Path) -> None:
    """A log that grows too long begins a new file; the old ones are few."""
    args = parse(["--data-dir", str(tmp_path), "rules"])
    with journal(args):
        for _ in range(5):
            logging.getLogger("crapette_p2p").warning("x" * (SIZE - 200))
    assert len(list(tmp_path.glob("crapette.log*"))) == 3


def test_nothing_is_left_behind(tmp_path: Path) -> None:
    """Afterwards logging is as it was."""
    before = (logging.root.level, list(logging.root.handlers))
    args = parse(["--data-dir", str(tmp_path), "-vv", "rules"])
    with journal(args):
        assert logging.root.level == logging.DEBUG
    assert (logging.root.level, list(logging.root.handlers)) == before


def test_without_a_place_the_command_still_runs(
    crapette: Crapette, tmp_path: Path
) -> None:
    """No place for a log that nobody asked for is no reason not to answer."""
    crapette.home.write_bytes(b"")
    assert crapette("-v", "rules").code == 0


def test_a_log_that_fails_while_it_is_written_is_gone_without(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It stands where a directory is, or the disk is full: no traceback for that."""
    (tmp_path / "crapette.log").mkdir()
    args = parse(["--data-dir", str(tmp_path), "rules"])
    with journal(args):
        logging.getLogger("crapette_p2p").warning("nowhere")
    assert capsys.readouterr().err == ""
    assert logging.raiseExceptions


def test_where_a_log_goes_is_known_without_a_place_for_it(tmp_path: Path) -> None:
    """The screen asks for it before it is drawn, and is drawn all the same."""
    home = tmp_path / "home"
    home.write_bytes(b"")
    args = parse(["--data-dir", str(home), "rules"])
    assert log_file_of(args) == home / "crapette.log"


def test_a_named_log_that_cannot_be_written_is_said(
    crapette: Crapette, tmp_path: Path
) -> None:
    """Who names a file wants it: exit 2, with the file and the reason."""
    target = tmp_path / "file"
    target.touch()
    done = crapette("--log-file", str(target / "below" / "x"), "rules")
    assert done.code == 2
    assert "below/x cannot be written: Not a directory" in done.err


@pytest.mark.parametrize("content", [b"dear diary\n", b"\xff\0\xfe", b"a" * 4096])
def test_a_foreign_file_gets_no_log(
    crapette: Crapette, tmp_path: Path, content: bytes
) -> None:
    """What is not ours is named and left as it is."""
    path = tmp_path / "diary"
    path.write_bytes(content)
    done = crapette("-vv", "--log-file", str(path), "rules")
    assert done.code == 2
    assert "is no log of this program" in done.err
    assert path.read_bytes() == content


def test_our_own_log_is_taken_up_again(crapette: Crapette, tmp_path: Path) -> None:
    """A second run writes below the first one's lines."""
    path = tmp_path / "log"
    for _ in range(2):
        assert crapette("-vv", "--log-file", str(path), "rules").code == 0
    assert path.read_text().count("rules ends") == 2


def test_a_device_may_be_the_log(crapette: Crapette) -> None:
    """``/dev/null`` holds no line of ours and is no foreign file."""
    assert crapette("-vv", "--log-file", os.devnull, "rules").code == 0
