"""A seat on a shell: the flow of a table, a bot that advises, the replay."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import replace
from pathlib import Path

from crapette_p2p.gamelog.replay import open_replay
from crapette_p2p.net.address import Address
from crapette_p2p.net.crypto import verify
from crapette_p2p.net.swapping import also_dialling, also_listening
from crapette_p2p.net.table import Table
from crapette_p2p.net.times import read_times
from crapette_p2p.ui.desk import Desk
from crapette_p2p.ui.replay_app import ReplayScreen, name_of
from crapette_p2p.ui.surface import Surface
from crapette_p2p.ui.table_flow import TableFlow
from crapette_p2p.ui.table_like import FlowOptions, TableLike, Ways


async def seat_flow(
    shell: Surface, seat: AbstractAsyncContextManager[Table], *, bot: bool = False
) -> int:
    """A game at the table that a context manager gives."""
    async with seat as table:
        return await table_flow(shell, table, bot=bot)


async def table_flow(shell: Surface, table: TableLike, *, bot: bool = False) -> int:
    """A game at a table that exists already; against a bot hints are allowed."""
    options = flow_options(shell)
    if bot:
        options = replace(
            options, accept_unverified=True, accept_terms=True, hints=True, ways=None
        )
    return await TableFlow(shell, table, options).run()


def flow_options(shell: Surface) -> FlowOptions:
    """What a table may do on this shell."""
    return FlowOptions(
        ways=Ways(listen=_listening, dial=_dialling),
        replay=lambda path, seat: replay_screen(shell.desk, Path(path), seat=seat),
    )


def _listening(table: TableLike) -> AbstractAsyncContextManager[object]:
    assert isinstance(table, Table)  # noqa: S101 - nothing else runs outside tests
    return also_listening(table)


def _dialling(
    table: TableLike, places: Sequence[Address]
) -> AbstractAsyncContextManager[object]:
    assert isinstance(table, Table)  # noqa: S101 - nothing else runs outside tests
    return also_dialling(table, places)


def replay_screen(desk: Desk, path: Path, *, seat: int = 0) -> ReplayScreen:
    """The replay of a log file, verified; raises OSError or LogError."""
    replay = open_replay(path.read_bytes(), verify)
    times = read_times(path, replay.log.game_id)
    return ReplayScreen(desk, replay, name=name_of(path), seat=seat, times=times)
