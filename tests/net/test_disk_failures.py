"""A disk that fails at any record: nothing is sent, and the game can go on."""

from __future__ import annotations

import contextlib
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from crapette_p2p.errors import LogError
from crapette_p2p.gamelog.events import EventType
from crapette_p2p.gamelog.loading import load_log
from crapette_p2p.gamelog.log import GameLog
from crapette_p2p.net.address import Address
from crapette_p2p.net.endpoint import ResumeOptions, resume
from crapette_p2p.net.failures import Exit, StorageError
from crapette_p2p.net.hosting import host
from crapette_p2p.net.joining import join
from crapette_p2p.net.news import Closed, Expecting
from crapette_p2p.net.paths import Paths, find_paths
from crapette_p2p.net.player import Player, player_at
from crapette_p2p.net.sparring import Manner, sparring
from crapette_p2p.net.table import Table
from tests.net.fasttime import fast
from tests.net.faults import FailingDisk
from tests.net.tables import (
    LOOPBACK,
    assert_same_games,
    host_options,
    join_options,
    make_player,
    play_both,
    playing,
    seat_at,
    terms_of,
    where,
)

NEVER = 10**9
LENGTH = 16
"""Event number at which the guest resigns."""
EACH, STRIDE = 20, 7
"""The set-up fails at each call, the play at every seventh."""


async def play_until_broken(
    ala: Player, olek: Player, disk: FailingDisk, good: int
) -> Closed:
    """A game in which Ala's disk fails after ``good`` more calls; how hers ended."""
    async with (
        host(host_options(ala)) as hosting,
        join(where(hosting), join_options(olek)) as guest,
    ):
        table = await hosting.seated()
        disk.left = good
        first = seat_at(table)
        second = seat_at(guest, seed=2, resigns_at=LENGTH)
        async with playing(second):
            closed = await first.play()
    disk.left = NEVER
    return closed


def log_of(player: Player) -> GameLog | None:
    """The game a player has on the disk, if it holds a genesis."""
    for path in player.store.logs():
        with contextlib.suppress(LogError):
            return load_log(path.read_bytes()).log
    return None


def assert_nothing_was_sent_before_it_was_kept(ala: Player, olek: Player) -> None:
    """Whatever Olek holds that Ala signed, Ala holds too."""
    mine, theirs = log_of(ala), log_of(olek)
    if theirs is None:
        return
    signed = {entry.signed.hash for entry in theirs.entries}
    if theirs.pending is not None and theirs.pending.event.author == 0:
        signed.add(theirs.pending.hash)
    acked = len(theirs.entries)
    if mine is None:
        assert not signed
        return
    held = {entry.signed.hash for entry in mine.entries}
    if mine.pending is not None:
        held.add(mine.pending.hash)
    by_ala = {e.signed.hash for e in theirs.entries if e.signed.event.author == 0}
    assert by_ala <= held
    # Olek's events are final for him only once her ACK came, so they are kept.
    assert acked <= len(mine.entries) + (mine.pending is not None)


@asynccontextmanager
async def back(ala: Player, olek: Player) -> AsyncIterator[tuple[Table, Table]]:
    """Both come back: Ala listens, Olek dials by what his disk holds."""
    options = ResumeOptions(player=ala, hosted=True, ports=(0,))
    async with resume(ala.store.logs()[0], options) as table:
        expecting = await table.next_notice()
        assert isinstance(expecting, Expecting)
        place = Address(LOOPBACK, expecting.port)
        games = olek.kept.open_games()
        if games:
            again = ResumeOptions(player=olek, hosted=False, places=(place,))
            async with resume(games[0].path, again) as guest:
                yield table, guest
        else:
            async with join(place, join_options(olek)) as guest:
                yield table, guest


async def broken_and_mended(root: Path, call: str, good: int) -> bool:
    """One game with one failure, then its rest; False if the disk did not fail."""
    disk = FailingDisk(call, NEVER)
    ala, olek = make_player(root, "Ala", disk), make_player(root, "Olek")
    closed = await play_until_broken(ala, olek, disk, good)
    if closed.failure is None:
        assert_same_games(ala, olek)
        return False
    assert closed.failure.code == "cannot-write"
    assert closed.failure.facts["path"].startswith(str(root / "ala"))
    assert closed.failure.facts["reason"] in {
        "No space left on device",
        "Input/output error",
    }
    assert_nothing_was_sent_before_it_was_kept(ala, olek)
    if log_of(ala) is None:
        return True  # it failed before the game existed: a new one is possible
    assert closed.failure.status in {Exit.PEER_LOST, Exit.BUG}
    async with back(ala, olek) as (table, guest):
        seats = seat_at(table), seat_at(guest, seed=2, resigns_at=LENGTH)
        for ended in await play_both(*seats):
            # Where only the last ACK was missing, one may hang up before the
            # other has said goodbye: the game itself is whole on both sides.
            assert ended.failure is None or ended.failure.code == "peer-hung-up"
    assert_same_games(ala, olek)
    return True


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.parametrize("call", ["write", "sync"])
@fast
async def test_failure_at_each_record(tmp_path: Path, call: str) -> None:
    """Disk full, or an I/O error at fsync, at every single call of a game."""
    good = 0
    while await broken_and_mended(tmp_path / str(good), call, good):
        good += 1 if good < EACH else STRIDE
    assert good > 2 * LENGTH


@fast
async def test_secrets_survive_until_they_are_needed(tmp_path: Path) -> None:
    """The seeds are on the disk before COMMIT is, for as long as the game lasts."""
    disk = FailingDisk("write", NEVER)
    ala, olek = make_player(tmp_path, "Ala", disk), make_player(tmp_path, "Olek")
    await play_until_broken(ala, olek, disk, 6)
    mine = log_of(ala)
    assert mine is not None
    committed = [
        signed.event.type
        for signed in (*(e.signed for e in mine.entries), mine.pending)
        if signed is not None and signed.event.author == 0
    ]
    assert EventType.COMMIT in committed
    assert ala.store.load_secrets(mine.game_id) is not None


async def test_no_table_where_no_game_can_be_kept(tmp_path: Path) -> None:
    """Said before there is a port, and before anybody is called."""
    disk = FailingDisk("write", NEVER)
    ala = make_player(tmp_path, "Ala", disk)
    disk.left = 0
    with socket.create_server((LOOPBACK, 0)) as taken:
        port = taken.getsockname()[1]
        for opening in (
            host(host_options(ala, ports=(port,))),
            join(Address(LOOPBACK, port), join_options(ala, timeout=1)),
        ):
            with pytest.raises(StorageError) as error:
                async with opening:
                    pass
            assert error.value.failure.code == "cannot-write"


@pytest.mark.parametrize("good", [3, 6, 9, 12, 30, 60])
async def test_a_bot_whose_half_cannot_be_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, good: int
) -> None:
    """The person's table ends with the reason: no bot comes back from a full disk."""

    def bot_at(paths: Paths, nick: str) -> Player:
        return player_at(paths, nick, disk=FailingDisk("write", good))

    monkeypatch.setattr("crapette_p2p.net.sparring.player_at", bot_at)
    ala, paths = make_player(tmp_path, "Ala"), find_paths(str(tmp_path / "ala"), {})
    manner = Manner(level="novice", seed=1)
    async with sparring(ala, paths, terms=terms_of(), manner=manner) as table:
        closed = await seat_at(table).play()
    assert closed.failure is not None
    assert closed.failure.code == "cannot-write"
    assert "bots" in Path(closed.failure.facts["path"]).parts


async def test_a_bot_is_not_waited_for_on_a_full_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whose own half cannot be kept has left without a farewell: the bot hears none."""
    monkeypatch.setattr("crapette_p2p.net.sparring.HEARING", 10_000)
    ala = make_player(tmp_path, "Ala", FailingDisk("write", 30))
    paths = find_paths(str(tmp_path / "ala"), {})
    manner = Manner(level="novice", seed=1)
    async with sparring(ala, paths, terms=terms_of(), manner=manner) as table:
        closed = await seat_at(table).play()
    assert closed.failure is not None
    assert closed.failure.code == "cannot-write"
    assert "bots" not in Path(closed.failure.facts["path"]).parts
