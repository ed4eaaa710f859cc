"""Processes that a killed worker of the tests has left behind.

A test ends what it starts, also when it fails. A worker that is itself ended (a
test in it hung, and caught its failure) can end nothing any more: its processes
are known by the variables that the worker had from pytest-xdist.
"""

from __future__ import annotations

import contextlib
import os
import signal
from pathlib import Path


def processes_of(run: str, worker: str) -> list[int]:
    """Running processes that this worker of this run began, or they began."""
    wanted = {
        f"PYTEST_XDIST_TESTRUNUID={run}".encode(),
        f"PYTEST_XDIST_WORKER={worker}".encode(),
    }
    found = []
    for path in Path("/proc").glob("[0-9]*/environ"):  # nothing where there is none
        with contextlib.suppress(OSError):  # another's, or it has just ended
            if wanted <= set(path.read_bytes().split(b"\0")):
                found.append(int(path.parent.name))
    return found


def end_processes_of(run: str, worker: str) -> None:
    """Kill them, until none is left that could begin another."""
    while pids := processes_of(run, worker):
        for pid in pids:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
