"""What is loaded when the first frame stands on the terminal: nothing that can wait."""

from __future__ import annotations

import os
import pty
import signal
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
LOG = ROOT / "protocol" / "vectors" / "games" / "crapette.crlog"
WATCHED = """
import os, sys
from crapette_p2p.cli import main
from crapette_p2p.ui import app

def seen(shell, _app):
    if type(shell.screen) is not app.Screen:
        named = " ".join(sys.modules)
        sys.stdout.write(f"\\nloaded: {named} :loaded\\n")
        sys.stdout.flush()
        os._exit(0)

app.Shell._rendered = seen
main(sys.argv[1:])
"""
"""The command, but it ends at its first frame and tells what it has loaded."""
LAYERS = {"engine", "bot", "fairdeal", "session", "arena"}
"""Of these nothing is needed to draw a page."""


def on_a_terminal(*arguments: str) -> bytes:
    """All that Python writes to a terminal of its own until it ends."""
    pid, terminal = pty.fork()
    if pid == 0:
        environ = {**os.environ, "PYTHONPATH": str(ROOT), "TERM": "xterm-256color"}
        command = [sys.executable, *arguments]
        os.execve(sys.executable, command, environ)  # noqa: S606 - no shell wanted
    written = b""
    try:
        while piece := os.read(terminal, 65_536):
            written += piece
    except OSError:  # how a terminal ends whose program has ended
        pass
    except BaseException:
        os.kill(pid, signal.SIGKILL)
        raise
    finally:
        os.close(terminal)
        ended = os.waitpid(pid, 0)[1]
    assert os.waitstatus_to_exitcode(ended) == 0, written.decode()
    return written


@pytest.mark.slow
@pytest.mark.parametrize(
    "command",
    [(), ("--name", "Ala"), ("bot", "--level", "club"), ("replay", str(LOG))],
    ids=["question", "menu", "bot", "replay"],
)
def test_the_first_frame_waits_for_little(
    tmp_path: Path, command: tuple[str, ...]
) -> None:
    """No rules, no network and no keys stand behind it."""
    written = on_a_terminal("-c", WATCHED, "--data-dir", str(tmp_path), *command)
    named = written.decode().partition("loaded: ")[2].partition(" :loaded")[0]
    loaded = set(named.split())
    assert "prompt_toolkit" in loaded
    ours = {name for name in loaded if name.startswith("crapette_p2p.")}
    assert not {name.split(".")[1] for name in ours} & LAYERS
    net = {name for name in ours if name.startswith("crapette_p2p.net.")}
    assert net == {
        f"crapette_p2p.net.{part}" for part in ("failures", "files", "paths")
    }
    assert "crapette_p2p.ui.errands" not in loaded
    heavy = {"cryptography", "msgpack", "zeroconf", "ifaddr", "platformdirs"}
    assert not loaded & (heavy | {"tomllib", "json", "logging.handlers"})


@pytest.mark.slow
def test_starting_collects_little_garbage() -> None:
    """The command looks for garbage seldom: what starting makes stays."""
    code = (
        "import gc; from crapette_p2p.cli import main; main(['perft', '--help']);"
        "assert gc.isenabled(); assert gc.get_threshold()[0] >= 20_000"
    )
    on_a_terminal("-c", code)
