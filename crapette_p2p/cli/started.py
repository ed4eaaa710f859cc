"""How this program can be started again, for the commands that sentences name."""

from __future__ import annotations

import os
import shlex
import sys
from functools import cache
from pathlib import Path
from typing import Final

NAME: Final = "crapette"


@cache
def started_as() -> str:
    """``crapette`` where a shell finds that, else the way to it from here.

    It is found out when the first sentence names a command.
    """
    import shutil

    if shutil.which(NAME):
        return NAME
    suffix = ".exe" if os.name == "nt" else ""
    typed, beside = Path(sys.argv[0]), Path(sys.executable).with_name(NAME + suffix)
    script = typed if typed.stem == NAME else beside
    if not script.is_file():
        return f"{shlex.quote(sys.executable)} -m crapette_p2p"
    return shlex.quote(_shortest(script))


def _shortest(script: Path) -> str:
    """From here or from the root, whichever is less to type; never a bare name."""
    whole = os.path.abspath(script)
    try:
        near = os.path.relpath(script)
    except ValueError:  # on another drive
        return whole
    if os.path.dirname(near) == "":
        near = os.path.join(os.curdir, near)
    return min(near, whole, key=len)
