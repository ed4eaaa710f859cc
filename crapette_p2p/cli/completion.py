"""``crapette completion``: print the completion script made for a shell.

The scripts are made by ``scripts/completions`` and shipped, so that printing one
costs nothing and completing a word starts no Python.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Final

from crapette_p2p.cli.output import write_line

NAME = "completion"
SHELLS: Final = ("bash", "zsh", "fish", "powershell")
HOME: Final = Path(__file__).parent / "completions"
"""Where the scripts lie, one a shell."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add this command's flags."""
    parser.add_argument(
        "shell", choices=SHELLS, help="for example: crapette completion bash"
    )


def run(args: argparse.Namespace) -> int:
    """Print the script."""
    script = HOME / f"crapette.{args.shell}"
    write_line(script.read_text(encoding="utf-8").rstrip("\n"))
    return 0
