"""Spread an arena over a Dask cluster, where the package ``distributed`` is there.

The workers need this package too, in the same version. Nothing here is imported
unless a cluster was asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

from crapette_p2p.arena.running import ArenaError, Mapper, Pair, Results


@contextmanager
def cluster(address: str) -> Iterator[Mapper]:
    """A map over the workers of the scheduler at ``address``."""
    try:
        distributed: Any = import_module("distributed")
    except ImportError as error:
        message = "a cluster needs the package `distributed` (pip install distributed)"
        raise ArenaError(message) from error
    try:
        client = distributed.Client(address, timeout="10s")
    except (OSError, ValueError) as error:
        raise ArenaError(f"no scheduler answers at {address}") from error
    with client:

        def spread(
            function: Callable[[Pair], Results], pairs: Iterable[Pair]
        ) -> Iterator[Results]:
            futures = client.map(function, list(pairs), pure=False)
            return (future.result() for future in futures)

        yield spread
