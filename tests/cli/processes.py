"""The command in processes of its own, with pipes that a test types into."""

from __future__ import annotations

import codecs
import os
import re
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Self

from tests.helpers.children import PYTHONPATH

_PATIENCE = 60.0


class Running:
    """One ``crapette`` that is running; a ``with`` block ends it."""

    def __init__(
        self,
        home: Path,
        *arguments: str,
        name: str = "Ala",
        prefix: Sequence[str] = (),
    ) -> None:
        environ = {k: v for k, v in os.environ.items() if "CRAPETTE" not in k}
        environ |= {"PYTHONPATH": PYTHONPATH, "PYTHONUNBUFFERED": "1"}
        python = [*prefix, sys.executable]
        command = [*python, "-m", "crapette_p2p", "--data-dir", str(home)]
        self._process = subprocess.Popen(
            [*command, "--name", name, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environ,
            text=True,
            encoding="utf-8",
            bufsize=1,
        )
        self.out = ""
        self.err = ""
        self._news = threading.Condition()
        self._open = 2
        """How many of its streams have not ended."""
        self._readers = [
            threading.Thread(target=self._read, args=(name,), daemon=True)
            for name in ("stdout", "stderr")
        ]
        for reader in self._readers:
            reader.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._process.poll() is None:
            self._process.kill()
        self._process.wait()
        for reader in self._readers:
            reader.join()
        for stream in (
            self._process.stdin,
            self._process.stdout,
            self._process.stderr,
        ):
            if stream is not None:
                stream.close()

    def type(self, line: str) -> None:
        """Put a line on its standard input."""
        assert self._process.stdin is not None
        self._process.stdin.write(line + "\n")
        self._process.stdin.flush()

    def wait_for(self, pattern: str) -> re.Match[str]:
        """Return when the output matches; AssertionError if it never does."""
        return self._wait_for(pattern, lambda: self.out)

    def wait_for_error(self, pattern: str) -> re.Match[str]:
        """The same for what it complains of."""
        return self._wait_for(pattern, lambda: self.err)

    def _wait_for(self, pattern: str, said: Callable[[], str]) -> re.Match[str]:
        def found() -> re.Match[str] | None:
            return re.search(pattern, said(), re.MULTILINE)

        with self._news:
            self._news.wait_for(lambda: found() or self._ended, _PATIENCE)
        match = found()
        assert match, f"no {pattern!r} in:\n{self.out}\n{self.err}"
        return match

    def signal(self, number: int) -> None:
        """Send a signal."""
        self._process.send_signal(number)

    def finish(self) -> int:
        """Wait for its end, as long as it has something to say; the exit code."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        with self._news:
            said = -1
            while not self._ended and said < len(self.out) + len(self.err):
                said = len(self.out) + len(self.err)
                self._news.wait_for(lambda: self._ended, _PATIENCE)
        code = self._process.wait(_PATIENCE)
        for reader in self._readers:
            reader.join()
        return code

    @property
    def _ended(self) -> bool:
        return not self._open

    def _read(self, name: str) -> None:
        stream = getattr(self._process, name)
        decoder = codecs.getincrementaldecoder("utf-8")("replace")
        while data := os.read(stream.fileno(), 65_536):
            text = decoder.decode(data)  # a character may come in two pieces
            with self._news:
                if name == "stdout":
                    self.out += text
                else:
                    self.err += text
                self._news.notify_all()
        with self._news:
            self._open -= 1
            self._news.notify_all()
