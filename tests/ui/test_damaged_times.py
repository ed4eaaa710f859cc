"""Times beside a log that are damaged: no error, the end of what is known."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from crapette_p2p.gamelog.dump import log_to_text
from crapette_p2p.gamelog.replay import open_replay
from crapette_p2p.gamelog.times import ANCHOR, HEADER, encode_header, encode_time
from crapette_p2p.net.times import read_times, times_path
from crapette_p2p.ui.desk import Desk
from crapette_p2p.ui.play.pacing import PACE, waits_of
from crapette_p2p.ui.replay_app import ReplayScreen
from crapette_p2p.ui.seats import replay_screen
from tests.cli.finished import finished_log
from tests.ui.test_replay_app import keys, picture, waits

REPLAY = open_replay(finished_log())
ID = REPLAY.log.game_id
EVERY = 700
WHOLE = (
    encode_header(ID)
    + encode_time(ANCHOR, 1_796_000_000_000)
    + b"".join(encode_time(seq, EVERY * seq) for seq in range(REPLAY.length))
)
MIDDLE = HEADER + (len(WHOLE) - HEADER) // 24 * 12


def opened(folder: Path, data: bytes) -> ReplayScreen:
    """The replay of a log with that beside it."""
    log = folder / "20260101-0123456789abcdef.crlog"
    log.write_bytes(finished_log())
    times_path(log).write_bytes(data)
    return replay_screen(Desk(), log)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        WHOLE[: HEADER - 1],
        WHOLE[:HEADER],
        encode_header(bytes(32)) + WHOLE[HEADER:],
        WHOLE[:HEADER] + b"\xfe" * 400,
        WHOLE[:HEADER] + bytes(11),
        bytes(len(WHOLE)),
        WHOLE + bytes(1 << 20),
    ],
)
def test_where_nothing_is_good_w_says_that_there_are_no_times(
    tmp_path: Path, data: bytes
) -> None:
    """Empty, of another game, broken at its first record, or far too long."""
    screen = opened(tmp_path, data)
    keys(screen, "w")
    assert "No times were kept for this game" in "".join(picture(screen))
    assert not screen.playing


@pytest.mark.parametrize("broken", [b"", b"\xff" * 7, b"\xff" * 24, bytes(12)])
def test_what_comes_before_the_damage_is_played_as_it_was(
    tmp_path: Path, broken: bytes
) -> None:
    """Cut off, half a record, nonsense, time that runs back: evenly from there."""
    whole = opened(tmp_path, WHOLE)
    keys(whole, "w")
    expected = waits(whole)
    screen = opened(tmp_path, WHOLE[:MIDDLE] + broken + WHOLE[MIDDLE:] * bool(broken))
    keys(screen, "w")
    found = waits(screen)
    same = next(
        n for n, (a, b) in enumerate(zip(found, expected, strict=True)) if a != b
    )
    assert 0 < same < len(found)
    assert found[same:] == [PACE] * (len(found) - same)
    assert screen.place == screen.reel.length


def damaged(dice: random.Random) -> Iterator[bytes]:
    """Side files with bytes that were changed, cut out or put in."""
    for _ in range(60):
        data = bytearray(WHOLE)
        for _ in range(dice.randint(1, 3)):
            at, size = dice.randrange(len(data) + 1), dice.randint(0, 16)
            put = dice.choice((b"", dice.randbytes(size), b"\xff" * size, bytes(size)))
            data[at : at + dice.choice((0, size))] = put
        yield bytes(data)


def test_no_damage_stops_a_viewer_or_an_export(tmp_path: Path) -> None:
    """Each place is shown for a while, and each turn stands in its line."""
    turns = len({step.turn for step in REPLAY.steps})
    log = tmp_path / "1.crlog"
    for data in damaged(random.Random(7)):  # noqa: S311 - the same each time
        times_path(log).write_bytes(data)
        times = read_times(log, ID)
        assert {0.1 <= wait <= 2.0 for wait in waits_of(REPLAY, times)} <= {True}
        lines = [*log_to_text(REPLAY, times=times)]
        assert sum(line[:4].strip().isdigit() for line in lines) == turns
