"""Completion: the shipped scripts, and the names asked for at each Tab."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from crapette_p2p.cli import main
from crapette_p2p.cli.completion import HOME, SHELLS
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


@pytest.fixture
def played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A directory with the scripts; the command knows a game and a player."""
    monkeypatch.setenv("CRAPETTE_DATA_DIR", str(tmp_path))
    bin_dir = tmp_path / "bin"
    bin_dir.mkdir()
    command = f'#!/bin/sh\nexec "{sys.executable}" -m crapette_p2p "$@"\n'
    (bin_dir / "crapette").write_text(command, encoding="utf-8")
    (bin_dir / "crapette").chmod(0o755)
    monkeypatch.setenv("PATH", f"{bin_dir}:{os.environ['PATH']}")
    (tmp_path / "games").mkdir()
    (tmp_path / "games" / "20260101-00ff.crlog").touch()
    (tmp_path / "peers.toml").write_text('[[peer]]\nname = "Olek"\n')
    for shell in SHELLS:
        shutil.copy(HOME / f"crapette.{shell}", tmp_path)
    return tmp_path


def asked(shell: str, *arguments: str) -> str:
    """What a shell prints; the test is skipped where it is not installed."""
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed")
    done = subprocess.run(
        [shell, *arguments], capture_output=True, text=True, check=False, timeout=60
    )
    assert done.stderr == ""
    return done.stdout


ASKED = [
    ("crapette re", {"resume", "replay"}),
    ("crapette bot --level ", {"novice", "club", "master"}),
    ("crapette replay ", {"last", "00ff"}),
    ("crapette games delete ", {"last", "00ff"}),
    ("crapette compare ", {"last", "00ff"}),
    ("crapette join ", {"Olek"}),
    ("crapette peers show ", {"Olek"}),
]


@pytest.mark.slow
@pytest.mark.parametrize(("line", "expected"), ASKED)
def test_fish_completes(played: Path, line: str, expected: set[str]) -> None:
    """Commands, values, names of games and players, in fish itself."""
    script = f"source {played}/crapette.fish; complete -C '{line}'"
    rows = asked("fish", "--no-config", "-c", script).splitlines()
    assert expected <= {row.partition("\t")[0] for row in rows}
    assert not any("set_" in row for row in rows)


@pytest.mark.slow
@pytest.mark.parametrize(("line", "expected"), ASKED)
def test_bash_completes(played: Path, line: str, expected: set[str]) -> None:
    """The same in bash, by the function that it calls at a Tab."""
    words = [f"'{word}'" for word in line.split(" ")]
    last, before = words[-1], words[-2]
    script = (
        f"source {played}/crapette.bash; COMP_WORDS=({' '.join(words)}); "
        f"COMP_CWORD={len(words) - 1}; _shtab_crapette crapette {last} {before}; "
        'printf "%s\\n" "${COMPREPLY[@]}"'
    )
    assert expected <= set(asked("bash", "--norc", "-c", script).splitlines())


@pytest.mark.slow
@pytest.mark.parametrize(
    "how", ["source {}/crapette.zsh", 'eval "$(<{}/crapette.zsh)"']
)
def test_zsh_takes_the_script(played: Path, how: str) -> None:
    """Sourced or evaluated, it registers itself and complains of nothing."""
    script = (
        f"autoload -Uz compinit; compinit -u -d {played}/dump; "
        f"{how.format(played)}; print $_comps[crapette]"
    )
    assert asked("zsh", "-f", "-c", script).strip() == "_shtab_crapette"


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
