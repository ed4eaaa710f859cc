"""The world outside: keys, files, TLS links, and the table that survives them.

``host``, ``join`` and ``resume`` are loaded when they are first used: most
commands need a path or a file from here and neither ``ssl`` nor ``asyncio``.
"""

TYPE_CHECKING = False
"""Not ``typing``'s: importing that would cost more than all the rest here."""
if TYPE_CHECKING:
    from crapette_p2p.net.endpoint import host, join, resume

__all__ = ["host", "join", "resume"]


def __getattr__(name: str) -> object:
    """Load one of the public names."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from crapette_p2p.net import endpoint

    return getattr(endpoint, name)
