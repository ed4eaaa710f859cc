"""Fixtures of the adversarial cases."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from tests.adversarial.verdicts import Court


@pytest.fixture(scope="module")
def court(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Court]:
    """Where a module's cases hand in their evidence."""
    court = Court(tmp_path_factory.mktemp("evidence"))
    yield court
    court.judge()


@pytest.fixture(autouse=True)
def _nobodys_home(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No case touches the files of whoever runs the tests."""
    for name in [name for name in os.environ if name.startswith("CRAPETTE_")]:
        if name != "CRAPETTE_EVERY_BYTE":
            monkeypatch.delenv(name)
    home = tmp_path_factory.getbasetemp() / "nobody"
    monkeypatch.setenv("CRAPETTE_DATA_DIR", str(home))
