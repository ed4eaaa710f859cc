"""What holds for every test."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Final

import pytest

HERE: Final = Path(__file__).parent
UNMEASURED: Final = frozenset({"adversarial", "fuzz", "interop", "netns", "vectors"})
"""Folders whose tests go over the same code again and again, from outside."""


def pytest_collection_modifyitems(items: Iterable[pytest.Item]) -> None:
    """Measure no coverage in slow tests: they repeat, at length, what others reach.

    Measuring costs three times the time of what is measured, and a game played
    a hundred times covers no line more than one played once.
    """
    for item in items:
        folder = item.path.relative_to(HERE).parts[0]
        if folder in UNMEASURED or item.get_closest_marker("slow") is not None:
            item.add_marker("no_cover")
