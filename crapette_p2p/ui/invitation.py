"""**Pure**: what a friend has to be told of an open table, alike on every face."""

from __future__ import annotations

from collections.abc import Sequence

from crapette_p2p.net.address import Address
from crapette_p2p.net.addresses import OwnAddress
from crapette_p2p.ui.language import Words


def join_command(
    addresses: Sequence[OwnAddress], port: int, words: Words, *, invited: bool
) -> str:
    """What the friend types; an address leads nowhere where an invite is needed.

    It is for the friend's program, wherever ours was started from.
    """
    if invited:
        return f"crapette join {words('INVITE')}"
    shown = [own for own in addresses if own.shown] or [*addresses]
    place = Address(shown[0].address, port).short() if shown else ""
    return f"crapette join {place}".rstrip()


def moved_text(wanted: int, port: int, words: Words) -> str:
    """The usual port is another program's."""
    return words("Port {n} is taken (another table?). Using {m}.", n=wanted, m=port)
