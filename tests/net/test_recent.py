"""Names of tables that were listed lately: kept for minutes, read without trust."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path

import pytest

from crapette_p2p.cli import main
from crapette_p2p.net.paths import find_paths
from crapette_p2p.net.recent import FRESH_SECONDS, MOST, note_tables, recent_tables


def test_there_and_back(tmp_path: Path) -> None:
    """What was listed is offered, each name once, until it is old."""
    path = tmp_path / "state" / "tables.json"
    assert recent_tables(path) == []
    note_tables(path, ["Ala", "Olek", "Ala"])
    assert recent_tables(path) == ["Ala", "Olek"]
    assert path.stat().st_mode & 0o777 == 0o600
    old = time.time() - FRESH_SECONDS - 1
    os.utime(path, (old, old))
    assert recent_tables(path) == []


def test_an_empty_list_makes_no_file(tmp_path: Path) -> None:
    """Nobody there: nothing is written, or what was there is emptied."""
    path = tmp_path / "tables.json"
    note_tables(path, [])
    assert not path.exists()
    note_tables(path, ["Ala"])
    note_tables(path, [])
    assert recent_tables(path) == []


@pytest.mark.parametrize(
    "content", ["", "nonsense", "{}", "[1, null]", '["a\\u001b[2J"]', "[" * 5000]
)
def test_a_damaged_file_is_nothing(tmp_path: Path, content: str) -> None:
    """Whatever stands there, no name comes out that no player could have."""
    path = tmp_path / "tables.json"
    path.write_text(content)
    assert recent_tables(path) == []


def test_many_names_are_cut(tmp_path: Path) -> None:
    """A flood of tables leaves a short file."""
    path = tmp_path / "tables.json"
    note_tables(path, [f"n{number}" for number in range(10 * MOST)])
    assert len(recent_tables(path)) == MOST


def test_a_tab_offers_them_with_the_friends(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Plain words only: a shell expands what it completes from."""
    monkeypatch.setenv("CRAPETTE_DATA_DIR", str(tmp_path))
    names = ["Zoe", "O'Neil", "Two Words", "Ольга"]
    note_tables(find_paths().tables, names)
    evil = json.dumps("$(reboot)")
    (tmp_path / "peers.toml").write_text(
        f'[[peer]]\nname = "Olek"\n[[peer]]\nname = {evil}\n'
    )
    assert main(["__complete", "peers"]) == 0
    assert capsys.readouterr().out.split("\n") == ["Olek", "Zoe", "Ольга", ""]
