"""The known answers of ``known_answers.json``, typed."""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path

PATH = Path(__file__).resolve().parent / "known_answers.json"
Case = dict[str, object]


@lru_cache(maxsize=1)
def _all() -> dict[str, list[Case]]:
    found: dict[str, list[Case]] = json.loads(PATH.read_text(encoding="utf-8"))
    return found


def known_answers(kind: str) -> list[Case]:
    """All cases of one kind, such as layers or signatures."""
    cases = _all()[kind]
    assert cases, f"no cases of kind {kind}"
    return cases


def raw(case: Case, name: str) -> bytes:
    """A hexadecimal field of a case as bytes."""
    value = case[name]
    assert isinstance(value, str)
    return bytes.fromhex(value)


def number(case: Case, name: str) -> int:
    """An integer field of a case."""
    value = case[name]
    assert isinstance(value, int)
    return value


def items(case: Case, name: str) -> list[object]:
    """A list field of a case."""
    value = case[name]
    assert isinstance(value, list)
    return value
