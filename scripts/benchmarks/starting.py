"""Start Python, as a person's shell would."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def environment(**more: str) -> dict[str, str]:
    """The environment in which the package of this directory is found."""
    return {**os.environ, "PYTHONPATH": str(ROOT), **more}


def python(*arguments: str) -> None:
    """Run Python to its end."""
    subprocess.run(
        [sys.executable, *arguments],
        stdout=subprocess.DEVNULL,
        stdin=subprocess.DEVNULL,
        env=environment(),
        check=True,
    )
