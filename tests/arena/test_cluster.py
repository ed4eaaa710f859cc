"""An arena on a Dask cluster: two workers, one of them killed in mid-run."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from crapette_p2p.arena import ArenaError, ArenaOptions, Outcome, run_arena
from crapette_p2p.arena import cluster as module
from crapette_p2p.arena.cluster import cluster
from crapette_p2p.arena.running import Mapper, Pair, Results

pytest.importorskip("distributed", reason="the extra [cluster] is not installed")
pytestmark = pytest.mark.slow

ASKED = ArenaOptions(a="club", b="novice", deals=16, seed=12)
QUIET = ("--no-dashboard", "--dashboard-address", "127.0.0.1:0")
Process = subprocess.Popen[str]


def _said(process: Process, wanted: str) -> str:
    """The line of a process's log that holds ``wanted``; it has to come."""
    assert process.stderr is not None
    for line in process.stderr:
        if wanted in line:
            return line
    raise AssertionError(f"it ended without saying {wanted!r}")


@contextmanager
def _started(place: Path, module: str, *flags: str) -> Iterator[Process]:
    command = (sys.executable, "-m", f"distributed.cli.{module}", *flags)
    env = {"DASK_CONFIG": str(place), "HOME": str(place), "PATH": "/usr/bin:/bin"}
    process = subprocess.Popen(
        command, cwd=place, env=env, text=True, stderr=subprocess.PIPE
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where all that Dask writes goes: its settings belong to nobody's home."""
    monkeypatch.setenv("DASK_CONFIG", str(tmp_path))
    monkeypatch.setenv("HOME", str(tmp_path))
    return tmp_path


@contextmanager
def _scheduler(place: Path) -> Iterator[tuple[Process, str]]:
    with _started(
        place, "dask_scheduler", "--host", "127.0.0.1", "--port", "0", *QUIET
    ) as scheduler:
        yield scheduler, _said(scheduler, "Scheduler at:").split()[-1]


@contextmanager
def _workers(place: Path, address: str, count: int) -> Iterator[list[Process]]:
    flags = (address, "--nthreads", "1", "--no-nanny", "--host", "127.0.0.1", *QUIET)
    with ExitStack() as stack:
        workers = [
            stack.enter_context(
                _started(place, "dask_worker", *flags, "--name", f"worker-{n}")
            )
            for n in range(count)
        ]
        for worker in workers:
            _said(worker, "Registered to:")
        yield workers


def _after(count: int, act: Callable[[], object]) -> Callable[[Outcome], None]:
    """Do something when so many games have come in."""
    told = 0

    def tell(_: Outcome) -> None:
        nonlocal told
        told += 1
        if told == count:
            act()

    return tell


def test_a_killed_worker_changes_nothing(place: Path) -> None:
    """Of two workers one is killed in mid-run: each deal counts, and once."""
    path = place / "results.ndjson"
    with (
        _scheduler(place) as (_, address),
        _workers(place, address, 2) as workers,
        cluster(address) as mapper,
    ):
        killing = _after(6, workers[0].kill)
        report = run_arena(ASKED, mapper=mapper, results=path, on_outcome=killing)
        assert workers[0].wait() != 0
        assert workers[1].poll() is None
    assert report == run_arena(ASKED)
    games = [json.loads(line) for line in path.read_text("utf-8").splitlines()[1:]]
    assert sorted((g["number"], g["swapped"]) for g in games) == [
        (number, swapped) for number in range(ASKED.deals) for swapped in (False, True)
    ]


def _only(deals: int, place: Path, mapper: Mapper) -> Mapper:
    """A map whose worker plays so many deals, and never comes to the end of the next.

    However late its owner looks for results, some are missing then.
    """

    def spread(
        function: Callable[[Pair], Results], pairs: Iterable[Pair]
    ) -> Iterator[Results]:
        begun = str(place)

        def played(pair: Pair) -> Results:
            mark = os.path.join(begun, f"{pair[0].number}.begun")
            os.close(os.open(mark, os.O_CREAT))
            if sum(name.endswith(".begun") for name in os.listdir(begun)) > deals:
                threading.Event().wait()
            return function(pair)

        return mapper(played, pairs)

    return spread


def test_a_lost_scheduler_is_said_and_what_was_played_is_kept(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without its scheduler an arena stops, and goes on later where it was."""
    monkeypatch.setattr(module, "PATIENCE", "5s")  # it is looked for so long
    path = place / "results.ndjson"
    with (
        _scheduler(place) as (scheduler, address),
        _workers(place, address, 1),
        cluster(address) as mapper,
    ):
        told = _after(4, scheduler.kill)
        with pytest.raises(ArenaError, match="was lost"):
            run_arena(
                ASKED,
                mapper=_only(4, place, mapper),
                results=path,
                on_outcome=told,
            )
    assert 5 <= path.read_text("utf-8").count("\n") <= 9
    assert run_arena(ASKED, results=path) == run_arena(ASKED)


def test_a_cluster_without_workers_is_said(place: Path) -> None:
    """Nobody waits for workers that were never started."""
    with (
        _scheduler(place) as (_, address),
        pytest.raises(ArenaError, match="no workers"),
        cluster(address),
    ):
        pass
