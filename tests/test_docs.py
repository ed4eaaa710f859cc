"""The pages in docs/: every command works, every setting and picture is as shown."""

from __future__ import annotations

import io
import json
import re
import shlex
import tomllib
from pathlib import Path

import pytest

from crapette_p2p.cli import main
from crapette_p2p.cli.parser import build_parser
from crapette_p2p.ui.house_rules import parse_house_rules
from crapette_p2p.ui.settings import (
    CHOICES,
    ENVIRONMENT,
    KEYS,
    RANGES,
    default_of,
    problem,
)
from tests.cli.finished import finished_log
from tests.cli.processes import Running
from tests.ui.pictures import GOLDENS

ROOT = Path(__file__).parent.parent
DOCS = {path.name: path.read_text("utf-8") for path in (ROOT / "docs").glob("*.md")}
PAGES = {**DOCS, "README.md": (ROOT / "README.md").read_text(encoding="utf-8")}
NEEDS_TWO = ("crapette host", "crapette join", "crapette lan", "crapette resume")
"""Begins of commands that wait for somebody."""


def blocks(text: str, language: str) -> list[str]:
    """The fenced blocks of a language."""
    return re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL)


def commands(text: str) -> list[str]:
    """Every ``crapette`` line of the shell blocks, without its comment."""
    lines = [line for block in blocks(text, "sh") for line in block.splitlines()]
    found = (line.partition("#")[0].strip() for line in lines)
    return [line for line in found if line.startswith("crapette")]


def run_alone() -> list[str]:
    """The commands of docs/ that one player can run."""
    shown = [command for text in DOCS.values() for command in commands(text)]
    return [c for c in dict.fromkeys(shown) if not c.startswith(NEEDS_TWO)]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A player with a finished game and the files that the pages name."""
    monkeypatch.setenv("CRAPETTE_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("CRAPETTE_PLAIN", "1")
    monkeypatch.chdir(tmp_path)
    games = tmp_path / "data" / "games"
    games.mkdir(parents=True)
    (games / "20260101-0123456789abcdef.crlog").write_bytes(finished_log())
    rules = next(b for b in blocks(DOCS["playing.md"], "toml") if "Beginners" in b)
    (tmp_path / "beginners.toml").write_text(rules, encoding="utf-8")
    return tmp_path


@pytest.mark.slow
@pytest.mark.parametrize("command", run_alone())
def test_commands(
    home: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    command: str,
) -> None:
    """A command that is shown ends with 0 and without a complaint."""
    monkeypatch.setattr("sys.stdin", io.StringIO("leave\n"))
    assert main(shlex.split(command)[1:]) == 0
    said = capsys.readouterr().err
    assert "bug" not in said
    assert "crapette: config" not in said
    if "-o " in command:
        assert json.loads((home / "last.json").read_text().splitlines()[0])["v"] == 1


@pytest.mark.parametrize("name", PAGES)
def test_every_command_is_one(name: str) -> None:
    """Also those that stand in the text: the parser takes them."""
    text = PAGES[name]
    inline = re.findall(r"`(crapette(?: [^`]+)?)`", text)
    for command in [*commands(text), *inline]:
        words = shlex.split(command)[1:]
        words = ["4747" if word == "N" else word for word in words]
        if "--help" not in words:
            build_parser().parse_args(words)


@pytest.mark.slow
@pytest.mark.parametrize(
    "command",
    [c for c in commands(DOCS["hosting.md"]) if c.startswith("crapette host")],
)
def test_tables_open_as_the_hosting_page_says(tmp_path: Path, command: str) -> None:
    """Each way of hosting opens a table; ``leave`` is enough to close it."""
    with Running(tmp_path, *shlex.split(command)[1:]) as ala:
        ala.wait_for(r"the table is open on port \d+")


def rows() -> dict[str, list[str]]:
    """Setting → the cells of its row in docs/config.md."""
    found = {}
    for line in DOCS["config.md"].splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) == 5 and re.fullmatch(r"`[a-z_]+`", cells[0]):
            found[cells[0].strip("`")] = cells[1:]
    return found


def test_every_setting_is_documented() -> None:
    """Each key once, with its values, its default and its variable; no other."""
    table = rows()
    assert tuple(table) == KEYS
    variables = {key: name for name, key in ENVIRONMENT.items()}
    for key, (values, default, about, ways) in table.items():
        assert tomllib.loads(f"x = {default.strip('`')}")["x"] == default_of(key)
        assert about
        if key in CHOICES:
            assert tuple(re.findall(r"`([^`]+)`", values)) == CHOICES[key]
        if key in RANGES:
            assert values == "{} to {}".format(*RANGES[key])
        assert variables.get(key, "--") in ways or key not in variables


def test_the_files_shown_are_good() -> None:
    """The example of a config file and the house rules can be used as they are."""
    config = tomllib.loads(blocks(DOCS["config.md"], "toml")[0])
    assert [problem(key, value) for key, value in config.items()] == [None] * 5
    for block in blocks(DOCS["playing.md"], "toml"):
        parse_house_rules(block.encode(), source="playing.md")


def test_the_picture_is_what_the_screen_draws() -> None:
    """The table in docs/playing.md is the one of the golden pictures."""
    golden = (GOLDENS / "table-80x24.txt").read_text(encoding="utf-8")
    drawn = [line.rstrip() for line in golden.splitlines()]
    assert blocks(DOCS["playing.md"], "text")[0].splitlines() == drawn


@pytest.mark.parametrize("name", DOCS)
def test_links_lead_somewhere(name: str) -> None:
    """Every relative link points at a file of the project."""
    for target in re.findall(r"\]\(([^)#:]+)\)", DOCS[name]):
        assert (ROOT / "docs" / target).exists(), target
