"""Read one's own log again, to go on where the game stopped.

The rules of protocol.md 12, P17: an own event with neither ACK nor a later event
of its number waits for its ACK (``log.pending``, a session's ``mine``); an event
by the peer is final even without the ACK record, the ACK is made again (the
entry's ``ack`` is None until then, and it has to be written before anything else).
"""

from __future__ import annotations

from dataclasses import dataclass

from crapette_p2p.engine.layout import Seat
from crapette_p2p.errors import LogError
from crapette_p2p.gamelog.faults import Verify
from crapette_p2p.gamelog.fold import LogFold
from crapette_p2p.gamelog.game import step
from crapette_p2p.gamelog.log import Entry, GameLog
from crapette_p2p.gamelog.records import read_records
from crapette_p2p.gamelog.state import GameState, state_hash


@dataclass(frozen=True, slots=True)
class LoadedLog:
    """A log read back from its file."""

    log: GameLog
    state: GameState
    """The game after the final events."""
    torn: bool
    """The last record was torn by a crash and is left out."""
    end: int
    """Bytes of the file that are whole records: cut it here before appending."""


def load_log(
    data: bytes, seat: int | None = None, *, verify: Verify | None = None
) -> LoadedLog:
    """Read a log for the player of ``seat`` (None: a stranger's view).

    Raises LogError naming the first record that does not fit. Without
    ``verify`` signatures are taken on faith: it is one's own file.
    """
    records = read_records(data)
    fold = LogFold(verify)
    fold.read(records)
    if fold.findings:
        finding = fold.findings[0]
        raise LogError(
            "record {record}: {reason}",
            code=finding.code,
            record=finding.record,
            why=finding.why,
            detail=finding.detail,
        )
    log, state = fold.log, fold.state
    if log is None or state is None:
        raise LogError("the log does not begin with its genesis", code=103, record=0)
    if seat is not None:
        state = _settled(log, state, Seat(seat))
    return LoadedLog(log, state, records.torn, records.end)


def _settled(log: GameLog, state: GameState, seat: Seat) -> GameState:
    """Make the peer's last event final although its ACK was not written."""
    pending = log.pending
    if pending is None or pending.event.author == seat:
        return state
    event = pending.event
    after = step(state, event.author, event.type, event.body)
    if isinstance(after, int):
        raise LogError("the last event is not legal", code=after)
    log.append(Entry(pending, state_hash(after), None))
    return after
