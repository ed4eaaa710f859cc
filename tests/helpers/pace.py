"""How much slower than alone a program gets on here, for bounds on the real clock."""

from __future__ import annotations

import os
import time
from typing import Final

_WORK: Final = 0.02
"""Seconds of the processor that are worked to see how long they take."""


def slowness() -> float:
    """1 on an idle computer; more where others want its processors, too."""
    began, worked = time.monotonic(), time.thread_time()
    while time.thread_time() - worked < _WORK:
        pass
    waited = (time.monotonic() - began) / _WORK
    queue = os.getloadavg()[0] / (os.cpu_count() or 1)
    return max(1.0, waited, queue)


class Stopwatch:
    """Seconds as they would be on an idle computer, for bounds.

    A bound on them fails where the program waits too long, and not where it was not
    let run: the computer is looked at before and after, and the busier look counts.
    """

    def __init__(self) -> None:
        self._slowness = slowness()
        self._began = time.monotonic()

    @property
    def passed(self) -> float:
        """Real seconds, for what may not come too early."""
        return time.monotonic() - self._began

    @property
    def seconds(self) -> float:
        """Since it was begun, for what may not come too late."""
        return self.passed / max(self._slowness, slowness())
