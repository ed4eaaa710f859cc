"""The benchmarks: every one runs, has a floor, and is told of in CONTRIBUTING."""

from __future__ import annotations

import importlib.util
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
BENCH = ROOT / "scripts" / "benchmarks"
AIMS = {
    "engine.lists": 35.0,
    "engine.games": 140_000.0,
    "log.verify": 1.3,
    "wire.events": 2.0,
    "start.version": 1.8,
    "start.frame": 1.5,
}


def bench(*arguments: str) -> str:
    """What the benchmarks print."""
    done = subprocess.run(
        [sys.executable, str(BENCH), *arguments],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_what_is_measured_once_is_repeated_while_there_is_time() -> None:
    """Without patience each size is measured once, and that whatever happens."""
    spec = importlib.util.spec_from_file_location("measuring", BENCH / "measuring.py")
    assert spec is not None
    assert spec.loader is not None
    measuring = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = measuring
    spec.loader.exec_module(measuring)
    for seconds, rounds in ((600.0, [5, 3]), (-1.0, [1, 1])):
        patience = measuring.Patience(seconds)
        assert [len([*patience.rounds(most)]) for most in (5, 3)] == rounds


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_every_benchmark_runs_and_is_explained() -> None:
    """Once each at 1x: a cost, a floor, the aims; CONTRIBUTING has each in a row."""
    answer = json.loads(bench("--quick", "--json"))
    assert answer["calibration"]["rounds_per_second"] > 0
    figures = {figure["name"]: figure for figure in answer["benchmarks"]}
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    told = {line.split("`")[1] for line in text.splitlines() if line.startswith("| `")}
    assert {name.partition(".")[0] for name in figures} == {
        name.partition(".")[0] for name in told
    }
    for name, figure in figures.items():
        assert any(name == row or row == name.partition(".")[0] for row in told), name
        assert figure["floor"]
        assert figure["ratio"] >= 0
        assert figure["in_bytes"] or figure["ratio"] > 0
    assert {n: f["aim"] for n, f in figures.items() if f["aim"] is not None} == AIMS


@pytest.mark.slow
def test_a_benchmark_is_held_against_its_floor_and_has_an_exponent() -> None:
    """Lines of text: rate, ratio, growth over 1x, 10x and 100x, the scaled rate."""
    first, line = bench("--only", "engine.lists").splitlines()
    assert "the calibration loop runs at" in first
    assert line.startswith("engine.lists ")
    assert " x calibration " in line
    (exponent,) = re.findall(r"exponent (\d\.\d+)", line)
    # Each of the three sizes is measured on a computer that does other things, too.
    assert 0.5 < float(exponent) < 1.5
    assert line.endswith(" lists/s at 3.5 M/s")
