"""Tables at which somebody can be called: offences, ends, cards seen since."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache

from crapette_p2p.engine import due_plays, legal_with_offences
from crapette_p2p.engine.actions import TURN, Action, Move, Stop
from crapette_p2p.engine.layout import PileId, reserve
from crapette_p2p.engine.position import EndReason, Position
from crapette_p2p.gamelog.state import GameState, Phase
from tests.helpers.driving import act, drive, position_of, state_of
from tests.helpers.pair import Disk, Pair, make_player, play_pair

KNOCK = "russian-bank-knock"


def wrong_stop(offender: int) -> Stop:
    """A call that names a play which is never due."""
    return Stop(reserve(offender), PileId(15))


def careless(position: Position, rng: random.Random) -> Action:
    """An offence if there is one, else a card from the stock, else anything."""
    listed = legal_with_offences(position)
    wrong = [action for action, offence in listed if offence is not None]
    turns = [action for action, _ in listed if action == TURN]
    return rng.choice(turns or wrong or [action for action, _ in listed])


def play_carelessly(
    preset: str, wanted: Callable[[GameState], bool], seeds: int = 60
) -> Pair:
    """A game in which nobody calls, up to a state that is wanted."""
    for seed in range(seeds):
        rng = random.Random(seed)  # noqa: S311 - a repeatable game
        pair = play_pair(preset, seed=seed)
        for _ in range(60):
            state = state_of(pair.players[0])
            if wanted(state):
                return pair
            position = position_of(pair.players[0])
            if position.end is not None:
                break
            act(pair, int(position.active), careless(position, rng))
    raise AssertionError("it never comes to that")


def right_stop(state: GameState) -> Stop:
    """A call that names the play missed first."""
    assert state.position is not None
    play = due_plays(state.position.offences[0].before)[0]
    return Stop(play.source, play.target)


@cache
def _won() -> tuple[Disk, Disk]:
    """Both disks right after a move that won, provisionally."""
    pair = play_pair(KNOCK, seed=23)
    rng = random.Random(23)  # noqa: S311 - a repeatable game
    drive(pair, rng, until=lambda s: s.phase is Phase.ENDING, talk=0, calls=0)
    return pair.players[0].disk, pair.players[1].disk


@cache
def _blocked() -> tuple[Disk, Disk]:
    """Both disks right after an action that blocked the deal, provisionally."""
    pair = play_pair("crapette", seed=1)
    for _ in range(3000):
        position = position_of(pair.players[0])
        if position.end is not None:
            break
        listed = [action for action, _ in legal_with_offences(position)]
        ends = [a for a in listed if not isinstance(a, Move)]
        act(pair, int(position.active), (ends or listed)[0])
    assert state_of(pair.players[0]).phase is Phase.ENDING
    return pair.players[0].disk, pair.players[1].disk


def ending(*, blocked: bool) -> tuple[Pair, int]:
    """Two programs at a provisional end, and whose action made it."""
    seed = 1 if blocked else 23
    pair = Pair(make_player("Ala", seed=seed), make_player("Olek", seed=seed))
    disks = _blocked() if blocked else _won()
    for player, disk in zip(pair.players, disks, strict=True):
        player.disk = disk.copy()
    pair.connect()
    end = position_of(pair.players[0]).end
    assert end is not None
    assert end.provisional_by is not None
    assert (end.reason == EndReason.BLOCKED) == blocked
    return pair, int(end.provisional_by)
