"""What a session asks its owner to do, in order.

The shell executes effects **in order** and completes each before the next: a
``Persist`` (write and fsync) always stands before the ``Send`` that depends on
it. Neighbouring ``Persist`` effects of one game may share one write, and only what
is neither ``Persist`` nor ``Emit`` has to wait for the fsync. A lost link does not
stop the list: ``Send`` becomes a no-op, ``Persist`` goes on. A failed ``Persist``
ends the session like a crash: nothing after it is executed, and the game is loaded
again from disk (protocol.md 12, P17).
"""

from __future__ import annotations

from dataclasses import dataclass

from crapette_p2p.session.notices import Notice


@dataclass(frozen=True, slots=True)
class Persist:
    """Append one record to the log of a game, durably.

    A ``kind`` 1 (genesis) record of a game without a file creates the file; a
    second one (role 1, once START brought the other signature) is appended.
    """

    game_id: bytes
    """32 bytes; decides the file."""
    kind: int
    """Record kind 1..6 (protocol.md 10)."""
    body: tuple[object, ...]
    """Fields of the record, for ``gamelog.records.encode_record``."""


@dataclass(frozen=True, slots=True)
class PersistSecret:
    """Store the seeds of one deck, durably, before COMMIT is persisted."""

    game_id: bytes
    """32 bytes."""
    deck: int
    """0 or 1: the deck these layers belong to."""
    seeds: tuple[bytes, ...]
    """One 32-byte seed per candidate."""


@dataclass(frozen=True, slots=True)
class DropSecrets:
    """Forget the seeds of a game that is over: RESULT is final."""

    game_id: bytes
    """32 bytes."""


@dataclass(frozen=True, slots=True)
class Send:
    """Write bytes to the link."""

    data: bytes
    """One frame, its length in front."""


@dataclass(frozen=True, slots=True)
class Emit:
    """Tell the owner something."""

    notice: Notice
    """What is now known."""


@dataclass(frozen=True, slots=True)
class Close:
    """Flush what was sent and close the link; the session is over."""

    code: int
    """Wire code of the reason, 0 when the other side closed first."""


Effect = Persist | PersistSecret | DropSecrets | Send | Emit | Close
