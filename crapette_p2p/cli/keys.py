"""``crapette keys``: the keys of the table, of the replay, and of the line mode."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Final

from crapette_p2p.cli.output import write_line
from crapette_p2p.cli.speaking import words, words_in_force

if TYPE_CHECKING:  # loaded when the command runs
    from collections.abc import Sequence

    from crapette_p2p.ui.input.keymap import Binding

NAME = "keys"
_CAP: Final = 16
"""Columns for what a key is called."""
_WIDTH: Final = 78


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add no flags: there is one list."""
    del parser


def run(args: argparse.Namespace) -> int:
    """Print the tables that the screen's key line and help page show too."""
    del args
    from crapette_p2p.ui.input.keymap import REPLAY_KEYS, TABLE_KEYS
    from crapette_p2p.ui.typed import help_lines

    write_line(words("At the table"))
    _write_bindings(TABLE_KEYS)
    write_line("")
    write_line(words("In a replay"))
    _write_bindings(REPLAY_KEYS)
    write_line("")
    write_line(words("In line mode (crapette --plain)"))
    for line in help_lines(words_in_force(), assist=True):
        write_line(f"  {line}")
    return 0


def _write_bindings(bindings: Sequence[Binding]) -> None:
    import textwrap

    for binding in bindings:
        cap = (binding.cap or binding.key).strip() or words("Space")
        wrapped = textwrap.wrap(words(binding.help), _WIDTH - _CAP - 2)
        for number, line in enumerate(wrapped):
            write_line(f"  {'' if number else cap:{_CAP}}{line}")
