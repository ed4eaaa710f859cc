"""Ports for tables that are left and opened again at the same place."""

from __future__ import annotations

import os
from typing import Final

_FIRST: Final = 10_000
_EACH: Final = 20
_PROCESSES: Final = 1_000


def own_ports() -> str:
    """A range of ports for ``--port`` that only this process's tests use.

    Below those that a system gives to whoever asks for any: such a one can be
    somebody else's before the table is opened again.
    """
    first = _FIRST + os.getpid() % _PROCESSES * _EACH
    return f"{first}-{first + _EACH - 1}"
