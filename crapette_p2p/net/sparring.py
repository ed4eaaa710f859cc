"""A game against this computer, over a real connection on the loopback.

Theory of operation. A bot is a player like any other: it has a key of its own,
made for the occasion, deals with its own seeds, and sees no more than any
opponent would. Its *home* is a directory below ``bots/`` with its key, its log
and how it plays; the home stays while the game can go on, so that an interrupted
game against a bot is resumed like any other, and goes away with it. The person
listens when a game begins (his terms are proposed), and dials when it goes on.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import secrets
import shutil
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Final

from crapette_p2p.bot import LEVELS
from crapette_p2p.errors import CrapetteError
from crapette_p2p.net.address import Address
from crapette_p2p.net.autoplay import Autoplayer, bot_chooser, is_slow
from crapette_p2p.net.endpoint import ResumeOptions, resume
from crapette_p2p.net.failures import Failure, StorageError, is_of_storage
from crapette_p2p.net.files import make_private, read_small, replace_file
from crapette_p2p.net.hosting import HostOptions, host
from crapette_p2p.net.joining import JoinOptions, join
from crapette_p2p.net.news import Closed, Expecting
from crapette_p2p.net.paths import Paths
from crapette_p2p.net.peers import PeerBook
from crapette_p2p.net.player import Player, player_at
from crapette_p2p.net.table import Table
from crapette_p2p.session.commands import Terms
from crapette_p2p.session.notices import PeerLeft

LOOPBACK: Final = "127.0.0.1"
HEARING: Final = 5.0
"""Seconds a bot may take to end once the person has left."""
_MANNER: Final = "bot.json"
_LEVEL: Final = "club"
"""How a bot goes on whose file is damaged."""
_DAMAGED: Final = (
    ValueError,
    TypeError,
    KeyError,
    AttributeError,
    OverflowError,
    RecursionError,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Manner:
    """How a bot plays."""

    level: str
    """novice, club, master."""
    seed: int | None = None
    """Makes its choices repeat."""
    think_ms: int | None = None
    """Most milliseconds it thinks about one action."""

    @property
    def nick(self) -> str:
        """What it is called at the table."""
        return f"{self.level} bot"


@asynccontextmanager
async def sparring(
    player: Player, paths: Paths, *, terms: Terms, manner: Manner
) -> AsyncIterator[Table]:
    """The person's seat at a table whose other seat a bot has."""
    home = make_private(paths.data / "bots" / secrets.token_hex(8))
    replace_file(home / _MANNER, json.dumps(asdict(manner)).encode())
    try:
        bot = player_at(Paths(home, home, home), manner.nick)
        door = HostOptions(
            player=_forgetful(player, home),
            terms=terms,
            ports=(0,),
            binds=(LOOPBACK,),
            expected=bot.identity.public,
        )
        options = JoinOptions(player=bot, expected=player.identity.public)
        async with host(door) as hosting:
            seat = join(Address(LOOPBACK, hosting.port), options)
            fate = _Fate(hosting.table)
            async with _opposed(_play(seat, manner, fate), fate) as opponent:
                yield await _first(hosting.seated(), opponent)
                await hosting.table.aclose()
    finally:
        _tidy(home, player)


@asynccontextmanager
async def spar_again(player: Player, home: Path, log: Path) -> AsyncIterator[Table]:
    """Go on with the interrupted game in ``log`` against the bot of ``home``."""
    manner = _manner_of(home)
    bot = player_at(Paths(home, home, home), manner.nick)
    try:
        bots_log = _same_game(home, log)
        door = ResumeOptions(player=bot, hosted=True, ports=(0,))
        async with resume(bots_log, door) as bots_table:
            expecting = await bots_table.next_notice()
            assert isinstance(expecting, Expecting)  # noqa: S101 - the first news
            options = ResumeOptions(
                player=_forgetful(player, home),
                hosted=False,
                places=(Address(LOOPBACK, expecting.port),),
            )
            fate = _Fate()
            async with (
                _opposed(_react(bots_table, manner, fate), fate),
                resume(log, options) as table,
            ):
                fate.table = table
                yield table
                await table.aclose()
    finally:
        _tidy(home, player)


def home_of(log: Path, paths: Paths) -> Path | None:
    """The home of the bot that the game in ``log`` is played against."""
    found = (paths.data / "bots").glob(f"*/games/*-{_id_in(log)}.crlog")
    return next((path.parent.parent for path in found), None)


def interrupted(player: Player, paths: Paths) -> tuple[Path, Path] | None:
    """The newest game against a bot that can go on: home and log."""
    for game in player.kept.open_games():
        home = home_of(game.path, paths)
        if home is not None:
            return home, game.path
    return None


def _same_game(home: Path, log: Path) -> Path:
    """The log that the bot of ``home`` keeps of the person's game in ``log``."""
    return next((home / "games").glob(f"*-{_id_in(log)}.crlog"))  # see home_of


def _id_in(log: Path) -> str:
    return log.stem.partition("-")[2]


def _forgetful(player: Player, home: Path) -> Player:
    """The person, who will not keep the bot among those he knows."""
    return replace(player, peers=PeerBook(home / "person.toml"))


def _manner_of(home: Path) -> Manner:
    try:
        fields = json.loads(read_small(home / _MANNER) or b"{}")
        seed, think_ms = fields.get("seed"), fields.get("think_ms")
        return Manner(
            level=fields["level"] if fields["level"] in LEVELS else _LEVEL,
            seed=None if seed is None else int(seed),
            think_ms=None if think_ms is None else int(think_ms),
        )
    except (CrapetteError, *_DAMAGED):
        return Manner(level=_LEVEL)


def _tidy(home: Path, player: Player) -> None:
    """Take a home away once no game with its bot can go on."""
    resumable = {_id_in(game.path) for game in player.kept.resumable()}
    kept = {_id_in(path) for path in (home / "games").glob("*.crlog")}
    if not kept & resumable:
        shutil.rmtree(home, ignore_errors=True)


@asynccontextmanager
async def _opposed(
    work: Coroutine[object, object, None], fate: _Fate
) -> AsyncIterator[asyncio.Task[None]]:
    """Let the bot play beside the body, and hear the person's farewell."""
    task = asyncio.create_task(work)
    try:
        yield task
        if not fate.is_sealed:
            await asyncio.wait({task}, timeout=HEARING)
    finally:
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task


async def _first(
    seated: Coroutine[object, object, Table], opponent: asyncio.Task[None]
) -> Table:
    """The table once the bot sits; its error if it never will."""
    table = asyncio.create_task(seated)
    await asyncio.wait({table, opponent}, return_when=asyncio.FIRST_COMPLETED)
    if not table.done():
        table.cancel()
        opponent.result()
    return await table


class _Fate:
    """Ends both halves where one cannot be kept.

    Both are on one disk: to wait for the other to come back would be in vain, and
    "it left" would be no reason.
    """

    def __init__(self, table: Table | None = None) -> None:
        self.table = table
        """The person's, once there is one."""

    @property
    def is_sealed(self) -> bool:
        """Whether the person's half cannot be kept: it has said no farewell."""
        closed = self.table.closed if self.table is not None else None
        return closed is not None and _is_lost(closed.failure)

    def share(self, failure: Failure | None) -> None:
        """The bot's half is over; None if nothing went wrong."""
        if self.table is not None and failure is not None and _is_lost(failure):
            self.table.on_disk_failure(None, StorageError(failure))


def _is_lost(failure: Failure | None) -> bool:
    return failure is not None and is_of_storage(failure)


async def _play(
    seat: contextlib.AbstractAsyncContextManager[Table], manner: Manner, fate: _Fate
) -> None:
    async with seat as table:
        await _react(table, manner, fate)


async def _react(table: Table, manner: Manner, fate: _Fate) -> None:
    """Play until the table is closed or the person has left it."""
    chooser = bot_chooser(manner.level, seed=manner.seed, think_ms=manner.think_ms)
    player = Autoplayer(table, chooser, slow=is_slow(manner.level))
    while not isinstance(notice := await table.next_notice(), Closed | PeerLeft):
        await player.react(notice)
    if isinstance(notice, Closed):
        fate.share(notice.failure)
