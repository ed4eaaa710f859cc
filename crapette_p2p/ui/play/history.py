"""The log of a game that was begun earlier, written down once more."""

from __future__ import annotations

from typing import Final

from crapette_p2p.engine.actions import Action
from crapette_p2p.engine.layout import Seat
from crapette_p2p.gamelog.log import GameLog
from crapette_p2p.gamelog.replay import Replay
from crapette_p2p.ui.language import Words
from crapette_p2p.ui.play.scribe import Scribe

Moves = tuple[tuple[Seat, Action], ...]
"""Who did what, oldest first."""
_LAST: Final = 2


def recall(
    log: GameLog, length: int, names: tuple[str, str], words: Words
) -> tuple[Scribe, Moves]:
    """A scribe that has seen the first ``length`` events, and the last moves."""
    scribe = Scribe(names, words)
    replay = Replay(log, playable=length)
    for step in replay.steps:
        before, after = replay.position(step.seq), replay.position(step.length)
        if before is not None and after is not None:
            scribe.record(step.author, step.action, before, after)
    last = tuple((step.author, step.action) for step in replay.steps[-_LAST:])
    return scribe, last
