"""Drive a pair of sessions through play."""

from __future__ import annotations

import random
from collections.abc import Callable

from crapette_p2p.engine.actions import Action
from crapette_p2p.engine.layout import Seat
from crapette_p2p.engine.position import Position
from crapette_p2p.gamelog.game import result_body
from crapette_p2p.gamelog.log import GameLog
from crapette_p2p.gamelog.state import GameState, state_hash
from crapette_p2p.gamelog.verify import verify_log
from crapette_p2p.session.commands import Act
from tests.helpers.keys import verify
from tests.helpers.pair import Pair, Player
from tests.helpers.policy import choose


def state_of(player: Player) -> GameState:
    """The game of a player who has one."""
    game = player.live.game
    assert game is not None
    return game


def position_of(player: Player) -> Position:
    """The table of a player who is at one."""
    position = state_of(player).position
    assert position is not None
    return position


def log_of(player: Player) -> GameLog:
    """The log of a player who has one."""
    log = player.live.log
    assert log is not None
    return log


def side_of(pair: Pair, seat: int) -> int:
    """Which player of the pair has that seat."""
    return 0 if pair.players[0].live.seat == seat else 1


def act(pair: Pair, seat: int, action: Action) -> None:
    """An action of a seat, carried as far as it goes."""
    pair.command(side_of(pair, seat), Act(action))
    pair.pump()


def drive(
    pair: Pair,
    rng: random.Random,
    *,
    actions: int = 5000,
    until: Callable[[GameState], bool] = lambda state: state.done,
    **chances: float,
) -> None:
    """Let both play at random until the game is so, or over; carries everything."""
    for _ in range(actions):
        for side in (0, 1):
            player = pair.players[side]
            if until(state_of(player)) or state_of(player).done:
                return
            seat = player.live.seat
            assert seat is not None
            action = choose(state_of(player), Seat(seat), rng, **chances)
            if action is not None:
                pair.command(side, Act(action))
            pair.pump()
    raise AssertionError("the game does not end")


def require_equal(pair: Pair) -> None:
    """Both have the same log and state, in memory and on the disk."""
    left, right = pair.players
    assert log_of(left).entries == log_of(right).entries
    assert state_hash(state_of(left)) == state_hash(state_of(right))
    for player in pair.players:
        game_id = log_of(player).game_id
        verdict = verify_log(player.disk.logs[game_id], verify)
        assert verdict.first_bad is None, verdict


def require_closed(pair: Pair) -> None:
    """The game is over on both sides and its logs prove it to a stranger."""
    require_equal(pair)
    for player in pair.players:
        assert state_of(player).done
        assert result_body(state_of(player)) is not None
        game_id = log_of(player).game_id
        assert verify_log(player.disk.logs[game_id], verify).level == 5
        assert not player.disk.seeds
