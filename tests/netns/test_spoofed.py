"""T10 on a real network: somebody announces anything at all, to real processes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from crapette_p2p.gamelog.nicks import is_valid_nick
from tests.helpers.children import ROOT
from tests.net.processes import Crapette
from tests.netns.conftest import Players
from tests.netns.lab import Computer, Lab
from tests.netns.test_lan import as_list

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]

MOST_LINES = 70
"""Of a list, whatever is announced: 64 tables, and what stands around them."""
SCRIPT = f"""
import random, socket, sys, time
sys.path.insert(0, {str(ROOT)!r})
from tests.net.spoofing import GROUP, forged, make_said, txt_of

sock = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
here = socket.inet_aton("10.77.0.9")
sock.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, here)
rng = random.Random(10)
good = dict(make_said("Zed").entries())
hostile = ["\\x1b[2J", "\\x1b]52;c;aGk=\\x07", "a\\x9bb", "\\u202eexe",
           "[@click=x]", "..", "A" * 60, "Ala\\x00", "e" + "\\u0301" * 30]
packets = [forged("zed", txt_of(good), port=9, addresses=["10.77.0.9"])]
for number, text in enumerate(hostile):
    for name in ("nick", "rules", "fp", "v", "open"):
        entries = txt_of(good | {{name: text}})
        packets.append(forged(f"bad {{number}} {{name}} \\x1b[31m", entries))
for number in range(300):
    said = dict(make_said(f"Spoof {{number}}").entries())
    packets.append(forged(f"spoof-{{number}}", txt_of(said), addresses=["10.77.0.9"]))
for _ in range(200):
    packets.append(bytes(rng.randrange(256) for _ in range(rng.randrange(600))))
    bent = bytearray(rng.choice(packets[:40]))
    for _ in range(4):
        bent[rng.randrange(len(bent))] = rng.randrange(256)
    packets.append(bytes(bent))
print("begun", flush=True)
while True:
    for packet in packets:
        sock.sendto(packet, GROUP)
        time.sleep(0.0005)
"""


@contextmanager
def announcing(mallory: Computer) -> Iterator[None]:
    """Mallory announces, over and over."""
    with mallory.python(SCRIPT) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"begun\n"
        try:
            yield
        finally:
            process.kill()


def require_quiet(process: Crapette) -> None:
    """Nothing but a few printable lines on stderr, and no traceback."""
    said = process.errors()
    assert len(said) < 1_000
    assert all(char == "\n" or char.isprintable() for char in said), ascii(said)
    assert "Traceback" not in said


def test_t10_spoofed_tables_and_noise(lab: Lab, players: Players) -> None:
    """T10: a bounded list of lawful names; the friend's table is found and played.

    Nobody listens where the spoofed ones point to: that is said, and no more.
    """
    switch = lab.switch()
    ala, olek, mallory = (lab.computer() for _ in range(3))
    for computer, number in ((ala, 1), (olek, 2), (mallory, 9)):
        lab.connect(computer, switch, f"10.77.0.{number}/24")
    host = players.host(ala, "Ala", "--once")
    with announcing(mallory):
        listed = players.start(olek, "Olek", "lan", "--json")
        assert listed.wait() == 0, listed.errors()
        tables = as_list(listed.lines[0]["tables"])
        assert 1 < len(tables) < MOST_LINES
        for table in tables:
            nick = str(table["nick"])  # ".." is one, and a bent byte makes others
            assert is_valid_nick(nick), ascii(nick)
            assert nick.isprintable()
            assert str(table["rules"]).isprintable()
        require_quiet(listed)
        nobody = players.join(olek, "Zed", name="Ela")
        assert nobody.wait() == 5, nobody.errors()
        require_quiet(nobody)
        guest = players.join(olek, "10.77.0.1")
        assert guest.wait() == 0, guest.errors()
    assert host.wait() == 0, host.errors()
    for process in (guest, host):
        require_quiet(process)
