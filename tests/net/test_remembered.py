"""What was read from files: once while they stay as they are, and no longer."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from crapette_p2p.net import kept as kept_module
from crapette_p2p.net.kept import KeptGame, KeptGames
from crapette_p2p.net.remembered import Remembered
from tests.cli.finished import finished_log
from tests.net.tables import make_player


class Reader:
    """Reads a file and notes that it did."""

    def __init__(self) -> None:
        self.read: list[str] = []

    def __call__(self, path: Path, modified: float, reader: bytes) -> bytes:
        """The bytes of the file, behind whoever asks for them."""
        assert modified == path.stat().st_mtime_ns / 1e9
        self.read.append(path.name)
        return reader + path.read_bytes()


def test_a_file_is_read_once_while_it_stays_as_it_is(tmp_path: Path) -> None:
    """Another size, time or reader is another answer."""
    reader = Reader()
    remembered = Remembered(reader)
    file = tmp_path / "a"
    file.write_bytes(b"one")
    assert [remembered.of(file), remembered.of(file)] == [b"one", b"one"]
    assert reader.read == ["a"]
    assert remembered.of(file, b"his ") == b"his one"
    os.utime(file, ns=(5, 5))
    assert remembered.of(file, b"his ") == b"his one"
    file.write_bytes(b"longer")
    assert remembered.of(file, b"his ") == b"his longer"
    assert reader.read == ["a"] * 4
    file.unlink()
    with pytest.raises(OSError, match="No such file"):
        remembered.of(file)


def test_what_is_not_to_be_kept_is_forgotten(tmp_path: Path) -> None:
    """One folder's files go; those of another stay."""
    reader = Reader()
    remembered = Remembered(reader)
    other = tmp_path / "other"
    other.mkdir()
    files = [tmp_path / "a", tmp_path / "b", other / "c"]
    for file in files:
        file.write_bytes(b"x")
        remembered.of(file)
    remembered.keep_only(tmp_path, files[:1])
    for file in files:
        remembered.of(file)
    assert reader.read == ["a", "b", "c", "b"]


def test_nothing_is_remembered_of_a_game_that_nobody_lists(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A process that plays one game after the other does not grow by them.

    A list remembers what is in it, in one state of each log, until the next list.
    """
    reader = Remembered(kept_module._summary_of)
    monkeypatch.setattr(kept_module, "_SUMMARIES", reader)
    player = make_player(tmp_path, "Ala")
    games = player.store.games
    games.mkdir(parents=True)
    logs = [games / f"20200101-{number:016x}.crlog" for number in range(3)]
    for log in logs:
        log.write_bytes(finished_log()[:3000])
    kept: KeptGames = player.kept
    kept.forget_accepted(b"\x01" * 32, but=b"")
    assert [kept.summary(log) is None for log in logs] == [False] * 3
    assert kept.find(logs[0].name) is not None
    assert _remembered(reader) == 0
    assert len(kept.summaries()) == 3
    logs[0].write_bytes(finished_log())
    assert len(kept.summaries()) == 3
    assert _remembered(reader) == 3
    for log in logs[1:]:
        log.unlink()
    assert len(kept.summaries()) == _remembered(reader) == 1
    logs[0].unlink()
    assert len(kept.summaries()) == _remembered(reader) == 0


def _remembered(reader: Remembered[KeptGame | None]) -> int:
    return sum(map(len, reader._folders.values()))
