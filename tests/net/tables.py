"""Two players on one machine: made quickly, played by bots, compared afterwards."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from crapette_p2p.engine.actions import RESIGN
from crapette_p2p.engine.ruleset import PRESETS
from crapette_p2p.gamelog.compare import Relation, compare_logs
from crapette_p2p.gamelog.verify import Verdict, verify_log
from crapette_p2p.net.address import Address
from crapette_p2p.net.autoplay import Autoplayer, Chooser, bot_chooser
from crapette_p2p.net.crypto import verify
from crapette_p2p.net.files import Disk
from crapette_p2p.net.hosting import Hosting, HostOptions, host
from crapette_p2p.net.joining import JoinOptions, join
from crapette_p2p.net.matches import has_next_deal
from crapette_p2p.net.news import Closed, TableNotice
from crapette_p2p.net.paths import find_paths
from crapette_p2p.net.player import Player, player_at
from crapette_p2p.net.table import Table
from crapette_p2p.session.commands import AcceptPlayer, Act, Leave, Terms
from crapette_p2p.session.notices import CardsToCompare, EventFinal, GameOver

LOOPBACK: Final = "127.0.0.1"


class LazyDisk(Disk):
    """Writes, but does not wait for the platter: nobody pulls the plug here."""

    def sync(self, fd: int) -> None:
        """Say it is done."""


def terms_of(preset: str = "crapette", target: int = 1) -> Terms:
    """Quick terms of a preset."""
    return Terms(preset=preset, rules=PRESETS[preset], candidates=16, target=target)


def make_player(root: Path, nick: str, disk: Disk | None = None) -> Player:
    """A player whose files lie below ``root``."""
    paths = find_paths(str(root / nick.lower()), {})
    return player_at(paths, nick, disk=disk or LazyDisk())


def host_options(player: Player, **changes: object) -> HostOptions:
    """A table on a free port of loopback that seats anybody."""
    options = HostOptions(
        player=player,
        terms=terms_of(),
        ports=(0,),
        binds=(LOOPBACK,),
        accept_unverified=True,
    )
    return replace(options, **changes)  # type: ignore[arg-type] # the test's business


def join_options(player: Player, **changes: object) -> JoinOptions:
    """As a guest, with attempts that are not spread."""
    options = JoinOptions(player=player, jitter=lambda: 0.5)
    return replace(options, **changes)  # type: ignore[arg-type] # the test's business


def where(hosting: Hosting) -> Address:
    """The address of a table on loopback."""
    return Address(LOOPBACK, hosting.port)


@dataclass
class Seat:
    """A bot on one seat, and everything it was told."""

    table: Table
    chooser: Chooser
    heard: list[TableNotice] = field(default_factory=list)
    on_notice: Callable[[TableNotice], None] = lambda _: None
    resigns_at: int | None = None
    """Event number from which on it gives up, to make a game short."""
    leaves: bool = True
    """Whether it gets up when the match is over."""
    _news: asyncio.Condition = field(default_factory=asyncio.Condition)

    async def play(self) -> Closed:
        """Play until the table is closed."""
        bot = Autoplayer(self.table, self.chooser)
        while True:
            notice = await self.table.next_notice()
            self.heard.append(notice)
            self.on_notice(notice)
            async with self._news:
                self._news.notify_all()
            if isinstance(notice, Closed):
                return notice
            if isinstance(notice, CardsToCompare):
                self.table.command(AcceptPlayer())
            elif isinstance(notice, GameOver) and self._is_last():
                self.table.command(Leave(502))
            elif not self._resigned(notice):
                await bot.react(notice)

    async def hears(self, kind: type, count: int = 1) -> None:
        """Return once ``count`` notices of this kind were heard."""
        async with self._news:
            await self._news.wait_for(
                lambda: sum(isinstance(n, kind) for n in self.heard) >= count
            )

    def _resigned(self, notice: TableNotice) -> bool:
        if self.resigns_at is None or not isinstance(notice, EventFinal):
            return False
        session = self.table.session
        if notice.seq < self.resigns_at or session is None:
            return False
        if session.may(RESIGN):
            self.table.command(Act(RESIGN))
        return True

    def _is_last(self) -> bool:
        game = self.table.game
        return self.leaves and game is not None and not has_next_deal(game)

    def kinds(self) -> list[str]:
        """The names of the notices, in order."""
        return [type(notice).__name__ for notice in self.heard]


def seat_at(
    table: Table,
    *,
    seed: int = 1,
    level: str = "baseline",
    resigns_at: int | None = None,
) -> Seat:
    """A bot on ``table``."""
    return Seat(table, bot_chooser(level, seed=seed), resigns_at=resigns_at)


async def play_both(host_seat: Seat, guest_seat: Seat) -> tuple[Closed, Closed]:
    """Play one table to its end from both sides."""
    async with asyncio.TaskGroup() as both:
        first = both.create_task(host_seat.play())
        second = both.create_task(guest_seat.play())
    return first.result(), second.result()


@asynccontextmanager
async def playing(*seats: Seat) -> AsyncIterator[list[asyncio.Task[Closed]]]:
    """Bots play while the body runs, and stop with it.

    What one of them raises ends the body at once and is raised here.
    """
    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(seat.play()) for seat in seats]
        yield tasks
        for task in tasks:
            task.cancel()


@asynccontextmanager
async def seated_pair(
    ala: Player, olek: Player, **changes: object
) -> AsyncIterator[tuple[Hosting, Table, Table]]:
    """Ala hosts, Olek has joined and sits: the door, her table, his table."""
    async with (
        host(host_options(ala, **changes)) as hosting,
        join(where(hosting), join_options(olek)) as guest,
    ):
        yield hosting, hosting.table, guest


def logs_of(player: Player) -> list[bytes]:
    """The bytes of every log a player keeps, by name."""
    return [path.read_bytes() for path in sorted(player.store.logs())]


def assert_same_games(ala: Player, olek: Player, *, games: int = 1) -> None:
    """Both hold the same games, closed by both and good in every respect."""
    first, second = logs_of(ala), logs_of(olek)
    assert len(first) == len(second) == games
    for mine, other in zip(first, second, strict=True):
        verdicts: list[Verdict] = [verify_log(log, verify) for log in (mine, other)]
        assert [v.level for v in verdicts] == [5, 5], verdicts
        assert compare_logs(mine, other, verify).relation is Relation.EQUAL
    for player in (ala, olek):
        assert list(player.store.secrets.iterdir()) == []
