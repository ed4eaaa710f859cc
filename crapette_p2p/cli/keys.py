"""``crapette keys``: the keys of the table, of the replay, and of the line mode."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Final

from crapette_p2p.cli.output import room_for_prose, write_prose
from crapette_p2p.cli.speaking import words, words_in_force

if TYPE_CHECKING:  # loaded when the command runs
    from collections.abc import Sequence

    from crapette_p2p.ui.input.keymap import Binding

NAME = "keys"
_CAP: Final = 16
"""Columns for what a key is called."""
_WIDTH: Final = 78
_LEAST: Final = 8
"""Columns that a key's help has, however narrow the terminal is."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add no flags: there is one list."""
    del parser


def run(args: argparse.Namespace) -> int:
    """Print the tables that the screen's key line and help page show too."""
    del args
    from crapette_p2p.ui.input.keymap import REPLAY_KEYS, TABLE_KEYS
    from crapette_p2p.ui.typed import help_lines

    write_prose(words("At the table"))
    _write_bindings(TABLE_KEYS)
    write_prose("")
    write_prose(words("In a replay"))
    _write_bindings(REPLAY_KEYS)
    write_prose("")
    write_prose(words("In line mode (crapette --plain)"))
    for line in help_lines(words_in_force(), assist=True):
        write_prose(f"  {line}")
    return 0


def _write_bindings(bindings: Sequence[Binding]) -> None:
    import textwrap

    room = max(room_for_prose(_WIDTH) - _CAP - 2, _LEAST)
    for binding in bindings:
        cap = (binding.cap or binding.key).strip() or words("Space")
        wrapped = textwrap.wrap(words(binding.help), room, break_long_words=False)
        for number, line in enumerate(wrapped):
            write_prose(f"  {'' if number else cap:{_CAP}}{line}")
