"""Run a command's coroutine so that HUP and TERM end it as Ctrl-C does.

The main task is cancelled, its ``finally`` blocks save and close, and the exit
code says which signal it was (129, 130, 143).
"""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Coroutine
from typing import Final

from crapette_p2p.cli import errors

_EXIT_CODES: Final = {
    "SIGHUP": errors.HANGUP,
    "SIGINT": errors.INTERRUPTED,
    "SIGTERM": errors.TERMINATED,
}


def run_async(main: Coroutine[object, object, int]) -> int:
    """Run ``main`` to its end or to a signal; its result or the signal's code."""
    return asyncio.run(_until_signal(main))


async def _until_signal(main: Coroutine[object, object, int]) -> int:
    loop = asyncio.get_running_loop()
    task = loop.create_task(main)
    caught: list[int] = []

    def stop(exit_code: int) -> None:
        caught.append(exit_code)
        task.cancel()

    for name, exit_code in _EXIT_CODES.items():
        number = getattr(signal, name, None)  # Windows has no SIGHUP
        # What nohup or a shell's "&" had us ignore stays ignored.
        if number is not None and signal.getsignal(number) is not signal.SIG_IGN:
            try:
                loop.add_signal_handler(number, stop, exit_code)
            except (NotImplementedError, ValueError, RuntimeError):
                continue  # Windows' loop, or not the main thread: as asyncio does it
    try:
        return await task
    except asyncio.CancelledError:
        if caught:
            return caught[0]
        raise
