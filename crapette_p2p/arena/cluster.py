"""Spread an arena over a Dask cluster, where the package ``distributed`` is there.

The workers need this package too, in the same version. Nothing here is imported
unless a cluster was asked for. A worker that is lost in mid-run costs time only:
the scheduler gives its deals to the others, each deal has one future, and each
future is read once, so nothing is lost and nothing counted twice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from typing import Any, Final

from crapette_p2p.arena.running import ArenaError, Mapper, Pair, Results

PATIENCE: Final = "10s"
"""How long a lost worker or scheduler is tried for before it counts as lost."""


@contextmanager
def cluster(address: str) -> Iterator[Mapper]:
    """A map over the workers of the scheduler at ``address``."""
    try:
        dask: Any = import_module("dask")
        distributed: Any = import_module("distributed")
    except ImportError as error:
        message = (
            "a cluster needs the package distributed, which is not installed here "
            "(pip install 'crapette-p2p[cluster]')"
        )
        raise ArenaError(message) from error
    with (
        dask.config.set({"distributed.comm.timeouts.connect": PATIENCE}),
        _client(distributed, address) as client,
    ):
        if not client.scheduler_info()["workers"]:
            message = (
                "the Dask scheduler at {address} has no workers yet "
                "(start some, then ask again)"
            )
            raise ArenaError(message, address=address)

        def spread(
            function: Callable[[Pair], Results], pairs: Iterable[Pair]
        ) -> Iterator[Results]:
            futures = client.map(function, list(pairs), pure=False)
            try:
                # Whatever is done comes in at once, so that it can be kept.
                for future in distributed.as_completed(futures):
                    yield _result(distributed, client, future, address)
            finally:
                # A client that has lost its scheduler gives up and closes in its own
                # time, and raises what each version of the package calls otherwise.
                with suppress(Exception):
                    client.cancel(futures)

        yield spread


def _client(distributed: Any, address: str) -> Any:  # noqa: ANN401 - untyped package
    try:
        return distributed.Client(address, timeout=PATIENCE)
    except (OSError, ValueError) as error:
        message = "no Dask scheduler answers at {address} (is it running there?)"
        raise ArenaError(message, address=address) from error


def _result(distributed: Any, client: Any, future: Any, address: str) -> Results:  # noqa: ANN401 - untyped package
    """What a worker found; ArenaError where no worker could."""
    try:
        result: Results = future.result()
    except distributed.KilledWorker as error:
        message = (
            "one deal after another has ended the workers that played it "
            "(their logs say why)"
        )
        raise ArenaError(message) from error
    except ImportError as error:
        message = "a worker cannot play: {error} (it needs this package too)"
        raise ArenaError(message, error=str(error)) from error
    except Exception as error:
        lost = isinstance(error, (OSError, distributed.CancelledError))
        if not lost and client.status == "running":
            raise
        message = (
            "the Dask scheduler at {address} was lost (--resume keeps what was played)"
        )
        raise ArenaError(message, address=address) from error
    return result
