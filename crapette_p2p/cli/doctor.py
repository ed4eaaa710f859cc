"""``crapette doctor``: look at the terminal, the files and the network, and help.

``--reset`` writes what gives a terminal back after the program was killed: no
other screen, no mouse reports, cursor shown, keys echoed.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from crapette_p2p.cli.output import versioned, write_json, write_line
from crapette_p2p.cli.speaking import words

if TYPE_CHECKING:  # loaded when the command runs
    from crapette_p2p.cli.check import Check

NAME = "doctor"
WIDTH = 79


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add this command's flags."""
    parser.add_argument(
        "--reset", action="store_true", help="give a broken terminal back"
    )
    parser.add_argument("--json", action="store_true", help="the checks as JSON")


def run(args: argparse.Namespace) -> int:
    """Print one line a check, with what helps where something is wrong."""
    if args.reset:
        from crapette_p2p.ui.leftover import give_back

        give_back()
        return 0
    from crapette_p2p.cli.checkup import all_checks

    checks = all_checks(args)
    if args.json:
        write_json(versioned({"checks": [check.as_json() for check in checks]}))
        return 0
    width = max(10, *(len(words(check.name)) for check in checks))
    for check in checks:
        _tell(check, width)
    return 0


def _tell(check: Check, width: int) -> None:
    from textwrap import wrap

    sign = {True: "ok", False: "!!", None: "--"}[check.ok]
    first = f"{sign}  {words(check.name):{width}} "
    room = WIDTH - len(first)
    detail = wrap(words(check.detail), room, break_long_words=False) or [""]
    write_line(first + detail[0])
    for line in detail[1:]:
        write_line(" " * len(first) + line)
    if check.hint:  # often a command to be copied: never broken
        write_line(f"    {'':{width}} {words(check.hint)}")
