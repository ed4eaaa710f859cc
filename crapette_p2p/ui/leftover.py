"""What a program that was killed leaves of a terminal, and giving it back.

Nothing can be done at the time; so the next one who comes does it: ``crapette
doctor --reset`` always, a start on the screen or in line mode where it finds a
terminal that reads key by key, which no shell hands over.
"""

from __future__ import annotations

import sys
from typing import Final

RESET: Final = (
    "\x1b[?1049l"  # the other screen
    "\x1b[?1006l\x1b[?1003l\x1b[?1002l\x1b[?1000l"  # mouse reports
    "\x1b[?2004l"  # pastes in brackets
    "\x1b[?25h\x1b[?7h\x1b[0m"  # cursor, line wrap, no colours
)


def give_back() -> None:
    """The shell's screen, no mouse reports, a cursor, lines with echo."""
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


def clean_up() -> None:
    """Give the terminal back if it was left in another program's hands."""
    if _reads_keys():
        give_back()


def _reads_keys() -> bool:
    """Whether the terminal hands over keys instead of lines."""
    if sys.platform == "win32":
        return False
    import termios

    try:
        state = termios.tcgetattr(sys.stdin)
        return sys.stdout.isatty() and not state[3] & termios.ICANON
    except (OSError, ValueError, AttributeError, termios.error):
        return False
