"""Vectors of nicks at the borders of Unicode 14.0: newer, beside, or not to be seen."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from tests.vectors.making.wire import add_outcome
from tests.vectors.making.writing import Group, VectorFile
from tests.vectors.nick_table import KINDS
from tests.vectors.spec_pages import table

NEWEST: Final = "\ua7c0\ua7d0\U0001df00\U00010570\U00012f90\U00016a70\U0001e290"
"""Letters that Unicode 14.0 brought."""
NEWER: Final = (
    "\u0cf3\u0ece\U0001df25\U0001e030\U0001e4d0\U00031350\U00011f02"  # 15.0
    "\U0002ebf0"  # 15.1
    "\u1c89\ua7cb\U000105c0\U00010d4a\U00016d40\U0001ccf0"  # 16.0
)
"""Letters, marks and numbers of later versions."""


def files() -> Iterator[VectorFile]:
    """The file of this module."""
    groups = [_versions(), *(_borders(kind) for kind in KINDS), _unseen()]
    yield VectorFile("nicks", "nicks", "spec/50-wire.md#6", groups)


def _versions() -> Group:
    group = Group("versions")
    for character in NEWEST:
        add_outcome(group, "nicks", "new in 14.0", {"nick": "a" + character})
    for character in NEWER:
        comment = f"U+{ord(character):04X} is newer than 14.0"
        add_outcome(group, "nicks", comment, {"nick": "a" + character})
    return group


def _borders(kind: str) -> Group:
    """Both ends of some ranges, and the code points beside them."""
    group = Group(f"borders-of-{kind}")
    for low, high in table("nick-characters")[kind][::12]:
        first, last = int(low, 16), int(high, 16)
        for comment, point in (
            ("before the range", first - 1),
            ("its first", first),
            ("its last", last),
            ("behind the range", last + 1),
        ):
            spelled = f"U+{point:04X}, {comment}"
            add_outcome(group, "nicks", spelled, {"nick": "a" + chr(point)})
    return group


def _unseen() -> Group:
    """Letters and marks that show nothing: no name, and no part of one."""
    group = Group("unseen")
    for low, _ in table("nick-characters")["unseen"]:
        for nick in (chr(int(low, 16)), "a" + chr(int(low, 16))):
            add_outcome(group, "nicks", f"U+{low} shows nothing", {"nick": nick})
    return group
