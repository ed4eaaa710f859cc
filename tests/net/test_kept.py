"""The games on the disk: at a glance, found by name, taken up again."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from crapette_p2p.errors import LogError
from crapette_p2p.gamelog.records import MAGIC, encode_record
from crapette_p2p.gamelog.times import time_played
from crapette_p2p.net import table as net_table
from crapette_p2p.net.endpoint import ResumeOptions, resume
from crapette_p2p.net.failures import NetError, StorageError
from crapette_p2p.net.hints import Hint, Hints
from crapette_p2p.net.hosting import host
from crapette_p2p.net.listening import open_sockets
from crapette_p2p.net.news import Closed, Expecting
from crapette_p2p.net.player import Player
from crapette_p2p.net.table import Table
from crapette_p2p.net.times import TimeKeeper, read_times
from crapette_p2p.session.commands import Leave, MarkAbandoned
from crapette_p2p.session.notices import EventFinal
from tests.cli.finished import finished_log
from tests.net.fasttime import fast
from tests.net.tables import (
    LOOPBACK,
    assert_same_games,
    host_options,
    make_player,
    play_both,
    playing,
    seat_at,
    seated_pair,
    where,
)
from tests.net.unsigned import unsigned


@asynccontextmanager
async def interrupted(tmp_path: Path) -> AsyncIterator[tuple[Player, Player]]:
    """Two players whose game was left in the middle."""
    ala, olek = make_player(tmp_path, "Ala"), make_player(tmp_path, "Olek")
    async with seated_pair(ala, olek) as (_, first, second):
        seats = seat_at(first), seat_at(second, seed=2)
        async with playing(*seats) as (_, his):
            await seats[1].hears(EventFinal, 25)
            second.command(Leave(501))
            assert await his == Closed(None)
    yield ala, olek


@fast
async def test_an_interrupted_game_at_a_glance(tmp_path: Path) -> None:
    """Who, against whom, how far, and that it can go on."""
    async with interrupted(tmp_path) as (ala, olek):
        (game,) = olek.kept.open_games()
        assert (game.status, game.seat, game.peer_nick) == ("open", 1, "Ala")
        assert game.peer_key == ala.identity.public
        assert game.events >= 25
        assert game.result is None
        assert olek.kept.open_games(b"\x01" * 32) == ()
        for text in (str(game.path), game.path.name, game.short_id, game.short_id[:6]):
            found = olek.kept.find(text)
            assert found is not None
            assert found.game_id == game.game_id
        assert olek.kept.find("ffffffff") is None
        assert olek.kept.find("") is None


@fast
async def test_hints_are_kept_with_an_open_game(tmp_path: Path) -> None:
    """Each side knows how it was linked; a finished game leaves no hint."""
    async with interrupted(tmp_path) as (ala, olek):
        game = olek.kept.open_games()[0]
        hosted = Hints(ala.resume).load(game.game_id)
        joined = Hints(olek.resume).load(game.game_id)
        assert hosted is not None
        assert joined is not None
        assert (hosted.hosted, joined.hosted) == (True, False)
        assert [p.port for p in joined.places()] == [hosted.port]
        await finish(ala, olek)
        assert list(ala.resume.iterdir()) == list(olek.resume.iterdir()) == []


async def finish(ala: Player, olek: Player) -> None:
    """Resume a game from both sides and play it to its end."""
    paths = [player.kept.open_games()[0].path for player in (ala, olek)]
    async with (
        resume(paths[0], ResumeOptions(player=ala)) as first,
        resume(paths[1], ResumeOptions(player=olek)) as second,
    ):
        seats = seat_at(first), seat_at(second, seed=2, resigns_at=40)
        assert await play_both(*seats) == (Closed(None), Closed(None))
    assert_same_games(ala, olek)
    for player in (ala, olek):
        assert player.kept.open_games() == ()
        (over,) = player.kept.summaries()
        assert over.status == "finished"
        assert over.result is not None
        assert over.result[0] == 0  # Olek resigned


@pytest.mark.parametrize("loser", [0, 1])
@pytest.mark.parametrize("missed", [2, 0])
@fast
async def test_a_result_that_the_other_has_not_signed(
    tmp_path: Path, loser: int, missed: int
) -> None:
    """Its author has an open game, which is over, and both can close it.

    The other has RESULT and its ACK missed, or nothing: only the answer was lost.
    """
    author, other = await unsigned(tmp_path, loser=loser, missed=missed)
    (game,) = author.kept.resumable()
    assert (game.status, game.is_over) == ("open", True)
    assert author.kept.open_games() == ()  # nothing of it is to be played
    assert game.result is not None
    async with host(host_options(other)) as hosting:
        options = ResumeOptions(player=author, hosted=False, places=(where(hosting),))
        async with resume(game.path, options) as guest:
            seats = [seat_at(hosting.table), seat_at(guest)]
            assert await play_both(*seats) == (Closed(None), Closed(None))
    assert_same_games(author, other)
    for player in (author, other):
        assert [g.status for g in player.kept.summaries()] == ["finished"]
        assert player.kept.resumable() == ()


@fast
async def test_resumed_where_it_was(tmp_path: Path) -> None:
    """Without a word both take the roles, the port and the addresses they had."""
    async with interrupted(tmp_path) as (ala, olek):
        await finish(ala, olek)


@fast
async def test_a_resumed_game_lasts_while_both_sit_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From where the link was made, not from the next event on, nor from before."""
    clock = [1_796_000_000.0]

    def now() -> float:
        return clock[0]

    class Keeper(TimeKeeper):
        """Its table is quiet for a while whenever somebody comes back to it."""

        def joined(self, game_id: bytes) -> None:
            """Nobody plays for a minute."""
            super().joined(game_id)
            clock[0] += 60

    monkeypatch.setattr(net_table, "TimeKeeper", lambda _wall: Keeper(now, now))
    async with interrupted(tmp_path) as (ala, olek):
        assert clock[0] == 1_796_000_000
        clock[0] += 3600  # nobody is at any table
        await finish(ala, olek)
    for player in (ala, olek):
        (game,) = player.kept.summaries()
        times = read_times(game.path, game.game_id)
        assert times is not None
        played = time_played(times, 0, game.events - 1)
        assert played in {60_000, 120_000}, "of both waits he may have seen one"


@fast
async def test_a_torn_end_is_cut_off(tmp_path: Path) -> None:
    """A crash in mid-record costs the record, which had not been sent."""
    async with interrupted(tmp_path) as (ala, olek):
        path = olek.kept.open_games()[0].path
        whole = path.read_bytes()
        path.write_bytes(whole + b"\x00\x00\x00\x99\x02half a record")
        await finish(ala, olek)
        assert path.read_bytes().startswith(whole)


@fast
async def test_a_plain_host_finds_the_game_its_guest_resumes(tmp_path: Path) -> None:
    """Who resumes by address at a freshly opened table goes on with the old game."""
    async with interrupted(tmp_path) as (ala, olek):
        path = olek.kept.open_games()[0].path
        async with host(host_options(ala)) as hosting:
            places = (where(hosting),)
            options = ResumeOptions(player=olek, hosted=False, places=places)
            async with resume(path, options) as guest:
                seats = seat_at(hosting.table), seat_at(guest, seed=2, resigns_at=40)
                await play_both(*seats)
        assert "GameResumed" in seats[0].kinds()
        assert_same_games(ala, olek)


@fast
async def test_a_game_in_play_is_not_taken_up_twice(tmp_path: Path) -> None:
    """The lock holds within one process as well."""
    async with interrupted(tmp_path) as (_, olek):
        path = olek.kept.open_games()[0].path
        options = ResumeOptions(player=olek)
        async with resume(path, options):
            with pytest.raises(StorageError) as error:
                async with resume(path, options):
                    pass
        assert error.value.failure.code == "game-in-use"
        async with resume(path, options) as table:  # free again
            assert table.game is not None


@fast
async def test_what_cannot_be_resumed(tmp_path: Path) -> None:
    """Damage, emptiness and games of others each have their reason."""
    async with interrupted(tmp_path) as (ala, olek):
        path = olek.kept.open_games()[0].path
        with pytest.raises(LogError):
            make_player(tmp_path, "Ela").kept.load(path)
        data = bytearray(path.read_bytes())
        genesis = int.from_bytes(data[len(MAGIC) : len(MAGIC) + 4])
        data[len(MAGIC) + 4 + genesis + 40] ^= 1  # within the next record
        path.write_bytes(data)
        with pytest.raises(LogError):
            olek.kept.load(path)
        path.write_bytes(MAGIC)
        with pytest.raises(StorageError) as error:
            olek.kept.load(path)
        assert error.value.failure.code == "log-empty"
        assert olek.kept.summaries() == ()
        taken = open_sockets((0,), (LOOPBACK,))
        busy = ResumeOptions(player=ala, hosted=True, ports=(taken.port,))
        with pytest.raises(NetError):
            async with resume(ala.kept.open_games()[0].path, busy):
                pass
        taken.close()
        ala.kept.load(ala.kept.open_games()[0].path)[1].close()  # nothing is held


@fast
async def test_abandoned_and_returned(tmp_path: Path) -> None:
    """A note that the peer abandoned is local, and undone when the peer returns."""
    async with interrupted(tmp_path) as (ala, olek):
        path = ala.kept.open_games()[0].path
        async with resume(path, ResumeOptions(player=ala)) as table:
            assert isinstance(await table.next_notice(), Expecting)
            table.command(MarkAbandoned())
        assert ala.kept.open_games()[0].abandoned
        await finish(ala, olek)
        assert not ala.kept.summaries()[0].abandoned


@fast
async def test_games_that_never_began_go(tmp_path: Path) -> None:
    """What was only accepted from a peer is dropped once a game with him is on."""
    ala, olek = make_player(tmp_path, "Ala"), make_player(tmp_path, "Olek")
    async with seated_pair(ala, olek) as (_, first, second):
        seats = seat_at(first), seat_at(second, resigns_at=12)
        await play_both(*seats)
    kept = olek.kept
    (over,) = kept.summaries()
    data = over.path.read_bytes()
    size = int.from_bytes(data[len(MAGIC) : len(MAGIC) + 4])
    first_record = data[: len(MAGIC) + 4 + size]
    lonely = over.path.with_name("20200101-0123456789abcdef.crlog")
    lonely.write_bytes(first_record)
    assert {g.status for g in kept.summaries()} == {"accepted", "finished"}
    kept.forget_accepted(b"\x01" * 32, but=b"")  # another peer's
    kept.forget_accepted(ala.identity.public, but=over.game_id)
    assert lonely.exists()  # it is the one that is to be kept
    kept.forget_accepted(ala.identity.public, but=b"")
    assert not lonely.exists()
    assert over.path.exists()


def test_a_log_is_summed_up_anew_only_when_it_has_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The menu asks whenever it is shown, and hundreds of logs take seconds."""
    player = make_player(tmp_path, "Ala")
    log = player.store.games / "20200101-0123456789abcdef.crlog"
    log.parent.mkdir(parents=True)
    log.write_bytes(finished_log())
    (first,) = player.kept.summaries()
    assert first.result is not None
    readings: list[Path] = []

    def counted(path: Path) -> bytes:
        readings.append(path)
        return path.read_bytes()

    monkeypatch.setattr("crapette_p2p.net.kept.read_log_file", counted)
    assert player.kept.summaries() == (first,)
    assert not readings
    log.write_bytes(finished_log()[: len(finished_log()) // 2])
    (second,) = player.kept.summaries()
    assert second.status == "open"
    assert readings == [log]


def test_hints_there_and_back(tmp_path: Path) -> None:
    """A hint is read as it was stored; a damaged one is none."""
    hints = Hints(tmp_path / "resume")
    hint = Hint(hosted=False, port=0, addresses=("[::1]:5", "nonsense here x"))
    game = b"\x09" * 32
    assert hints.load(game) is None
    hints.save(game, hint)
    assert hints.load(game) == hint
    assert [str(place) for place in hint.places()] == ["[::1]:5"]
    (path,) = (tmp_path / "resume").iterdir()
    good = path.read_text()
    damaged = (
        "",
        "[]",
        "{",
        '{"port": Infinity}',
        '{"hosted": true}',
        '{"port": "x"}',
        "[" * 20_000,
    )
    for text in (*damaged, good.replace('"port": 0', '"port": 70000')):
        path.write_text(text)
        assert hints.load(game) is None
    hints.drop(game)
    hints.drop(game)
    assert hints.load(game) is None


def test_a_hint_is_not_worth_a_complaint(tmp_path: Path) -> None:
    """Where hints cannot be kept, nothing is said."""
    (tmp_path / "resume").write_text("in the way")
    Hints(tmp_path / "resume").save(b"\x09" * 32, Hint(hosted=True, port=1))


def test_other_files_are_no_games(tmp_path: Path) -> None:
    """What has another name, or holds something else, is not listed."""
    player = make_player(tmp_path, "Ala")
    games = player.store.games
    games.mkdir(parents=True)
    (games / "notes.txt").write_text("mine")
    (games / "20200101-0123456789abcdef.crlog").write_bytes(b"not a log")
    (games / "20200101-1123456789abcdef.crlog").write_bytes(
        MAGIC + encode_record(5, (501, "left"))
    )
    (games / "20200101-2123456789abcdef.crlog").symlink_to(games / "notes.txt")
    assert player.kept.summaries() == ()


@fast
async def test_a_table_without_a_link_takes_no_orders(tmp_path: Path) -> None:
    """Leaving is always possible; the rest says that nobody is there."""
    async with interrupted(tmp_path) as (ala, _):
        path = ala.kept.open_games()[0].path
        async with resume(path, ResumeOptions(player=ala)) as table:
            await _leaves(table)


async def _leaves(table: Table) -> None:
    assert not table.linked
    assert table.game is not None
    assert table.seat == 0
    assert table.log_path is not None
    table.command(Leave())
    closed = await asyncio.wait_for(_last(table), 1)
    assert closed == Closed(None)
    assert await table.next_notice() == closed


async def _last(table: Table) -> Closed:
    while True:
        notice = await table.next_notice()
        if isinstance(notice, Closed):
            return notice
