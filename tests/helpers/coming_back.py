"""Games that have been going on, and programs that die and come back."""

from __future__ import annotations

import random

from crapette_p2p.engine.actions import RESIGN
from crapette_p2p.session.notices import (
    SessionFailed,
)
from crapette_p2p.session.states import State
from tests.helpers.driving import (
    act,
    drive,
    position_of,
    require_closed,
    side_of,
    state_of,
)
from tests.helpers.pair import Pair, play_pair


def played(seed: int = 1, length: int = 40) -> Pair:
    """A game that has been going on for a while."""
    pair = play_pair("russian-bank", seed=seed)
    drive(pair, random.Random(seed), until=lambda state: state.length >= length)  # noqa: S311 - a repeatable game
    return pair


def restart(pair: Pair, *sides: int) -> None:
    """The programs die; what is on their disks stays."""
    pair.cut()
    for side in sides:
        pair.players[side].crash()


def finish(pair: Pair) -> None:
    """Play on for a while, then one resigns; both have closed the game."""
    enough = state_of(pair.players[0]).length + 60
    drive(pair, random.Random(5), until=lambda state: state.length >= enough)  # noqa: S311 - a repeatable game
    if not state_of(pair.players[0]).done:
        act(pair, 1, RESIGN)
    require_closed(pair)


def mover_of(pair: Pair) -> int:
    """The side of the player to move."""
    return side_of(pair, position_of(pair.players[0]).active)


def resuming(pair: Pair, side: int) -> None:
    """A new link, up to where ``side`` waits for RESUME, with nothing on the way."""
    pair.split = "bytes"
    pair.join()
    pair.step_until(lambda: pair.players[side].live.state is State.RESUMING)
    pair.wire_clear(side)
    pair.split = "whole"


def code_of(pair: Pair, side: int) -> int:
    """What a side failed with."""
    failed = pair.players[side].of(SessionFailed)[-1]
    assert isinstance(failed, SessionFailed)
    return failed.code


def state_length(pair: Pair, side: int) -> int:
    """How far a side's game is, 0 without one."""
    game = pair.players[side].live.game
    return game.length if game is not None else 0


def has_started(pair: Pair, side: int) -> bool:
    """Whether a side holds both signatures of a game."""
    game = pair.players[side].live.open_game
    return game is not None and game.started
