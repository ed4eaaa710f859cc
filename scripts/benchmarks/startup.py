"""Starting: the command against a bare interpreter, a frame against its toolkit."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from games import recorded
from measuring import Benchmark, Floor, Work

ROOT = Path(__file__).parent.parent.parent
SCALES = (1, 10)


def python(*arguments: str) -> None:
    """Run Python to its end."""
    environ = {**os.environ, "PYTHONPATH": str(ROOT)}
    subprocess.run(
        [sys.executable, *arguments],
        stdout=subprocess.DEVNULL,
        stdin=subprocess.DEVNULL,
        env=environ,
        check=True,
    )


def repeated(*arguments: str) -> Work:
    """Work that runs Python so many times."""

    def work(times: int) -> None:
        for _ in range(times):
            python(*arguments)

    return work


def command(*arguments: str) -> Work:
    """Work that runs the command so many times."""
    return repeated("-m", "crapette_p2p", *arguments)


def on_a_log(*arguments: str) -> Work:
    """Work that runs the command on the log of a whole game."""

    def work(times: int) -> None:
        with tempfile.TemporaryDirectory() as directory:
            log = Path(directory) / "game.crlog"
            log.write_bytes(recorded()[0])
            command(*arguments, str(log))(times)

    return work


def first_frames(times: int) -> None:
    """Start the menu on a terminal and stop it when it is drawn."""
    for _ in range(times):
        with tempfile.TemporaryDirectory() as directory:
            _first_frame(directory)


def _first_frame(directory: str) -> None:
    environ = {**os.environ, "PYTHONPATH": str(ROOT), "TERM": "xterm-256color"}
    pid, terminal = pty.fork()
    if pid == 0:
        flags = ["--data-dir", directory, "--suits", "letters", "--name", "Ala"]
        arguments = [sys.executable, "-m", "crapette_p2p", *flags]
        os.execve(sys.executable, arguments, environ)  # noqa: S606 - no shell wanted
    try:
        _read_until(lambda seen: b"Quit" in seen, terminal)
    finally:
        os.kill(pid, 9)
        os.waitpid(pid, 0)
        os.close(terminal)


def _read_until(is_drawn: Callable[[bytes], bool], terminal: int) -> None:
    seen = b""
    while not is_drawn(seen):
        seen += os.read(terminal, 65_536)


TOOLKIT = (
    "import prompt_toolkit, prompt_toolkit.application, prompt_toolkit.layout,"
    "prompt_toolkit.key_binding, prompt_toolkit.output.vt100, asyncio"
)
FLOORS = {
    "interpreter": Floor(repeated("-c", "pass"), 10),
    "toolkit": Floor(repeated("-c", TOOLKIT), 5),
}


def benchmarks() -> tuple[Benchmark, ...]:
    """What a person waits for after Enter."""

    def start(name: str, work: Work, floor: str = "interpreter") -> Benchmark:
        return Benchmark(f"start.{name}", "starts", 1, work, floor, 1, SCALES)

    return (
        start("version", command("--version")),
        start("help", command("--help")),
        start("rules", command("rules", "crapette")),
        start("verify", on_a_log("verify")),
        start("frame", first_frames, "toolkit"),
    )
