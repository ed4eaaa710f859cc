"""Cells: widths as wcwidth counts them, and texts of others made harmless."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from wcwidth import wcswidth, wcwidth

from crapette_p2p.ui.render.cells import (
    char_width,
    clean,
    clean_prose,
    cut,
    pad,
    text_width,
    wrap,
)

FORBIDDEN = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp", "Mc"}


@pytest.mark.slow
def test_every_character_is_as_wide_as_wcwidth_says() -> None:
    """All of Unicode that ``clean`` lets through."""
    wrong = [
        hex(code)
        for code in range(0x110000)
        if unicodedata.category(chr(code)) not in FORBIDDEN
        and clean(f"x{chr(code)}") != "x"
        and char_width(chr(code)) != wcwidth(chr(code))
    ]
    assert wrong == []


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[2Jhello", "[2Jhello"),
        ("\x1b]52;c;AAAA\x07x", "]52;c;AAAAx"),
        ("a\x9b31mb", "a31mb"),
        ("left\u202eright", "leftright"),
        ("♥\ufe0f", "♥"),
        ("\U0001f0a1 \U0001f0cf mine", "  mine"),
        ("o" + "\u0301" * 500, "o\u0301\u0301"),
        ("\u0301a", "a"),
        ("a\r\nb\tc", "abc"),
    ],
)
def test_text_of_others_cannot_drive_the_terminal(text: str, shown: str) -> None:
    """Control, format and selector characters go; marks do not pile up."""
    assert clean(text) == shown


@given(st.text(max_size=80), st.integers(0, 40))
def test_a_cut_text_fits(text: str, width: int) -> None:
    """Never wider than asked, by wcwidth's count."""
    short = cut(clean(text), width)
    assert text_width(short) <= width
    assert wcswidth(short) <= max(width, 0)
    assert text_width(pad(clean(text), width)) == width


def test_a_mark_is_not_left_alone_at_the_end_of_a_line() -> None:
    """No line is broken at a no-break blank, and none is lost on the way."""
    text = clean_prose("crier «\u00a0Crapette\u00a0!\u00a0» ici\x1b")
    for width in range(14, 24):
        assert "«\u00a0Crapette\u00a0!\u00a0»" in "|".join(wrap(text, width))
    assert "\x1b" not in text


@given(st.text(max_size=200), st.integers(1, 40))
def test_wrapped_lines_fit(text: str, width: int) -> None:
    """Every line of a wrapped text fits."""
    assert all(text_width(line) <= width for line in wrap(clean(text), width))
