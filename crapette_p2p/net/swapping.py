"""Reach a peer the other way round: who dialled listens, who listened dials.

After a lost link the old direction may be barred for good (another network, a
firewall). Roles of the game do not hang on who dials (protocol.md 6), so a table
can be given a second way to its peer at any time; of two links that come about
at once both ends keep the same one (``ending.older_stays``).
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from crapette_p2p.net.accept import Door
from crapette_p2p.net.address import Address
from crapette_p2p.net.hints import Hint
from crapette_p2p.net.joining import Dialler
from crapette_p2p.net.listening import DEFAULT_PORTS, Ports, open_sockets
from crapette_p2p.net.news import Expecting
from crapette_p2p.net.table import Table
from crapette_p2p.net.tls import make_server_tls


@asynccontextmanager
async def also_listening(
    table: Table,
    *,
    ports: Ports = DEFAULT_PORTS,
    binds: Sequence[str] = (),
    public: bool = False,
) -> AsyncIterator[int]:
    """Open a door for a table's peer beside what the table does; gives the port.

    Raises NetError where no port can be listened on, StorageError as TLS does.
    """
    tls = make_server_tls()
    opened = open_sockets(ports, binds)
    door = Door(
        opened.sockets,
        tls,
        welcome=lambda address: table.make_pump(address=address, dialler=False),
        on_knock=lambda _address, _code: None,
        public=public,
        paced=lambda: not table.taken,
    )
    table.hint = Hint(hosted=True, port=opened.port, binds=tuple(binds), public=public)
    door.open()
    table.put(Expecting(opened.port))
    try:
        yield opened.port
    finally:
        await door.aclose()


@asynccontextmanager
async def also_dialling(table: Table, places: Sequence[Address]) -> AsyncIterator[None]:
    """Dial a table's peer, whenever it has no link, beside what the table does."""
    table.hint = Hint(hosted=False, port=0, addresses=tuple(map(str, places)))
    dialler = Dialler(table, places, at_once=True)
    task = asyncio.get_running_loop().create_task(dialler.keep_linked())
    try:
        yield
    finally:
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task
