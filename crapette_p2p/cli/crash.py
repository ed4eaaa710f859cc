"""The report of a bug: where it happened, on what, and nothing secret.

A traceback shows code, not values, so no face-down card, key or invite gets into
it; of the command line only the command's name is kept.
"""

from __future__ import annotations

import argparse
import os
import platform
import tempfile
import time
import traceback
from pathlib import Path

from crapette_p2p import __version__
from crapette_p2p.cli.context import paths_of
from crapette_p2p.cli.output import printable, write_beside


def write_report(args: argparse.Namespace, error: BaseException) -> str:
    """Write the report and return where it lies; stderr if no file can be made."""
    lines = [
        f"crapette {__version__}, Python {platform.python_version()},",
        f"{platform.platform()}, command: {args.command or 'menu'}",
        *traceback.format_exception(error),
    ]
    text = "\n".join(printable(line) for part in lines for line in part.splitlines())
    name = time.strftime("crash-%Y%m%d-%H%M%S") + f"-{os.getpid()}.txt"
    for directory in (_state_directory(args), Path(tempfile.gettempdir())):
        try:
            directory.mkdir(parents=True, exist_ok=True)
            (directory / name).write_text(text + "\n", encoding="utf-8")
        except OSError:
            continue
        return str(directory / name)
    write_beside(text + "\n")
    return "the lines above"


def _state_directory(args: argparse.Namespace) -> Path:
    try:
        return paths_of(args).state
    except (OSError, RuntimeError):  # no home directory
        return Path(tempfile.gettempdir())
