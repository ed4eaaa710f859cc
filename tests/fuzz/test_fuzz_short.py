"""The fuzz targets for a minute in CI, always with the same inputs.

``scripts/fuzz --seconds N`` goes on from here with inputs of its own.
"""

from __future__ import annotations

import os
from typing import Final

import pytest
from hypothesis import HealthCheck, given, seed, settings

from tests.fuzz.command_line import fuzz_command_line
from tests.fuzz.mutating import inputs
from tests.fuzz.targets import TARGETS, Target, corpus_of

SHARE: Final = 1 if os.environ.get("CRAPETTE_FUZZ") == "minute" else 8
"""What part of the minute is taken: all of it by ``.ci/run``, else the eighth."""
EVERY: dict[str, tuple[Target, int]] = {
    "frames": (TARGETS["frames"], 2_800),
    "codec": (TARGETS["codec"], 3_700),
    "messages": (TARGETS["messages"], 4_600),
    "events": (TARGETS["events"], 4_300),
    "session": (TARGETS["session"], 1_800),
    "log": (TARGETS["log"], 2_900),
    "evidence": (TARGETS["evidence"], 3_900),
    "positions": (TARGETS["positions"], 4_400),
    "actions": (TARGETS["actions"], 3_000),
    "addresses": (TARGETS["addresses"], 3_200),
    "announcements": (TARGETS["announcements"], 3_200),
    "rules": (TARGETS["rules"], 3_500),
    "signed": (TARGETS["signed"], 1_300),
    "command_line": (fuzz_command_line, 700),
}
"""Each target and how many inputs it takes in CI: some four seconds of work each.

A minute in all, counted in inputs and not by a clock, so that every run does the
same and a busy machine fails no test. One worker does it while others do the rest.
"""


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
        max_examples=count // SHARE,
        derandomize=True,
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(data=inputs(corpus_of(name)))
    def run(data: bytes) -> None:
        target(data)

    run()
