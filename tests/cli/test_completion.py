"""Completion: the shipped scripts, and the names asked for at each Tab."""

from __future__ import annotations

import importlib.util
import subprocess
from pathlib import Path
from types import ModuleType

import pytest

from crapette_p2p.cli import main
from crapette_p2p.cli.completion import SHELLS
from tests.cli.commands import Crapette

ROOT = Path(__file__).parent.parent.parent


def maker() -> ModuleType:
    """``scripts/make_completions.py`` as a module."""
    path = ROOT / "scripts" / "make_completions.py"
    spec = importlib.util.spec_from_file_location("make_completions", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_shipped_scripts_are_up_to_date() -> None:
    """The files are what ``scripts/completions`` makes of the parser."""
    made = maker().scripts()
    assert len(made) == len(SHELLS)
    for path, text in made.items():
        shipped = path.read_text(encoding="utf-8")
        assert shipped == text.rstrip("\n") + "\n", "run scripts/completions"


@pytest.mark.parametrize("shell", SHELLS)
def test_scripts_are_printed(crapette: Crapette, shell: str) -> None:
    """Each shell gets its script, with every command in it."""
    done = crapette("completion", shell)
    assert done.code == 0
    for word in ("host", "verify", "plain", "novice"):
        assert word in done.out


def test_unknown_shells_are_refused(crapette: Crapette) -> None:
    """A shell without a script is exit 2 with those that have one."""
    done = crapette("completion", "tcsh")
    assert done.code == 2
    assert "fish" in done.err


@pytest.mark.slow
def test_bash_reads_its_script(crapette: Crapette) -> None:
    """Bash finds no fault with the script."""
    script = crapette("completion", "bash").out
    done = subprocess.run(
        ["bash", "-n"], input=script, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_names_of_games_and_players(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """A Tab lists ids of games, newest first, and petnames; nothing on trouble."""
    monkeypatch.setenv("CRAPETTE_DATA_DIR", str(tmp_path))
    assert main(["__complete", "peers"]) == 0
    assert capsys.readouterr().out == ""
    (tmp_path / "games").mkdir()
    (tmp_path / "games" / "20260101-00ff.crlog").touch()
    (tmp_path / "peers.toml").write_text('[[peer]]\nname = "Olek"\n')
    main(["__complete", "games"])
    assert capsys.readouterr().out == "last\n00ff\n"
    main(["__complete", "peers"])
    assert capsys.readouterr().out == "Olek\n"
    (tmp_path / "peers.toml").write_text("[[peer]\n")
    assert main(["__complete", "peers"]) == 0
    assert main(["__complete"]) == 0
    assert capsys.readouterr().out == ""
