"""The immutable position: piles of slots, faces apart, and every counter.

Piles hold slots (52 * deck + deal position, top last); ``faces[slot]`` is the
card a slot shows, 255 while nobody has seen it. Slots never change identity and
faces only grow, so a rollback restores the piles and keeps what both have seen.
Everything in a position is public: there are no private hands.
Only ``engine/play.py`` and ``engine/notation.py`` make positions.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum
from typing import cast

from crapette_p2p.cards import UNKNOWN
from crapette_p2p.engine.actions import TableAction
from crapette_p2p.engine.layout import Seat
from crapette_p2p.engine.ruleset import RuleSet


class OffenceCode(IntEnum):
    """Wire values of the offences (20-rules.md 5.2)."""

    RESERVE_FIRST = 1
    MISSED_FOUNDATION = 2
    UNFILLED_SPACE = 3

    @property
    def text(self) -> str:
        """``reserve-first`` and so on, as in JSON."""
        return self.name.lower().replace("_", "-")


class EndReason(IntEnum):
    """Why a deal ended (wire values of RESULT)."""

    EMPTY = 0
    BLOCKED = 1
    AGREED = 2
    RESIGNED = 3


@dataclass(frozen=True, slots=True)
class End:
    """The end of a deal."""

    winner: Seat | None
    """None for a draw."""
    reason: EndReason
    provisional_by: Seat | None = None
    """Author of the action while the end awaits grant or Stop; None = final."""
    points: int = 0
    """What the winner scores (20-rules.md 9); 0 in a draw."""
    at_limit: bool = False
    """Blocked because the deal reached the limit of events."""


@dataclass(frozen=True, slots=True)
class OpenOffence:
    """An offence that can still be called."""

    code: OffenceCode
    seq: int
    """Event number of the offending action (0.. counted by the caller of play)."""
    before: Position = field(repr=False)
    """The position the offending action was made in, without its open offences."""


@dataclass(frozen=True, slots=True)
class Calls:
    """Who may still call Stop and what wrong calls have cost."""

    spent: bool = False
    """The caller called wrongly since his own last first action."""
    wrong: tuple[int, int] = (0, 0)
    """Wrong calls in this deal, per seat."""
    to_sit_out: tuple[int, int] = (0, 0)
    """Turns each seat still has to sit out."""


@dataclass(frozen=True, slots=True)
class Counters:
    """What decides when a deal is blocked (20-rules.md 8)."""

    idle: int = 0
    """Turns in a row that ended without progress."""
    progressed: bool = False
    """Whether there was progress in the running turn."""
    limit: int = 8
    """How many idle turns block the deal: max(8, 2m + 2)."""
    min_personal: int = 96
    """Fewest personal cards of both since the last foundation play."""
    passes: int = 0
    """1 if the turn before was passed without progress."""


Listed = tuple[TableAction, OffenceCode | None]
"""A table action and the offence it is, if any."""


@dataclass(frozen=True, slots=True)
class Position:
    """One position of a deal in play."""

    rules: RuleSet
    piles: tuple[bytes, ...]
    """24 piles of slots, by ``PileId``, top last."""
    faces: bytes
    """104 cards by slot, 255 = unseen."""
    active: Seat
    """The player to move."""
    acts: int = 0
    """Table actions made in this turn; 0 = not opened."""
    counters: Counters = Counters()
    callable: Seat | None = None
    """The seat whose actions can be called (games with calls only)."""
    offences: tuple[OpenOffence, ...] = ()
    """Offences that can still be called, earliest first."""
    calls: Calls = Calls()
    offer: Seat | None = None
    """Who has a draw offer standing."""
    offered: int = 0
    """Bit mask of the seats that offered a draw in this turn."""
    end: End | None = None
    last_actor: Seat | None = None
    """Whoever acted on the table last (whose opponent may call or grant)."""
    penalty: OffenceCode | None = None
    """Set by an action that ``automatic`` enforcement has just undone."""
    listed: tuple[Listed, ...] | None = field(
        default=None, init=False, repr=False, compare=False
    )
    """What ``engine/listing.py`` answered, kept for the next who asks."""

    def top(self, pile: int) -> int:
        """The face on top of ``pile``: 0..51, 255 unseen, -1 empty."""
        slots = self.piles[pile]
        return self.faces[slots[-1]] if slots else -1

    def personal(self, seat: int) -> int:
        """Cards in reserve, stock, drawn and waste of ``seat``."""
        piles = self.piles
        return (
            len(piles[16 + seat])
            + len(piles[18 + seat])
            + len(piles[20 + seat])
            + len(piles[22 + seat])
        )

    def unopened(self) -> int | None:
        """The slot that lies face up but was never opened, or None."""
        faces = self.faces
        for pile in (16, 17, 20, 21):
            slots = self.piles[pile]
            if slots and faces[slots[-1]] == UNKNOWN:
                return slots[-1]
        return None


class Draft:
    """A position that is still being made: the same fields, but open to change.

    A frozen dataclass takes six times as long to make as this does, and positions
    are made by the million in a search. ``sealed`` turns the draft itself into
    the position (both have the same slots), so a draft must not be used after it.
    """

    __slots__ = tuple(Position.__slots__)

    rules: RuleSet
    piles: tuple[bytes, ...]
    faces: bytes
    active: Seat
    acts: int
    counters: Counters
    callable: Seat | None
    offences: tuple[OpenOffence, ...]
    calls: Calls
    offer: Seat | None
    offered: int
    end: End | None
    last_actor: Seat | None
    penalty: OffenceCode | None
    listed: tuple[Listed, ...] | None

    def __init__(self, position: Position) -> None:
        self.rules = position.rules
        self.piles = position.piles
        self.faces = position.faces
        self.active = position.active
        self.acts = position.acts
        self.counters = position.counters
        self.callable = position.callable
        self.offences = position.offences
        self.calls = position.calls
        self.offer = position.offer
        self.offered = position.offered
        self.end = position.end
        self.last_actor = position.last_actor
        self.penalty = None
        self.listed = None

    def sealed(self) -> Position:
        """The position this draft has become."""
        self.__class__ = Position  # type: ignore[assignment] # same slots, see above
        return cast("Position", self)
