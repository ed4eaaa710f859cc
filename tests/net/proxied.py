"""Two players whose link goes through a proxy that a test can break."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager

from crapette_p2p.net.hosting import Hosting, host
from crapette_p2p.net.joining import join
from crapette_p2p.net.player import Player
from crapette_p2p.net.table import Table
from tests.net.proxy import Proxy, proxy_to
from tests.net.tables import host_options, join_options


@asynccontextmanager
async def proxied_pair(
    ala: Player,
    olek: Player,
    shares: Iterator[int | None] | None = None,
    **changes: object,
) -> AsyncIterator[tuple[Proxy, Hosting, Table]]:
    """Ala hosts, Olek has joined through the proxy: it, her door, his table.

    ``shares``: how many bytes each link may carry; ``changes``: of the host's options.
    """
    async with (
        host(host_options(ala, **changes)) as hosting,
        proxy_to(hosting.port, shares) as (proxy, address),
        join(address, join_options(olek)) as guest,
    ):
        yield proxy, hosting, guest
