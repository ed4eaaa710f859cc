"""``crapette arena``: what it prints, keeps and refuses."""

from __future__ import annotations

import errno
import io
import json
import os
import sys
from pathlib import Path

import pexpect
import pytest

from tests.cli.commands import Crapette

ASKED = ("arena", "--a", "club", "--b", "baseline", "--deals", "2")


class _ClosedWindow(io.TextIOWrapper):
    """A terminal that has gone: whatever is written to it fails."""

    def isatty(self) -> bool:
        return True

    def write(self, text: str) -> int:
        raise OSError(errno.EIO, os.strerror(errno.EIO))


@pytest.mark.slow
def test_json_holds_question_and_figures(crapette: Crapette) -> None:
    """One object: the levels, the rules, the seed, and what came of it."""
    done = crapette(*ASKED, "--json", "--seed", "3", "--rules", "garibaldka")
    value = json.loads(done.out)
    assert done.code == 0
    assert value["v"] == 1
    assert value["levels"] == {"a": "club", "b": "baseline"}
    assert (value["rules"], value["preset"]) == ("garibaldka", "garibaldka")
    assert (value["seed"], value["deals"], value["games"]) == (3, 2, 4)
    assert value["a"]["wins"] + value["b"]["wins"] + value["draws"] == 4
    assert crapette(*ASKED, "--json", "--seed", "3", "--rules", "garibaldka") == done


def test_words_hold_the_same(crapette: Crapette) -> None:
    """Without --json there are a few lines and a table."""
    done = crapette(*ASKED)
    assert done.code == 0
    assert "club (a) against baseline (b), crapette: 2 deals, 4 games" in done.out
    assert "score of a" in done.out
    assert done.err == ""


def test_verbose_tells_of_each_game(crapette: Crapette) -> None:
    """With -v every game is a line on stderr."""
    done = crapette("-v", *ASKED)
    assert done.err.count("\n") == 4
    assert "4/4, deal 1" in done.err


def test_results_are_kept_and_taken_up(crapette: Crapette, tmp_path: Path) -> None:
    """--resume FILE plays only what is not there yet."""
    path = tmp_path / "results.ndjson"
    first = crapette(*ASKED, "--json", "--resume", str(path))
    kept = path.read_text("utf-8")
    again = crapette(*ASKED, "--json", "--resume", str(path))
    assert first == again
    assert path.read_text("utf-8") == kept
    other = crapette(*ASKED, "--seed", "9", "--resume", str(path))
    assert other.code == 2
    assert "another arena" in other.err


@pytest.mark.parametrize("flags", [(), ("-v",)])
def test_a_closed_window_takes_no_results_along(
    crapette: Crapette, monkeypatch: pytest.MonkeyPatch, flags: tuple[str, ...]
) -> None:
    """The bar stood on a terminal that is gone; stdout is a file, and goes on."""
    whole = crapette(*ASKED, "--json")
    with open(os.devnull, "wb") as nowhere:
        monkeypatch.setattr(sys, "stderr", _ClosedWindow(nowhere, "utf-8"))
        assert crapette(*flags, *ASKED, "--json") == whole


@pytest.mark.slow
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_the_bar_and_an_interrupt(tmp_path: Path, jobs: str) -> None:
    """On a terminal a bar grows; Ctrl-C ends in figures, not in a traceback."""
    flags = ["--deals", "20000", "--jobs", jobs, "--resume", "kept.ndjson"]
    with pexpect.spawn(
        sys.executable,
        ["-m", "crapette_p2p", *ASKED[:-2], *flags],
        cwd=str(tmp_path),
        encoding="utf-8",
        timeout=100,
    ) as child:
        child.expect(r"\[#*-+\] 4/40000  a: [0-9.]+ %")
        child.sendintr()
        child.expect("score of a")
        child.expect("broken off after ([0-9]+) of 20000 deals")
        assert child.match is not None
        deals = int(child.match.group(1))
        child.expect(pexpect.EOF)
    assert child.exitstatus == 130
    assert "Traceback" not in str(child.before)
    kept = (tmp_path / "kept.ndjson").read_text("utf-8").splitlines()
    assert 2 <= deals <= (len(kept) - 1) / 2


@pytest.mark.parametrize(
    "wrong",
    [
        ("--deals", "0"),
        ("--deals", "many"),
        ("--a", "grandmaster"),
        ("--rules", "whist"),
        ("--jobs", "0"),
        ("--nodes", "-1"),
        ("--dask", "tcp://127.0.0.1:1"),
    ],
)
def test_what_makes_no_sense_is_exit_2(
    crapette: Crapette, monkeypatch: pytest.MonkeyPatch, wrong: tuple[str, str]
) -> None:
    """Wrong values are refused in a sentence that names a way on."""
    monkeypatch.setitem(sys.modules, "distributed", None)
    done = crapette(*ASKED, *wrong)
    assert done.code == 2
    assert done.out == ""
    assert "See: crapette" in done.err


def test_a_file_nested_without_end_holds_no_results(
    tmp_path: Path, crapette: Crapette
) -> None:
    """JSON says RecursionError of it, which is no bug of ours."""
    path = tmp_path / "deep"
    path.write_text("[" * 100_000)
    done = crapette(*ASKED, "--resume", str(path))
    assert done.code == 2
    assert "holds no results of an arena" in done.err


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no FIFOs")
def test_results_are_kept_in_files_only(tmp_path: Path, crapette: Crapette) -> None:
    """A FIFO would hold the arena for ever, a device feed it for ever."""
    path = tmp_path / "pipe"
    os.mkfifo(path)
    done = crapette(*ASKED, "--resume", str(path))
    assert (done.code, done.out) == (2, "")
    assert "it is no regular file" in done.err
