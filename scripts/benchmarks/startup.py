"""Starting: the command against a bare interpreter, a frame against its toolkit."""

from __future__ import annotations

import os
import pty
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from games import beginning
from measuring import Benchmark, Floor, Work, children_time, clock_time
from starting import environment, python

EVENTS = 20
"""Of a log whose reading costs nothing beside the start."""


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
    """Work that runs the command on the log of a game that has just begun."""

    def work(times: int) -> None:
        with tempfile.TemporaryDirectory() as directory:
            log = Path(directory) / "game.crlog"
            log.write_bytes(beginning(EVENTS))
            command(*arguments, str(log))(times)

    return work


def first_frames(times: int) -> None:
    """Start the menu on a terminal and stop it when it is drawn."""
    for _ in range(times):
        with tempfile.TemporaryDirectory() as directory:
            _first_frame(directory)


def _first_frame(directory: str) -> None:
    environ = environment(TERM="xterm-256color", COLUMNS="80", LINES="24")
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


FLOORS = {
    "interpreter": Floor(repeated("-c", "pass")),
    "toolkit": Floor(repeated("-c", "import prompt_toolkit")),
}


def benchmarks() -> tuple[Benchmark, ...]:
    """What a person waits for after Enter."""

    def start(name: str, work: Work, aim: float | None = None) -> Benchmark:
        return Benchmark(
            f"start.{name}",
            "starts",
            1,
            work,
            "interpreter",
            cost=children_time,
            aim=aim,
        )

    return (
        start("version", command("--version"), 1.8),
        start("help", command("--help")),
        start("rules", command("rules", "crapette")),
        start("verify", on_a_log("verify")),
        Benchmark(
            "start.frame",
            "starts",
            1,
            first_frames,
            "toolkit",
            cost=clock_time,
            aim=1.5,
        ),
    )
