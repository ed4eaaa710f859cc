"""The command line as a target: any words, any file, one of the exit statuses."""

from __future__ import annotations

import contextlib
import io
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from crapette_p2p.cli import main

SAFE = (
    "legal",
    "play",
    "verify",
    "compare",
    "replay",
    "rules",
    "keys",
    "games",
    "peers",
    "id",
    "stats",
    "completion",
    "config",
)
"""Commands that neither wait for a person nor open the network."""
BUG = 1
FILE = "@"
"""A word that stands for the file."""


def fuzz_command_line(data: bytes) -> None:
    """Lines of words up to an empty one, then the content of a file."""
    head, _, content = data.partition(b"\n\n")
    words = head.decode("utf-8", "replace").split("\n")
    words = [word.replace("\0", "") for word in words]
    if not words or words[0] not in SAFE:
        words.insert(0, SAFE[len(data) % len(SAFE)])
    if any(word.startswith(("--html", "--svg", "-o", "--out")) for word in words):
        return  # it would write where the fuzzer says
    with tempfile.TemporaryDirectory() as name:
        home = Path(name)
        file = home / "file"
        file.write_bytes(content)
        arguments = [str(file) if word == FILE else word for word in words]
        safety = ["--no-input", "--data-dir", str(home / "data")]
        code, said = run_quietly([*arguments, *safety], content)
    assert code in range(11), said
    assert code != BUG, said
    assert all(line.isprintable() for line in said.splitlines()), said


def run_quietly(arguments: list[str], stdin: bytes) -> tuple[int, str]:
    """Run in this process; the exit status and what was said on stderr."""
    with silence(stdin) as (_, err):
        try:
            code = main(arguments)
        except SystemExit as stop:
            code = stop.code if isinstance(stop.code, int) else 2
    return code, err.getvalue()


@contextlib.contextmanager
def silence(stdin: bytes) -> Iterator[tuple[io.StringIO, io.StringIO]]:
    """Standard streams of our own."""
    kept = sys.stdin
    sys.stdin = io.TextIOWrapper(io.BytesIO(stdin), encoding="utf-8")
    out, err = io.StringIO(), io.StringIO()
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            yield out, err
    finally:
        sys.stdin = kept
