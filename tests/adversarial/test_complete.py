"""Every case of the threat list has a test that carries its number.

Run as a program this module prints the list: case, test, file.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

HERE = Path(__file__).parent
COUNTS = {"w": 20, "a": 17, "d": 21, "c": 19, "r": 7, "e": 13, "t": 10}
"""Wire, login, dealing, channel, rules, end, machine: 107 in all."""
_TEST = re.compile(r"^(?:async )?def (test_((?:[a-z]\d\d_)+)\w+)", re.MULTILINE)
_NUMBER = re.compile(r"[a-z]\d\d")


def wanted() -> list[str]:
    """The number of every case: w01 .. t10."""
    return [
        f"{letter}{n:02}" for letter, last in COUNTS.items() for n in range(1, last + 1)
    ]


def carried() -> dict[str, list[str]]:
    """The tests of each case, as ``file::name``."""
    found: dict[str, list[str]] = {}
    for path in sorted(HERE.glob("test_*.py")):
        for match in _TEST.finditer(path.read_text(encoding="utf-8")):
            for number in _NUMBER.findall(match[2]):
                found.setdefault(number, []).append(f"{path.name}::{match[1]}")
    return found


def test_each_of_the_107_cases_has_a_test() -> None:
    """No number is missing, and none is invented."""
    assert len(wanted()) == 107
    assert sorted(carried()) == sorted(wanted())


if __name__ == "__main__":
    for number in wanted():
        sys.stdout.write(f"{number.upper()}  {', '.join(carried()[number])}\n")
