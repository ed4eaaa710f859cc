"""``crapette doctor``: look at the terminal, the files and the network, and help.

``--reset`` writes what gives a terminal back after the program was killed: no
other screen, no mouse reports, cursor shown, keys echoed.
"""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING, Final

from crapette_p2p.cli.output import versioned, write_json, write_line
from crapette_p2p.cli.speaking import words

if TYPE_CHECKING:  # loaded when the command runs
    from crapette_p2p.cli.check import Check

NAME = "doctor"
RESET: Final = (
    "\x1b[?1049l"  # the other screen
    "\x1b[?1006l\x1b[?1003l\x1b[?1002l\x1b[?1000l"  # mouse reports
    "\x1b[?2004l"  # pastes in brackets
    "\x1b[?25h\x1b[?7h\x1b[0m"  # cursor, line wrap, no colours
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add this command's flags."""
    parser.add_argument(
        "--reset", action="store_true", help="give a broken terminal back"
    )
    parser.add_argument("--json", action="store_true", help="the checks as JSON")


def run(args: argparse.Namespace) -> int:
    """Print one line a check, with what helps where something is wrong."""
    if args.reset:
        _reset()
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
    sign = {True: "ok", False: "!!", None: "--"}[check.ok]
    write_line(f"{sign}  {words(check.name):{width}} {words(check.detail)}")
    if check.hint:
        write_line(f"    {'':{width}} {words(check.hint)}")


def _reset() -> None:
    sys.stdout.write(RESET)
    sys.stdout.flush()
    if sys.platform == "win32" or not sys.stdin.isatty():
        return
    import termios

    # What "stty sane" would set, as far as a full-screen program unsets it.
    state = termios.tcgetattr(sys.stdin)
    state[0] |= termios.BRKINT | termios.ICRNL | termios.IXON
    state[1] |= termios.OPOST | termios.ONLCR
    state[3] |= termios.ECHO | termios.ICANON | termios.ISIG | termios.IEXTEN
    termios.tcsetattr(sys.stdin, termios.TCSADRAIN, state)
