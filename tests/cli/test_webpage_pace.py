"""The page of a game at the players' own pace: its script, with clocks of our own."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from crapette_p2p.cli.pictures import write_page
from crapette_p2p.gamelog.replay import Replay, open_replay
from crapette_p2p.gamelog.times import Times
from tests.cli.finished import finished_log

NODE = shutil.which("node")
in_node = pytest.mark.skipif(NODE is None, reason="no Node.js is installed")
STAGE = """
const figures = FIGURES.map((data) => ({
  dataset: data,
  classList: { add() {}, remove() {} },
  querySelector: () => ({ textContent: "" }),
}));
const state = { textContent: "" }, others = { append() {} };
let listener, waiting = 0, due = null;
globalThis.document = {
  querySelectorAll: () => figures, querySelector: () => null,
  getElementById: (id) => id === "state" ? state : others,
  body: { classList: { toggle() {} } },
  addEventListener: (_, heard) => { listener = heard; },
};
globalThis.Option = class {};
globalThis.setTimeout = (work, ms) => { due = { work, ms }; return ++waiting; };
globalThis.clearTimeout = () => { due = null; };
"""
DRIVE = """
const said = [];
for (const key of KEYS) {
  if (key === "later") { const { work } = due; due = null; work(); }
  else listener({ key, preventDefault() {} });
  said.push([state.textContent, due && Math.round(due.ms)]);
}
console.log(JSON.stringify(said));
"""


@pytest.fixture(scope="module")
def replay() -> Replay:
    """A finished game."""
    return open_replay(finished_log())


def page_of(replay: Replay, times: Times | None, path: Path) -> str:
    """The page as written."""
    write_page(str(path), replay, name="game", flip=False, times=times)
    return path.read_text(encoding="utf-8")


def said(page: str, *keys: str) -> list[tuple[str, int | None]]:
    """The state line after each key, and in how many ms the next move is due."""
    assert NODE is not None
    figures = [
        dict(re.findall(r'data-(\w+)="(\d+)"', tag))
        for tag in re.findall(r"<figure ([^>]*)>", page)
    ]
    (script,) = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    stage = STAGE.replace("FIGURES", json.dumps(figures))
    drive = DRIVE.replace("KEYS", json.dumps(keys))
    program = f"{stage}\n(() => {{{script}}})();\n{drive}"
    done = subprocess.run(
        [NODE, "-"],
        input=program,
        capture_output=True,
        check=True,
        timeout=60,
        encoding="utf-8",
    )
    return [(text, ms) for text, ms in json.loads(done.stdout)]


def test_a_page_holds_the_times_that_are_known(replay: Replay, tmp_path: Path) -> None:
    """Of what it shows, and none where none were kept."""
    plain = page_of(replay, None, tmp_path / "plain.html")
    assert "data-ms" not in plain
    at = {seq: 10 * seq for seq in range(replay.length)}
    timed = page_of(replay, Times(at, 0, 0, 0), tmp_path / "timed.html")
    found = [int(ms) for ms in re.findall(r'<figure [^>]*data-ms="(\d+)"', timed)]
    assert len(found) == timed.count("<figure ")
    assert found == sorted(found)
    assert found[:2] == [10 * (replay.start - 1), 10 * replay.steps[0].seq]


@in_node
def test_w_waits_like_the_players_did(replay: Replay, tmp_path: Path) -> None:
    """Within the same bounds as the viewer, scaled by the speed."""
    first, second, third = (step.seq for step in replay.steps[:3])
    at = {replay.start - 1: 0, first: 700, second: 90_000, third: 90_000}
    page = page_of(replay, Times(at, 0, 0, 0), tmp_path / "game.html")
    keys = ("w", "later", "later", "later", "+", "=", "w", "w", " ", " ", "w", " ")
    told = said(page, *keys)
    assert [ms for _, ms in told] == (
        [700, 2000, 100, 900, 600, 900, 900, 900, None, 900, 900, None]
    )
    assert told[0][0].startswith("► 0/")
    assert told[0][0].endswith(", as played 1×")
    assert told[4][0].endswith(", as played 1.5×")
    assert told[6][0].endswith(", 1×")
    assert told[8][0].startswith("3/")


@in_node
def test_the_page_runs_to_its_end(replay: Replay, tmp_path: Path) -> None:
    """And stands there; from there it begins anew."""
    page = page_of(replay, None, tmp_path / "game.html")
    last = page.count("<figure ") - 1
    told = said(page, "End", "h", " ", "later", " ")
    assert told[2] == (f"► {last - 1}/{last}, {told[2][0].split(', ', 1)[1]}", 900)
    assert told[3][0].startswith(f"{last}/")
    assert told[3][1] is None
    assert told[4][0].startswith("► 0/")


@in_node
def test_w_says_that_no_times_were_kept(replay: Replay, tmp_path: Path) -> None:
    """And leaves everything as it was."""
    page = page_of(replay, None, tmp_path / "game.html")
    (note, ms), (after, _) = said(page, "w", "l")
    assert note == "No times were kept for this game: it plays evenly (+ and -)."
    assert ms is None
    assert after.startswith("1/")
