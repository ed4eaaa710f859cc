"""The fixture most tests of the command line use."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.commands import Crapette
from tests.cli.networks import Canned

_VARIABLES = "NAME CONFIG DATA_DIR LANG PLAIN ASCII COLOR NO_ANIM INVITE PORT LOG"


@pytest.fixture
def crapette(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> Crapette:
    """The command, away from the developer's own files and environment."""
    for name in _VARIABLES.split(" "):
        monkeypatch.delenv(f"CRAPETTE_{name}", raising=False)
    monkeypatch.delenv("NO_COLOR", raising=False)
    return Crapette(tmp_path / "home", capsys)


@pytest.fixture
def network(monkeypatch: pytest.MonkeyPatch) -> Canned:
    """Look at the canned network, not at the real one."""
    monkeypatch.setattr("crapette_p2p.cli.lan.PATIENCE", 0.05)
    monkeypatch.setattr("crapette_p2p.cli.lan.COMPANY", 0.05)
    return Canned(monkeypatch)
