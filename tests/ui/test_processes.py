"""The program in a pseudo-terminal: what it leaves behind however it ends."""

from __future__ import annotations

import os
import re
import signal
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pexpect
import pyte
import pytest

from crapette_p2p.gamelog.verify import verify_log
from crapette_p2p.net.crypto import verify
from tests.helpers.children import PYTHONPATH

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal"),
]
ROOT = Path(__file__).parent.parent.parent
LOG = ROOT / "protocol" / "vectors" / "games" / "crapette.crlog"
PATIENCE = 60.0
"""Seconds a program is given; only a failing test takes them."""
RUNNING: list[Program] = []
"""What a test has started; it ends with the test, however that ends."""


class Program:
    """One ``crapette`` on a terminal of its own."""

    def __init__(self, home: Path, *words: str, **environ: str) -> None:
        env = os.environ | {
            "TERM": "xterm-256color",
            "LC_ALL": "C.UTF-8",
            "PYTHONUTF8": "",
            "PYTHONPATH": PYTHONPATH,
            **environ,
        }
        self.child = pexpect.spawn(
            sys.executable,
            ["-m", "crapette_p2p", "--data-dir", str(home), *words],
            env=env,
            dimensions=(24, 80),
            timeout=PATIENCE,
        )
        self.screen = pyte.Screen(80, 24)
        self.stream = pyte.ByteStream(self.screen)
        self.bytes = b""
        RUNNING.append(self)

    @property
    def text(self) -> str:
        """What is on the terminal."""
        return "\n".join(self.screen.display)

    def read(self) -> bool:
        """Take in what was written; False once the program has ended."""
        try:
            data = self.child.read_nonblocking(65536, timeout=0.2)
        except pexpect.TIMEOUT:
            return True
        except pexpect.EOF:
            return False
        self.bytes += data
        self.stream.feed(data)
        if b"\x1b[6n" in data:  # asked where the cursor is: signs are one cell wide
            self.child.send("\x1b[1;2R" * data.count(b"\x1b[6n"))
        return True

    def until(self, predicate: Callable[[], bool]) -> None:
        """Wait for the screen to come to something."""
        deadline = time.monotonic() + PATIENCE
        while not predicate():
            assert time.monotonic() < deadline, self.text
            assert self.read(), self.text

    def shows(self, text: str) -> None:
        """Wait until a text stands somewhere."""
        self.until(lambda: text in self.text)

    def end(self) -> int:
        """Read to the end; the exit code, 128 + n for a signal."""
        deadline = time.monotonic() + PATIENCE
        while self.read():
            assert time.monotonic() < deadline, self.text
        self.child.close()
        if self.child.signalstatus is not None:
            return 128 + int(self.child.signalstatus)
        return int(self.child.exitstatus or 0)


def assert_given_back(data: bytes) -> None:
    """Alternate screen left, mouse off, cursor shown: the last word on each."""
    for on, off in (
        (b"\x1b[?1049h", b"\x1b[?1049l"),
        (b"\x1b[?1000h", b"\x1b[?1000l"),
        (b"\x1b[?1002h", b"\x1b[?1002l"),
        (b"\x1b[?1006h", b"\x1b[?1006l"),
        (b"\x1b[?25l", b"\x1b[?25h"),
        (b"\x1b[?2004h", b"\x1b[?2004l"),
    ):
        assert data.rfind(off) > data.rfind(on), (on, off)


@pytest.fixture(autouse=True)
def _nothing_runs_on() -> Iterator[None]:
    yield
    while RUNNING:
        RUNNING.pop().child.close(force=True)


@pytest.fixture
def playing(tmp_path: Path) -> Program:
    """A game against a bot, at its first move or so."""
    program = Program(tmp_path, "--name", "Ala", "bot", "--level", "novice")
    program.shows("turn ")
    return program


@pytest.mark.parametrize(
    ("number", "code"),
    [(signal.SIGTERM, 143), (signal.SIGHUP, 129), (signal.SIGINT, 130)],
)
def test_a_signal_leaves_the_terminal_as_it_was_and_the_game_saved(
    playing: Program, number: signal.Signals, code: int, tmp_path: Path
) -> None:
    """HUP, INT and TERM: everything switched off again, the log whole."""
    assert playing.child.pid is not None
    os.kill(playing.child.pid, number)
    assert playing.end() == code
    assert_given_back(playing.bytes)
    (log,) = (tmp_path / "games").glob("*.crlog")
    verdict = verify_log(log.read_bytes(), verify)
    assert verdict.first_bad is None
    assert verdict.level >= 1


def test_leaving_by_keys_gives_the_terminal_back(playing: Program) -> None:
    """Ctrl-C twice: saved and left, exit 0."""
    playing.child.send("\x03")
    playing.shows("Leave the table?")
    playing.child.send("\x03")
    assert playing.end() == 0
    assert_given_back(playing.bytes)
    said = playing.bytes.rpartition(b"\x1b[?1049l")[2]
    assert re.search(rb"The game is saved\. Go on with: \S*crapette resume\r\n", said)


def test_an_ascii_terminal_gets_letters_and_no_question_marks(tmp_path: Path) -> None:
    """Where the encoding knows no suits: ``10s``, plain edges, one ``?`` for help."""
    program = Program(
        tmp_path,
        *("--name", "Ala", "bot", "--level", "novice"),
        PYTHONIOENCODING="ascii",
    )
    program.shows("help")  # the cards are dealt
    assert program.text.isascii()
    assert program.text.count("?") == 1
    assert "+-----+" in program.text
    program.child.send("\x03\x03")
    assert program.end() == 0


def test_a_terminal_that_lacks_a_letter_of_the_last_word_ends_well(
    tmp_path: Path,
) -> None:
    """What is said after the screen is gone is escaped, not a bug to report."""
    program = Program(
        tmp_path,
        *("--name", "Ala", "--lang", "fr", "bot", "--level", "novice"),
        PYTHONIOENCODING="ascii",
    )
    program.shows("tour ")
    program.child.send("\x03\x03")
    assert program.end() == 0
    assert b"enregistr\\xe9e" in program.bytes


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGTERM, 143), (signal.SIGINT, 130)]
)
def test_a_signal_in_line_mode_says_that_the_game_is_saved(
    tmp_path: Path, number: signal.Signals, code: int
) -> None:
    """Below the prompt, whose line is ended: the shell's own begins anew."""
    program = Program(tmp_path, "--name", "Ala", "bot", "--plain")
    program.shows("\n> ")
    assert program.child.pid is not None
    os.kill(program.child.pid, number)
    assert program.end() == code
    said = program.bytes.rpartition(b"\r\n> ")[2]
    assert re.fullmatch(
        rb"\r\nthe game is saved\. go on with:\s\S*crapette resume\r\n", said
    )


def test_ctrl_c_at_a_prompt_ends_its_line(tmp_path: Path) -> None:
    """Also where no table is open yet: the menu in lines."""
    program = Program(tmp_path, "--plain", "--name", "Ala")
    program.shows("\n> ")
    program.child.sendintr()
    assert program.end() == 130
    assert re.search(rb"> (?:\^C)?\r\n$", program.bytes)


def test_a_log_without_a_deal_says_why(tmp_path: Path) -> None:
    """Damaged before anything can be shown: the same sentence as in lines."""
    data = bytearray(LOG.read_bytes())
    data[2_000] ^= 1
    damaged = tmp_path / "splice.crlog"
    damaged.write_bytes(data)
    program = Program(tmp_path, "--name", "Ala", "replay", str(damaged))
    assert program.end() == 10
    said = b" ".join(program.bytes.rpartition(b"\x1b[?1049l")[2].split())
    assert b"splice.crlog breaks at record" in said


def test_a_damaged_log_is_no_success(tmp_path: Path) -> None:
    """Watched on the screen: why is said behind it, and the exit code is 10."""
    data = bytearray(LOG.read_bytes())
    data[-2_000] ^= 1
    damaged = tmp_path / "splice.crlog"
    damaged.write_bytes(data)
    program = Program(tmp_path, "--name", "Ala", "replay", str(damaged))
    program.shows("breaks at record")
    program.child.send("q")
    assert program.end() == 10
    assert_given_back(program.bytes)
    said = b" ".join(program.bytes.rpartition(b"\x1b[?1049l")[2].split())
    assert b"splice.crlog breaks at record" in said
    assert b"crapette verify" in said


def test_no_color_leaves_shapes(tmp_path: Path) -> None:
    """With NO_COLOR no colour is ever sent; the design works without."""
    program = Program(
        tmp_path, "--name", "Ala", "bot", "--level", "novice", NO_COLOR="1"
    )
    program.shows("turn ")
    for code in range(30, 38):
        assert f";{code}".encode() not in program.bytes
        assert f"[{code}m".encode() not in program.bytes
    program.child.send("\x03\x03")
    assert program.end() == 0
