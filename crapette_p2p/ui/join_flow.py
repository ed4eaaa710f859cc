"""Reach a table by address or invite, and play there."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Coroutine, Sequence
from typing import Final

from crapette_p2p.net.address import Address, Invite
from crapette_p2p.net.joining import JoinOptions, join
from crapette_p2p.net.table import Table
from crapette_p2p.ui.app import Shell
from crapette_p2p.ui.screens.waiting import Waiting
from crapette_p2p.ui.table_flow import TableFlow
from crapette_p2p.ui.table_like import FlowOptions

DONE: Final = 0
Target = Address | Invite | Sequence[Address]


async def join_flow(
    shell: Shell,
    target: Target,
    options: JoinOptions,
    flow_options: FlowOptions | None = None,
) -> int:
    """A seat from dialling to leaving; raises NetError if nobody is reached."""
    waiting = Waiting(shell.desk, shell.desk.words("Joining"))
    waiting.step(shell.desk.words("reaching {place}", place=place_text(target)))
    async with contextlib.AsyncExitStack() as stack:
        seat = stack.enter_async_context(join(target, options))
        table = await _reached(shell, waiting, seat)
        if table is None:
            return DONE
        return await TableFlow(shell, table, flow_options, waiting).run()


async def _reached(
    shell: Shell, waiting: Waiting, seat: Coroutine[object, object, Table]
) -> Table | None:
    """The table, once it is reached; None if the person gives up before."""
    dialling = asyncio.get_running_loop().create_task(seat)
    dialling.add_done_callback(lambda _: shell.changed())
    shell.put(waiting)
    try:
        while not dialling.done():
            await shell.next_change()
            if waiting.done is not None:
                return None
        return dialling.result()
    finally:
        if not dialling.done():
            dialling.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await dialling


def place_text(target: Target) -> str:
    """Where we dial, for a person."""
    match target:
        case Address():
            return target.short()
        case Invite(addresses):
            return ", ".join(place.short() for place in addresses)
        case _:
            return ", ".join(place.short() for place in target)
