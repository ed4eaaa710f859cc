"""Bots out of turn: when they call Stop!, grant an end, and agree to a draw."""

from __future__ import annotations

import pytest

from crapette_p2p.bot import LEVELS, choose
from crapette_p2p.bot.calls import wanted_stop
from crapette_p2p.engine import (
    ACCEPT_DRAW,
    DECLINE_DRAW,
    GRANT,
    OFFER_DRAW,
    Action,
    Position,
    Stop,
    format_action,
    judge,
    play,
)
from tests.helpers.boards import board, played
from tests.helpers.strategies import any_action, random_game


def asked(position: Position, seat: int, level: str = "master") -> Action | None:
    """What a level does."""
    return choose(position, seat, level=level, rand=lambda: 0.99, nodes=10)


def missed_foundation() -> Position:
    """A has moved a column card while his reserve's top was due."""
    return played(board(up={"S": [7, 0]}, columns="KS KH KD KC QS QH JD JC"), "7-5")


def test_master_calls_every_offence() -> None:
    """It names the play that was due, out of turn and at the start of its own."""
    position = missed_foundation()
    stop = asked(position, 1)
    assert isinstance(stop, Stop)
    assert format_action(stop) == "stop R-F"
    ended = played(board(up={"S": [7, 0]}, a="7S 8S / 9S / JD /"), "discard")
    assert ended.active == 1
    assert isinstance(asked(ended, 1), Stop)


def test_baseline_never_calls() -> None:
    """The yardstick plays without calls."""
    assert asked(missed_foundation(), 1, "baseline") is None


def test_the_offender_does_not_call_himself() -> None:
    """Nothing is to be called in one's own turn once one has acted."""
    assert not isinstance(asked(missed_foundation(), 0), Stop)


@pytest.mark.slow
@pytest.mark.parametrize("level", ["novice", "club", "master"])
def test_offences_are_noticed_at_the_stated_rate(level: str) -> None:
    """About the stated share of offences is noticed, and asked twice as often."""
    rules = board().rules
    noticed = offences = 0
    for seed in range(60):
        for before, _, _, _, after in random_game(
            rules, seed, policy=any_action, steps=60
        ):
            if len(after.offences) == 1 and after.offences != before.offences:
                caller = 1 - after.offences[0].before.active
                if after.end is not None or after.calls.spent:
                    continue
                offences += 1
                first = wanted_stop(after, caller, LEVELS[level])
                assert wanted_stop(after, caller, LEVELS[level]) == first
                noticed += first is not None
                assert first is None or judge(after, first) is not None
    assert offences > 150
    expected = LEVELS[level].notices_offence
    assert noticed / offences == pytest.approx(expected, abs=0.08)


def test_no_call_that_gives_the_win_away() -> None:
    """Where the play that was missed would empty the offender's piles, no call."""
    position = board(up={"H": [4, 0]}, a="5H / / /", columns="6S 7D KD KC QS QH QD QC")
    position = played(position, "1-2")
    assert position.offences
    assert asked(position, 1) is None
    calling = play(position, 1, Stop(position.offences[0].before.active + 16, 14))  # type: ignore[arg-type] # R-F by numbers
    assert calling.end is not None


def test_a_provisional_end_is_granted_or_contested() -> None:
    """A clean win is granted; one by an offence is contested with a call."""
    won = played(board(a="/ / 9D /", columns="KS KH KD KC TS QH QD QC"), "D-5")
    assert won.end is not None
    assert asked(won, 1) == GRANT
    assert asked(won, 0) is None
    foul = board(a="/ / 9D /", columns="AS KH KD KC TS QH QD QC")
    contested = asked(played(foul, "D-5"), 1)
    assert isinstance(contested, Stop)
    assert asked(played(foul, "D-5"), 1, "baseline") == GRANT


def test_a_draw_is_agreed_to_when_behind() -> None:
    """Far behind, or stuck and not ahead, a bot accepts; else it declines."""
    ahead = play(board(a="7S / 9S / /"), 0, OFFER_DRAW)
    assert asked(ahead, 1) == DECLINE_DRAW
    behind = board(a="7S / 9S / /", b="7C 8C 9C TC / 4S 4C 5C 6C / /")
    assert asked(play(behind, 0, OFFER_DRAW), 1) == ACCEPT_DRAW
    stuck = board(counters={"idle": 6, "limit": 8})
    assert asked(play(stuck, 0, OFFER_DRAW), 1) == ACCEPT_DRAW


def test_an_offer_is_answered_before_playing_on() -> None:
    """In its own turn too: playing on would decline in silence."""
    position = play(board(), 1, OFFER_DRAW)
    assert asked(position, 0) == DECLINE_DRAW
