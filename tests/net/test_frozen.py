"""Real processes that are stopped by a signal and let go again (T2; reports 5, 15).

A stopped program's kernel still answers TCP, so nothing but the silence of the
program itself can tell. How long a silence may last is shortened in the children
(``hurried.py``); the test waits for what they say, never for a time.
"""

from __future__ import annotations

import os
import signal
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.net.processes import Crapette, Machine, machine_in
from tests.net.test_processes import LONGER, STRANGERS, assert_proven

pytestmark = pytest.mark.skipif(
    not hasattr(signal, "SIGSTOP"), reason="this system cannot stop a process"
)
DEAD_SOON = ("tests.net.hurried", "0.5", "1.5", "6")
QUIET_SOON = ("tests.net.hurried", "0.1", "0.3", "3000")


@pytest.fixture(name="machine")
def a_machine() -> Iterator[Machine]:
    """Processes that lose patience early."""
    shared = Path("/dev/shm")  # noqa: S108 - a fresh directory is made in it
    where = shared if os.access(shared, os.W_OK) else None
    with tempfile.TemporaryDirectory(dir=where) as root, machine_in(Path(root)) as m:
        m.module = DEAD_SOON
        yield m


def stop(process: Crapette) -> None:
    """SIGSTOP, and nothing of it runs any more."""
    process.process.send_signal(signal.SIGSTOP)
    os.waitid(os.P_PID, process.process.pid, os.WSTOPPED | os.WNOWAIT)


def names(process: Crapette) -> list[object]:
    """What it has said, without the events."""
    return [line["type"] for line in process.lines if line["type"] != "event"]


def events(process: Crapette) -> list[dict[str, object]]:
    """Every line of an event, with the state it led to."""
    return [line for line in process.lines if line["type"] == "event"]


@pytest.mark.slow
@pytest.mark.parametrize("frozen", ["host", "guest"])
def test_t02_a_process_that_is_stopped_and_let_go(
    machine: Machine, frozen: str
) -> None:
    """T2: suspended after T_DEAD, resumed after SIGCONT, one game on both sides."""
    host, port = machine.host(STRANGERS, held=LONGER if frozen == "host" else "")
    guest = machine.join(port, STRANGERS, held=LONGER if frozen == "guest" else "")
    one, other = (host, guest) if frozen == "host" else (guest, host)
    other.until("event", 30)
    stop(one)
    assert other.until("LinkLost")["code"] == 106  # its kernel has not hung up
    assert one.process.poll() is None
    one.go_on()
    for process in (one, other):
        process.until("GameResumed")
    assert (guest.wait(), host.wait()) == (0, 0), (guest.errors(), host.errors())
    assert events(host) == events(guest)
    assert_proven(host, guest)


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_report_05_whose_turn_it_is_after_a_silent_reconnect(machine: Machine) -> None:
    """Report 5: each side is stopped in turn: both tell of the same turns.

    What the screen says then is tests/ui/test_pitfalls_people.py's.
    """
    host, port = machine.host(STRANGERS, held="50")
    guest = machine.join(port, STRANGERS, held="90")
    for one, other in ((host, guest), (guest, host)):
        other.until("event", 15)
        stop(one)
        other.until("LinkLost")
        one.go_on()
        for process in (one, other):
            process.until("GameResumed")
    assert (guest.wait(), host.wait()) == (0, 0), (guest.errors(), host.errors())
    assert events(host) == events(guest)
    assert_proven(host, guest)


@pytest.mark.slow
@pytest.mark.parametrize("frozen", ["host", "guest"])
def test_report_15_a_freeze_that_passes_is_no_leaving(
    machine: Machine, frozen: str
) -> None:
    """Report 15: a long pause of the whole program ends with a word, nothing lost."""
    machine.module = QUIET_SOON
    host, port = machine.host(STRANGERS, held=LONGER if frozen == "host" else "")
    guest = machine.join(port, STRANGERS, held=LONGER if frozen == "guest" else "")
    one, other = (host, guest) if frozen == "host" else (guest, host)
    other.until("event", 30)
    stop(one)
    other.until("PeerQuiet")
    one.go_on()
    other.until("PeerHeard")
    assert (guest.wait(), host.wait()) == (0, 0), (guest.errors(), host.errors())
    for process in (host, guest):
        assert "LinkLost" not in names(process)
        assert names(process).count("Connected") == 1
    assert_proven(host, guest)
