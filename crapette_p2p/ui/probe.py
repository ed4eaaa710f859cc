"""How wide this terminal draws what we want to draw, asked before the first frame.

East Asian set-ups draw "ambiguous" signs two cells wide, and then nothing stands
where it should. The terminal is asked where its cursor is after each sign. The
screen does not wait: it is drawn as for an ordinary terminal, and answers are read
among the keys as they come (``LATEST``). The check-up, which has no screen, waits
a quarter of a second (``probe``).
"""

from __future__ import annotations

import os
import re
import select
import sys
import time
from typing import Final

SIGNS: Final = "♠♥─░"
"""Suits, edges and shades: what is ambiguous in one is so in all of its kind."""
PATIENCE: Final = 0.25
LATEST: Final = 2.0
"""Seconds after which it is no answer: Ctrl with F3 is sent by the same bytes."""
_ANSWER: Final = rb"\x1b\[(\d+);(\d+)R"


def question(signs: str = SIGNS) -> str:
    """What is written: each sign at the left margin, then "where is the cursor?"."""
    asked = "".join(f"\r{sign}\x1b[6n" for sign in signs)
    return f"{asked}\r\x1b[K"


def columns(answer: bytes) -> list[int]:
    """The columns that were answered, from 1."""
    return [int(column) for _, column in re.findall(_ANSWER, answer)]


def draws_wide(answer: bytes) -> bool:
    """Whether any sign moved the cursor by more than one cell."""
    return any(column > 2 for column in columns(answer))


def probe(patience: float = PATIENCE) -> bool:
    """Whether the terminal of this process draws our signs two cells wide."""
    if sys.platform == "win32":
        return False
    import termios
    import tty

    try:
        source, target = sys.stdin.fileno(), sys.stdout.fileno()
        kept = termios.tcgetattr(source)
    except (OSError, ValueError, termios.error):
        return False
    try:
        tty.setcbreak(source, termios.TCSANOW)
        os.write(target, question().encode("utf-8"))
        return draws_wide(_read_answers(source, len(SIGNS), patience))
    finally:
        termios.tcsetattr(source, termios.TCSANOW, kept)


def _read_answers(source: int, wanted: int, patience: float) -> bytes:
    answer = b""
    until = time.monotonic() + patience
    while len(columns(answer)) < wanted:
        left = until - time.monotonic()
        if left <= 0 or not select.select([source], [], [], left)[0]:
            break
        answer += os.read(source, 256)
    return answer
