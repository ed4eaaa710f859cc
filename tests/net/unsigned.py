"""A deal whose last signature was lost in a crash: its author has it open."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path

from crapette_p2p.gamelog.records import MAGIC, encode_record, read_records
from crapette_p2p.net.address import Address
from crapette_p2p.net.endpoint import ResumeOptions, resume
from crapette_p2p.net.news import Closed, Expecting, TableNotice
from crapette_p2p.net.player import Player
from crapette_p2p.net.table import Table
from crapette_p2p.session.commands import Leave
from crapette_p2p.session.notices import GameOver
from tests.net.tables import (
    LOOPBACK,
    Seat,
    make_player,
    play_both,
    playing,
    seat_at,
    seated_pair,
    terms_of,
)


def without_last(path: Path, records: int) -> bytes:
    """A log as a crash left it that came ``records`` records before its end."""
    whole = read_records(path.read_bytes()).records
    kept = whole[: len(whole) - records]
    return MAGIC + b"".join(encode_record(r.kind, r.body) for r in kept)


def _leave_after(table: Table, notice: TableNotice) -> None:
    """Get up after a deal, also where the match goes on."""
    if isinstance(notice, GameOver):
        table.command(Leave(501))


async def unsigned(
    tmp_path: Path, *, loser: int = 0, missed: int = 0, target: int = 1
) -> tuple[Player, Player]:
    """The author of a RESULT who has no ACK of it, and the other.

    The other has RESULT and its ACK ``missed`` (2), or nothing: only the answer was
    lost. Ala (0) hosted it, Olek (1) was her guest.
    """
    players = make_player(tmp_path, "Ala"), make_player(tmp_path, "Olek")
    async with seated_pair(*players, terms=terms_of(target=target)) as (_, *tables):
        seats = [seat_at(table, seed=n) for n, table in enumerate(tables)]
        seats[loser].resigns_at = 40
        for seat in seats:
            seat.on_notice = partial(_leave_after, seat.table)
        assert await play_both(*seats) == (Closed(None), Closed(None))
    author, other = players[1 - loser], players[loser]
    for player, lost in ((author, 1), (other, missed)):
        (path,) = player.kept.store.logs()
        path.write_bytes(without_last(path, lost))
    return author, other


@asynccontextmanager
async def awaited(author: Player) -> AsyncIterator[tuple[Seat, Address]]:
    """The author resumes on a port of loopback, and a bot sits there; where."""
    async with _resumed(author, hosted=True, ports=(0,)) as seat:
        expecting = await seat.table.next_notice()
        while not isinstance(expecting, Expecting):
            expecting = await seat.table.next_notice()
        async with playing(seat):
            yield seat, Address(LOOPBACK, expecting.port)


@asynccontextmanager
async def coming(author: Player, place: Address) -> AsyncIterator[Seat]:
    """The author resumes towards a table, and a bot sits there."""
    async with _resumed(author, hosted=False, places=(place,)) as seat, playing(seat):
        yield seat


@asynccontextmanager
async def _resumed(author: Player, **changes: object) -> AsyncIterator[Seat]:
    (game,) = author.kept.resumable()
    options = replace(ResumeOptions(player=author), **changes)  # type: ignore[arg-type] # the caller's business
    async with resume(game.path, options) as table:
        yield seat_at(table)
