"""The commands that sentences name can be typed where they are read."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from crapette_p2p.cli.explaining import explain
from crapette_p2p.cli.output import complain, complain_as_told
from crapette_p2p.cli.parser import COMMANDS
from crapette_p2p.cli.started import started_as
from crapette_p2p.net.failures import Exit, Failure, NetError
from crapette_p2p.ui import wording
from crapette_p2p.ui.language import _COMMANDS, ENGLISH, STARTED_AS, as_started

NAME = "crapette.exe" if os.name == "nt" else "crapette"


@pytest.fixture(autouse=True)
def _found_out_anew() -> Iterator[None]:
    started_as.cache_clear()
    yield
    started_as.cache_clear()


@pytest.fixture
def script(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An environment in the current directory that no PATH leads to."""
    path = tmp_path / "venv" / "bin" / NAME
    path.parent.mkdir(parents=True)
    path.write_text("#!/bin/sh\n", encoding="utf-8")
    path.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path / "nothing"))
    monkeypatch.setattr(sys, "argv", [str(tmp_path / "__main__.py")])
    monkeypatch.setattr(sys, "executable", str(path.with_name("python")))
    monkeypatch.chdir(tmp_path)
    return path


def test_a_shell_that_finds_it_needs_its_name_only(
    script: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Installed for the user, or in an environment that is active."""
    monkeypatch.setenv("PATH", str(script.parent))
    assert started_as() == "crapette"


def test_braces_in_the_way_to_it_are_no_fields() -> None:
    """Whatever a folder is called, its name is only shown."""
    token = STARTED_AS.set(lambda: "{x}/crapette")
    try:
        assert ENGLISH("See: crapette id") == "See: {x}/crapette id"
        assert ENGLISH("{n}: crapette id", n=3) == "3: {x}/crapette id"
        assert ENGLISH.count("{n} crapette id", "-", 1) == "1 {x}/crapette id"
    finally:
        STARTED_AS.reset(token)


def test_else_the_way_to_it_is_named(
    script: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From here, by the script beside the Python that runs, or by that Python."""
    assert started_as() == os.path.join("venv", "bin", NAME)
    started_as.cache_clear()
    monkeypatch.chdir(script.parent)
    assert started_as() == os.path.join(".", NAME)
    started_as.cache_clear()
    monkeypatch.setattr(sys, "argv", [str(script)])
    monkeypatch.setattr(sys, "executable", "/elsewhere/python3")
    assert started_as() == os.path.join(".", NAME)
    started_as.cache_clear()
    monkeypatch.setattr(sys, "argv", ["x.py"])
    assert started_as() == "/elsewhere/python3 -m crapette_p2p"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Go on with: crapette resume", "Go on with: v/crapette resume"),
        ("See crapette --help", "See v/crapette --help"),
        ("Ask: crapette {command} --help", "Ask: v/crapette {command} --help"),
        ("Put your crapette folder back", "Put your crapette folder back"),
        ("rules: crapette, one deal", "rules: crapette, one deal"),
    ],
)
def test_only_commands_are_written_otherwise(text: str, told: str) -> None:
    """The game, the rules and the folder of that name keep it."""
    token = STARTED_AS.set(lambda: "v/crapette")
    try:
        assert ENGLISH(text) == told
        assert as_started(told) == told
        assert ENGLISH.count(text, text, 2, command="{command}") == told
    finally:
        STARTED_AS.reset(token)
    assert ENGLISH(text) == text


def test_every_command_is_known_by_name() -> None:
    """One that is added is written as it is started, too; one that is gone is not."""
    assert set(_COMMANDS) == {*COMMANDS}
    token = STARTED_AS.set(lambda: "v/crapette")
    try:
        for command in COMMANDS:
            assert as_started(f"crapette {command}") == f"v/crapette {command}"
    finally:
        STARTED_AS.reset(token)


def test_a_complaint_says_it(capsys: pytest.CaptureFixture[str]) -> None:
    """The hint below a message is what has to be typed."""
    token = STARTED_AS.set(lambda: "v/crapette")
    try:
        complain("nothing is kept", "A new one: crapette host")
    finally:
        STARTED_AS.reset(token)
    assert capsys.readouterr().err.splitlines()[1] == "A new one: v/crapette host"


@pytest.mark.parametrize(
    ("code", "command"),
    [
        ("no-answer", "crapette doctor"),
        ("not-crapette-far", "crapette host --public"),
        ("nobody-compares", "crapette id"),
        ("name-not-shown", "crapette config set name NAME"),
        ("bad-fingerprint", "crapette id"),
    ],
)
def test_what_a_friend_has_to_type_names_no_place_of_ours(
    capsys: pytest.CaptureFixture[str], code: str, command: str
) -> None:
    """The other computer has the program elsewhere, whatever ours is started by."""
    token = STARTED_AS.set(lambda: "v/crapette")
    try:
        told = explain(NetError(Failure(code, Exit.USAGE)))
        complain_as_told(*told[:2])
        ours = explain(NetError(Failure("peer-left", Exit.PEER_LOST)))
    finally:
        STARTED_AS.reset(token)
    hint = capsys.readouterr().err.splitlines()[1]
    assert command in hint
    assert "v/crapette" not in hint
    assert ours[1] == "Go on with: v/crapette resume"


def test_braces_in_the_way_to_it_are_no_facts() -> None:
    """A hint with a fact to be filled in, started from a folder with braces."""
    token = STARTED_AS.set(lambda: "{host}/crapette")
    try:
        told = wording.explain("key-changed", {"quoted": "Ala"})
    finally:
        STARTED_AS.reset(token)
    assert told.hint.endswith("{host}/crapette peers forget Ala")


def test_a_program_that_no_path_leads_to(tmp_path: Path) -> None:
    """Started as ``scripts/play`` does, its hint can be run as it stands."""
    done = subprocess.run(
        [sys.executable, "-m", "crapette_p2p", "--data-dir", str(tmp_path), "stats"],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PATH": str(tmp_path)},
    )
    hint = done.stdout.rsplit(": ", 1)[1].strip()
    program = hint.removesuffix(" bot")
    assert hint != program
    version = subprocess.run(
        [*shlex.split(program), "--version"],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PATH": str(tmp_path)},
    )
    assert version.stdout.startswith("crapette ")
