"""What the command line says on a terminal: broken between words, else untouched."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from crapette_p2p.cli.output import complain, write_prose
from crapette_p2p.ui.render.cells import text_width
from tests.cli.commands import Crapette

pty = pytest.importorskip("pty", reason="this system has no pseudo-terminals")
termios = pytest.importorskip("termios", reason="this system has no terminals")

LANGUAGES = ("en", "de", "fr", "pl", "ru")
LONG = ("join", "192.168.1.20", "--expect-key", "nonsense")
_END = "\f"
PATH = "/home/ala/.local/share/crapette/games/20261130-0123456789abcdef.crlog"


class Terminal:
    """A pseudo-terminal that stands for a standard stream."""

    def __init__(self, columns: int) -> None:
        self._master, slave = pty.openpty()
        termios.tcsetwinsize(slave, (24, columns))
        self.stream = os.fdopen(slave, "w", encoding="utf-8")

    def lines(self) -> list[str]:
        """What was written."""
        self.stream.write(_END)
        self.stream.flush()
        text = b""
        while not text.endswith(_END.encode()):  # comes in pieces of any size
            text += os.read(self._master, 1 << 16)
        whole = text.decode().removesuffix(_END)
        return whole.replace("\r\n", "\n").removesuffix("\n").split("\n")

    def close(self) -> None:
        """Give it back."""
        self.stream.close()
        os.close(self._master)


@contextmanager
def terminal(
    monkeypatch: pytest.MonkeyPatch, name: str, columns: int
) -> Iterator[Terminal]:
    """Have a terminal in the place of stdout or stderr."""
    opened = Terminal(columns)
    with monkeypatch.context() as patched:
        patched.setattr(sys, name, opened.stream)
        try:
            yield opened
        finally:
            opened.close()


@pytest.mark.parametrize("columns", [40, 50])
@pytest.mark.parametrize("lang", LANGUAGES)
def test_complaints_break_between_words(
    crapette: Crapette, monkeypatch: pytest.MonkeyPatch, lang: str, columns: int
) -> None:
    """The same words in the same order as where nobody looks, in lines that fit."""
    plain = crapette("--lang", lang, *LONG)
    with terminal(monkeypatch, "stderr", columns) as shown:
        assert crapette("--lang", lang, *LONG).code == plain.code
        lines = shown.lines()
    assert " ".join(lines).split() == plain.err.split()
    assert max(map(text_width, plain.err.splitlines())) > 50
    assert max(map(text_width, lines)) <= columns


@pytest.mark.parametrize("lang", LANGUAGES)
def test_wrong_flags_break_between_words(
    crapette: Crapette, monkeypatch: pytest.MonkeyPatch, lang: str
) -> None:
    """What argparse complains of, too."""
    wrong = ("bot", "--level", "of-nobody-at-all")
    plain = crapette("--lang", lang, *wrong)
    with terminal(monkeypatch, "stderr", 44) as shown:
        crapette("--lang", lang, *wrong)
        lines = shown.lines()
    assert " ".join(lines).split() == plain.err.split()
    assert max(map(text_width, lines)) <= 44


def test_what_may_be_copied_stays_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    """A path, though it is wider than the terminal, and a command that fits."""
    with terminal(monkeypatch, "stderr", 30) as shown:
        complain(f"{PATH} cannot be written", "Choose: crapette config set name NAME")
        lines = shown.lines()
    assert lines[:2] == ["crapette:", PATH]
    assert lines[-2:] == ["Choose:", "crapette config set name NAME"]


def test_results_keep_their_indent(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sentences among results are broken likewise."""
    with terminal(monkeypatch, "stdout", 20) as shown:
        write_prose("  note: one two three four five")
        assert shown.lines() == ["  note: one two", "  three four five"]


def test_a_terminal_of_no_width_breaks_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody has said how wide it is."""
    with terminal(monkeypatch, "stderr", 0) as shown:
        complain("word " * 40)
        assert len(shown.lines()) == 1
