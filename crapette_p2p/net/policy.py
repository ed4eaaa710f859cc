"""What the sessions of one table are told, as far as tables differ."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from crapette_p2p.net.pump import Pump
from crapette_p2p.session.commands import Terms
from crapette_p2p.session.notices import Notice

RECONNECT_SECONDS: Final = 600.0
"""How long a table looks for its peer before it says that it gave up."""


def unheard(_pump: Pump, _notice: Notice) -> None:
    """Nobody wants to know what a link without the seat says."""


@dataclass(slots=True, kw_only=True)
class Policy:
    """What the sessions of a table are told, as far as tables differ."""

    terms: Terms | None = None
    """What role 0 proposes by itself."""
    expected: bytes | None = None
    """The only peer wanted: fingerprint or key."""
    token: bytes | None = None
    """Dialler: the invite's token, until it is used."""
    invite: Callable[[], bytes | None] = lambda: None
    """Listener: the token that opens the table now."""
    invite_given: bool = False
    """Listener: an invite was given out."""
    invite_only: bool = False
    """Listener: nobody sits down without it."""
    wait: float = RECONNECT_SECONDS
    """How long to look for a lost peer before giving up."""
    on_candidate: Callable[[Pump, Notice], None] = unheard
    """Hears what links without the seat have to say."""
    on_seated: Callable[[Pump], None] = lambda _pump: None
    """Hears that a link got the seat."""
