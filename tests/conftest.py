"""What holds for every test."""

from __future__ import annotations

import faulthandler
import os
import signal
import sys
from collections.abc import Generator, Iterable
from pathlib import Path
from typing import Final, Protocol

import pytest

from tests.helpers.leftovers import end_processes_of
from tests.helpers.scheduling import FilesOnce, Worker

HERE: Final = Path(__file__).parent
UNMEASURED: Final = frozenset({"adversarial", "fuzz", "interop", "netns", "vectors"})
"""Folders whose tests go over the same code again and again, from outside."""
AGAIN: Final = 10.0
"""Seconds after which a test that has caught its time-out is given another."""
CLEARING: Final = 120.0
"""Seconds a test may take to clear up; after them its process ends."""
STDERR: Final = pytest.StashKey[int]()
"""Where stacks are written, whatever a test has put in the place of stderr."""


def pytest_collection_modifyitems(items: Iterable[pytest.Item]) -> None:
    """Measure no coverage in slow tests: they repeat, at length, what others reach.

    Measuring costs three times the time of what is measured, and a game played
    a hundred times covers no line more than one played once.
    """
    for item in items:
        folder = item.path.relative_to(HERE).parts[0]
        if folder in UNMEASURED or item.get_closest_marker("slow") is not None:
            item.add_marker("no_cover")


# No test may keep the others waiting for ever. ---------------------------------------


class Settings(Protocol):
    """What pytest-timeout goes by."""

    method: str
    timeout: float


def pytest_configure(config: pytest.Config) -> None:
    """Keep a way to stderr."""
    config.stash[STDERR] = os.dup(sys.__stderr__.fileno() if sys.__stderr__ else 2)


def pytest_unconfigure(config: pytest.Config) -> None:
    """Give it back."""
    faulthandler.cancel_dump_traceback_later()
    os.close(config.stash[STDERR])


@pytest.hookimpl(wrapper=True, optionalhook=True)
def pytest_timeout_set_timer(settings: Settings) -> Generator[None, object, object]:
    """Raise the time-out again and again.

    Once is not enough: an event loop logs what a callback raises and goes on, and
    what clears up after the first may hang just as well.
    """
    done = yield
    if settings.method == "signal":
        signal.setitimer(signal.ITIMER_REAL, settings.timeout, AGAIN)
    return done


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: pytest.Item) -> Generator[None, object, object]:
    """Bound the clearing up, too: a test that has failed is no longer timed."""
    stderr = item.config.stash[STDERR]
    faulthandler.dump_traceback_later(CLEARING, file=stderr, exit=True)
    try:
        return (yield)
    finally:
        faulthandler.cancel_dump_traceback_later()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: object) -> FilesOnce | None:
    """Run no test again at which a worker has ended."""
    return FilesOnce(config, log) if config.getoption("dist") == "loadfile" else None


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Worker) -> None:
    """Let nothing survive the worker that began it."""
    end_processes_of(node.workerinput["testrunuid"], node.gateway.id)
