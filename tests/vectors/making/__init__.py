"""Makes the vector files that derive from code; ``scripts/vectors`` writes them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Final

from tests.vectors.making import (
    broken,
    comparing,
    corners,
    ending,
    farewells,
    games,
    links,
    links_to,
    log,
    logins,
    nicks,
    patience,
    proposals,
    received,
    resumes,
    rules,
    states,
    timing,
    wire,
)
from tests.vectors.making.writing import VectorFile

_MODULES: Final[tuple[Callable[[], Iterator[VectorFile]], ...]] = (
    rules.files,
    corners.files,
    wire.files,
    logins.files,
    nicks.files,
    log.files,
    received.files,
    resumes.files,
    links_to.files,
    farewells.files,
    proposals.files,
    ending.files,
    broken.files,
    comparing.files,
    states.files,
    timing.files,
    patience.files,
)


@cache
def fresh_files() -> dict[Path, bytes]:
    """Every made file with the bytes it has to have."""
    found = [file for files in _MODULES for file in files()]
    made = {file.path: file.text().encode() for file in found}
    return made | dict(games.files()) | dict(links.files())
