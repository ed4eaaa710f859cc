"""A random player for session tests: plays, calls Stop, talks, grants, resigns."""

from __future__ import annotations

import random

from crapette_p2p.engine import due_plays, legal_with_offences, refusal
from crapette_p2p.engine.actions import (
    ACCEPT_DRAW,
    DECLINE_DRAW,
    DISCARD,
    GRANT,
    OFFER_DRAW,
    RESIGN,
    Action,
    Move,
    Stop,
)
from crapette_p2p.engine.layout import PileId, Seat, other, reserve
from crapette_p2p.engine.position import Position
from crapette_p2p.gamelog.state import GameState


def choose(
    state: GameState,
    seat: Seat,
    rng: random.Random,
    *,
    resign: float = 0.0,
    talk: float = 0.02,
    calls: float = 0.4,
) -> Action | None:
    """Something ``seat`` may lawfully do here, or None.

    ``resign``, ``talk`` (wrong calls, draw offers) and ``calls`` (right ones) are
    chances.
    """
    position = state.position
    if position is None or state.due is not None or state.final_end is not None:
        return None
    for action in _wishes(position, seat, rng, resign, talk=talk, calls=calls):
        if refusal(position, seat, action) is None:
            return action
    if position.end is None and position.active == seat:
        return _play(position, rng)
    return None


def _wishes(
    position: Position,
    seat: Seat,
    rng: random.Random,
    resign: float,
    *,
    talk: float,
    calls: float,
) -> list[Action]:
    """What comes to mind before the plain play, best first."""
    wishes: list[Action] = []
    if rng.random() < resign:
        wishes.append(RESIGN)
    if position.callable == other(seat):
        if position.offences and rng.random() < calls:
            plays = due_plays(position.offences[0].before)
            wishes += [Stop(play.source, play.target) for play in plays]
        elif rng.random() < talk:
            wishes.append(Stop(reserve(other(seat)), PileId(8)))
    if position.end is not None:
        wishes.append(GRANT)
    if position.offer == other(seat):
        wishes.append(ACCEPT_DRAW if rng.random() < 0.05 else DECLINE_DRAW)
    elif rng.random() < talk:
        wishes.append(OFFER_DRAW)
    return wishes


def _play(position: Position, rng: random.Random) -> Action | None:
    listed = legal_with_offences(position)
    clean = [action for action, offence in listed if offence is None]
    some = clean if clean and rng.random() < 0.9 else [action for action, _ in listed]
    if not some:
        return None
    weights = [_weight(action) for action in some]
    return rng.choices(some, weights)[0]


def _weight(action: Action) -> float:
    """Moves that lead on are likelier than moves among columns."""
    if isinstance(action, Move):
        if action.target >= 8:
            return 12.0
        return 4.0 if action.source >= 16 else 0.7
    return 0.6 if action == DISCARD else 3.0
