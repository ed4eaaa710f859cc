r"""**Pure**: when each event was recorded, in a side file of a log.

A log holds no times: both players' logs are equal byte by byte. Beside its own log
a program keeps when *this* computer recorded each event, for whoever watches the
game again. That is a comment of one side: unsigned, never sent, and nothing depends
on it. So whatever does not fit is no error but the end of what is known.

``"CRAPTIME\x01" ‖ game id (32)``, then records ``u32be seq ‖ u64be ms``: ms since
the first event kept, never less than before. A record whose seq is ``ANCHOR`` holds
Unix time in ms instead; one begins each run of the program, and says when the record
behind it was made. One more before it says when play went on in that run, for both
sat at the table by then. A number may come twice (the loser of a collision came first).
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from crapette_p2p.gamelog.events import MAX_EVENTS
from crapette_p2p.gamelog.records import MAX_RECORDS
from crapette_p2p.gamelog.replay import Replay

MAGIC: Final = b"CRAPTIME\x01"
HEADER: Final = len(MAGIC) + 32
"""Bytes before the first record."""
ANCHOR: Final = 0xFFFF_FFFF
IDLE_CUT: Final = 2000
"""Most milliseconds that a viewer waits for a player."""
AT_LEAST: Final = 100
"""Fewest: what came in one batch is to be seen one by one."""
_RECORD: Final = struct.Struct(">IQ")
MAX_TIMES: Final = HEADER + MAX_RECORDS * _RECORD.size
"""A log has no more records than these; under 1 MiB."""
_LATEST: Final = 1 << 53
"""Milliseconds that a page's script can count too."""


@dataclass(frozen=True, slots=True)
class Times:
    """What a side file says, up to where it breaks."""

    at: dict[int, int]
    """Event number → milliseconds."""
    last: int
    """The latest of them."""
    unix: int
    """Unix time in milliseconds at ``last``."""
    end: int
    """How many bytes of the file are good: cut it here to go on."""
    pauses: Mapping[int, int] = field(default_factory=dict)
    """Event number → milliseconds before it in which nobody sat at the table."""


def encode_header(game_id: bytes) -> bytes:
    """What a side file of that game begins with."""
    return MAGIC + game_id


def encode_time(seq: int, ms: int) -> bytes:
    """One record."""
    return _RECORD.pack(seq, ms)


def decode_times(
    data: bytes, game_id: bytes, *, below: int = MAX_EVENTS
) -> Times | None:
    """What the side file of a game says; None if it is none. Never raises.

    ``below``: up to the first event of that number or a higher one.
    """
    if len(data) > MAX_TIMES or data[:HEADER] != encode_header(game_id):
        return None
    at: dict[int, int] = {}
    pauses: dict[int, int] = {}
    seq_before = last = unix = 0
    anchor: int | None = None
    here = 0  # milliseconds at the table before the first record of a run
    at_end = end = HEADER
    for seq, value in _RECORD.iter_unpack(data[HEADER : _whole(len(data))]):
        at_end += _RECORD.size
        if value > _LATEST:
            break
        if seq == ANCHOR:
            here = 0 if anchor is None else max(value - anchor, 0)
            anchor = value
            continue
        if not seq_before <= seq < below or value < last:
            break
        if anchor is not None and at:  # a run of the program begins
            pauses[seq] = pauses.get(seq, 0) + max(value - last - here, 0)
        unix = anchor if anchor is not None else unix + value - last
        anchor, seq_before, last, here = None, seq, value, 0
        at[seq], end = value, at_end  # an anchor counts with its record
    return Times(at, last, unix, end, pauses)


def _whole(length: int) -> int:
    """Where the last whole record of a file of that length ends."""
    return length - (length - HEADER) % _RECORD.size


def shown_at(times: Times, replay: Replay, place: int) -> int | None:
    """When what a viewer shows at a place happened, if that is known.

    A step happens with its action: its openings are the programs' own work.
    """
    if 0 < place <= len(replay.steps):
        return times.at.get(replay.steps[place - 1].seq)
    return times.at.get(replay.start - 1)


def time_played(times: Times, first: int, last: int) -> int | None:
    """Milliseconds from one event to another, pauses left out.

    None where an event between them has no time: who knows what is missing.
    """
    if first > last or not all(seq in times.at for seq in range(first, last + 1)):
        return None
    paused = sum(ms for seq, ms in times.pauses.items() if first < seq <= last)
    return times.at[last] - times.at[first] - paused


def clock_text(seconds: int) -> str:
    """``02:41``, or ``1:02:41``."""
    minutes, seconds = divmod(max(seconds, 0), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours}:{minutes:02}:{seconds:02}"
    return f"{minutes:02}:{seconds:02}"


def wait_between(earlier: int | None, later: int | None) -> int | None:
    """How many milliseconds a viewer waits from one to the other."""
    if earlier is None or later is None:
        return None
    return min(max(later - earlier, AT_LEAST), IDLE_CUT)
