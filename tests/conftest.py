"""What holds for every test."""

from __future__ import annotations

from collections.abc import Iterable

import pytest


def pytest_collection_modifyitems(items: Iterable[pytest.Item]) -> None:
    """Measure no coverage in slow tests: they repeat, at length, what others reach.

    Measuring costs three times the time of what is measured, and a game played
    a hundred times covers no line more than one played once.
    """
    for item in items:
        if item.get_closest_marker("slow") is not None:
            item.add_marker("no_cover")
