"""Two programs of one player at once: neither harms what the other keeps."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from crapette_p2p.net.identity import load_identity
from crapette_p2p.net.paths import find_paths
from crapette_p2p.net.peers import PeerBook
from crapette_p2p.ui.config_file import read_config
from crapette_p2p.ui.settings import KEYS, default_of
from tests.helpers.children import PYTHONPATH
from tests.net.processes import machine_in

pytestmark = pytest.mark.slow

ROUNDS = 25
_FIRST_START = """
from crapette_p2p.net.identity import load_or_create_identity
print(load_or_create_identity(Path(sys.argv[1]) / "identity.key").public.hex())
"""
_MEET = """
from crapette_p2p.net.peers import KnownPeer, PeerBook
book = PeerBook(Path(sys.argv[1]) / "peers.toml")
for number in range(ROUNDS):
    key = bytes([int(sys.argv[2]), number]) + bytes(30)
    book.remember(KnownPeer(key=key, petname="Olek", nick="Olek"))
    book.remember(KnownPeer(key=bytes(32), petname="Both", last_seen=number))
"""
_SET = """
from crapette_p2p.ui.config_file import write_value
for number in range(ROUNDS):
    key, path = sys.argv[2 + number % 3], Path(sys.argv[1]) / "config.toml"
    write_value(path, key, number % 2 == 0)
"""


def both(script: str, *arguments: list[str]) -> list[str]:
    """Run ``script`` twice at once, each time with its own arguments; what they say."""
    head = f"import sys\nfrom pathlib import Path\nROUNDS = {ROUNDS}\n"
    running = [
        subprocess.Popen(
            [sys.executable, "-c", head + script, *given],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": PYTHONPATH},
        )
        for given in arguments
    ]
    said = []
    try:
        for process in running:
            out, err = process.communicate(timeout=60)
            assert process.returncode == 0, err
            said.append(out)
    finally:
        for process in running:
            process.kill()
            process.communicate()
    return said


def assert_private(home: Path) -> None:
    """Whatever lies there is its owner's alone, and nothing half-written is left."""
    for path in home.rglob("*"):
        mode = stat.S_IMODE(path.stat().st_mode)
        assert mode == (0o700 if path.is_dir() else 0o600), path
        assert path.name.endswith(".lock") or not path.name.startswith(".")


def test_the_first_start_twice(tmp_path: Path) -> None:
    """Two programs that start for the first time together have one key."""
    for number in range(5):
        home = tmp_path / str(number)
        first, second = both(_FIRST_START, [str(home)], [str(home)])
        assert first == second
        assert load_identity(home / "identity.key").public.hex() == first.strip()
        assert_private(home)


def test_both_meet_people(tmp_path: Path) -> None:
    """Everybody whom either has met is in the book, under a name of his own."""
    home = tmp_path / "home"
    both(_MEET, [str(home), "1"], [str(home), "2"])
    people = PeerBook(home / "peers.toml").all()
    assert len(people) == 2 * ROUNDS + 1
    assert len({peer.petname for peer in people}) == len(people)
    assert {peer.last_seen for peer in people} == {0, ROUNDS - 1}
    assert_private(home)


def test_both_change_settings(tmp_path: Path) -> None:
    """Every setting that either has changed stands in the file."""
    switches = [key for key in KEYS if isinstance(default_of(key), bool)]
    home, (a, b, c, d, e, f) = tmp_path / "home", switches[:6]
    both(_SET, [str(home), a, b, c], [str(home), d, e, f])
    config = read_config(home / "config.toml")
    assert set(config.values) == {a, b, c, d, e, f}
    assert config.warnings == ()
    assert_private(home)


def as_list(value: object) -> list[dict[str, object]]:
    """An array that was read from JSON."""
    assert isinstance(value, list)
    return value


def test_two_tables_of_one_player(tmp_path: Path) -> None:
    """One player hosts two games at once, each with its own port, log and seeds."""
    strangers = "--accept-unverified"
    with machine_in(tmp_path) as machine:
        first, port = machine.host(strangers, held="20")
        second, other = machine.host(strangers, held="20")
        assert port != other
        guests = [
            machine.start(
                name,
                *("join", "127.0.0.1", str(where), "--auto", "novice", "--json"),
                strangers,
            )
            for name, where in (("Olek", port), ("Ela", other))
        ]
        for process in (first, second, *guests):
            process.until("event", 10)
        home = find_paths(str(first.home), {})
        assert len([*home.games.glob("*.crlog")]) == 2
        for process in (first, second, *guests):
            process.kill()
        assert_private(first.home)
        logs = map(str, home.games.glob("*.crlog"))
        verified = machine.start("Ala", "verify", *logs, "--json")
        verdicts = as_list(verified.next_line())
    assert [verdict["first_bad"] for verdict in verdicts] == [None, None]
    assert all(verdict["level"] == 3 for verdict in verdicts)
    names = {peer.petname for peer in PeerBook(home.peers_file).all()}
    assert names <= {"Olek", "Ela"}
