"""**Pure**: labels and other text of somebody else, so that a reader sees all of it.

Theory of operation. The rule set of a genesis bears a label that its proposer may
choose freely: it is signed, says nothing anybody may rely on, and is not refused.
But it stands on the screen of whoever is asked to agree, and characters that show
nothing (the table ``nick-characters`` calls them unseen) would make two labels look
alike, or one like none. So they are shown by their numbers, and a label of blanks
in quotes.
"""

from __future__ import annotations

from typing import Final

from crapette_p2p.gamelog.nick_ranges import UNSEEN
from crapette_p2p.gamelog.nicks import is_among

_BLANK_SIGN: Final = "\u2800"
"""Braille without a dot: no letter, number or mark, and nothing to see."""


def is_unseen(character: str) -> bool:
    """Whether a printable character shows nothing, and is no blank either."""
    return character == _BLANK_SIGN or is_among(UNSEEN, character)


def has_unseen(text: str) -> bool:
    """Whether there is more in a text than can be seen."""
    return not text.isascii() and any(map(is_unseen, text))


def seen(text: str) -> str:
    """The text with what shows nothing written as its number."""
    if not has_unseen(text):
        return text
    return "".join(ascii(c)[1:-1] if is_unseen(c) else c for c in text)


def label_text(text: str) -> str:
    """A label of somebody else as it may stand on a screen; never blank."""
    shown = seen("".join(c for c in text if c.isprintable()))
    return shown if shown.strip() else f'"{shown}"'
