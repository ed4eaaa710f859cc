"""When each event was recorded is kept beside the log, and never costs a game."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from crapette_p2p.canonical import encode
from crapette_p2p.gamelog.events import MAX_EVENTS
from crapette_p2p.gamelog.records import RecordKind
from crapette_p2p.gamelog.times import (
    HEADER,
    MAX_TIMES,
    encode_header,
    time_played,
)
from crapette_p2p.net import times as net_times
from crapette_p2p.net.files import REAL_DISK, Disk
from crapette_p2p.net.news import Closed
from crapette_p2p.net.player import Player
from crapette_p2p.net.recorder import Recorder
from crapette_p2p.net.store import GameStore
from crapette_p2p.net.times import (
    LONGEST_GAP,
    TimeKeeper,
    forget_times,
    read_times,
    times_path,
)
from crapette_p2p.session.effects import Persist, Send
from tests.net.fakepump import FakeSession, World, make_pump
from tests.net.fasttime import fast
from tests.net.faults import FailingDisk
from tests.net.tables import (
    assert_same_games,
    make_player,
    play_both,
    seat_at,
    seated_pair,
)
from tests.net.test_store import FIRST, GAME, NAME

WALL = 1_796_000_000.0


class Clocks:
    """A wall clock and a monotonic one, moved by hand."""

    def __init__(self) -> None:
        self.wall = WALL
        self.clock = 500.0

    def pass_time(self, seconds: float) -> None:
        """Both go on."""
        self.wall += seconds
        self.clock += seconds

    def keeper(self, disk: Disk = REAL_DISK) -> TimeKeeper:
        """A keeper that looks at them."""
        return TimeKeeper(lambda: self.wall, lambda: self.clock, disk)


def event(seq: int) -> bytes:
    """As much of an event as a number is read from."""
    return encode((1, GAME, seq, 0, None, None, 1, None))


def note(keeper: TimeKeeper, log: Path, *seqs: int) -> None:
    """Note events and write them down."""
    for seq in seqs:
        keeper.note(GAME, log, event(seq))
    keeper.write()


def kept(log: Path) -> dict[int, int]:
    """What is kept beside a log."""
    times = read_times(log, GAME)
    return {} if times is None else times.at


def test_events_are_timed_from_the_first_on(tmp_path: Path) -> None:
    """By the monotonic clock: the one on the wall may be set meanwhile."""
    clocks, log = Clocks(), tmp_path / NAME
    keeper = clocks.keeper()
    note(keeper, log, 0)
    clocks.pass_time(1.25)
    note(keeper, log, 1)
    clocks.wall -= 10_000
    clocks.pass_time(0.5)
    note(keeper, log, 2, 3)
    keeper.close()
    assert kept(log) == {0: 0, 1: 1250, 2: 1750, 3: 1750}
    assert times_path(log).name == NAME.replace(".crlog", ".crtimes")
    assert times_path(log).stat().st_mode & 0o777 == 0o600


def test_the_moment_counts_in_which_the_log_got_the_event(tmp_path: Path) -> None:
    """Writing the times waits until all else is done; the times do not."""
    clocks, log = Clocks(), tmp_path / NAME
    keeper = clocks.keeper()
    keeper.note(GAME, log, event(0))
    clocks.pass_time(3)
    keeper.note(GAME, log, event(1))
    clocks.pass_time(60)
    assert not times_path(log).exists()
    keeper.close()
    assert kept(log) == {0: 0, 1: 3000}


@pytest.mark.parametrize(
    ("away", "counted"),
    [(90.0, 90_000), (10.0**7, LONGEST_GAP), (-5_000.0, 0)],
)
def test_a_resumed_game_goes_on_by_the_wall(
    tmp_path: Path, away: float, counted: int
) -> None:
    """Within bounds, again and again, and never backwards."""
    clocks, log = Clocks(), tmp_path / NAME
    expected: dict[int, int] = {}
    ms = 0
    for run in range(3):
        keeper = clocks.keeper()
        note(keeper, log, 2 * run)
        clocks.pass_time(1)
        note(keeper, log, 2 * run + 1)
        keeper.close()
        expected |= {2 * run: ms, 2 * run + 1: ms + 1000}
        ms += 1000 + counted
        clocks.wall += away
        clocks.clock = 3.0  # another process, or another day
    assert kept(log) == expected


@pytest.mark.parametrize("away", [90.0, 10.0**7, -5_000.0])
def test_a_run_of_one_event_counts_the_time_at_the_table(
    tmp_path: Path, away: float
) -> None:
    """From where both sat there again, whatever the clock on the wall did."""
    clocks, log = Clocks(), tmp_path / NAME
    note(clocks.keeper(), log, 0)
    for seq in (1, 2):
        clocks.wall += away
        keeper = clocks.keeper()
        clocks.pass_time(60)  # nobody is there yet
        keeper.joined(GAME)
        clocks.pass_time(100)
        keeper.joined(GAME)  # the link broke, and was made anew
        clocks.pass_time(25)
        note(keeper, log, seq)
        keeper.close()
    times = read_times(log, GAME)
    assert times is not None
    assert time_played(times, 0, 1) == 125_000
    assert time_played(times, 0, 2) == 250_000


def test_what_came_before_both_sat_there_waits_for_nobody(tmp_path: Path) -> None:
    """Records that the other brought are from the time without a table here."""
    clocks, log = Clocks(), tmp_path / NAME
    note(clocks.keeper(), log, 0)
    clocks.pass_time(30)
    keeper = clocks.keeper()
    note(keeper, log, 1)
    keeper.joined(GAME)
    clocks.pass_time(4)
    note(keeper, log, 2)
    keeper.release(GAME)
    clocks.pass_time(30)
    note(keeper, log, 3)  # held again, and nobody has joined since
    times = read_times(log, GAME)
    assert times is not None
    assert [time_played(times, 0, seq) for seq in (1, 2, 3)] == [0, 4_000, 4_000]


def test_a_damaged_end_is_cut_before_it_goes_on(tmp_path: Path) -> None:
    """Whatever a crash left there, later times are read again."""
    clocks, log = Clocks(), tmp_path / NAME
    note(clocks.keeper(), log, 0, 1)
    whole = times_path(log).read_bytes()
    for damage in (b"torn", b"\xff" * 30, whole[HEADER + 12 :]):
        times_path(log).write_bytes(whole + damage)
        note(clocks.keeper(), log, 2)
        assert kept(log) == {0: 0, 1: 0, 2: 0}


def test_a_file_torn_in_its_header_begins_anew(tmp_path: Path) -> None:
    """A disk that was full when it was made is no reason to keep nothing ever."""
    log = tmp_path / NAME
    for length in (0, 5, HEADER - 1):
        times_path(log).write_bytes(encode_header(GAME)[:length])
        note(Clocks().keeper(), log, 4)
        assert kept(log) == {4: 0}
        times_path(log).unlink()


def test_a_log_put_back_is_timed_anew_from_there(tmp_path: Path) -> None:
    """What is recorded again replaces what was known of it."""
    clocks, log = Clocks(), tmp_path / NAME
    note(clocks.keeper(), log, 0, 1, 2, 3)
    clocks.pass_time(7)
    note(clocks.keeper(), log, 2)
    assert kept(log) == {0: 0, 1: 0, 2: 7000}


def _foreign(path: Path) -> None:
    path.write_bytes(encode_header(bytes(32)) + bytes(24))


def _newer(path: Path) -> None:
    path.write_bytes(b"CRAPTIME\x02" + bytes(64))


def _text(path: Path) -> None:
    path.write_text("my notes on this game, longer than any header would be")


def _endless(path: Path) -> None:
    with path.open("wb") as file:
        file.write(encode_header(GAME))
        file.truncate(1 << 40)  # a hole: nobody reads it whole


def _link(path: Path) -> None:
    target = path.with_name("target")
    target.write_bytes(encode_header(GAME))
    path.symlink_to(target)


@pytest.mark.parametrize(
    "make", [_foreign, _newer, _text, _endless, _link, Path.mkdir, os.mkfifo]
)
def test_what_is_not_ours_is_neither_read_nor_touched(
    tmp_path: Path, make: Callable[[Path], None]
) -> None:
    """The game goes on without times, and without a word."""
    log = tmp_path / NAME
    path = times_path(log)
    make(path)
    before = path.lstat()
    keeper = Clocks().keeper()
    note(keeper, log, 0, 1)
    note(keeper, log, 2)
    keeper.close()
    after = path.lstat()
    assert (after.st_size, after.st_mtime_ns) == (before.st_size, before.st_mtime_ns)
    assert read_times(log, GAME) is None


def test_a_full_disk_ends_it_without_a_word(tmp_path: Path) -> None:
    """Half a record is no matter; a later run goes on behind what is good."""
    clocks, log, disk = Clocks(), tmp_path / NAME, FailingDisk("write", 1)
    keeper = clocks.keeper(disk)
    note(keeper, log, 0)
    for seq in (1, 2, 3):
        note(keeper, log, seq)
    assert disk.writes == 2  # it is not tried again
    keeper.close()
    note(clocks.keeper(), log, 4)
    assert kept(log) == {0: 0, 4: 0}
    assert disk.syncs == 0


def test_an_unlinked_file_and_a_missing_folder_are_no_matter(tmp_path: Path) -> None:
    """Somebody tidies up in mid-game."""
    log = tmp_path / NAME
    keeper = Clocks().keeper()
    note(keeper, log, 0)
    times_path(log).unlink()
    note(keeper, log, 1)
    keeper.close()
    note(Clocks().keeper(), tmp_path / "gone" / NAME, 0)
    assert [*tmp_path.iterdir()] == []


def test_the_file_has_an_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many events a log claims."""
    monkeypatch.setattr(net_times, "MAX_TIMES", HEADER + 12 * 4)
    log = tmp_path / NAME
    keeper = Clocks().keeper()
    for seq in range(9):
        note(keeper, log, seq)
    assert kept(log) == {0: 0, 1: 0, 2: 0}
    assert MAX_TIMES < 1 << 20


def test_what_is_no_event_has_no_time(tmp_path: Path) -> None:
    """Only what has a number is kept."""
    log = tmp_path / NAME
    keeper = Clocks().keeper()
    for data in (b"", b"\xc1", encode(7), encode((1, 2)), event(MAX_EVENTS)):
        keeper.note(GAME, log, data)
    keeper.write()
    assert not times_path(log).exists()


# With a log -----------------------------------------------------------------------


def test_a_recorder_times_events_alone(tmp_path: Path) -> None:
    """Not the genesis, not notes; and the log is what it was without."""
    clocks = Clocks()
    store = GameStore(tmp_path / "games", tmp_path / "secrets")
    recorder = Recorder(store, clocks.keeper())
    recorder.append(GAME, [FIRST])
    recorder.keep_times()
    log = store.games / NAME
    assert not times_path(log).exists()
    recorder.append(GAME, [(RecordKind.EVENT, (event(0), b"s" * 64))])
    recorder.keep_times()
    assert kept(log) == {0: 0}
    clocks.pass_time(2)
    recorder.append(GAME, [(RecordKind.EVENT, (event(1), b"s" * 64))])
    recorder.close()  # what waits is written now
    assert kept(log) == {0: 0, 1: 2000}
    (store.games / f"{NAME}.times").write_bytes(log.read_bytes())
    assert store.logs() == (log,)
    assert store.find(GAME) == log
    store.delete(log)
    assert [path.name for path in store.games.iterdir()] == [f"{NAME}.times"]


def test_a_game_is_deleted_whatever_lies_beside_it(tmp_path: Path) -> None:
    """No times, or a folder of that name: the log goes."""
    store = GameStore(tmp_path / "games", tmp_path / "secrets")
    recorder = Recorder(store)
    recorder.append(GAME, [FIRST])
    recorder.close()
    times_path(store.games / NAME).mkdir()
    store.delete(store.games / NAME)
    assert store.logs() == ()
    forget_times(store.games / NAME)


@pytest.mark.parametrize("fail_at", [None, 0])
async def test_times_are_written_when_all_else_is_done(fail_at: int | None) -> None:
    """After the frame that waited for the record, and whatever the disk does."""
    world, session = World(fail_at=fail_at), FakeSession()
    pump = make_pump(world, session)
    session.effects = [Persist(GAME, RecordKind.EVENT, (event(0), b"")), Send(b"ack")]
    pump.data_received(b"x")
    assert (("write", b"ack") in world.done) is (fail_at is None)
    assert world.timed == len(world.done) > 0


async def both_after_a_game(home: Path) -> tuple[Player, Player]:
    """Two players whose logs of a game are equal."""
    ala, olek = make_player(home, "Ala"), make_player(home, "Olek")
    async with seated_pair(ala, olek) as (_, first, second):
        ends = await play_both(seat_at(first, resigns_at=40), seat_at(second))
    assert ends == (Closed(None), Closed(None))
    assert_same_games(ala, olek)
    return ala, olek


@fast
async def test_both_sides_keep_their_own_times(tmp_path: Path) -> None:
    """Of every event; the logs stay equal byte by byte."""
    for player in await both_after_a_game(tmp_path):
        (game,) = player.kept.summaries()
        times = read_times(game.path, game.game_id)
        assert times is not None
        assert [*times.at] == [*range(game.events)]
        assert len(player.kept.store.logs()) == 1


@fast
async def test_a_game_whose_times_cannot_be_kept_is_like_any_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No error, no word, no file."""

    def refuse(_path: Path) -> int:
        raise OSError(30, "Read-only file system")

    monkeypatch.setattr(net_times, "open_new", refuse)
    for player in await both_after_a_game(tmp_path):
        (game,) = player.kept.summaries()
        assert read_times(game.path, game.game_id) is None
