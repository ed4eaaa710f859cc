"""What a game takes from the computer: chance, and the time of day.

Always called by the module's name: whoever puts others in their place plays the same
games again.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable


def entropy() -> Callable[[int], bytes]:
    """Random bytes, so many at a time; a source for each player."""
    return os.urandom


def clock() -> Callable[[], int]:
    """Unix time: a comment in logs and the peers file, nothing depends on it."""
    return wall_clock


def wall_clock() -> int:
    """A clock that was never set may stand before 1970, which no log can hold."""
    return max(0, int(time.time()))
