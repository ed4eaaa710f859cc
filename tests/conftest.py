"""What holds for every test."""

from __future__ import annotations

import faulthandler
import gc
import importlib
import itertools
import os
import pkgutil
import random
import signal
import sys
from collections import Counter
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Final, Protocol

import coverage
import pytest
from hypothesis import HealthCheck, settings

import crapette_p2p
from crapette_p2p.net import sources
from tests.helpers.leftovers import end_processes_of
from tests.helpers.remembering import remember
from tests.helpers.scheduling import FilesOnce, Worker

remember()
HERE: Final = Path(__file__).parent
UNMEASURED: Final = frozenset(
    HERE / name
    for name in (
        *("adversarial", "fuzz", "interop", "netns", "vectors"),
        *("arena/test_arena.py", "bot/test_hints.py", "canonical/test_canonical.py"),
        *("cli/test_one_count.py", "cli/test_untranslated.py"),
        *("engine/test_cases.py", "engine/test_moves.py", "engine/test_properties.py"),
        *("gamelog/test_evidence.py", "gamelog/test_events.py"),
        *("gamelog/test_verify.py", "net/test_table_games.py", "net/test_thinking.py"),
        *("net/test_accept.py", "net/test_field_reports.py", "net/test_reconnect.py"),
        *("session/test_parting.py", "session/test_timers.py"),
        *("session/test_collisions.py", "session/test_endings.py"),
        *("session/test_fuzz.py", "session/test_games.py", "session/test_messages.py"),
        *("session/test_opengame.py", "session/test_resume.py"),
        *("session/test_states.py",),
        *("ui/test_catalogues_spoken.py", "ui/test_render.py", "ui/test_widgets.py"),
        *("ui/test_narrow.py", "ui/test_pitfalls.py", "ui/test_pitfalls_tell.py"),
        *("test_docs.py", "test_layering.py", "test_words.py"),
    )
)
"""Folders and files whose tests go, at length, over lines that others reach, too.

Without them the report names 1 line in 200 fewer, and takes half the time.
"""
LONGEST: Final = tuple(
    HERE / name
    for name in (
        *("fuzz/test_fuzz_short.py", "ui/test_two_windows.py", "netns/test_cable.py"),
        *("arena/test_cluster.py",),
        *("test_packages.py", "net/test_processes.py", "netns/test_reaching.py"),
        *("netns/test_beyond.py", "ui/test_one_window.py", "net/test_frozen.py"),
        *("netns/test_lan.py", "netns/test_tunnels.py", "ui/test_processes.py"),
    )
)
"""Files that take long and wait much: they come first, beside the types."""
assert all(path.exists() for path in UNMEASURED.union(LONGEST))
AGAIN: Final = 10.0
"""Seconds after which a test that has caught its time-out is given another."""
CLEARING: Final = 120.0
"""Seconds a test may take to clear up; after them its process ends."""
DEALT: Final = os.environ.get("CRAPETTE_CHANCE", "1")
"""Which cards the tests deal."""
UNHURRIED: Final = "unhurried"
"""Properties are no matter of time: a busy machine may be slow at any example."""
SAME: Final = "same"
"""Properties are tried with the same examples in every run, as cards are dealt."""
settings.register_profile(
    UNHURRIED,
    settings.get_profile(settings.get_current_profile_name()),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    database=None,  # the project's folder may not be ours to write to
    print_blob=True,
)
settings.register_profile(SAME, settings.get_profile(UNHURRIED), derandomize=True)
settings.load_profile(UNHURRIED if "CRAPETTE_CHANCE" in os.environ else SAME)
OUR_OWN: Final = frozenset(
    f"CRAPETTE_{name}" for name in ("CHANCE", "EVERY_BYTE", "FUZZ", "GAMES", "VENV")
)
"""Variables that are for the tests."""
WISHES: Final = frozenset(
    (
        *("LANG", "LANGUAGE", "COLUMNS", "LINES", "NO_COLOR", "FORCE_COLOR"),
        *("COLORTERM", "COLORFGBG", "PYTHONUTF8", "PYTHONIOENCODING", "TMUX"),
    )
)
"""Variables of a person that change what programs say, and how."""
STDERR: Final = pytest.StashKey[int]()
"""Where stacks are written, whatever a test has put in the place of stderr."""


def pytest_collection_modifyitems(
    config: pytest.Config, items: list[pytest.Item]
) -> None:
    """Mark what is not measured, and bring the files into their order.

    Measuring costs three times the time of what is measured, and a game played
    a hundred times covers no line more than one played once: nothing is measured
    in slow tests.
    """
    for item in items:
        is_slow = item.get_closest_marker("slow") is not None
        if is_slow or not UNMEASURED.isdisjoint((item.path, *item.path.parents)):
            item.add_marker("no_cover")
    if hasattr(config, "workerinput"):
        sizes = Counter(item.path for item in items)
        sizes |= Counter({path: 9999 - at for at, path in enumerate(LONGEST)})
        items.sort(key=lambda item: -sizes[item.path])


@pytest.hookimpl(wrapper=True)
def pytest_collection(session: pytest.Session) -> Generator[None, object, object]:
    """Measure nothing while the tests are collected, but what importing runs."""
    measuring = coverage.Coverage.current()
    if measuring is None or not hasattr(session.config, "workerinput"):
        return (yield)
    for module in pkgutil.walk_packages(crapette_p2p.__path__, "crapette_p2p."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
    measuring.stop()
    try:
        return (yield)
    finally:
        measuring.start()


def pytest_collection_finish() -> None:
    """Keep the garbage collector from going through thousands of tests each time."""
    gc.freeze()


@pytest.hookimpl(tryfirst=True)
def pytest_sessionstart(session: pytest.Session) -> None:
    """Let a worker measure once, not twice.

    There pytest-cov starts a second measurement upon its first one, whose figures
    go nowhere. ``no_cover`` ends the second, and the first would take its place.
    """
    first = coverage.Coverage.current()
    if first is not None and hasattr(session.config, "workerinput"):
        first.stop()


@pytest.fixture(autouse=True)
def _same_chance(
    request: pytest.FixtureRequest,
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Deal the same cards in every run; what chance finds is the simulation's.

    ``CRAPETTE_CHANCE=2`` deals others, to look for tests that hold for some deals only.
    """
    name = f"{DEALT} {request.node.nodeid}"
    made = itertools.count()

    def same() -> Callable[[int], bytes]:
        return random.Random(f"{name} {next(made)}").randbytes  # noqa: S311 - a game that repeats

    monkeypatch.setattr(sources, "entropy", same)
    monkeypatch.setattr(sources, "clock", lambda: lambda: 1_796_000_000)
    # For programs of their own (tests.helpers.children).
    monkeypatch.setenv("SAME_CHANCE", f"{tmp_path_factory.getbasetemp()}\n{name}")


# No test may keep the others waiting for ever. ---------------------------------------


class Settings(Protocol):
    """What pytest-timeout goes by."""

    method: str
    timeout: float


def pytest_configure(config: pytest.Config) -> None:
    """Keep a way to stderr, and start programs as a shell would."""
    _heed_signals()
    _same_environment()
    config.stash[STDERR] = os.dup(sys.__stderr__.fileno() if sys.__stderr__ else 2)


def _heed_signals() -> None:
    """Let no program that a test starts ignore what whoever began the tests does.

    In the background of a script, or below nohup, Ctrl-C and hanging up are ignored,
    and whatever is started there inherits that. A handler nobody inherits.
    """
    for name in ("SIGHUP", "SIGINT", "SIGQUIT", "SIGTERM"):
        number = getattr(signal, name, None)  # Windows has not all of them
        if number is not None and signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, lambda *_: None)


def _same_environment() -> None:
    """Speak English on 80 columns, whatever whoever began the tests has wished for."""
    for name in tuple(os.environ):
        wished = name.startswith(("LC_", "CRAPETTE_")) and name not in OUR_OWN
        if wished or name in WISHES:
            del os.environ[name]
    os.environ["LC_ALL"] = "C.UTF-8"


def pytest_unconfigure(config: pytest.Config) -> None:
    """Give it back."""
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


@pytest.hookimpl(trylast=True)
def pytest_exception_interact(node: pytest.Item | pytest.Collector) -> None:
    """Bound the clearing up, too: a test that has failed is no longer timed."""
    if isinstance(node, pytest.Item):
        stderr = node.config.stash[STDERR]
        faulthandler.dump_traceback_later(CLEARING, file=stderr, exit=True)


def pytest_runtest_logfinish() -> None:
    """It has cleared up: what bounded that must not end another test."""
    faulthandler.cancel_dump_traceback_later()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: object) -> FilesOnce | None:
    """Run no test again at which a worker has ended; take the files as they come."""
    if config.getoption("dist") != "loadfile":
        return None
    config.option.loadscopereorder = False
    return FilesOnce(config, log)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Worker) -> None:
    """Let nothing survive the worker that began it."""
    end_processes_of(node.workerinput["testrunuid"], node.gateway.id)
