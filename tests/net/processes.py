"""Whole ``crapette`` processes on loopback, each with a data directory of its own."""

from __future__ import annotations

import json
import os
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from tests.helpers.children import PYTHONPATH
from tests.helpers.ports import own_ports

PATIENCE: Final = 60.0
"""Seconds a test waits for a line or an end before it fails."""


class Crapette:
    """One running process; its NDJSON lines arrive as they are written."""

    def __init__(
        self,
        home: Path,
        name: str,
        *arguments: str,
        prefix: Sequence[str] = (),
        module: Sequence[str] = ("crapette_p2p",),
    ) -> None:
        self.home = home
        self.name = name
        python = [*prefix, sys.executable]
        command = [*python, "-m", *module, "--data-dir", str(home)]
        self._errors = (home.parent / f"{name}-{os.urandom(4).hex()}.err").open("w+b")
        self.process = subprocess.Popen(
            [*command, "--name", name, *arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            env={**os.environ, "PYTHONPATH": PYTHONPATH, "LC_ALL": "C.UTF-8"},
            cwd=home.parent,
        )
        self.lines: list[dict[str, object]] = []
        self._queue: queue.Queue[dict[str, object] | None] = queue.Queue()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            if line.endswith(b"\n"):  # else it was killed while it wrote
                self._queue.put(json.loads(line))
        self._queue.put(None)

    def next_line(self) -> dict[str, object] | None:
        """The next line of stdout; None at its end."""
        line = self._queue.get(timeout=PATIENCE)
        if line is not None:
            self.lines.append(line)
        return line

    def until(self, kind: str, count: int = 1) -> dict[str, object]:
        """Read until ``count`` lines of this type have come; the last of them."""
        left = count
        while True:
            line = self.next_line()
            assert line is not None, f"{self.name} ended: {self.errors()}"
            left -= line["type"] == kind
            if not left:
                return line

    def wait(self) -> int:
        """Read to the end; the exit status."""
        while self.next_line() is not None:
            pass
        return self.process.wait(timeout=PATIENCE)

    def go_on(self) -> None:
        """SIGCONT: let it run if it was stopped, and play on if it was held."""
        self.process.send_signal(signal.SIGCONT)

    def kill(self, number: int = signal.SIGKILL) -> int:
        """Send a signal and wait for the end; the exit status."""
        self.process.send_signal(number)
        return self.process.wait(timeout=PATIENCE)

    def errors(self) -> str:
        """What it wrote on stderr."""
        self._errors.flush()
        return Path(str(self._errors.name)).read_text()

    def log(self) -> Path:
        """The only log it keeps."""
        (path,) = (self.home / "games").glob("*.crlog")
        return path

    def close(self) -> None:
        """End it if it runs, and close its files."""
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait(timeout=PATIENCE)
        self._reader.join(timeout=PATIENCE)
        if self.process.stdout is not None:
            self.process.stdout.close()
        self._errors.close()


class Machine:
    """Starts processes below one directory and ends them all."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.module: Sequence[str] = ("crapette_p2p",)
        """What is run, with what stands before its flags."""
        self._all: list[Crapette] = []

    def start(
        self,
        name: str,
        *arguments: str,
        prefix: Sequence[str] = (),
        held: str = "",
    ) -> Crapette:
        """A process of the player ``name``; ``held``: see ``tests.net.held``."""
        home = self.root / name.lower()
        module = ("tests.net.held", held, *self.module) if held else self.module
        process = Crapette(home, name, *arguments, prefix=prefix, module=module)
        self._all.append(process)
        return process

    def host(
        self, *arguments: str, level: str = "club", held: str = ""
    ) -> tuple[Crapette, int]:
        """Ala hosts headless on a free port: the process and the port."""
        process = self.start(
            "Ala",
            *("host", "--auto", level, "--json", "--port", own_ports()),
            *("--bind", "127.0.0.1", "--once", *arguments),
            held=held,
        )
        port = process.until("listening")["port"]
        assert isinstance(port, int)
        return process, port

    def join(
        self, port: int, *arguments: str, level: str = "novice", held: str = ""
    ) -> Crapette:
        """Olek joins headless."""
        return self.start(
            "Olek",
            *("join", "127.0.0.1", str(port), "--auto", level, "--json"),
            *arguments,
            held=held,
        )

    def close(self) -> None:
        """End everything."""
        for process in self._all:
            process.close()


@contextmanager
def machine_in(root: Path) -> Iterator[Machine]:
    """A machine whose processes are gone afterwards."""
    machine = Machine(root)
    try:
        yield machine
    finally:
        machine.close()
