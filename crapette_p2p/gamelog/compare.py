"""Compare two logs of one game: prefix, fork, proof.

Two honest logs of one game are prefixes of each other, up to one event that only
its author has signed. Two different events of one author with one number are a
fork, and proof of it, whatever else the files say (threats.md 1.8).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

from crapette_p2p.engine.layout import Seat
from crapette_p2p.errors import LogError
from crapette_p2p.gamelog.evidence import encode_evidence
from crapette_p2p.gamelog.faults import EQUIVOCATION, Verify
from crapette_p2p.gamelog.loading import load_log
from crapette_p2p.gamelog.log import Fault, GameLog, SignedEvent


class Relation(Enum):
    """How two logs stand to each other."""

    EQUAL = "equal"
    PREFIX = "prefix"
    FORK = "fork"
    DIFFERENT = "different"
    """Two games."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """What two logs say of each other."""

    relation: Relation
    common: int
    """Final events at the front that are the same in both."""
    longer: int | None = None
    """0 or 1: which file holds more; None if neither does."""
    evidence: bytes | None = None
    """An evidence file that proves the fork, if one author signed both."""
    guilty: Seat | None = None
    """Who signed two events with one number."""


class DamagedLogError(LogError):
    """One of the two files is no log, or a broken one."""

    def __init__(self, error: LogError, *, which: int) -> None:
        super().__init__(
            "{cause}",
            code=error.code,
            record=error.record,
            why=error.why,
            detail=error.detail,
            cause=error,
        )
        self.which = which
        """0 or 1: the first file or the second."""


def compare_logs(first: bytes, second: bytes, verify: Verify) -> Comparison:
    """Compare two log files.

    Raises DamagedLogError for a file that is damaged, the first one first.
    """
    logs = []
    for which, data in enumerate((first, second)):
        try:
            logs.append(load_log(data, verify=verify).log)
        except LogError as error:
            raise DamagedLogError(error, which=which) from error
    return compare(logs[0], logs[1])


def compare(first: GameLog, second: GameLog) -> Comparison:
    """Compare two logs that were read and verified."""
    if first.game_id != second.game_id:
        return Comparison(Relation.DIFFERENT, 0)
    pairs = zip(first.entries, second.entries, strict=False)
    common = 0
    for one, two in pairs:
        if one.signed.hash != two.signed.hash:
            break
        common += 1
    sizes = (_size(first), _size(second))
    longer = None if sizes[0] == sizes[1] else int(sizes[1] > sizes[0])
    fork = _equivocation(first, second)
    if fork is not None:
        held, other_event = fork
        fault = Fault(EQUIVOCATION, other_event.data, other_event.sig)
        base = GameLog(first.genesis_bytes, first.sigs, voids=[held])
        proof = encode_evidence(base, fault)
        return Comparison(Relation.FORK, common, longer, proof, held.event.author)
    if common < min(first.length, second.length):
        # Each event is signed by another author: both may have broken the
        # priority of collisions, but no two signatures of one hand prove it.
        return Comparison(Relation.FORK, common, longer)
    relation = Relation.EQUAL if longer is None else Relation.PREFIX
    return Comparison(relation, common, longer)


def _size(log: GameLog) -> tuple[int, int]:
    """Final events, then whether one more waits for its ACK."""
    return log.length, int(log.pending is not None)


def _all_signed(log: GameLog) -> Iterator[SignedEvent]:
    for entry in log.entries:
        yield entry.signed
    yield from log.voids
    if log.pending is not None:
        yield log.pending


def _equivocation(
    first: GameLog, second: GameLog
) -> tuple[SignedEvent, SignedEvent] | None:
    """The first number at which one author signed two events, with both."""
    found = {(s.event.seq, s.event.author): s for s in _all_signed(first)}
    forks = []
    for signed in _all_signed(second):
        held = found.get((signed.event.seq, signed.event.author))
        if held is not None and held.hash != signed.hash:
            forks.append((held, signed))
    return min(forks, key=lambda pair: pair[0].event.seq, default=None)
