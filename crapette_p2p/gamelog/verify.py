"""Verify a log as a third party: levels, result, who owes, what cannot be known.

Levels (threats.md 1.8): 0 damaged; 1 everything signed and chained; 2 and legal;
3 and all openings good; 4 and both audited; 5 and RESULT signed by both. Only the
bytes are needed: no key, no network, no clock (``verify`` is a pure function).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from crapette_p2p.engine.layout import Seat
from crapette_p2p.engine.position import End
from crapette_p2p.gamelog.faults import Verify
from crapette_p2p.gamelog.fold import AUDITED, CLOSED, DAMAGED, OPENED, LogFold
from crapette_p2p.gamelog.genesis import Genesis
from crapette_p2p.gamelog.log import GameLog
from crapette_p2p.gamelog.records import Records, read_records
from crapette_p2p.gamelog.state import GameState, Owed, owes

BLIND_SPOTS: Final[Mapping[str, str]] = {
    "keys-are-not-persons": "that the two keys are two people",
    "times-are-claims": "when it was played",
    "help-is-not-seen": "that no program helped",
    "tail-may-be-missing": "that nothing was cut off its end",
    "silence-has-no-author": "who broke the connection",
}
"""What no log can show, by stable code; the last two fall away with a RESULT."""
CAVEATS: Final[Mapping[str, str]] = {
    "same-key": "both players signed with one key: nobody played against anybody",
    "torn": "the last record is torn and was left out",
    "unsigned-notes": "its NOTEs are local remarks that nobody signed",
}
"""What to know about this log, by stable code."""
WHY: Final[Mapping[str, str]] = {
    "not-a-log": "the file is no game log",
    "too-large": "the file is larger than a log can be",
    "too-many-records": "the file holds more records than a log can",
    "bad-record": "the record cannot be read",
    "no-genesis": "the log does not begin with its genesis",
    "bad-genesis": "the genesis cannot be read or agrees on something unlawful",
    "bad-genesis-signature": "a player has not signed this genesis",
    "second-genesis": "a second genesis stands in the log",
    "not-started": "something follows a genesis that only one player has signed",
    "other-game": "the event belongs to another game",
    "bad-signature": "the author named has not signed this event",
    "bad-ack-signature": "the other player has not countersigned this event",
    "gap": "an event is missing before this one",
    "repeated-event": "the event stands in the log already",
    "not-acknowledged": "the event before this one was never countersigned",
    "bad-link": "the event does not follow the one before it",
    "equivocation": "one player signed two events with this number",
    "lost-collision": "of two events with one number the wrong one was kept",
    "stray-ack": "the countersignature belongs to no event here",
    "stray-void": "the void event collided with nothing here",
    "unproven-fault": "the fault recorded here is not proven by it",
    "after-fault": "something follows the fault that ended the game",
    "other-state": "a player signed another state than the one reached",
    "illegal-event": "the rules refuse this event",
    "bad-reveal": "a revealed shuffle is not the one committed to",
    "duplicate-root": "a commitment was copied",
    "bad-opening": "an opened card is not the one committed to",
    "duplicate-card": "a card or slot was opened twice",
    "bad-audit": "a seed does not make the shuffle committed to",
}
"""What is wrong with the first bad record, by stable code."""
NEWER: Final = "a log of format {version}; a newer version reads it"
"""What is said instead of ``not-a-log`` about a log of tomorrow."""


@dataclass(frozen=True, slots=True)
class Summary:
    """What a game was, for whoever lists or prints it."""

    game_id: bytes
    genesis: Genesis
    events: int
    """Final events."""
    pending: bool
    """Whether one more event is signed by its author alone."""
    voids: int
    """Events that lost a collision."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a file proves."""

    level: int
    """0 to 5."""
    first_bad: int | None = None
    """The first record that does not fit, from 0."""
    why: str | None = None
    """Stable kebab-case code of what is wrong with it."""
    code: int | None = None
    """Wire code that comes nearest."""
    detail: str = ""
    """For developers, in English."""
    end: End | None = None
    """How the deal ended, provisionally or for good; None while it goes on."""
    owed: Owed | None = None
    """Whose next signed event the log waits for."""
    debtor: Seat | None = None
    """Who has to sign next: the other owes the ACK of a pending event."""
    guilty: Seat | None = None
    """Who signed what proves a fault, in a FAULT record or in the log itself."""
    guilty_of: int | None = None
    """Wire code of that fault."""
    caveats: tuple[str, ...] = ()
    """Codes out of BLIND_SPOTS and CAVEATS."""
    torn: bool = False
    """The last record is torn and was left out."""
    records: int = 0
    """How many whole records the file holds: the number of a torn one."""
    begun: bool = True
    """False for a deal that role 1 accepted and role 0 never started."""
    summary: Summary | None = None
    """None if not even the genesis can be read."""


def verify_log(data: bytes, verify: Verify) -> Verdict:
    """Judge a log file; never raises, whatever the bytes.

    The signatures are looked at in one go behind the rest, which is faster than in
    turn with it. Where all are good, that is what reading with ``verify`` would
    have found; where one is not, the log is read again just so.
    """
    records = read_records(data)
    claims = _Claims()
    fold = LogFold(claims)
    fold.read(records)
    if not all(verify(*claim) for claim in claims.made):
        fold = LogFold(verify)
        fold.read(records)
    return verdict_of(fold, records)


class _Claims:
    """A verifier that believes everything for now, and keeps what it was asked."""

    def __init__(self) -> None:
        self.made: list[tuple[bytes, bytes, bytes]] = []

    def __call__(self, public: bytes, signature: bytes, message: bytes) -> bool:
        self.made.append((public, signature, message))
        return True


def verdict_of(fold: LogFold, records: Records) -> Verdict:
    """The verdict on records that ``fold`` has read."""
    log, state = fold.log, fold.state
    finding = fold.findings[0] if fold.findings else None
    begun = log is None or log.sigs[0] is not None
    level = min((f.level for f in fold.findings), default=_reached(state))
    if not begun:
        level = DAMAGED  # whole, but nothing in it is signed by both
    return Verdict(
        level=level,
        first_bad=finding.record if finding else None,
        why=finding.why if finding else None,
        code=finding.code if finding else None,
        detail=finding.detail if finding else "",
        end=state.end if state else None,
        owed=owes(state) if state and begun else None,
        debtor=_debtor(log, state),
        guilty=fold.guilt.seat if fold.guilt else None,
        guilty_of=fold.guilt.code if fold.guilt else None,
        caveats=tuple(_caveats(log, level, torn=records.torn)) if log else (),
        torn=records.torn,
        records=len(records.records),
        begun=begun,
        summary=summary_of(log) if log else None,
    )


def _reached(state: GameState | None) -> int:
    if state is None or state.audits != 0b11:
        return OPENED
    return CLOSED if state.done else AUDITED


def _debtor(log: GameLog | None, state: GameState | None) -> Seat | None:
    if log is not None and log.sigs[0] is None:
        return Seat(0)  # START
    if log is not None and log.pending is not None:
        return Seat(1 - log.pending.event.author)
    owed = owes(state) if state is not None else None
    return owed.author if owed is not None else None


def _caveats(log: GameLog, level: int, *, torn: bool) -> list[str]:
    keys = log.genesis.keys
    found = ["same-key" if keys[0] == keys[1] else "keys-are-not-persons"]
    found += ["times-are-claims", "help-is-not-seen"]
    if level < CLOSED:
        found += ["tail-may-be-missing", "silence-has-no-author"]
    if torn:
        found.append("torn")
    if log.notes:
        found.append("unsigned-notes")
    return found


def summary_of(log: GameLog) -> Summary:
    """What ``log`` is about."""
    return Summary(
        game_id=log.game_id,
        genesis=log.genesis,
        events=log.length,
        pending=log.pending is not None,
        voids=len(log.voids),
    )
