"""Beyond one's own network: through a tunnel, and from the internet.

A tunnel as ``ssh -L`` or ``-R`` makes one is a program that passes bytes on; the
login is bound to the certificates at both ends, so it is none of its business.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tests.netns.conftest import Players
from tests.netns.lab import Computer, Lab

pytestmark = pytest.mark.slow

_TUNNEL = """
import asyncio
async def passed_on(source, target):
    while data := await source.read(65536):
        target.write(data)
        await target.drain()
    target.close()
async def caught(reader, writer):
    there = await asyncio.open_connection({there!r}, {port})
    await asyncio.gather(passed_on(reader, there[1]), passed_on(there[0], writer))
async def main():
    server = await asyncio.start_server(caught, {here!r}, {port})
    print("open", flush=True)
    await server.serve_forever()
asyncio.run(main())
"""


@contextmanager
def tunnel(at: Computer, here: str, there: str, port: int = 4747) -> Iterator[None]:
    """What comes to ``here`` on a computer is passed on to ``there``."""
    script = _TUNNEL.format(here=here, there=there, port=port)
    with at.python(script) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == b"open\n"
            yield
        finally:
            process.kill()


def test_through_two_tunnels(lab: Lab, players: Players) -> None:
    """A table that listens on loopback only is reached through a server between.

    The host's end is ``ssh -R 4747:localhost:4747 server``, the guest's end
    ``ssh -L 4747:localhost:4747 server``; the invite names the guest's own end.
    """
    one, two = lab.switch(), lab.switch()
    ala, server, olek = lab.computer(), lab.computer(), lab.computer()
    lab.connect(ala, one, "10.1.0.1/24")
    lab.connect(server, one, "10.1.0.9/24")
    lab.connect(server, two, "10.2.0.9/24")
    lab.connect(olek, two, "10.2.0.1/24")
    host = players.host(ala, "Ala", "--bind", "127.0.0.1")
    with (
        tunnel(ala, "10.1.0.1", "127.0.0.1"),
        tunnel(server, "10.2.0.9", "10.1.0.1"),
        tunnel(olek, "127.0.0.1", "10.2.0.9"),
    ):
        invite = str(host.lines[0]["invite"])
        assert invite.startswith("crapette1:127.0.0.1:4747/")
        guest = players.join(olek, invite)
        assert guest.until("peer")["verified"] == "invite"
        assert host.until("peer")["verified"] == "invite"
        for process in (host, guest):
            process.until("event", 20)


def test_the_internet_is_answered_only_when_it_shall_be(
    lab: Lab, players: Players
) -> None:
    """An address of the internet is turned away, and let in with ``--public``."""
    switch, ala, olek = lab.switch(), lab.computer(), lab.computer()
    lab.connect(ala, switch, "8.8.8.1/24")
    lab.connect(olek, switch, "8.8.8.2/24")
    shut = players.host(ala, "Ala")
    public = players.host(ala, "Zoe", "--public", "--port", "5000")
    turned_away = players.join(olek, "8.8.8.1", name="Olek")
    assert turned_away.wait() == 6
    assert "crapette host --public" in turned_away.errors()
    let_in = players.join(olek, "8.8.8.1:5000", name="Ela")
    assert let_in.until("peer")["nick"] == "Zoe"
    public.until("peer")
    assert "8.8.8.2: an address of the internet" in shut.errors()
