"""What the net layer tells a table's owner, beside the session's notices.

Small frozen values like those of ``session.notices``: they say what is known, and
none holds a secret. ``Closed`` is always the last.
"""

from __future__ import annotations

from dataclasses import dataclass

from crapette_p2p.net.address import Invite
from crapette_p2p.net.failures import Failure
from crapette_p2p.session.notices import CardsToCompare, Notice


@dataclass(frozen=True, slots=True)
class Connected:
    """The table has a link with this peer; the session's notices follow."""

    address: str
    """Where the other end is."""
    again: bool
    """Whether there was a link before."""


@dataclass(frozen=True, slots=True)
class Redialling:
    """The link is lost; the next attempt comes in a moment."""

    attempt: int
    """From 1."""
    seconds: float
    """How long until it is made."""
    failure: Failure | None
    """Why the one before failed."""


@dataclass(frozen=True, slots=True)
class Expecting:
    """The link is lost; the door stays open for this peer alone."""

    port: int
    """Where the peer is expected."""


@dataclass(frozen=True, slots=True)
class GaveUp:
    """Nobody came back in time; the game is kept and can be resumed for ever."""

    seconds: float
    """How long the table waited."""


@dataclass(frozen=True, slots=True)
class PeersNotSaved:
    """The list of known peers could not be written; the game goes on."""

    failure: Failure
    """Which file and why."""


@dataclass(frozen=True, slots=True)
class LogRestored:
    """The log of the game was removed while it was played, and is there again."""

    path: str
    """Where."""


@dataclass(frozen=True, slots=True)
class Closed:
    """The table is closed; nothing comes after this."""

    failure: Failure | None
    """Why, or None if the game is over or we left."""


TableNotice = (
    Notice
    | Connected
    | Redialling
    | Expecting
    | GaveUp
    | PeersNotSaved
    | LogRestored
    | Closed
)


@dataclass(frozen=True, slots=True)
class Knocked:
    """Somebody who is not a friend yet is at the door."""

    address: str
    """Where from."""
    question: CardsToCompare
    """Who, and the four cards; answer through ``Hosting.answer``."""


@dataclass(frozen=True, slots=True)
class TurnedAway:
    """A connection that led to nothing."""

    address: str
    """Where from."""
    failure: Failure
    """Why."""


@dataclass(frozen=True, slots=True)
class Announced:
    """Whether others on this network can see the table in their lists."""

    problem: Failure | None
    """Why they cannot; None if they can."""


@dataclass(frozen=True, slots=True)
class InviteChanged:
    """The invite that was shown has expired or was used; this one works."""

    invite: Invite
    """The new one."""


DoorNotice = Knocked | TurnedAway | Announced | InviteChanged
