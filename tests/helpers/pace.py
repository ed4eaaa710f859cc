"""How much slower than alone a program gets on here, for bounds on the real clock."""

from __future__ import annotations

import os
import time

_WORK = 0.02
"""Seconds of the processor that are worked to see how long they take."""


def slowness() -> float:
    """1 on an idle computer; more where others want its processors, too.

    A bound that is multiplied with it fails where the program waits too long, and
    not where it was not let run.
    """
    began, worked = time.monotonic(), time.thread_time()
    while time.thread_time() - worked < _WORK:
        pass
    waited = (time.monotonic() - began) / _WORK
    queue = os.getloadavg()[0] / (os.cpu_count() or 1)
    return max(1.0, waited, queue)
