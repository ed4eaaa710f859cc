"""The log of a game that was begun earlier, written down once more."""

from __future__ import annotations

from crapette_p2p.gamelog.log import GameLog
from crapette_p2p.gamelog.replay import Replay
from crapette_p2p.ui.language import Words
from crapette_p2p.ui.play.scribe import Scribe


def scribe_of(log: GameLog, length: int, words: Words) -> Scribe:
    """A scribe that has seen the first ``length`` events of ``log``."""
    scribe = Scribe(log.genesis.nicks, words)
    replay = Replay(log, playable=length)
    for step in replay.steps:
        before, after = replay.position(step.seq), replay.position(step.length)
        if before is not None and after is not None:
            scribe.record(step.author, step.action, before, after)
    return scribe
