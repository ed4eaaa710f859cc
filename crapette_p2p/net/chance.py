"""Where all chance of a game comes from: the operating system."""

from __future__ import annotations

import os
from collections.abc import Callable


def source() -> Callable[[int], bytes]:
    """Random bytes, so many at a time; one source for each player.

    Always called by the module's name: whoever puts another in its place plays the
    same games again.
    """
    return os.urandom
