"""Text of the peer: nothing of it can drive a terminal."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crapette_p2p.session.text import cut, displayable

HOSTILE = [
    "\x1b[2J",
    "\x1b]52;c;aGk=\x07",
    "\x9b31m",
    "a\nb\r\tc",
    "\u202eevil\u2066",
    "zero\u200bwidth\ufeff",
    "\u2028line\u2029",
    "private\ue000",
    "\x00nul",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_control_and_format_characters_are_stripped(text: str) -> None:
    """ESC, C1, bidi, zero width, line separators, private use: gone."""
    shown = displayable(text)
    bad = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
    assert not any(unicodedata.category(c) in bad for c in shown)


def test_ordinary_text_is_left_alone() -> None:
    """Letters, signs, suits and spaces of any script stay."""
    text = "Cześć, Олег – 7♥ gegen 8♠! 😀"
    assert displayable(text) == text


@given(st.text(), st.integers(0, 60))
def test_cutting_never_splits_a_character(text: str, limit: int) -> None:
    """The result fits and is a beginning of the text."""
    short = cut(text, limit)
    assert len(short.encode()) <= limit
    assert text.startswith(short)
