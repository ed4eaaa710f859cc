"""Makes the vector files that derive from code; ``scripts/vectors`` writes them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Final

from tests.vectors.making import ending, log, received, rules, wire
from tests.vectors.making.writing import VectorFile

_MODULES: Final[tuple[Callable[[], Iterator[VectorFile]], ...]] = (
    rules.files,
    wire.files,
    log.files,
    received.files,
    ending.files,
)


@cache
def fresh_files() -> dict[Path, str]:
    """Every made file with the text it has to have."""
    found = [file for files in _MODULES for file in files()]
    return {file.path: file.text() for file in found}
