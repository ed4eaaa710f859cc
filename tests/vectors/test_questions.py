"""The list of implementers' questions points at what there is."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tests.vectors.making.writing import VECTORS
from tests.vectors.spec_pages import PROTOCOL, SPEC
from tests.vectors.test_vectors import FILES, kind_of

_PLACE = re.compile(r"\b([1-69]\d), ((?:\d+(?:\.\d+)?(?:, (?=\d+\.\d)| to )?)+)")


def rows() -> list[list[str]]:
    """Question, where it is settled, what tries it."""
    lines = (PROTOCOL / "questions.md").read_text("utf-8").splitlines()
    cells = [line.strip("| ").split(" | ") for line in lines if line.startswith("| ")]
    return cells[1:]


def places(text: str) -> Iterator[tuple[str, str]]:
    """Page and paragraph of everything that is named."""
    for page, numbers in _PLACE.findall(text):
        for number in re.findall(r"\d+(?:\.\d+)?", numbers):
            yield page, number


def test_paragraphs_exist() -> None:
    """Each page has the section or paragraph an answer names."""
    found = 0
    for row in rows():
        for page, number in places(row[1]):
            (path,) = SPEC.glob(f"{page}-*.md")
            head = rf"^(## {number} |{re.escape(number)} )"
            assert re.search(head, path.read_text("utf-8"), re.MULTILINE), row
            found += 1
    assert found >= len(rows())


def test_vectors_exist() -> None:
    """Each kind of vectors, and each recorded game, is there."""
    kinds = {kind_of(path) for path in FILES}
    for row in rows():
        for name in re.findall(r"`([a-z/-]+)`", row[2]):
            known = name in kinds or (VECTORS / f"{name}.json").exists()
            assert known, row


def test_every_row_is_whole() -> None:
    """A question, an answer, and what tries it or a dash."""
    for row in rows():
        assert len(row) == 3, row
        assert row[0].endswith("?"), row
        assert row[2] == "–" or "`" in row[2], row
