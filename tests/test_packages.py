"""The built packages: what is in them, and that a clean computer can play."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
OFFLINE = (
    *("connection broken by", "Max retries exceeded", "name resolution"),
    *("timed out", "IncompleteRead", "HTTP error 5", "Server Error"),
)
"""What pip says where it reaches no index; a version that is missing is no excuse."""

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The sdist, and the wheel that is built from it; needs no network."""
    folder = tmp_path_factory.mktemp("dist")
    build = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder)]
    done = subprocess.run(
        [*build, str(ROOT)], capture_output=True, text=True, check=False, timeout=120
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return next(folder.glob("*.tar.gz")), next(folder.glob("*.whl"))


def test_the_sdist_has_all_that_a_packager_needs(
    packages: tuple[Path, Path],
) -> None:
    """Documents, protocol, tests and scripts beside the package."""
    with tarfile.open(packages[0]) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    wanted = [path for path in ROOT.glob("*.md") if path.is_file()]
    wanted += [*(ROOT / "docs").glob("*"), *(ROOT / "protocol" / "spec").glob("*.md")]
    wanted += [*(ROOT / "protocol" / "vectors").glob("*.json")]
    missing = {path.relative_to(ROOT).as_posix() for path in wanted} - names
    assert missing == set()
    assert {"LICENSE", "scripts/test", "tests/test_packages.py"} <= names
    assert not any(name.endswith((".pyc", ".crlog.lock")) for name in names)


def test_the_wheel_has_the_program_alone(packages: tuple[Path, Path]) -> None:
    """Catalogues and completion scripts come with it, tests do not."""
    with zipfile.ZipFile(packages[1]) as archive:
        names = archive.namelist()
    assert "crapette_p2p/cli/completions/crapette.bash" in names
    assert "crapette_p2p/ui/locale/pl.mo" in names
    assert any(name.endswith("share/man/man1/crapette.1") for name in names)
    assert not any(name.startswith(("tests/", "scripts/")) for name in names)


@pytest.mark.timeout(300)
def test_a_clean_computer_plays(packages: tuple[Path, Path], tmp_path: Path) -> None:
    """Installed into an empty environment, from an empty home: a whole game."""
    home, place = tmp_path / "home", tmp_path / "venv"
    home.mkdir()
    venv.create(place)
    programs = place / ("Scripts" if os.name == "nt" else "bin")
    python = programs / "python"
    pip = [sys.executable, "-m", "pip", "--python", str(python)]
    install = [*pip, "install", "--quiet", str(packages[1])]
    try:
        done = subprocess.run(
            [*install, "--disable-pip-version-check", "--no-input"],
            capture_output=True,
            text=True,
            check=False,
            timeout=180,
        )
    except subprocess.TimeoutExpired:
        pytest.skip("the package index does not answer in time")
    if done.returncode and any(sign in done.stderr for sign in OFFLINE):
        pytest.skip("no package index can be reached: " + done.stderr[-300:])
    assert done.returncode == 0, done.stderr
    environ = {k: v for k, v in os.environ.items() if k in ("PATH", "SYSTEMROOT")}
    environ |= {"HOME": str(home), "PYTHONUTF8": "1"}
    crapette = programs / "crapette"

    def run(*arguments: str) -> str:
        done = subprocess.run(
            [crapette, *arguments],
            capture_output=True,
            text=True,
            check=False,
            cwd=home,
            env=environ,
            timeout=120,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    run("bot", "--auto", "novice", "--rules", "garibaldka", "--seed", "1")
    assert json.loads(run("games", "--json"))[0]["status"] == "finished"
    assert "level 5 of 5" in run("verify", "last")
    assert "Garibaldka" in run("rules", "garibaldka")
    assert {path.name for path in home.iterdir()} <= {".config", ".local"}
