"""A log that somebody removes while it is written: it is written again, whole."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from crapette_p2p.net.failures import StorageError
from crapette_p2p.net.news import Closed, LogRestored
from crapette_p2p.net.recorder import Recorder
from crapette_p2p.session.notices import EventFinal
from tests.net.fasttime import fast
from tests.net.tables import (
    assert_same_games,
    make_player,
    play_both,
    seat_at,
    seated_pair,
)
from tests.net.test_store import FIRST, GAME, NAME, NOTE, kinds_in, store_in


def begun(root: Path) -> tuple[Recorder, Path, list[Path]]:
    """A log with one record, where it is, and what is told of it."""
    recorder, told = Recorder(store_in(root)), list[Path]()
    recorder.on_restored = told.append
    recorder.append(GAME, [FIRST])
    return recorder, root / "games" / NAME, told


@pytest.mark.parametrize("folder", [False, True])
def test_what_was_removed_is_there_again_with_the_next_record(
    tmp_path: Path, *, folder: bool
) -> None:
    """All of it, told once, and nobody else may write to it."""
    recorder, path, told = begun(tmp_path)
    if folder:
        shutil.rmtree(path.parent)
    else:
        path.unlink()
    recorder.append(GAME, [NOTE])
    recorder.append(GAME, [NOTE])
    assert kinds_in(path) == [1, 5, 5]
    assert told == [path]
    with pytest.raises(StorageError, match="game-in-use"):
        store_in(tmp_path).open(path)
    recorder.close()
    assert kinds_in(path) == [1, 5, 5]


def test_what_was_removed_is_there_again_when_the_game_is_left(tmp_path: Path) -> None:
    """Also where nothing was recorded since."""
    recorder, path, _told = begun(tmp_path)
    path.unlink()
    recorder.close()
    assert kinds_in(path) == [1]


def test_another_file_of_that_name_stays(tmp_path: Path) -> None:
    """The game goes on; the log is written once the name is free."""
    recorder, path, told = begun(tmp_path)
    path.unlink()
    path.write_bytes(b"somebody's")
    recorder.append(GAME, [NOTE])
    assert path.read_bytes() == b"somebody's"
    path.unlink()
    recorder.append(GAME, [NOTE])
    assert kinds_in(path) == [1, 5, 5]
    assert told == [path]


def test_what_is_deleted_on_purpose_stays_away(tmp_path: Path) -> None:
    """By the command, which knows that nobody plays it."""
    recorder, path, _told = begun(tmp_path)
    recorder.close()
    store_in(tmp_path).delete(path)
    assert not path.exists()


@pytest.mark.slow
@fast
async def test_a_game_goes_on_without_its_file_and_is_kept(tmp_path: Path) -> None:
    """Whoever plays it is told; at the end both have the same."""
    ala, olek = make_player(tmp_path, "Ala"), make_player(tmp_path, "Olek")
    async with seated_pair(ala, olek) as (_, first, second):
        seats = seat_at(first), seat_at(second, seed=2, resigns_at=40)

        def remove(notice: object) -> None:
            if isinstance(notice, EventFinal) and notice.seq == 20:
                (path,) = ala.store.logs()
                path.unlink()

        seats[0].on_notice = remove
        assert await play_both(*seats) == (Closed(None), Closed(None))
    told = [notice for notice in seats[0].heard if isinstance(notice, LogRestored)]
    (path,) = ala.store.logs()
    assert told == [LogRestored(str(path))]
    assert_same_games(ala, olek)
