"""The next deal of a match, proposed to a host that was started anew (B11).

Ala is role 0 of a match. Its host was left after the first deal; now Olek opens a
table of his own and Ala dials it. Both programs propose at once, over a real link.
"""

from __future__ import annotations

import shutil
from pathlib import Path

from crapette_p2p.gamelog.genesis import decode_genesis
from crapette_p2p.gamelog.records import read_records
from crapette_p2p.net.endpoint import ResumeOptions, resume
from crapette_p2p.net.failures import Exit
from crapette_p2p.net.hosting import host
from crapette_p2p.net.news import Closed, TableNotice
from crapette_p2p.net.player import Player
from crapette_p2p.session.commands import Leave
from crapette_p2p.session.notices import (
    GameOver,
    LobbyOpened,
    TermsProposed,
    WaitingForPeer,
)
from tests.net.fasttime import fast
from tests.net.tables import (
    Seat,
    assert_same_games,
    host_options,
    logs_of,
    make_player,
    playing,
    seat_at,
    seated_pair,
    terms_of,
    where,
)

TARGET = 500
"""More points than one deal brings."""


def leaving_after_a_deal(seat: Seat) -> Seat:
    """A seat that gets up when the first deal is over."""

    def leave(notice: TableNotice) -> None:
        if isinstance(notice, GameOver):
            seat.table.command(Leave())

    seat.on_notice = leave
    return seat


async def first_deal(ala: Player, olek: Player) -> Path:
    """Ala hosts a match, wins its first deal, and both leave; her log."""
    terms = terms_of("russian-bank", target=TARGET)
    async with seated_pair(ala, olek, terms=terms) as (_, first, second):
        seats = leaving_after_a_deal(seat_at(first)), seat_at(second, resigns_at=20)
        async with playing(*seats) as (hers, _):
            await hers
    assert_same_games(ala, olek)
    (path,) = ala.store.logs()
    return path


def matches_of(player: Player) -> list[tuple[int, int]]:
    """Deal and target of every game a player keeps."""
    found = []
    for log in logs_of(player):
        data = read_records(log).records[0].body[0]
        assert isinstance(data, bytes)
        match = decode_genesis(data).match
        found.append((match.deal_number, match.target))
    return sorted(found)


async def come_to(path: Path, ala: Player, olek: Player) -> tuple[Seat, Seat]:
    """Olek opens a new table for another game; Ala dials it for the next deal."""
    async with host(host_options(olek, terms=terms_of("garibaldka"))) as hosting:
        dialled = ResumeOptions(player=ala, places=[where(hosting)])
        async with resume(path, dialled) as table:
            seats = seat_at(hosting.table), seat_at(table, seed=2, resigns_at=20)
            leaving_after_a_deal(seats[0])
            async with playing(*seats) as (his, _):
                await his
    return seats


@fast
async def test_proposals_cross_after_the_host_was_started_anew(tmp_path: Path) -> None:
    """B11: the host drops his own, finds the match in his folder and goes on."""
    ala, olek = make_player(tmp_path, "Ala"), make_player(tmp_path, "Olek")
    path = await first_deal(ala, olek)
    host_seat, guest_seat = await come_to(path, ala, olek)
    for seat in (host_seat, guest_seat):  # each has said its own
        assert LobbyOpened(proposes=True) in seat.heard
        assert WaitingForPeer("terms") in seat.heard
    asked, *_ = [n for n in host_seat.heard if isinstance(n, TermsProposed)]
    assert asked.genesis.match.deal_number == 2
    assert not any(isinstance(n, TermsProposed) for n in guest_seat.heard)
    assert matches_of(ala) == matches_of(olek) == [(1, TARGET), (2, TARGET)]
    assert_same_games(ala, olek, games=2)


@fast
async def test_a_host_that_has_lost_the_match_begins_none(tmp_path: Path) -> None:
    """B11: what he cannot look up is 104; nothing new is kept, the old game stays."""
    ala, olek = make_player(tmp_path, "Ala"), make_player(tmp_path, "Olek")
    path = await first_deal(ala, olek)
    before = logs_of(ala)
    shutil.rmtree(olek.store.games)
    host_seat, _ = await come_to(path, ala, olek)
    closed = host_seat.heard[-1]
    assert isinstance(closed, Closed)
    assert closed.failure is not None
    assert closed.failure.status is Exit.PROTOCOL
    assert closed.failure.facts["wire"] == "104"
    assert logs_of(ala) == before
    assert logs_of(olek) == []
