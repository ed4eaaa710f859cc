"""The manual page: every command and option, in a form that ``man`` reads."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from crapette_p2p.cli.parser import COMMANDS, build_parser, fill_all

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs" / "crapette.1").read_text(encoding="utf-8")


def test_every_command_and_option_stands_in_the_manual() -> None:
    """A flag of any command, the exit codes and the variables are found there."""
    plain = PAGE.replace("\\-", "-").replace("\\e", "\\")
    for name in COMMANDS:
        assert f".SS crapette {name}\n" in plain
    parser = fill_all(build_parser())
    commands = next(a.choices for a in parser._actions if isinstance(a.choices, dict))
    for command in (parser, *commands.values()):
        for action in command._actions:
            for option in action.option_strings:
                assert option in plain, (command.prog, option)


@pytest.mark.slow
def test_the_manual_is_fresh() -> None:
    """It is what the script writes from the parser now."""
    done = subprocess.run(
        [sys.executable, ROOT / "scripts" / "make_manual.py", "--check"],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("groff") is None, reason="needs groff")
def test_man_has_nothing_to_complain_about() -> None:
    """The page formats without a warning."""
    done = subprocess.run(
        ["groff", "-man", "-ww", "-Tascii", ROOT / "docs" / "crapette.1"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
