"""Every command that the README shows does what the README says."""

from __future__ import annotations

import io
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from crapette_p2p.cli import main
from crapette_p2p.ui.house_rules import parse_house_rules
from tests.cli.finished import finished_log
from tests.cli.processes import Running
from tests.helpers.ports import own_ports

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
TYPED = {"crapette bot --level novice": "leave\n"}
"""What is typed into a command that plays; it would wait otherwise."""
FRIENDS = ("crapette host", "crapette join 192.168.1.20", "crapette resume")
"""How two people meet and go on: a test of their own is below."""
ADDRESS = "192.168.1.20"
"""Of the host, wherever a command names one."""


def at_port(typed: list[str], port: str) -> list[str]:
    """What is typed to join, but for where the table of a test is."""
    at = typed.index(ADDRESS)
    return [*typed[:at], "127.0.0.1", port, *typed[at + 1 :]]


def blocks(language: str) -> list[str]:
    """The fenced blocks of a language."""
    return re.findall(rf"```{language}\n(.*?)```", README, re.DOTALL)


def commands(program: str) -> list[str]:
    """Every command line of a program, without its comment."""
    lines = [line for block in blocks("sh") for line in block.splitlines()]
    found = (line.partition("#")[0].strip() for line in lines)
    return [line for line in found if line.split()[0] == program]


HEADLESS = [
    command
    for command in commands("crapette")
    if command.split()[1] in ("host", "join") and "--auto" in command
]
"""How two bots meet: whoever hosts, then whoever joins."""


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A player who has played a game, with the README's files at hand."""
    data = tmp_path / "data"
    monkeypatch.setenv("CRAPETTE_DATA_DIR", str(data))
    monkeypatch.setenv("CRAPETTE_PLAIN", "1")
    monkeypatch.chdir(tmp_path)
    (data / "games").mkdir(parents=True)
    for path in (
        data / "games" / "20260101-0123456789abcdef.crlog",
        tmp_path / "mine.crlog",
        tmp_path / "theirs.crlog",
    ):
        path.write_bytes(finished_log())
    (tmp_path / "docs").mkdir()
    shutil.copy(ROOT / "docs" / "position.json", tmp_path / "docs")
    return tmp_path


@pytest.mark.slow
@pytest.mark.parametrize(
    "command", [c for c in commands("crapette") if c not in {*FRIENDS, *HEADLESS}]
)
def test_commands(
    home: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    command: str,
) -> None:
    """A command shown ends with 0 and says something, and it is no bug."""
    monkeypatch.setattr("crapette_p2p.net.autoplay.THINK_MS", 2)  # quick
    typed = TYPED.get(command, "")
    monkeypatch.setattr("sys.stdin", io.StringIO(typed))
    assert main(shlex.split(command)[1:]) == 0
    printed = capsys.readouterr()
    made = {path.name for path in home.iterdir()} - {"data"}
    assert printed.out or printed.err or "game.html" in made or "set" in command
    assert "bug" not in printed.err


@pytest.mark.slow
def test_playing_with_a_friend(tmp_path: Path) -> None:
    """``host`` and ``join`` meet; after both have left, ``resume`` finds the game.

    Typed as they are printed; a pipe is no terminal, so each speaks in lines.
    """
    host, join, resume = (shlex.split(c)[1:] for c in FRIENDS)
    with Running(tmp_path / "a", *host, "--port", own_ports()) as ala:
        port = ala.wait_for(r"open on port (\d+)")[1]
        with Running(tmp_path / "o", *at_port(join, port)) as olek:
            ala.wait_for("knocks")
            ala.type("y")
            olek.type("y")
            olek.type("y")
            ala.wait_for("dealing: done")
            olek.wait_for("dealing: done")
            olek.type("leave")
    with (
        Running(tmp_path / "a", *resume) as ala,
        Running(tmp_path / "o", *resume) as olek,
    ):
        ala.wait_for("the game goes on")
        olek.wait_for("the game goes on")


@pytest.mark.slow
def test_two_programs(tmp_path: Path) -> None:
    """Two headless seats play a whole game as JSON lines, typed as they are printed."""
    hosting, joining = HEADLESS
    host = [*shlex.split(hosting)[1:], "--port", "0"]
    with Running(tmp_path / "a", *host) as ala:
        port = ala.wait_for(r'"port":(\d+)')[1]
        join = at_port(shlex.split(joining)[1:], port)
        with Running(tmp_path / "o", *join) as olek:
            assert olek.finish() == 0, ala.err + olek.err
            assert ala.finish() == 0
    for player in (ala, olek):
        lines = [json.loads(line) for line in player.out.splitlines()]
        assert [line["v"] for line in lines] == [1] * len(lines)
        assert lines[-1]["type"] == "result"
        (peer,) = (line for line in lines if line["type"] == "peer")
        assert peer["address"] == "127.0.0.1"  # on either side the address alone


def test_the_house_rules_shown_can_be_played() -> None:
    """The file in the README is a rule set."""
    table = parse_house_rules(blocks("toml")[0].encode(), source="README.md")
    assert (table.label, table.rules.reserve_size) == ("Sunday", 11)


@pytest.mark.slow
def test_the_python_shown_runs(home: Path) -> None:
    """The lines of Python do what they say."""
    code = blocks("python")[0]
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=False,
        cwd=home,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert done.stderr == ""
    lines = done.stdout.splitlines()
    assert any(line.startswith("3-F ") for line in lines)
    assert any(line.endswith("ends the turn") for line in lines)


def test_links_lead_somewhere() -> None:
    """Every relative link points at a file of the project."""
    for target in re.findall(r"\]\(([^)#]+)\)", README):
        assert (ROOT / target).exists(), target
