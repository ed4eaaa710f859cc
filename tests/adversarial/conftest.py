"""Fixtures of the adversarial cases."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.adversarial.verdicts import Court


@pytest.fixture(scope="module")
def court(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Court]:
    """Where a module's cases hand in their evidence."""
    court = Court(tmp_path_factory.mktemp("evidence"))
    yield court
    court.judge()
