"""Reach a table by address or invite, and play there."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Sequence
from typing import Final

from crapette_p2p.net.address import Address, Invite
from crapette_p2p.net.joining import JoinOptions, join
from crapette_p2p.ui.app import Shell
from crapette_p2p.ui.screens.meeting import Waiting
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
    async with contextlib.AsyncExitStack() as stack:
        dialling = asyncio.get_running_loop().create_task(
            stack.enter_async_context(join(target, options))
        )
        dialling.add_done_callback(lambda _: shell.changed())
        if not await _waited(shell, target, dialling):
            return DONE
        return await TableFlow(shell, dialling.result(), flow_options).run()


async def _waited(shell: Shell, target: Target, dialling: asyncio.Task[object]) -> bool:
    """Show that we try; False if the person gives up."""
    words = shell.desk.words
    screen = Waiting(shell.desk, words("Joining"))
    screen.step(words("reaching {place}", place=place_text(target)))
    shell.put(screen)
    while not dialling.done():
        await shell.next_change()
        if screen.done is not None:
            dialling.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await dialling
            return False
    return True


def place_text(target: Target) -> str:
    """Where we dial, for a person."""
    match target:
        case Address():
            return target.short()
        case Invite(addresses):
            return ", ".join(place.short() for place in addresses)
        case _:
            return ", ".join(place.short() for place in target)
