"""Try the few tests that failed once more, alone: chance of time, or a fault?

Hundreds of tests wait for other processes, links and terminals; on a busy computer
one of them may be late, or come to a moment of its game that it was not made for. So
the second try deals other cards, too. What computes only (``PURE``) gets none.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
FAILED: Final = Path(".pytest_cache/v/cache/lastfailed")
OTHERS: Final = "2"
"""The cards of the second try (``CRAPETTE_CHANCE``, see ``tests/conftest.py``)."""
MOST: Final = 3
"""More failures than this are no chance."""
PURE: Final = frozenset(
    (
        *("bot", "canonical", "cards", "engine", "fairdeal", "fuzz", "gamelog"),
        *("session", "vectors"),
    )
)
"""Folders of ``tests/`` that no clock, no link and no other process has part in."""


def may_be_late(names: list[str]) -> bool:
    """Whether these failures can be the computer's fault."""
    parts = [Path(name.partition("::")[0]).parts for name in names]
    return 0 < len(names) <= MOST and all(
        len(part) > 1 and PURE.isdisjoint(part) for part in parts
    )


def try_again(root: Path = ROOT) -> int:
    """0 if all that failed passes now."""
    try:
        names = sorted(json.loads((root / FAILED).read_bytes()))
    except FileNotFoundError:
        return 1
    if not may_be_late(names):
        return 1
    print("== a second try, alone:", *names, sep="\n   ", flush=True)
    words = ("-q", "--numprocesses=0", "--no-cov", *names)
    tried = subprocess.run(
        [sys.executable, "-m", "pytest", *words],
        cwd=root,
        env=os.environ | {"CRAPETTE_CHANCE": OTHERS},
        check=False,
    )
    if tried.returncode == 0:
        print("Unsteady, to be mended:", *names, sep="\n   ")
    return tried.returncode


if __name__ == "__main__":
    sys.exit(try_again())
