"""Programs that a test starts deal the same cards in every run of it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.helpers.children import PYTHONPATH

DRAWS = """
from crapette_p2p.net import sources
print(sources.entropy()(8).hex(), sources.clock()())
"""


def drawn(folder: Path, test: str, *words: str) -> str:
    """What a program with these words draws, and what time it has."""
    folder.mkdir(exist_ok=True)
    environ = {**os.environ, "PYTHONPATH": PYTHONPATH}
    environ["SAME_CHANCE"] = f"{folder}\n{test}"
    command = [sys.executable, "-c", DRAWS, *words]
    return subprocess.run(
        command, env=environ, capture_output=True, text=True, check=True
    ).stdout


@pytest.mark.slow
def test_chance_is_the_same_in_every_run_and_another_for_each_program(
    tmp_path: Path,
) -> None:
    """Whatever the folders of a run are called; their names may hold blanks."""
    first, second = tmp_path / "a run", tmp_path / "another"
    draws = [
        drawn(first, "test"),
        drawn(first, "test"),  # the same program, once more
        drawn(first, "test", "word"),
        drawn(first, "other test"),
    ]
    assert len({*draws}) == len(draws)
    assert [drawn(second, "test"), drawn(second, "test")] == draws[:2]
    ports = (
        drawn(run, "test", "h:" + p) for run, p in ((first, "4747"), (second, "52001"))
    )
    assert len({*ports}) == 1
    assert {draw.split()[1] for draw in draws} == {"1796000000"}
