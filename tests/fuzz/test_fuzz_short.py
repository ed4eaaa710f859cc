"""The fuzz targets for some seconds, always with the same inputs.

``scripts/fuzz --seconds N`` goes on from here with inputs of its own.
"""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, seed, settings

from tests.fuzz.command_line import fuzz_command_line
from tests.fuzz.mutating import inputs
from tests.fuzz.targets import TARGETS, Target, corpus_of

EVERY: dict[str, tuple[Target, int]] = {
    "frames": (TARGETS["frames"], 150),
    "codec": (TARGETS["codec"], 400),
    "messages": (TARGETS["messages"], 400),
    "events": (TARGETS["events"], 300),
    "session": (TARGETS["session"], 40),
    "log": (TARGETS["log"], 60),
    "evidence": (TARGETS["evidence"], 60),
    "positions": (TARGETS["positions"], 150),
    "actions": (TARGETS["actions"], 300),
    "addresses": (TARGETS["addresses"], 300),
    "announcements": (TARGETS["announcements"], 300),
    "rules": (TARGETS["rules"], 150),
    "signed": (TARGETS["signed"], 40),
    "command_line": (fuzz_command_line, 40),
}
"""Each target and how many inputs it takes here."""


@pytest.mark.slow
@pytest.mark.parametrize("name", EVERY)
def test_the_corpus_has_answers(name: str) -> None:
    """Everything that once was good, or once found something."""
    corpus = corpus_of(name)
    assert corpus
    for data in corpus:
        EVERY[name][0](data)


@pytest.mark.slow
@pytest.mark.parametrize("name", EVERY)
def test_bent_inputs_have_answers(name: str) -> None:
    """Pieces of the corpus after a few edits, and noise."""
    target, count = EVERY[name]

    @seed(1)
    @settings(
        max_examples=count,
        derandomize=True,
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(data=inputs(corpus_of(name)))
    def run(data: bytes) -> None:
        target(data)

    run()
