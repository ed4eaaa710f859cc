"""The terminal: what it can do, what we ask of it, and leaving it as it was."""

from __future__ import annotations

import base64
import contextlib
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final, TextIO

from prompt_toolkit.output import ColorDepth, Output
from prompt_toolkit.output.vt100 import Vt100_Output

from crapette_p2p.errors import NoScreenError

_DEPTHS: Final = {
    "always": ColorDepth.DEPTH_8_BIT,
    "never": ColorDepth.DEPTH_1_BIT,
    "16": ColorDepth.DEPTH_4_BIT,
    "256": ColorDepth.DEPTH_8_BIT,
}
_LONGEST_COPY: Final = 74_000
"""Bytes of base64 that terminals take in one go."""


class CalmOutput(Vt100_Output):
    """Asks for presses, releases and drags only, never for every motion."""

    def enable_mouse_support(self) -> None:
        """Modes 1000, 1002 and 1006; not 1003, which reports every motion."""
        self.write_raw("\x1b[?1000h\x1b[?1002h\x1b[?1006h")

    def disable_mouse_support(self) -> None:
        """Turn off whatever may be on."""
        self.write_raw("\x1b[?1006l\x1b[?1003l\x1b[?1002l\x1b[?1000l")


def make_output() -> Output:
    """The screen this program runs on; raises NoScreenError if it is none."""
    if sys.platform == "win32":
        from prompt_toolkit.output import create_output
        from prompt_toolkit.output.win32 import NoConsoleScreenBufferError

        try:
            return create_output()
        except NoConsoleScreenBufferError as error:
            raise NoScreenError("no console: Windows Terminal is one") from error
    return CalmOutput.from_pty(sys.stdout, term=os.environ.get("TERM"))


def color_depth(setting: str) -> ColorDepth | None:
    """How many colours to use; None = as the terminal says."""
    return _DEPTHS.get(setting)


def can_write_suits(stream: TextIO | None = None) -> bool:
    """Whether the encoding knows suits and box corners."""
    encoding = (stream or sys.stdout).encoding or "ascii"
    try:
        "♠♥♦♣╭░‥".encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def clipboard_sequence(text: str, *, tmux: bool) -> str:
    """OSC 52: put a text into the clipboard, through tmux where that is in between."""
    encoded = base64.b64encode(text.encode("utf-8")).decode("ascii")
    if len(encoded) > _LONGEST_COPY:
        return ""
    sequence = f"\x1b]52;c;{encoded}\x07"
    if tmux:
        doubled = sequence.replace("\x1b", "\x1b\x1b")
        return f"\x1bPtmux;{doubled}\x1b\\"
    return sequence


class _Redirected:
    """A text stream that writes to a file and tells that it did."""

    encoding = "utf-8"

    def __init__(self, file: TextIO, tell: Callable[[str], None]) -> None:
        self._file = file
        self._tell = tell

    def write(self, text: str) -> int:
        name = "" if self._file.name == os.devnull else self._file.name
        try:
            self._file.write(text)
            self._file.flush()
        except OSError:  # a full disk
            name = ""
        if text.strip():
            self._tell(name)
        return len(text)

    def flush(self) -> None:
        """Everything is written at once."""

    def fileno(self) -> int:
        return self._file.fileno()

    def isatty(self) -> bool:
        return False


def _log_at(path: Path | None) -> TextIO:
    if path is not None:
        with contextlib.suppress(OSError):
            path.parent.mkdir(parents=True, exist_ok=True)
            return path.open("a", encoding="utf-8", errors="backslashreplace")
    return open(os.devnull, "a", encoding="utf-8")


@contextlib.contextmanager
def quiet_stderr(path: Path | None, tell: Callable[[str], None]) -> Iterator[None]:
    """Send stderr to a file meanwhile: nothing may write across the table.

    ``tell`` hears of each text, and which file has it: none where it cannot be
    written.
    """
    with _log_at(path) as file:
        kept, sys.stderr = sys.stderr, _Redirected(file, tell)
        try:
            with _file_descriptor_moved(file):
                yield
        finally:
            sys.stderr = kept


@contextlib.contextmanager
def _file_descriptor_moved(file: TextIO) -> Iterator[None]:
    """What writes to descriptor 2 without Python goes to the file as well."""
    try:
        saved = os.dup(2)
    except OSError:
        yield
        return
    try:
        os.dup2(file.fileno(), 2)
        yield
    finally:
        os.dup2(saved, 2)
        os.close(saved)
