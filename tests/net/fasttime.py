"""An event loop whose clock jumps: timers cost no time, loopback I/O is real.

When nothing is ready the loop waits a moment for the kernel (loopback needs
none), then moves its clock to the next timer instead of sleeping until it. So a
test sees ten minutes of reconnecting in milliseconds, always in the same order.

Between two jumps the clock counts what this process has worked, not what it has
waited: however busy the computer is, nobody's patience ends sooner.
"""

from __future__ import annotations

import array
import asyncio
import fcntl
import functools
import selectors
import termios
import time
from collections.abc import Awaitable, Callable
from concurrent.futures import Executor
from typing import ParamSpec, TypeVar, TypeVarTuple

GRACE = 0.004
"""Seconds the kernel gets to deliver what was sent on loopback."""
LONGEST = 0.1
"""Seconds bytes that are under way are waited for; a delayed ACK takes 0.04."""
P = ParamSpec("P")
T = TypeVar("T")
Ts = TypeVarTuple("Ts")


class _JumpingSelector(selectors.DefaultSelector):
    """A selector that moves the clock on instead of waiting for a timer."""

    def __init__(self) -> None:
        super().__init__()
        self.jumped = 0.0
        self.threads = 0
        """Work that another thread is at: a name is looked up, a bot thinks."""

    def select(
        self, timeout: float | None = None
    ) -> list[tuple[selectors.SelectorKey, int]]:
        """Ready descriptors; none after the clock has jumped."""
        if timeout is None or timeout <= 0:
            return super().select(timeout)
        waited = 0.0
        while not (ready := super().select(GRACE)):
            if self.threads:
                continue  # it takes no time of this clock
            waited += GRACE
            if waited > LONGEST or not self._is_under_way():
                self.jumped += timeout
                break
        return ready

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
        """What this process has worked, plus every wait that was skipped."""
        return time.process_time() + self.jumping.jumped

    def run_in_executor(
        self,
        executor: Executor | None,
        func: Callable[[*Ts], T],
        *args: *Ts,
    ) -> asyncio.Future[T]:
        """As usual, but the clock does not jump before it is done."""
        done = super().run_in_executor(executor, func, *args)
        self.jumping.threads += 1
        done.add_done_callback(self._thread_ended)
        return done

    def _thread_ended(self, _done: asyncio.Future[T]) -> None:
        self.jumping.threads -= 1


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
