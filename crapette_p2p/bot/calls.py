"""Answers out of turn: Stop!, grant, draw offers.

Whether a level notices an offence is decided by the offence itself (a hash of the
position it was made in), not by a fresh throw each time it is asked: asked twice,
a bot must not see more than asked once.
"""

from __future__ import annotations

import hashlib
from typing import Final

from crapette_p2p.bot.levels import Level
from crapette_p2p.engine import (
    ACCEPT_DRAW,
    DECLINE_DRAW,
    GRANT,
    AnswerDraw,
    Grant,
    OpenOffence,
    Position,
    Stop,
    due_plays,
    play,
    refusal,
)
from crapette_p2p.engine.layout import DRAWN, RESERVE, STOCK, WASTE, other

CARDS_BEHIND_TO_AGREE: Final = 8
"""A bot agrees to a draw when it has so many more cards (reserve cards twice)."""
IDLE_SHARE_TO_AGREE: Final = 0.6
"""... or when so much of the way to a blocked deal has been gone."""


def wanted_stop(position: Position, seat: int, level: Level) -> Stop | None:
    """The call this level makes now, if it has noticed anything worth one."""
    for offence in position.offences:
        if not _noticed(offence, level):
            continue
        for due in due_plays(offence.before):
            stop = Stop(due.source, due.target)
            if refusal(position, seat, stop) is None and _helps(position, seat, stop):
                return stop
    return None


def answer_to_end(position: Position, seat: int, level: Level) -> Stop | Grant | None:
    """Contest or accept a provisional end; None if that is not ours to do."""
    end = position.end
    if end is None or end.provisional_by != other(seat):
        return None
    return wanted_stop(position, seat, level) or GRANT


def answer_to_offer(position: Position, seat: int) -> AnswerDraw | None:
    """Accept a draw when far behind or when nothing moves; None without an offer."""
    if position.offer != other(seat):
        return None
    counters = position.counters
    behind = _count(position, seat) - _count(position, other(seat))
    stuck = counters.idle >= IDLE_SHARE_TO_AGREE * counters.limit
    agreed = behind >= CARDS_BEHIND_TO_AGREE or (stuck and behind >= 0)
    return ACCEPT_DRAW if agreed else DECLINE_DRAW


def _noticed(offence: OpenOffence, level: Level) -> bool:
    seen = b"".join(offence.before.piles) + bytes((offence.code,))
    throw = int.from_bytes(hashlib.sha256(seen).digest()[:4]) / 2**32
    return throw < level.notices_offence


def _helps(position: Position, seat: int, stop: Stop) -> bool:
    """Whether the caller does not lose by being right."""
    end = play(position, seat, stop).end
    return end is None or end.winner in (None, seat)


def _count(position: Position, seat: int) -> int:
    hand = (STOCK, DRAWN, WASTE)
    cards = sum(len(position.piles[pile + seat]) for pile in hand)
    return cards + 2 * len(position.piles[RESERVE + seat])
