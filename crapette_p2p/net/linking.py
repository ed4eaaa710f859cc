"""Keep a table supplied with links for as long as somebody plays at it."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager

from crapette_p2p.net.failures import Exit, Failure
from crapette_p2p.net.table import Table


@asynccontextmanager
async def kept_linked(
    table: Table, work: Coroutine[object, object, None]
) -> AsyncIterator[Table]:
    """Run ``work``, which brings links, beside the body; then close the table."""
    task = asyncio.get_running_loop().create_task(work)
    task.add_done_callback(lambda done: _close_after(done, table))
    try:
        yield table
    finally:
        task.cancel()
        try:
            with contextlib.suppress(asyncio.CancelledError):
                await task
        finally:
            await table.aclose()


def _close_after(task: asyncio.Task[None], table: Table) -> None:
    """Nobody waits for a link that will never come: ``work`` has failed."""
    if not task.cancelled() and task.exception() is not None:
        table.end(Failure("internal", Exit.BUG))
