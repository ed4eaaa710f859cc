"""The scripts: plain sh, one word each, at home in any directory."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SCRIPTS = sorted(
    p for p in (ROOT / "scripts").iterdir() if p.is_file() and not p.suffix
)
CI = ROOT / ".ci" / "run"
PREPARED = (Path(sys.prefix) / "installed-dev").exists()
"""Whether this environment was made by the scripts themselves."""


def run(*command: str, **environ: str) -> subprocess.CompletedProcess[str]:
    """Run a command with nothing on its standard input."""
    return subprocess.run(
        command,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, **environ},
    )


@pytest.mark.parametrize("script", [*SCRIPTS, CI], ids=lambda p: p.name)
def test_scripts_are_careful(script: Path) -> None:
    """Each is executable plain sh that stops at the first failure."""
    text = script.read_text(encoding="utf-8")
    assert os.access(script, os.X_OK)
    assert text.startswith("#!/bin/sh\n# ")
    assert "\nset -eu\n" in text
    assert run("sh", "-n", str(script)).returncode == 0


def test_the_scripts_that_others_rely_on_exist() -> None:
    """What the README and CI name is there, and CI runs exactly ``scripts/test``."""
    names = {path.name for path in SCRIPTS}
    assert {"play", "test", "check", "fmt", "bench", "completions"} <= names
    assert "scripts/test" in CI.read_text(encoding="utf-8")
    for word in ("ruff check", "ruff format --check", "mypy", "pytest"):
        assert word in (ROOT / "scripts" / "test").read_text(encoding="utf-8")


def find_python(directory: Path, **pythons: str) -> subprocess.CompletedProcess[str]:
    """Ask ``find_python`` with these commands on the PATH, and no others."""
    dirname = shutil.which("dirname")
    assert dirname is not None
    (directory / "dirname").symlink_to(dirname)
    for name, text in pythons.items():
        path = directory / name.replace("_", ".")
        path.write_text(f"#!/bin/sh\n{text}\n")
        path.chmod(0o755)
    script = f'. "{ROOT}/scripts/common.sh"; find_python'
    return run(
        "/bin/sh",
        "-c",
        script,
        str(ROOT / "scripts" / "x"),
        PATH=str(directory),
        PYTHON="",
    )


def test_a_python_that_does_not_work_is_passed_over(tmp_path: Path) -> None:
    """A name that exists and cannot run (a shim) is no Python."""
    found = find_python(
        tmp_path, python3="exit 127", python3_12=f'exec "{sys.executable}" "$@"'
    )
    assert found.stdout == "python3.12\n"


def test_without_a_python_the_script_says_what_to_install(tmp_path: Path) -> None:
    """Where none is usable, the message names what helps."""
    found = find_python(tmp_path, python3="exit 1")
    assert found.returncode == 1
    assert "3.11" in found.stderr
    assert "python3-venv" in found.stderr


@pytest.mark.slow
@pytest.mark.skipif(not PREPARED, reason="this environment was not made by the scripts")
def test_play_without_a_terminal(tmp_path: Path) -> None:
    """Two bots play over a real connection, and the log of the game verifies."""
    done = subprocess.run(
        [str(ROOT / "scripts" / "play")],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
        env={
            **os.environ,
            "CRAPETTE_DATA_DIR": str(tmp_path),
            "CRAPETTE_VENV": sys.prefix,
        },
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1].startswith("verified: ")
