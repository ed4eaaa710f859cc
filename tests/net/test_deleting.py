"""Deleting a log takes what is its own along, and nothing of any other game."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from crapette_p2p.net.failures import StorageError
from crapette_p2p.net.recorder import Recorder
from tests.net.test_store import FIRST, GAME, NAME, store_in


@pytest.mark.parametrize(
    "copy",
    [
        *("games/copy.crlog", "games/x-[0-9a-f].crlog"),
        *("copy.crlog", "elsewhere/x-.crlog", f"elsewhere/{NAME}"),
    ],
)
def test_the_game_that_was_copied_keeps_its_seeds(tmp_path: Path, copy: str) -> None:
    """Whatever the copy is called, and wherever it lies: the game itself goes on."""
    store, path = store_in(tmp_path), tmp_path / copy
    recorder = Recorder(store)
    recorder.append(GAME, [FIRST])
    recorder.close()
    store.save_seeds(GAME, 0, [b"a" * 32, b"b" * 32])
    path.parent.mkdir(exist_ok=True)
    path.write_bytes((store.games / NAME).read_bytes())
    store.delete(path)
    assert not path.exists()
    assert store.logs() == (store.games / NAME,)
    assert len([*store.secrets.iterdir()]) == 1


def test_a_log_without_a_folder_of_games_is_deleted_all_the_same(
    tmp_path: Path,
) -> None:
    """There is nothing beside it, and nothing to stumble over."""
    path = tmp_path / NAME
    path.write_bytes(b"x")
    store_in(tmp_path / "none").delete(path)
    assert [*tmp_path.iterdir()] == []


@pytest.mark.parametrize("number", [errno.EROFS, errno.EACCES, errno.EPERM])
def test_what_can_be_read_and_not_deleted_is_told_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    """On a disk that is read-only, or in another user's folder."""
    path = tmp_path / NAME
    path.write_bytes(b"x")
    opened = os.open

    def read_only(name: Path, flags: int, *more: int) -> int:
        if flags & (os.O_RDWR | os.O_WRONLY):
            raise OSError(number, os.strerror(number), str(name))
        return opened(name, flags, *more)

    monkeypatch.setattr(os, "open", read_only)
    with pytest.raises(StorageError) as caught:
        store_in(tmp_path / "none").delete(path)
    assert caught.value.failure.code == "cannot-write"
