"""The public state of one game and its hash.

``GameState`` is what both players know after n final events: the deal's
commitments, the position, what is owed. Both sign its hash with every event
(before it) and every ACK (after it), so a divergence shows at the first event.

The canonical encoding (protocol.md 12, 4.4) is ``[1, n]`` while fewer than ten
events are final, afterwards one array of 16::

    [1, 10, active, acts, faces, piles, counters, callable, offences, calls,
     offer, offered, owed, end, audits, done]

* integers but for faces (bin 104: card or 255, by slot), piles (24 bins of slots
  by pile number, bottom first), the bins of ``owed``, and nil;
* counters = [idle, limit, min_personal, passes]. ``idle`` is the number of turns
  in a row without progress *counting the running one*: 0 once there was progress
  in the running turn, else 1 + the idle turns that have ended. One number thus
  says what a counter and a flag would. passes = 1 if the turn before was passed
  without progress and there was no progress in the running turn, else 0;
* callable, offer: a role or nil. offered, audits: bit mask, bit r = role r;
* offences = [[code, seq of the action], ...], those that can still be called,
  the earliest first;
* calls = [spent 0/1, wrong calls of role 0, of role 1, turns role 0 still has to
  sit out, role 1];
* owed = nil or [4, deck, positions, empty bin] before OPEN_A, [5, deck,
  positions, slots] before OPEN_B: the slots OPEN_A named, in that order;
* end = nil or [winner or nil, reason, author of the action while it is
  provisional or nil]; done = 1 once RESULT is final, else 0.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from enum import Enum
from typing import Final

from crapette_p2p.canonical import encode_known
from crapette_p2p.cards import UNKNOWN
from crapette_p2p.engine.layout import Seat, other
from crapette_p2p.engine.position import End, Position
from crapette_p2p.fairdeal.dealer import Deal
from crapette_p2p.gamelog.events import EventType
from crapette_p2p.gamelog.genesis import Genesis

ENCODING: Final = 1
"""Version of the state's encoding."""
SETUP_EVENTS: Final = 10
"""COMMIT, CHALLENGE, REVEAL, OPEN_A, OPEN_B, two of each."""
SETUP_TYPES: Final = tuple(kind for kind in list(EventType)[:5] for _ in (0, 1))

_STATE_TAG: Final = b"crapette/1/state\0"


class Phase(Enum):
    """What a game waits for."""

    SETUP = "setup"
    """The next event of the fixed sequence (seq 0 to 9)."""
    PLAY = "play"
    OPENING = "opening"
    """OPEN_A or OPEN_B; only they or RESIGN are legal."""
    ENDING = "ending"
    """GRANT or STOP: the end is provisional."""
    AUDIT = "audit"
    RESULT = "result"
    OVER = "over"
    """RESULT is final."""


@dataclass(frozen=True, slots=True)
class Owed:
    """Whose next signed event the game waits for."""

    author: Seat
    type: EventType | None
    """None in play: the mover chooses."""


@dataclass(frozen=True, slots=True)
class OpeningDue:
    """Positions of one deck that have to be opened next."""

    type: EventType
    """OPEN_A (by the non-owner) or OPEN_B (by the owner)."""
    deck: int
    positions: bytes
    """Deal positions, ascending."""
    slots: bytes = b""
    """What OPEN_A named for them; empty before it."""

    @property
    def author(self) -> Seat:
        """Who owes it."""
        return Seat(self.deck if self.type == EventType.OPEN_B else 1 - self.deck)


@dataclass(frozen=True, slots=True, kw_only=True)
class GameState:
    """One game after ``length`` final events; immutable."""

    genesis: Genesis
    game_id: bytes
    deal: Deal
    length: int = 0
    """How many events are final; the number of the next one."""
    head: bytes
    """Hash of the last event, kept up to seq 5 (the lot needs 4 and 5)."""
    lot: int = 0
    """The shared bit for a tie, known after seq 5."""
    faces: bytes = bytes([UNKNOWN]) * 104
    """Cards opened for the lay-out, by slot, until play begins."""
    named: tuple[bytes, bytes] = (b"", b"")
    """Slots named by the lay-out's OPEN_A, per deck."""
    position: Position | None = None
    """The table, from ten events on."""
    due: OpeningDue | None = None
    """The opening owed in play; the lay-out's are part of the sequence."""
    audits: int = 0
    """Bit mask of the seats whose AUDIT is final."""
    done: bool = False
    """Whether RESULT is final."""
    memo: list[bytes] = field(default_factory=list, compare=False, repr=False)
    """The state's hash once somebody asked for it; ``state_hash`` keeps it."""

    @property
    def end(self) -> End | None:
        """The end of the deal, final or provisional."""
        return self.position.end if self.position is not None else None

    @property
    def final_end(self) -> End | None:
        """The end of the deal once nothing can undo it."""
        end = self.end
        return end if end is not None and end.provisional_by is None else None

    @property
    def winner(self) -> Seat | None:
        """Who has won for good; None while undecided or drawn."""
        return self.final_end.winner if self.final_end is not None else None

    @property
    def first_auditor(self) -> Seat:
        """Who audits first and signs RESULT: the winner, role 0 without one."""
        return self.winner if self.winner is not None else Seat(0)

    @property
    def phase(self) -> Phase:
        """What the game waits for."""
        if self.position is None:
            return Phase.SETUP
        if self.due is not None:
            return Phase.OPENING
        if self.position.end is None:
            return Phase.PLAY
        if self.position.end.provisional_by is not None:
            return Phase.ENDING
        if self.audits != 0b11:
            return Phase.AUDIT
        return Phase.OVER if self.done else Phase.RESULT


def advanced(
    state: GameState,
    *,
    deal: Deal | None = None,
    position: Position | None = None,
    due: OpeningDue | None = None,
) -> GameState:
    """One more event of the play is final.

    Written out because ``dataclasses.replace`` takes four times as long and
    this runs for every event.
    """
    return GameState(
        genesis=state.genesis,
        game_id=state.game_id,
        deal=deal or state.deal,
        length=state.length + 1,
        head=state.head,
        lot=state.lot,
        faces=state.faces,
        named=state.named,
        position=position or state.position,
        due=due,
        audits=state.audits,
        done=state.done,
    )


def owes(state: GameState) -> Owed | None:
    """Whose next signed event the game waits for; None once it is over."""
    position = state.position
    if position is None:
        return Owed(Seat(state.length & 1), SETUP_TYPES[state.length])
    if state.due is not None:
        return Owed(state.due.author, state.due.type)
    end = position.end
    if end is None:
        return Owed(position.active, None)
    if end.provisional_by is not None:
        return Owed(other(end.provisional_by), EventType.GRANT)
    first = state.first_auditor
    if not state.audits:
        return Owed(first, EventType.AUDIT)
    if state.audits != 0b11:
        return Owed(other(first), EventType.AUDIT)
    return None if state.done else Owed(first, EventType.RESULT)


def encode_state(state: GameState) -> bytes:
    """The canonical bytes that are hashed (see the module's docstring)."""
    position = state.position
    if position is None:
        return encode_known((ENCODING, state.length))
    counters, calls, due, end = (
        position.counters,
        position.calls,
        state.due,
        position.end,
    )
    moved = counters.progressed
    return encode_known(
        (
            ENCODING,
            SETUP_EVENTS,
            position.active,
            position.acts,
            position.faces,
            position.piles,
            (
                0 if moved else counters.idle + 1,
                counters.limit,
                counters.min_personal,
                0 if moved else counters.passes,
            ),
            position.callable,
            tuple([(int(o.code), o.seq) for o in position.offences]),
            (int(calls.spent), *calls.wrong, *calls.to_sit_out),
            position.offer,
            position.offered,
            due and (int(due.type), due.deck, due.positions, due.slots),
            end and (end.winner, int(end.reason), end.provisional_by),
            state.audits,
            int(state.done),
        )
    )


def state_hash(state: GameState) -> bytes:
    """The hash both players sign; worked out once per state."""
    if not state.memo:
        made = hashlib.sha256(_STATE_TAG + encode_state(state)).digest()
        state.memo.append(made)
    return state.memo[0]
