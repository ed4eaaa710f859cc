"""Windows of a real terminal program (tmux): keys go in, what stands there comes out.

Each window has a server of its own and is spoken to in control mode: one process
for all its life, which also tells when the screen has changed, so that nobody has
to look again and again.
"""

from __future__ import annotations

import contextlib
import os
import select
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from tests.helpers.children import PYTHONPATH

MISSING: Final = (
    ""
    if shutil.which("tmux") and Path("/proc/self/task").is_dir()
    else "needs Linux and tmux, a terminal in which programs run"
)
"""Why there can be no windows here; empty where there can."""
PATIENCE: Final = 60.0
"""Seconds a window is given to come to something; only a failing test takes them."""
_ENVIRON: Final = {
    "LC_ALL": "C.UTF-8",
    "TERM": "xterm-256color",
    "PYTHONPATH": PYTHONPATH,
}
_SHELL: Final = """"$@"; printf '\\nended with %s\\n' $?; read _"""
"""What stands around the program: a shell that says how it ended, and stays."""
_LOOK: Final = 0.5
"""Seconds after which a window that has said nothing is looked at all the same."""


def news_of(windows: Sequence[Window], seconds: float) -> None:
    """Wait until something is drawn in one of these, or so many seconds."""
    select.select([window.said for window in windows], [], [], seconds)


def crapette(home: Path, *words: str, name: str = "") -> list[str]:
    """The command line of the program, with a home of its own."""
    named = ["--name", name] if name else []
    return [
        *(sys.executable, "-m", "crapette_p2p", "--data-dir", str(home)),
        *named,
        *words,
    ]


def _children(pid: int) -> list[int]:
    told = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii")
    return [int(word) for word in told.split()]


class Window:
    """One terminal window and the program in it."""

    def __init__(
        self,
        command: Sequence[str],
        *,
        cols: int = 80,
        rows: int = 24,
        environ: Mapping[str, str] | None = None,
    ) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="window-")
        self._client = subprocess.Popen(
            ["tmux", "-S", f"{self._folder.name}/s", "-f", "/dev/null", "-u", "-C"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=os.environ | _ENVIRON,
        )
        self._unread = b""
        words = [f"-e{key}={value}" for key, value in (environ or {}).items()]
        try:
            self._reply()
            self.tell("set", "-g", "default-terminal", "tmux-256color")
            self.tell(
                *("new-session", "-d", "-x", str(cols), "-y", str(rows), *words),
                *("-s", "play", shlex.join(["sh", "-c", _SHELL, "sh", *command])),
            )
            self.resize(cols, rows)  # so it stays, whoever looks at it
            self.tell("switch-client", "-t", "play")
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    # Talking to tmux ----------------------------------------------------------

    def tell(self, *words: str) -> list[str]:
        """One command of tmux; the lines it answers."""
        assert self._client.stdin is not None
        self._client.stdin.write(shlex.join(words).encode() + b"\n")
        self._client.stdin.flush()
        return self._reply()

    @property
    def said(self) -> int:
        """What can be read when the screen has changed."""
        assert self._client.stdout is not None
        return self._client.stdout.fileno()

    def _reply(self) -> list[str]:
        """Read up to the end of the next answer."""
        lines: list[str] | None = None
        deadline = time.monotonic() + PATIENCE
        while True:
            line = self._line(deadline)
            if line.startswith("%begin "):
                lines = []
            elif line.startswith(("%end ", "%error ")) and lines is not None:
                assert line.startswith("%end "), lines
                return lines
            elif lines is not None:
                lines.append(line)

    def _line(self, deadline: float) -> str:
        while b"\n" not in self._unread:
            assert self._await(deadline - time.monotonic()), "tmux says nothing"
        line, self._unread = self._unread.split(b"\n", 1)
        return line.decode("utf-8", "replace")

    def _await(self, seconds: float) -> bool:
        """Take in what tmux says; False if it says nothing for so long."""
        if not select.select([self.said], [], [], max(seconds, 0))[0]:
            return False
        data = os.read(self.said, 65536)
        assert data, "tmux has ended"
        self._unread += data
        return True

    # What stands there --------------------------------------------------------

    @property
    def lines(self) -> list[str]:
        """The rows of the window."""
        return self.tell("capture-pane", "-p", "-t", "play")

    @property
    def text(self) -> str:
        """The whole window."""
        return "\n".join(self.lines)

    def facts(self, *names: str) -> dict[str, str]:
        """What tmux knows of the terminal: ``alternate_on`` and the like."""
        told = "\t".join(f"#{{{name}}}" for name in names)
        (line,) = self.tell("display-message", "-p", "-t", "play", told)
        return dict(zip(names, line.split("\t"), strict=True))

    def is_given_back(self) -> bool:
        """Whether the terminal is as a shell wants it."""
        names = ("alternate_on", "mouse_any_flag", "cursor_flag")
        return tuple(self.facts(*names).values()) == ("0", "0", "1")

    def until(self, predicate: Callable[[str], bool], *, why: str = "") -> str:
        """Wait for the window to come to something; what stands there then."""
        deadline = time.monotonic() + PATIENCE
        while not predicate(text := self.text):
            assert time.monotonic() < deadline, f"{why}\n{text}"
            self._unread = b""  # only what is drawn from here on is news
            self._await(_LOOK)
        return text

    def shows(self, *texts: str) -> str:
        """Wait until all these stand somewhere."""
        return self.until(
            lambda text: all(word in text for word in texts), why=f"wanted: {texts}"
        )

    # What is done there -------------------------------------------------------

    def type(self, text: str) -> None:
        """Keys as they are typed, one after another."""
        self.send(text.encode())

    def send(self, data: bytes) -> None:
        """Bytes as the keyboard or the mouse sends them."""
        hexed = [f"{byte:02x}" for byte in data]
        self.tell("send-keys", "-t", "play", "-H", *hexed)

    def mouse(self, x: int, y: int, *, button: int = 0, up: bool = False) -> None:
        """A mouse report for a cell, from 0."""
        self.send(f"\x1b[<{button};{x + 1};{y + 1}{'m' if up else 'M'}".encode())

    def resize(self, cols: int, rows: int) -> None:
        """Another size."""
        self.tell("resize-window", "-t", "play", "-x", str(cols), "-y", str(rows))

    @property
    def pid(self) -> int:
        """The program's process: the last of those that the window's shell began."""
        pid = int(self.facts("pane_pid")["pane_pid"])
        while children := _children(pid):
            pid = children[0]
        return pid

    def signal(self, number: signal.Signals) -> None:
        """Send the program a signal."""
        os.kill(self.pid, number)

    def ended(self) -> int:
        """Wait for the program's end; its exit code, 128 + n for a signal."""
        text = self.shows("ended with ")
        return int(text.rpartition("ended with ")[2].split()[0])

    def close(self) -> None:
        """End the server, and with it whatever still runs in the window."""
        assert self._client.stdin is not None
        assert self._client.stdout is not None
        with self._client.stdin, contextlib.suppress(BrokenPipeError):
            self._client.stdin.write(b"kill-server\n")
            self._client.stdin.flush()
        with self._client.stdout:
            while self._client.stdout.read(65536):
                pass
        self._client.wait(PATIENCE)
        self._folder.cleanup()
