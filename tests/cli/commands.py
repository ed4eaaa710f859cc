"""Run the command line inside the test's own process."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from crapette_p2p.cli import main


@dataclass(frozen=True, slots=True)
class Done:
    """What a command printed and exited with."""

    code: int
    out: str
    err: str


class Crapette:
    """``crapette`` with a data directory of the test's own."""

    def __init__(self, home: Path, capture: pytest.CaptureFixture[str]) -> None:
        self.home = home
        self._capture = capture

    def __call__(self, *arguments: str) -> Done:
        """Run one command line."""
        self._capture.readouterr()
        code = main(["--data-dir", str(self.home), *arguments])
        printed = self._capture.readouterr()
        return Done(code, printed.out, printed.err)
