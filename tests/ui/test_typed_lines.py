"""Lines from standard input: cut where they are too long, read when wanted."""

from __future__ import annotations

import io

import pytest

from crapette_p2p.ui.console import Console
from crapette_p2p.ui.typed_lines import LONGEST, read_line, words_of
from tests.helpers.endless import Endless

LONG = "x" * LONGEST


@pytest.mark.parametrize("end", ["\n", ""])
@pytest.mark.parametrize("rest", ["", "y", LONG, f"{LONG}y"])
def test_what_is_too_long_is_cut_and_its_rest_is_no_line(rest: str, end: str) -> None:
    """What stands behind its end is the next line."""
    source = io.StringIO(f"{LONG}{rest}{end}next\n" if end else f"{LONG}{rest}")
    assert read_line(source) == LONG
    assert read_line(source) == ("next\n" if end else "")


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("j  192.168.1.20 \n", ["j", "192.168.1.20"]),
        ("j 'Big Bob'", ["j", "Big Bob"]),
        ('p "a game.crlog" --html x', ["p", "a game.crlog", "--html", "x"]),
        ("j O'Neil's den", ["j", "O'Neil's", "den"]),
        ("j 'tis C:\\x", ["j", "'tis", "C:\\x"]),
        ("h --label ''", ["h", "--label", ""]),
        (" \n", []),
    ],
)
def test_a_word_in_quotes_holds_blanks(line: str, words: list[str]) -> None:
    """As a hint writes a name; apostrophes and paths of Windows are what they are."""
    assert words_of(line) == words


def test_short_lines_are_as_typed() -> None:
    """Also the last, which nobody has ended."""
    source = io.StringIO("one\n\ntwo")
    assert [read_line(source) for _ in range(4)] == ["one\n", "\n", "two", ""]


def test_a_line_without_an_end_is_the_end() -> None:
    """As from /dev/zero."""
    source = Endless("\0")
    assert read_line(source) == ""
    assert source.taken < 2_000_000


async def test_a_console_reads_a_line_when_one_is_wanted() -> None:
    """What nobody has asked for stays in the pipe, however much it is."""
    source = Endless("y\n")
    console = Console(source, io.StringIO(), interactive=False)
    for count in range(1, 4):
        assert await console.next_line() == "y"
        assert source.taken == count * len("y\n")


async def test_a_console_ends_where_a_line_has_no_end() -> None:
    """And reads no more."""
    source = Endless("\0")
    console = Console(source, io.StringIO(), interactive=False)
    assert await console.next_line() is None
    assert console.ended
