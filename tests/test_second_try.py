"""Which failures get a second try, and what comes of it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from second_try import FAILED, MOST, OTHERS, PURE, may_be_late, try_again

from tests.conftest import HERE

LATE = "tests/ui/test_late.py::test_late"


@pytest.mark.parametrize(
    ("names", "may"),
    [
        ([LATE], True),
        (["tests/test_readme.py::test_all", LATE], True),
        ([LATE, "tests/engine/test_duties.py::test_one"], False),
        (["tests/session/test_resume.py::test_one[a::b/c]"], False),
        (["tests/fuzz/test_fuzz_short.py::test_one[frames]"], False),
        ([f"{LATE}[{number}]" for number in range(MOST + 1)], False),
        ([], False),
    ],
)
def test_only_few_tests_that_wait_get_one(names: list[str], may: bool) -> None:
    """What computes only, and many at once, are faults."""
    assert may_be_late(names) == may


def test_what_only_computes_is_all_there() -> None:
    """No folder of the list has got another name."""
    assert all((HERE / name).is_dir() for name in PURE)


@pytest.mark.parametrize(("body", "code"), [("open('x')", 1), ("open('x', 'a')", 0)])
def test_what_fails_again_has_failed(
    body: str, code: int, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """The first try may have failed by chance, the second decides; both are told."""
    path = tmp_path / LATE.partition("::")[0]
    path.parent.mkdir(parents=True)
    path.write_text(f"def test_late():\n    {body}.close()\n")
    (tmp_path / FAILED).parent.mkdir(parents=True)
    (tmp_path / FAILED).write_text(json.dumps({LATE: True}))
    assert try_again(tmp_path) == code
    told = capfd.readouterr().out
    assert told.startswith(f"== a second try, alone:\n   {LATE}\n")
    assert told.endswith(f"Unsteady, to be mended:\n   {LATE}\n") == (code == 0)


def test_other_cards_are_dealt(tmp_path: Path) -> None:
    """A test that is only right for some cards is named, too, and stops nobody."""
    path = tmp_path / LATE.partition("::")[0]
    path.parent.mkdir(parents=True)
    told = f"os.environ['CRAPETTE_CHANCE'] == {OTHERS!r}"
    path.write_text(f"import os\ndef test_late():\n    assert {told}\n")
    (tmp_path / FAILED).parent.mkdir(parents=True)
    (tmp_path / FAILED).write_text(json.dumps({LATE: True}))
    assert try_again(tmp_path) == 0


def test_without_a_list_of_failures_there_is_none(tmp_path: Path) -> None:
    """Nothing known is nothing forgiven."""
    assert try_again(tmp_path) == 1
