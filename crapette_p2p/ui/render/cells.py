"""Terminal cells: how wide a text is, and what of it may be shown at all.

Widths agree with ``wcwidth`` (a test compares every character), without its cost
at start-up. Text of other people passes through ``clean`` first: no control or
format character, no variation selector, no tower of combining marks.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from typing import Final

_FORBIDDEN: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp", "Mc"})
"""Spacing marks too: how wide they are depends on whom you ask."""
_MARKS_IN_A_ROW: Final = 2
_WIDE_SYMBOLS: Final = (
    (0x2630, 0x2637),
    (0x268A, 0x268F),
    (0x4DC0, 0x4DFF),
    (0x1D300, 0x1D376),
)
"""Drawn two cells wide since Unicode 16, newer than the interpreter's tables."""
_JOINED_LETTERS: Final = (
    (0x1160, 0x11FF),
    (0xD7B0, 0xD7FF),
    (0x3164, 0x3164),
    (0xFFA0, 0xFFA0),
)
"""Hangul vowels and finals that join the letter before them."""
_JOINING_SIGNS: Final = (
    (0xFE00, 0xFE0F),
    (0x1F0A0, 0x1F0FF),
    (0x1F1E6, 0x1F1FF),
    (0x1F3FB, 0x1F3FF),
)
"""Selectors, pictures of cards, halves of flags, skin tones: terminals disagree on
their width, and a card on the table is one of ours."""
_ELLIPSIS: Final = "…"
NO_BREAK: Final = "\u00a0"
"""A blank that no line is broken at: French has one before ``!`` and ``:``."""


def _within(code: int, ranges: tuple[tuple[int, int], ...]) -> bool:
    return any(low <= code <= high for low, high in ranges)


@lru_cache(maxsize=4096)
def char_width(char: str) -> int:
    """Cells one character takes: 0, 1 or 2."""
    code = ord(char)
    if code < 0x300:
        return 1
    if unicodedata.category(char) in {"Mn", "Me", "Mc"}:
        return 0
    if _within(code, _JOINED_LETTERS):
        return 0
    if _within(code, _WIDE_SYMBOLS):
        return 2
    return 2 if unicodedata.east_asian_width(char) in {"W", "F"} else 1


def text_width(text: str) -> int:
    """Cells a text takes."""
    return len(text) if text.isascii() else sum(map(char_width, text))


@lru_cache(maxsize=1024)
def clean(text: str) -> str:
    """The text without anything that could move, hide or pile up cells."""
    kept: list[str] = []
    marks = _MARKS_IN_A_ROW  # a text may not begin with a mark
    for char in text:
        category = unicodedata.category(char)
        if category in _FORBIDDEN or _within(ord(char), _JOINING_SIGNS):
            continue
        if char_width(char) == 0:
            marks += 1
            if marks > _MARKS_IN_A_ROW:
                continue
        else:
            # Only letters carry marks: elsewhere terminals disagree on the width.
            marks = 0 if category[0] == "L" else _MARKS_IN_A_ROW
        kept.append(" " if category == "Zs" else char)
    return "".join(kept)


def clean_prose(text: str) -> str:
    """As ``clean``, with its no-break blanks: for what is yet to be wrapped."""
    if NO_BREAK not in text:
        return clean(text)
    return NO_BREAK.join(map(clean, text.split(NO_BREAK)))


def cut(text: str, width: int) -> str:
    """The text in at most ``width`` cells, with an ellipsis where it was cut."""
    if text_width(text) <= width:
        return text
    kept, used = [], 0
    for char in text:
        used += char_width(char)
        if used > width - 1:
            break
        kept.append(char)
    return "".join(kept) + _ELLIPSIS if width > 0 else ""


def pad(text: str, width: int) -> str:
    """The text cut or filled with blanks to exactly ``width`` cells."""
    short = cut(text, width)
    return short + " " * (width - text_width(short))


def fill(text: str, width: int) -> str:
    """The text, whole, with blanks behind it up to ``width`` cells."""
    return text + " " * (width - text_width(text))


def wrap(text: str, width: int) -> list[str]:
    """The text in lines of at most ``width`` cells, broken at blanks."""
    first, rest = wrap_first(text, width, width)
    return [first, *rest]


def wrap_first(text: str, width: int, later: int) -> tuple[str, list[str]]:
    """The first line of ``width`` cells, and further ones of ``later`` cells.

    A word that is longer than a line (an invite) is broken, never cut.
    """
    lead = text[: len(text) - len(text.lstrip(" "))]
    lines: list[str] = []
    line, room = "", max(width, 1)
    for word in text.lstrip(" ").split(" "):
        rest = f"{line} {word}" if line or lines else lead + word
        if lines and not line:
            rest = word
        if line and text_width(rest) > room and text_width(word) <= later:
            lines.append(line)
            rest, room = word, max(later, 1)
        while text_width(rest) > room:
            head = _head(rest, room)
            lines.append(head)
            rest, room = rest[len(head) :], max(later, 1)
        line = rest
    lines.append(line)
    return cut(lines[0], max(width, 0)), [
        cut(line, max(later, 0)) for line in lines[1:]
    ]


def _head(text: str, width: int) -> str:
    """As many characters as fit, one at least."""
    used = 0
    for index, char in enumerate(text):
        used += char_width(char)
        if used > width:
            return text[: max(index, 1)]
    return text
