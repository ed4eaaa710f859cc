"""How a command line begins and ends."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from crapette_p2p import __version__
from crapette_p2p.cli import main
from crapette_p2p.cli.parser import COMMANDS, build_parser, fill_all, load
from crapette_p2p.cli.running import parse
from tests.cli.commands import Crapette

_HEAVY = {"prompt_toolkit", "asyncio", "ssl", "cryptography", "msgpack", "dataclasses"}


def run_python(*arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    """Run Python in a process of its own."""
    return subprocess.run(
        [sys.executable, *arguments],
        input=stdin,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


def loaded_by(*arguments: str) -> set[str]:
    """The modules that a command line has imported when it is done."""
    code = (
        "import sys; from crapette_p2p.cli import main; main(sys.argv[1:]);"
        "print(*sorted(sys.modules), file=sys.stderr)"
    )
    return set(run_python("-c", code, *arguments).stderr.split())


def test_version_imports_nothing() -> None:
    """``--version`` answers before argparse or any module of ours is loaded."""
    loaded = loaded_by("--version")
    assert not loaded & {"argparse", "typing", *_HEAVY}
    assert {name for name in loaded if name.startswith("crapette_p2p.")} == {
        "crapette_p2p.cli",
        "crapette_p2p.cli.main",
    }


def test_help_imports_nothing_heavy() -> None:
    """``--help`` loads no command's module, no toolkit and no loop."""
    loaded = loaded_by("--help")
    assert not loaded & {"json", "tomllib", *_HEAVY} - {"dataclasses"}
    ours = {n.rpartition(".")[2] for n in loaded if n.startswith("crapette_p2p.cli.")}
    assert not ours & {module for module, _ in COMMANDS.values()}


@pytest.mark.parametrize("arguments", [["--version"], ["--plain", "--version"]])
def test_version(crapette: Crapette, arguments: list[str]) -> None:
    """The version is one line, before or after other flags."""
    done = crapette(*arguments)
    assert (done.code, done.out) == (0, f"crapette {__version__}\n")


def test_help_fits_the_smallest_screen(crapette: Crapette) -> None:
    """``--help`` fits 80x24, starts with three examples and names every command."""
    done = crapette("--help")
    lines = done.out.splitlines()
    assert done.code == 0
    assert len(lines) <= 24
    assert max(map(len, lines)) <= 80
    assert [line.split()[0] for line in lines[2:5]] == ["crapette"] * 3
    words = set(done.out.split())
    assert set(COMMANDS) <= words


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help_of_its_width(
    crapette: Crapette, command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The help of a command fits 80 columns, however wide the terminal is."""
    monkeypatch.setenv("COLUMNS", "200")
    done = crapette(command, "--help")
    assert done.code == 0
    assert max(map(len, done.out.splitlines())) <= 80


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_the_same_shape(command: str) -> None:
    """A command's module has NAME, add_arguments and run."""
    module = load(COMMANDS[command][0])
    assert command == module.NAME
    assert callable(module.add_arguments)
    assert callable(module.run)


def test_the_whole_parser_can_be_built() -> None:
    """Every command's flags go together, for completion scripts."""
    fill_all(build_parser())


def test_global_flags_stand_before_and_after_the_command() -> None:
    """``--plain`` means the same on either side of the command."""
    before, after = parse(["--plain", "rules"]), parse(["rules", "--plain"])
    assert before.set_plain is after.set_plain is True
    assert not hasattr(parse(["rules"]), "set_plain")


def test_unknown_commands_get_near_ones(crapette: Crapette) -> None:
    """A misspelt command ends with 2, names what was meant, and where to look."""
    done = crapette("relpay")
    assert done.code == 2
    assert "replay" in done.err
    assert done.err.splitlines()[-1] == "See: crapette --help"
    assert len(done.err.splitlines()) == 2
    assert 'there is no command "it\'s"' in crapette("it's").err


def test_wrong_flags_are_named(crapette: Crapette) -> None:
    """A wrong flag ends with 2 and two lines that name it and its command."""
    done = crapette("rules", "--jsno")
    assert done.code == 2
    assert "--jsno" in done.err
    assert done.err.splitlines()[-1] == "See: crapette rules --help"


def test_control_characters_never_reach_the_terminal(crapette: Crapette) -> None:
    """What was typed is shown with its control characters escaped."""
    done = crapette("rules", "\x1b]52;c;aGk=\x07\x9b31m")
    assert done.code == 2
    assert not any(ord(c) < 32 and c != "\n" for c in done.err)
    assert "\x9b" not in done.err


def test_bugs_leave_a_report(
    crapette: Crapette, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What nobody foresaw ends with 1 and a report without the arguments."""

    def broken(_args: object) -> int:
        raise RuntimeError("\x1b[2Jboom")

    monkeypatch.setattr("crapette_p2p.cli.rules.run", broken)
    done = crapette("rules", "secret-argument")
    assert done.code == 1
    report = next(crapette.home.glob("crash-*.txt"))
    assert str(report) in done.err
    text = report.read_text(encoding="utf-8")
    assert "boom" in text
    assert "broken" in text
    assert "secret-argument" not in text
    assert "\x1b" not in text


def test_ctrl_c_is_130(crapette: Crapette, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C ends without a traceback."""

    def interrupted(_args: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr("crapette_p2p.cli.rules.run", interrupted)
    done = crapette("rules")
    assert (done.code, done.err) == (130, "")


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="no such signal")
@pytest.mark.parametrize(("before", "code"), [("SIG_DFL", 129), ("SIG_IGN", 0)])
def test_a_hang_up_that_is_ignored_stays_so(before: str, code: int) -> None:
    """``nohup crapette host --auto club`` plays on; without it the signal ends it."""
    script = f"""
import asyncio, os, signal, sys
from crapette_p2p.cli.looping import run_async

async def main():
    os.kill(os.getpid(), signal.SIGHUP)
    await asyncio.wait({{asyncio.create_task(asyncio.Event().wait())}}, timeout=0.1)
    return 0

signal.signal(signal.SIGHUP, signal.{before})
sys.exit(run_async(main()))
"""
    done = subprocess.run([sys.executable, "-c", script], check=False, timeout=60)
    assert done.returncode == code


@pytest.mark.slow
def test_a_reader_that_went_away_is_no_error() -> None:
    """``crapette rules crapette | head -1`` ends quietly."""
    command = '"$0" -m crapette_p2p rules crapette | head -n 1'
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", command, sys.executable],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.slow
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is full")
@pytest.mark.parametrize("command", [["rules"], ["-v", "--version"]])
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_full_disk_is_no_bug(
    tmp_path: Path, command: list[str], unbuffered: str
) -> None:
    """Output that cannot be written is said in a line, without a report."""
    env = {**os.environ, "PYTHONUNBUFFERED": unbuffered}
    home = ["--data-dir", str(tmp_path)]
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        done = subprocess.run(
            [sys.executable, "-m", "crapette_p2p", *home, "--lang", "en", *command],
            stdout=full,
            stderr=subprocess.PIPE,
            env=env,
            text=True,
            check=False,
            timeout=60,
        )
    assert done.returncode == 2
    assert done.stderr.startswith("crapette: stdout cannot be written: ")
    assert len(done.stderr.splitlines()) == 1
    assert not list(tmp_path.glob("crash-*"))


@pytest.mark.slow
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is full")
@pytest.mark.parametrize("command", ["--version", "__complete games"])
def test_what_is_answered_at_once_may_not_fit_either(
    tmp_path: Path, command: str
) -> None:
    """The version and a Tab's names, before anything is loaded: a line, no trace."""
    env = {**os.environ, "PYTHONUNBUFFERED": "", "CRAPETTE_DATA_DIR": str(tmp_path)}
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        done = subprocess.run(
            [sys.executable, "-m", "crapette_p2p", *command.split()],
            stdout=full,
            stderr=subprocess.PIPE,
            env={**env, "CRAPETTE_LANG": "en"},
            text=True,
            check=False,
            timeout=60,
        )
    assert done.returncode == 2
    said = "crapette: stdout cannot be written: No space left on device\n"
    assert done.stderr == said


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="a shell that closes streams")
@pytest.mark.parametrize(
    "line",
    ["rules >&-", "--version >&-", "nope 2>&-", "bot --plain <&-", "stats >&- 2>&-"],
)
def test_closed_streams_are_no_bug(tmp_path: Path, line: str) -> None:
    """A caller may have closed any of the three; files do not take their numbers."""
    command = f"{sys.executable} -m crapette_p2p --data-dir {tmp_path} {line}"
    done = subprocess.run(
        ["sh", "-c", command], capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == (2 if line.startswith("nope") else 0)
    assert "Error" not in done.stderr
    assert not list(tmp_path.glob("crash-*"))


@pytest.mark.slow
def test_ascii_terminals_get_escapes(tmp_path: Path) -> None:
    """A terminal that cannot show a letter gets its escape, not a traceback."""
    code = (
        "import sys; sys.stdout.reconfigure(encoding='ascii');"
        "from crapette_p2p.cli import main; sys.exit(main(['rules']))"
    )
    done = run_python("-c", code)
    assert done.returncode == 0
    assert "\\u0420" in done.stdout


@pytest.mark.slow
def test_the_module_is_the_command() -> None:
    """``python -m crapette_p2p`` runs the same command."""
    done = run_python("-m", "crapette_p2p", "--version")
    assert done.stdout == f"crapette {__version__}\n"


def test_main_reads_the_process_arguments(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without arguments given, those of the process count."""
    monkeypatch.setattr(sys, "argv", ["crapette", "--version"])
    assert main() == 0
    assert capsys.readouterr().out.startswith("crapette ")


@pytest.mark.slow
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is full")
@pytest.mark.parametrize(
    ("command", "code"), [(["verify", "nowhere"], 2), (["frobnicate"], 2), ([], 3)]
)
def test_a_complaint_that_cannot_be_written_keeps_its_exit_code(
    tmp_path: Path, command: list[str], code: int
) -> None:
    """No complaint about the complaint, which would be a bug's 1."""
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        done = subprocess.run(
            [sys.executable, "-m", "crapette_p2p", "--data-dir", tmp_path, *command],
            stdin=subprocess.DEVNULL,
            stdout=full,
            stderr=full,
            check=False,
            timeout=60,
        )
    assert done.returncode == code
