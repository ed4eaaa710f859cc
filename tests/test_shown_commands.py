"""Every command that a page shows in a block is run by a test.

Those that one player can run alone are run by ``test_readme`` and ``test_docs``.
Here the developers' scripts are run, shortened where they would take hours, and
the rest, which needs somebody else, is matched with the test that does it. A new
command that nothing runs fails here.
"""

from __future__ import annotations

import ast
import os
import re
import subprocess
from pathlib import Path
from typing import Final

import pytest

from tests import test_docs, test_readme

ROOT: Final = Path(__file__).parent.parent
PAGES: Final = tuple(
    path
    for path in sorted(ROOT.rglob("*.md"))
    if not {".venv", "node_modules", ".git"} & set(path.relative_to(ROOT).parts)
)
SHORTER: Final = {
    "./scripts/test tests/engine": ("scripts/test", "tests/cards"),
    "./scripts/check": ("scripts/check",),
    "./scripts/fmt": ("scripts/fmt", "tests/test_changelog.py"),
    "./scripts/bench": ("scripts/bench", "--quick", "--only", "screen.grid", "--json"),
    "./scripts/simulate 20000": ("scripts/simulate", "20"),
    "./scripts/fuzz --seconds 3600": ("scripts/fuzz", "--seconds", "1"),
    "./scripts/resources": ("scripts/resources", "--json"),
    "./scripts/termination": (
        *("scripts/termination", "--games", "1", "--players", "novice"),
        *("--rules", "crapette", "--jobs", "1"),
    ),
    "./scripts/completions": ("scripts/completions",),
    "./scripts/manual": ("scripts/manual",),
}
"""Command of CONTRIBUTING.md → what is run of it."""
FRIEND: Final = "tests/test_readme.py::test_playing_with_a_friend"
TUNNELS: Final = "tests/netns/test_tunnels.py::test_through_ssh"
PROGRAMS: Final = "tests/test_readme.py::test_two_programs"
HERE: Final = "tests/test_shown_commands.py::"
SCRIPTS: Final = "tests/test_scripts.py::"
CATALOGUES: Final = (
    "tests/ui/test_catalogues.py::test_no_catalogue_is_stale_or_misses_a_sentence"
)
ELSEWHERE: Final = {
    "./scripts/play": SCRIPTS + "test_play_without_a_terminal",
    "./scripts/test": SCRIPTS + "test_the_scripts_that_others_rely_on_exist",
    "./scripts/nightly": HERE + "test_the_night_runs_what_is_there",
    "./scripts/catalogues": CATALOGUES,
    "crapette host": FRIEND,
    "crapette join 192.168.1.20": FRIEND,
    "crapette resume": FRIEND,
    **dict.fromkeys(test_readme.HEADLESS, PROGRAMS),
    "crapette lan": "tests/netns/test_lan.py::test_a_whole_game",
    "crapette join Ala": "tests/netns/test_lan.py::test_three_computers",
    "crapette host --bind 127.0.0.1": TUNNELS,
    "ssh -N -R 4747:localhost:4747 you@server": TUNNELS,
    "ssh -N -L 4747:localhost:4747 you@server": TUNNELS,
    "crapette join 127.0.0.1": TUNNELS,
}
"""Command that needs somebody else, or is the test-suite → the test that runs it."""


def shown(page: Path) -> list[str]:
    """The command lines of a page's shell blocks, without their comments."""
    text = page.read_text(encoding="utf-8")
    blocks = re.findall(
        r"```(?:sh|bash|console|shell|powershell)\n(.*?)```", text, re.DOTALL
    )
    lines = (line.partition(" #")[0].strip() for b in blocks for line in b.splitlines())
    return [line.removeprefix("$ ") for line in lines if line]


def alone() -> set[str]:
    """What is run word by word by the tests of the pages for players."""
    elsewhere = {*test_readme.FRIENDS, *test_readme.HEADLESS}
    readme = set(test_readme.commands("crapette")) - elsewhere
    return readme | set(test_docs.run_alone())


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_command_shown_is_run(page: Path) -> None:
    """By one of the three ways; none is only looked at."""
    assert set(shown(page)) <= alone() | SHORTER.keys() | ELSEWHERE.keys()


def test_nothing_else_is_listed() -> None:
    """A command that no page shows any more is no longer kept here."""
    everywhere = {command for page in PAGES for command in shown(page)}
    assert everywhere >= SHORTER.keys() | ELSEWHERE.keys()


@pytest.mark.parametrize(("command", "test"), ELSEWHERE.items())
def test_the_test_that_runs_it_exists(command: str, test: str) -> None:
    """Under that name, in a module that uses every flag of the command."""
    file, _, name = test.partition("::")
    if command in test_readme.HEADLESS:
        return  # typed from the page, whatever its flags are
    source = (ROOT / file).read_text(encoding="utf-8")
    names = {n.name for n in ast.walk(ast.parse(source)) if hasattr(n, "name")}
    assert name in names
    flags = re.findall(r"(?<= )-{1,2}\w[\w-]*", command)
    assert all(flag in source for flag in flags)


def test_the_night_runs_what_is_there() -> None:
    """Each step is one of the scripts that are run here, or a module of tests."""
    script = (ROOT / "scripts" / "nightly").read_text(encoding="utf-8")
    steps = set(re.findall(r'"\$root/(scripts/\w+)"', script))
    assert steps <= {command for command, *_ in SHORTER.values()}
    assert all((ROOT / path).exists() for path in re.findall(r"tests/\S+", script))


def environment() -> Path:
    """Where the scripts keep what they installed."""
    return Path(os.environ.get("CRAPETTE_VENV", ROOT / ".venv"))


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.skipif(
    not (environment() / "installed-dev").exists(),
    reason="the scripts' own environment is not installed (./scripts/test makes it)",
)
@pytest.mark.parametrize("command", SHORTER.values(), ids=" ".join)
def test_the_scripts_run(command: tuple[str, ...]) -> None:
    """They end with 0, and what is generated was fresh: nothing is changed."""
    before = tree()
    done = subprocess.run(
        [str(ROOT / command[0]), *command[1:]],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=280,
        check=False,
        stdin=subprocess.DEVNULL,
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    assert tree() == before


def tree() -> dict[Path, bytes]:
    """What the generators write, and what ``fmt`` is given to format."""
    places = ("docs", "crapette_p2p/cli/completions", "crapette_p2p/ui/locale")
    files = [f for place in places for f in (ROOT / place).iterdir() if f.is_file()]
    return {f: f.read_bytes() for f in (*files, ROOT / "tests/test_changelog.py")}
