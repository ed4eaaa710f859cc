"""Two real processes: whole games, kills in mid-game, signals, exit statuses."""

from __future__ import annotations

import functools
import os
import signal
import socket
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from crapette_p2p.cli import main
from crapette_p2p.gamelog.compare import Relation, compare_logs
from crapette_p2p.gamelog.verify import verify_log
from crapette_p2p.net import crypto
from tests.net.processes import Crapette, Machine, machine_in

STRANGERS = "--accept-unverified"
LONGER = "60"
"""Actions after which a game waits for a test that does something in it so late."""
verify = functools.lru_cache(maxsize=None)(crypto.verify)
"""Both logs of a game hold the same signatures; each is looked at once."""


@pytest.fixture
def machine() -> Iterator[Machine]:
    """A machine for this test, its disk in memory where the system has that."""
    shared = Path("/dev/shm")  # noqa: S108 - a fresh directory is made in it
    where = shared if os.access(shared, os.W_OK) else None
    with tempfile.TemporaryDirectory(dir=where) as root, machine_in(Path(root)) as m:
        yield m


def assert_proven(first: Crapette, second: Crapette) -> None:
    """Both logs verify to the last level and are the same."""
    mine, other = first.log().read_bytes(), second.log().read_bytes()
    assert [verify_log(log, verify).level for log in (mine, other)] == [5, 5]
    assert compare_logs(mine, other, verify).relation is Relation.EQUAL


def actions(*processes: Crapette) -> list[tuple[object, ...]]:
    """The event lines of consecutive processes of one player."""
    lines = [line for process in processes for line in process.lines]
    return [
        (line["seq"], line["author"], line["move"], line["card"])
        for line in lines
        if line["type"] == "event"
    ]


@pytest.mark.slow
def test_a_headless_game(machine: Machine) -> None:
    """Both write the same events and the same result, and exit with 0."""
    host, port = machine.host(STRANGERS)
    guest = machine.join(port, STRANGERS)
    assert (guest.wait(), host.wait()) == (0, 0), (guest.errors(), host.errors())
    assert actions(host) == actions(guest)
    assert [line["type"] for line in guest.lines if line["type"] != "event"] == [
        "peer",
        "result",
    ]
    for process, seat in ((host, "A"), (guest, "B")):
        result = process.lines[-1]
        assert result["v"] == 1
        assert result["seat"] == seat
        assert result["log"] == str(process.log())
        for key in ("winner", "reason", "score", "provisional"):
            assert result[key] == host.lines[-1][key]
    turns = [a for a in actions(host) if a[2] == "turn"]
    assert turns
    assert all(card is not None for *_, card in turns)
    assert_proven(host, guest)
    assert main(["compare", str(host.log()), str(guest.log()), "--json"]) == 0


@pytest.mark.slow
@pytest.mark.parametrize("victim", ["host", "guest", "both"])
def test_killed_in_mid_game_and_resumed(machine: Machine, victim: str) -> None:
    """After kill -9 of either or both, ``resume`` brings the game to its end."""
    host, port = machine.host(STRANGERS)
    guest = machine.join(port, STRANGERS, held=LONGER)
    guest.until("event", 40)
    hosts, guests = [host], [guest]
    if victim in ("host", "both"):
        host.kill()
    if victim in ("guest", "both"):
        guest.kill()
    else:
        guest.go_on()
    again = ("resume", "--auto", "club", "--json")
    if victim in ("host", "both"):
        hosts.append(machine.start("Ala", *again))
    if victim in ("guest", "both"):
        guests.append(machine.start("Olek", *again))
    assert hosts[-1].wait() == 0, hosts[-1].errors()
    assert guests[-1].wait() == 0, guests[-1].errors()
    assert_proven(host, guest)
    # Who was not killed has told every action once, in order.
    whole = host if victim == "guest" else guest
    if victim != "both":
        seqs = [int(str(seq)) for seq, *_ in actions(whole)]
        assert seqs == sorted(set(seqs))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("number", "status"),
    [(signal.SIGTERM, 143), (signal.SIGINT, 130), (signal.SIGHUP, 129)],
)
def test_signals_save_the_game(machine: Machine, number: int, status: int) -> None:
    """A signal ends the process with its status; the game can go on."""
    host, port = machine.host(STRANGERS)
    guest = machine.join(port, STRANGERS, held=LONGER)
    guest.until("event", 20)
    assert guest.kill(number) == status
    assert verify_log(guest.log().read_bytes(), verify).first_bad is None
    back = machine.start("Olek", "resume", "--auto", "club", "--json")
    assert (back.wait(), host.wait()) == (0, 0), (back.errors(), host.errors())
    assert_proven(host, guest)


@pytest.mark.slow
def test_roles_swapped(machine: Machine) -> None:
    """Both stop; the former guest hosts the rest, and says on which port."""
    host, port = machine.host(STRANGERS)
    guest = machine.join(port, STRANGERS, held=LONGER)
    guest.until("event", 20)
    guest.kill(signal.SIGTERM)
    host.kill(signal.SIGTERM)
    auto = ("--auto", "club", "--json")
    now_host = machine.start("Olek", "resume", "--host", "--port", "0", *auto)
    listening = now_host.until("listening")
    assert listening["invite"] is None  # the game knows its player
    place = f"127.0.0.1:{listening['port']}"
    now_guest = machine.start("Ala", "resume", "--address", place, *auto)
    assert now_guest.wait() == 0, now_guest.errors()
    assert now_host.wait() == 0, now_host.errors()
    assert_proven(host, guest)


@pytest.mark.slow
def test_survivor_gives_up(machine: Machine) -> None:
    """A bot that finds nobody within ``--wait`` ends with 8, the game saved."""
    host, port = machine.host(STRANGERS)
    guest = machine.join(port, STRANGERS, held=LONGER)
    guest.until("event", 20)
    guest.kill()
    host.kill()
    alone = machine.start("Olek", "resume", "--auto", "club", "--json", "--wait", "0.3")
    assert alone.wait() == 8, alone.errors()
    assert "saved" in alone.errors()


@pytest.mark.slow
def test_only_the_expected_key(machine: Machine) -> None:
    """``--expect-key`` seats that player without a question, and nobody else."""
    host, port = machine.host(STRANGERS)
    wrong = machine.join(port, "--expect-key", "0000-0000-0000-0000")
    assert wrong.wait() == 7, wrong.errors()
    shy = machine.join(port)
    assert shy.wait() == 7, shy.errors()
    assert "--expect-key" in shy.errors()
    invite = str(host.lines[0]["invite"])
    right = machine.join(port, "--expect-key", invite.split("/")[1])
    assert right.until("peer")["verified"] == "pin"


@pytest.mark.slow
def test_invited(machine: Machine) -> None:
    """An invite opens an invite-only table once, and needs no comparing."""
    host, port = machine.host("--invite-only")
    uninvited = machine.join(port, STRANGERS)
    assert uninvited.wait() == 7, uninvited.errors()
    invite = str(host.lines[0]["invite"])
    # A guest who thinks for long: the game is still on when the next one comes.
    guest = machine.start("Olek", "join", invite, "--auto", "master", "--json")
    assert guest.until("peer")["verified"] == "invite"
    assert host.until("peer")["verified"] == "invite"
    late = machine.start("Ela", "join", invite, "--auto", "club", "--json")
    assert late.wait() == 7, late.errors()


def test_nobody_there(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A closed port and an unknown host end with 5, each with its sentence."""
    base = ["--data-dir", str(tmp_path / "ala"), "--name", "Ala", "join"]
    with socket.socket() as nobody:  # no other program listens there meanwhile
        nobody.bind(("127.0.0.1", 0))
        place = "{}:{}".format(*nobody.getsockname())
        assert main([*base, place, "--auto", "club"]) == 5
        port = place.partition(":")[2]
    assert f"no table is open on port {port}" in capsys.readouterr().err

    def unknown(*_: object, **__: object) -> None:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", unknown)  # no provider answers for it
    assert main([*base, "nobody.invalid", "--auto", "club"]) == 5
    assert "no computer called 'nobody.invalid'" in capsys.readouterr().err


@pytest.mark.slow
def test_port_in_use(machine: Machine) -> None:
    """A port that is asked for and taken ends with 4."""
    _, port = machine.host(STRANGERS)
    second = machine.start(
        "Ela", "host", "--auto", "club", "--json", "--port", str(port)
    )
    assert second.wait() == 4, second.errors()
    assert f"Port {port} is taken" in second.errors()


@pytest.mark.slow
def test_the_same_game_twice(machine: Machine) -> None:
    """A second process of one player cannot take up a game that is played."""
    _, port = machine.host(STRANGERS)
    guest = machine.join(port, STRANGERS, held=LONGER)
    guest.until("event", 5)
    twin = machine.start("Olek", "resume", "--auto", "club", "--json")
    assert twin.wait() != 0
    assert "open in another window" in twin.errors()


@pytest.mark.slow
def test_a_bot_that_searches(machine: Machine) -> None:
    """A bot that thinks does not lose its link over it, with a seed or without."""
    host, port = machine.host(STRANGERS, "--think", "5", level="master")
    guest = machine.join(port, STRANGERS, "--seed", "7", level="master")
    assert (guest.wait(), host.wait()) == (0, 0), (guest.errors(), host.errors())
    assert_proven(host, guest)
