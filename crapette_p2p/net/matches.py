"""Whether a match goes on behind a deal."""

from __future__ import annotations

from crapette_p2p.gamelog.state import GameState
from crapette_p2p.session.lobby import is_match_over


def has_next_deal(state: GameState) -> bool:
    """Whether a finished deal is followed by another of its match.

    A single deal (target 1) that nobody won is over all the same.
    """
    return state.done and state.genesis.match.target > 1 and not is_match_over(state)
