"""Play a seat of a table without a person: agree to terms, then ask a chooser.

Whoever runs the table reads its notices and gives each to ``react``; the chooser
is asked for the newest position, not for the one a notice tells of, and what it
answers is played only if nothing has happened in the meantime.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
import time
from collections.abc import Callable
from typing import Final

from crapette_p2p.bot import LEVELS, TurnMemory, choose
from crapette_p2p.engine.actions import Action
from crapette_p2p.engine.position import Position
from crapette_p2p.errors import IllegalMove, LocalProtocolError
from crapette_p2p.net import sources
from crapette_p2p.net.matches import has_next_deal
from crapette_p2p.net.news import Closed, TableNotice
from crapette_p2p.net.table import Table
from crapette_p2p.session.commands import AcceptTerms, Act, Command, Propose
from crapette_p2p.session.notices import (
    ActionDropped,
    EventFinal,
    EventVoid,
    GameResumed,
    LobbyOpened,
    TermsProposed,
)
from crapette_p2p.session.states import State

Chooser = Callable[[Position, int], Action | None]
"""What a seat does in a position; None if it has nothing to do."""

THINK_MS: Final = 300
"""How long a bot may think about one action where nobody says otherwise."""
NODES_A_MS: Final = 40
"""What a bot plans to look at in its time; a slow computer stops it earlier."""
_ASKS: Final = (EventFinal, EventVoid, ActionDropped, GameResumed)
"""Notices after which there may be something to do."""


def bot_chooser(
    level: str, *, seed: int | None = None, think_ms: int | None = None
) -> Chooser:
    """A bot of ``level``.

    With a ``seed`` its choices repeat, so its budget is counted in boards;
    otherwise ``think_ms`` bounds its time, and the more there is the more it looks at.
    """
    start = sources.entropy()(8) if seed is None else seed
    rand = random.Random(start).random  # noqa: S311 - a bot's whims, no secret
    memory = TurnMemory()
    most = THINK_MS if think_ms is None else think_ms
    nodes = max(1, most * NODES_A_MS) if seed is None else None

    def chosen(position: Position, seat: int) -> Action | None:
        return choose(
            position,
            seat,
            level=level,
            rand=rand,
            nodes=nodes,
            cancelled=_timer(most) if seed is None else None,
            memory=memory,
        )

    return chosen


def _timer(milliseconds: int) -> Callable[[], bool]:
    """Says whether so much time has gone by."""
    late = time.monotonic() + milliseconds / 1000
    return lambda: time.monotonic() > late


class Autoplayer:
    """Plays the seat of one table."""

    def __init__(self, table: Table, chooser: Chooser, *, slow: bool = False) -> None:
        self._table = table
        self._chooser = chooser
        self._slow = slow

    async def react(self, notice: TableNotice) -> None:
        """Do what a notice calls for, if anything."""
        if isinstance(notice, TermsProposed):
            self._command(AcceptTerms())
        elif isinstance(notice, LobbyOpened):
            self._propose(notice)
        elif isinstance(notice, _ASKS):
            await self._act()

    def _propose(self, notice: LobbyOpened) -> None:
        """Ask for the next deal of a running match; a first one asks itself."""
        session, game = self._table.session, self._table.game
        if session is None or game is None or not has_next_deal(game):
            return
        if notice.proposes and session.state is State.LOBBY:
            self._command(Propose())

    async def _act(self) -> None:
        table = self._table
        game, session = table.open_game, table.session
        if game is None or session is None or game.mine is not None:
            return
        position = game.state.position
        if position is None or game.done or not table.linked:
            return
        action = await self._choose(position, game.seat)
        newest = game.state.position
        if action is None or newest is not position or table.session is not session:
            return  # asked again by the notice of whatever happened
        if session.may(action):
            self._command(Act(action))

    def _command(self, command: Command) -> None:
        # A notice may be older than what has happened to the link since; what is
        # refused for that reason is asked for again when it is due.
        with contextlib.suppress(LocalProtocolError, IllegalMove):
            self._table.command(command)

    async def _choose(self, position: Position, seat: int) -> Action | None:
        if self._slow:  # PINGs have to go out while a bot thinks
            return await asyncio.to_thread(self._chooser, position, seat)
        return self._chooser(position, seat)


async def autoplay(
    table: Table,
    chooser: Chooser,
    *,
    on_notice: Callable[[TableNotice], None] = lambda _: None,
) -> Closed:
    """Play until the table is closed; how it ended."""
    player = Autoplayer(table, chooser)
    while True:
        notice = await table.next_notice()
        on_notice(notice)
        if isinstance(notice, Closed):
            return notice
        await player.react(notice)


def is_slow(level: str) -> bool:
    """Whether a bot of ``level`` searches, and so belongs into a thread."""
    return LEVELS[level].searches
