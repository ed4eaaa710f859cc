"""An event loop whose clock jumps: timers cost no time, loopback I/O is real.

When nothing is ready the loop waits a moment for the kernel (loopback needs
none), then moves its clock to the next timer instead of sleeping until it. So a
test sees ten minutes of reconnecting in milliseconds, always in the same order.
"""

from __future__ import annotations

import array
import asyncio
import fcntl
import functools
import selectors
import termios
from collections.abc import Awaitable, Callable
from typing import ParamSpec

GRACE = 0.004
"""Seconds the kernel gets to deliver what was sent on loopback."""
LONGEST = 0.1
"""Seconds bytes that are under way are waited for; a delayed ACK takes 0.04."""
P = ParamSpec("P")


class _JumpingSelector(selectors.DefaultSelector):
    """A selector that moves the clock on instead of waiting for a timer."""

    def __init__(self) -> None:
        super().__init__()
        self.jumped = 0.0

    def select(
        self, timeout: float | None = None
    ) -> list[tuple[selectors.SelectorKey, int]]:
        """Ready descriptors; none after the clock has jumped."""
        if timeout is None or timeout <= 0:
            return super().select(timeout)
        waited = 0.0
        while waited < timeout:
            ready = super().select(min(timeout, GRACE))
            waited += GRACE
            if ready:
                return ready
            if waited > LONGEST or not self._is_under_way():
                break
        self.jumped += max(0.0, timeout - waited)
        return []

    def _is_under_way(self) -> bool:
        """Whether something we sent has not arrived yet (a busy machine)."""
        return any(_unsent(key.fd) for key in self.get_map().values())


def _unsent(fd: int) -> bool:
    count = array.array("i", [0])
    try:
        fcntl.ioctl(fd, termios.TIOCOUTQ, count)
    except OSError:
        return False  # a listening socket, or the loop's own pipe
    return count[0] > 0


class FastLoop(asyncio.SelectorEventLoop):
    """A loop that never sleeps."""

    def __init__(self) -> None:
        self.jumping = _JumpingSelector()
        super().__init__(self.jumping)

    def time(self) -> float:
        """The real clock, plus every wait that was skipped."""
        return super().time() + self.jumping.jumped


def sleep_for(seconds: float) -> None:
    """Let the clock of the running loop stand still and then be that far ahead."""
    loop = asyncio.get_running_loop()
    assert isinstance(loop, FastLoop)
    loop.jumping.jumped += seconds


def fast(test: Callable[P, Awaitable[None]]) -> Callable[P, None]:
    """Run an async test on a ``FastLoop``."""

    @functools.wraps(test)
    def runs(*args: P.args, **kwargs: P.kwargs) -> None:
        async def main() -> None:
            await test(*args, **kwargs)

        with asyncio.Runner(loop_factory=FastLoop) as runner:
            runner.run(main())

    return runs
