"""Which nicks are lawful does not depend on the interpreter that is asked."""

from __future__ import annotations

import itertools
import unicodedata

import pytest

from crapette_p2p.gamelog import nicks
from crapette_p2p.gamelog.nicks import is_valid_nick
from tests.vectors.making.nicks import NEWER, NEWEST
from tests.vectors.nick_table import KINDS, fresh_module
from tests.vectors.spec_pages import table

TABLE = table("nick-characters")


def ranges(kind: str) -> list[tuple[int, int]]:
    """The ranges of a kind as numbers."""
    return [(int(low, 16), int(high, 16)) for low, high in TABLE[kind]]


def points_of(kind: str) -> list[int]:
    """Every code point of a kind."""
    return [point for low, high in ranges(kind) for point in range(low, high + 1)]


def test_the_module_is_what_the_table_makes() -> None:
    """The ranges in the code are those of the table."""
    path, text = fresh_module()
    assert path.read_text("utf-8") == text, "run scripts/tables"


def test_ranges_ascend_and_never_meet() -> None:
    """No code point stands in two places, no two ranges are one."""
    for kind in KINDS:
        points = [point for pair in ranges(kind) for point in pair]
        assert points == sorted(points)
        lows, highs = points[2::2], points[1:-1:2]
        assert all(low > high + 1 for low, high in zip(lows, highs, strict=True))
    every = sorted(pair for kind in KINDS for pair in ranges(kind))
    assert all(a[1] < b[0] for a, b in itertools.pairwise(every))


@pytest.mark.slow
@pytest.mark.skipif(
    unicodedata.unidata_version != TABLE["unicode"], reason="another Unicode"
)
def test_the_table_is_the_version_it_names() -> None:
    """Each code point stands in the list of its category, and in no other."""
    lists = {c: kind for kind, names in TABLE["categories"].items() for c in names}
    listed = {point: kind for kind in KINDS for point in points_of(kind)}
    unseen = set(points_of("unseen"))
    for point in range(0x110000):
        kind = lists.get(unicodedata.category(chr(point)))
        assert listed.get(point) == (None if point in unseen else kind), hex(point)
        assert kind or point not in unseen, hex(point)


def test_no_name_is_unseen() -> None:
    """What shows nothing makes no name, and none that looks like another."""
    for point in points_of("unseen"):
        assert not is_valid_nick(chr(point))
        assert not is_valid_nick(f"Ala{chr(point)}")


def test_later_characters_are_refused_by_every_interpreter() -> None:
    """A letter of Unicode 15 is none here, also where the interpreter knows it."""
    for character in NEWEST:
        assert is_valid_nick("a" + character)
    for character in NEWER:
        assert not is_valid_nick("a" + character)


def test_an_interpreter_with_other_tables_says_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """With the categories of Unicode 3.2 at hand every answer stays as it was."""

    class Old:
        """Unicode 3.2, which Python keeps; normal forms as in this version."""

        category = staticmethod(unicodedata.ucd_3_2_0.category)
        normalize = staticmethod(unicodedata.normalize)

    asked = ["a" + chr(point) for point in range(0x21, 0x11000, 7)]
    asked += ["Żółw", "नमस्ते", *("a" + c for c in NEWEST + NEWER)]
    answers = [is_valid_nick(nick) for nick in asked]
    monkeypatch.setattr(nicks, "unicodedata", Old)
    assert [is_valid_nick(nick) for nick in asked] == answers
    assert any(answers)
    assert not all(answers)
