"""What went wrong on the way to a table: the right words, the right exit, in time.

One lab has every obstacle in it, all attempts run side by side, and each test
looks at one of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass

import pytest

from tests.helpers.pace import Stopwatch
from tests.net.processes import Crapette, machine_in
from tests.netns.conftest import Players
from tests.netns.lab import Computer, Lab

pytestmark = pytest.mark.slow

TIMEOUT = 2
"""Seconds of ``--timeout``."""
PATIENT = {"10.77.0.9": 8, "10.79.0.1": 8}
"""A computer that does not answer to its address is given up by the system itself."""
LONGEST = 45.0
"""Seconds until every attempt has ended, the start of all processes included."""
_WEB = """
import http.server
server = http.server.HTTPServer(("10.77.0.1", 8080), http.server.BaseHTTPRequestHandler)
print("open", flush=True)
server.serve_forever()
"""
_MUTE = """
import socket
listener = socket.create_server(("10.77.0.1", 9090))
print("open", flush=True)
kept = [listener.accept() for _ in range(9)]
"""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How one attempt ended."""

    status: int
    said: str
    """Its stderr on one line."""
    lines: list[dict[str, object]]


CASES = {
    "10.77.0.1": (5, "10.77.0.1 answered, but no table is open on port 4747"),
    "10.78.0.1": (5, "No answer from 10.78.0.1"),
    "10.77.0.9": (5, "not on a network that reaches 10.77.0.9"),
    "10.79.0.1": (5, "not on a network that reaches 10.79.0.1"),
    "10.99.1.1": (5, "not on a network that reaches 10.99.1.1"),
    "10.99.2.1": (5, "not on a network that reaches 10.99.2.1"),
    "10.99.3.1": (5, "forbids connections to 10.99.3.1"),
    "10.99.4.1": (5, "not on a network that reaches 10.99.4.1"),
    "8.8.8.8": (5, "not on a network that reaches 8.8.8.8"),
    "fe80::1": (5, "fe80::1"),
    "no-such.invalid": (5, "no computer called 'no-such.invalid'"),
    "10.77.0.1:8080": (6, "Something else is listening on 10.77.0.1, port 8080"),
    "10.77.0.1:9090": (6, "takes calls on 10.77.0.1, port 9090, but says nothing"),
}
"""Where somebody joins: closed, dropped, absent, isolated (a guest Wi-Fi), rejected
on the way, forbidden on the way, forbidden here, a black hole here, no route, no
scope, no such name, a web server, and something mute."""


@pytest.fixture(scope="module")
def outcomes(
    possible: None, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[dict[str, Outcome]]:
    """Every attempt of ``CASES``, and what was listed behind the guest Wi-Fi."""
    del possible
    with ExitStack() as stack:
        machine = stack.enter_context(machine_in(tmp_path_factory.mktemp("reaching")))
        lab = stack.enter_context(Lab())
        players = Players(machine)
        olek = _build(lab, stack, players)
        began = Stopwatch()
        running = {"lan": players.start(olek, "Ela", "lan", "--json")}
        for number, place in enumerate(CASES):
            name, timeout = f"Olek {number}", str(PATIENT.get(place, TIMEOUT))
            running[place] = players.join(olek, place, "--timeout", timeout, name=name)
        found = {place: _outcome(process) for place, process in running.items()}
        assert began.seconds < LONGEST
        yield found


def _build(lab: Lab, stack: ExitStack, players: Players) -> Computer:
    """Ala and Olek on several networks, with a router; Olek's computer."""
    lan, dropping, guests = lab.switch(), lab.switch(), lab.switch()
    ala, olek, router = lab.computer(), lab.computer(), lab.computer()
    for switch, network in ((lan, "10.77"), (dropping, "10.78"), (guests, "10.79")):
        ports = [
            lab.connect(ala, switch, f"{network}.0.1/24"),
            lab.connect(olek, switch, f"{network}.0.2/24"),
        ]
        if switch is guests:
            for port in ports:
                port.isolate()
    ala.ip("route", "add", "blackhole", "10.78.0.2/32")  # its answers are dropped
    lab.connect(router, lan, "10.77.0.3/24")
    router.set("net/ipv4/ip_forward", "1")
    router.ip("route", "add", "unreachable", "10.99.1.0/24")
    router.ip("route", "add", "prohibit", "10.99.2.0/24")
    olek.ip("route", "add", "10.99.0.0/16", "via", "10.77.0.3")
    olek.ip("route", "add", "prohibit", "10.99.3.0/24")
    olek.ip("route", "add", "blackhole", "10.99.4.0/24")
    stack.enter_context(_serving(ala, _WEB))
    stack.enter_context(_serving(ala, _MUTE))
    # Only the guest Wi-Fi leads to it.
    players.host(ala, "Ala", "--bind", "10.79.0.1")
    return olek


@contextmanager
def _serving(at: Computer, script: str) -> Iterator[None]:
    with at.python(script) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == b"open\n"
            yield
        finally:
            process.kill()


def _outcome(process: Crapette) -> Outcome:
    status = process.wait()
    return Outcome(status, " ".join(process.errors().split()), process.lines)


@pytest.mark.parametrize(
    ("place", "status", "words"), [(p, *c) for p, c in CASES.items()]
)
def test_each_obstacle_has_its_words(
    outcomes: dict[str, Outcome], place: str, status: int, words: str
) -> None:
    """What happened, in words that a player can act on, and the exit status."""
    outcome = outcomes[place]
    assert (outcome.status, outcome.lines) == (status, [])
    assert words in outcome.said
    for leak in ("Error", "Errno", "exception", "Traceback"):
        assert leak not in outcome.said


def test_a_guest_network_lists_nobody(outcomes: dict[str, Outcome]) -> None:
    """Where devices are kept apart no table is seen, and the list says so calmly."""
    assert outcomes["lan"] == Outcome(0, "", [{"v": 1, "tables": []}])
    assert "guest" in outcomes["10.79.0.1"].said


def test_offline(lab: Lab, players: Players) -> None:
    """A computer on no network says so, whatever is asked of it."""
    alone = lab.computer()
    doctor = players.start(alone, "Ala", "doctor", "--json")
    joined = players.join(alone, "192.168.1.20", name="Olek")
    outcome = _outcome(joined)
    assert outcome.status == 5
    assert "not on a network that reaches 192.168.1.20" in outcome.said
    assert doctor.wait() == 0, doctor.errors()
    checks = doctor.lines[0]["checks"]
    assert isinstance(checks, list)
    addresses = [check for check in checks if check["name"] == "address"]
    assert [check["ok"] for check in addresses] == [False]
