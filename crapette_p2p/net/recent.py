"""Names of tables that were seen a moment ago, for a Tab that must not wait.

Looking at the network takes longer than a shell may take to complete a word, so
``crapette lan`` leaves the names it has listed here. They are forgotten after some
minutes; a lost or damaged file costs nothing.
"""

from __future__ import annotations

import contextlib
import json
import os
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from crapette_p2p.gamelog.nicks import is_valid_nick
from crapette_p2p.net.failures import StorageError
from crapette_p2p.net.files import read_small, replace_file

FRESH_SECONDS: Final = 600.0
MOST: Final = 64


def note_tables(path: Path, names: Iterable[str]) -> None:
    """Keep the names of the tables that are listed now; a full disk is no matter."""
    kept = [*dict.fromkeys(names)][:MOST]
    with contextlib.suppress(StorageError):
        if kept or os.path.exists(path):
            replace_file(path, json.dumps(kept).encode())


def recent_tables(path: Path) -> list[str]:
    """The names that were listed in the last minutes."""
    try:
        if time.time() - path.stat().st_mtime > FRESH_SECONDS:
            return []
        names = json.loads(read_small(path) or b"[]")
    except (OSError, StorageError, ValueError, RecursionError):
        return []
    if not isinstance(names, list):
        return []
    return [name for name in names[:MOST] if is_valid_nick(name)]
