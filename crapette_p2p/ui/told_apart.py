"""**Pure**: two players of one name, made tellable.

The mark stands in front, where it is left when a long name is cut short; a name
cannot hold its brackets, so nobody can call himself that.
"""

from __future__ import annotations

from collections.abc import Callable


def told_apart(
    nicks: tuple[str, str], seat: int | None, words: Callable[[str], str]
) -> tuple[str, str]:
    """The names by seat as they are; of two that look alike one is marked.

    It is the reader's own, who has ``seat``; where nobody knows which that is
    (None), both bear the letters of their seats.
    """
    first, second = nicks
    if first.casefold() != second.casefold():
        return nicks
    if seat is None:
        return f"(A) {first}", f"(B) {second}"
    mine = f"({words('you')})"
    return (f"{mine} {first}", second) if seat == 0 else (first, f"{mine} {second}")
