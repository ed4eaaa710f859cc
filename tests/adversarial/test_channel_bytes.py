"""C9, C10 without gaps: one turn, cut after every byte and crashed at every pair.

The deal is made once (``tests/helpers/beginnings.py``); what follows is short enough
to be broken everywhere. ``test_channel_cuts.py`` breaks the deal and the end too, at
the borders of messages; with CRAPETTE_EVERY_BYTE at each byte.
"""

from __future__ import annotations

import random

import pytest

from crapette_p2p.engine.actions import DISCARD, TURN, Action, Move
from crapette_p2p.gamelog.events import EventType
from crapette_p2p.gamelog.state import state_hash
from crapette_p2p.session.commands import Act
from crapette_p2p.session.notices import SessionFailed
from tests.adversarial.scripted import CuttingPair, message_borders
from tests.helpers.beginnings import Held, begun, new_players
from tests.helpers.driving import position_of, side_of, state_of
from tests.helpers.forging import require_one_signature
from tests.helpers.pair import Pair
from tests.helpers.policy import choose

BEGINNING = ("russian-bank", 0, 7)


def after(held: tuple[Held, Held]) -> CuttingPair:
    """Two players who hold that game and are linked again."""
    players = new_players(3)
    for player, what in zip(players, held, strict=True):
        what.give_to(player)
    pair = CuttingPair(*players)
    pair.connect()
    for player in players:
        player.trace.clear()
        player.steps = 0
    return pair


def play(pair: Pair, actions: list[Action]) -> None:
    """Each action by whoever is to move, again as long as it has not happened."""
    target = len(actions)
    begin = plays(pair)
    for attempt in range(60):
        if is_broken(pair):
            pair.connect(dialler=attempt % 2)
        pair.pump()
        if is_broken(pair):
            continue
        done = plays(pair) - begin
        if done >= target:
            return
        mover = side_of(pair, position_of(pair.players[0]).active)
        pair.attempt(mover, Act(actions[done]))
    raise AssertionError("the actions do not all happen")


def is_broken(pair: Pair) -> bool:
    """Whether there is no link, or a program has died."""
    return pair.wire is None or any(player.session is None for player in pair.players)


def plays(pair: Pair) -> int:
    """How many actions both logs hold."""
    kinds = (EventType.MOVE, EventType.TURN, EventType.END)
    return min(
        sum(entry.signed.event.type in kinds for entry in player.kept()[-1].log.entries)
        for player in pair.players
    )


def judge(pair: Pair, expected: bytes) -> None:
    """Both hold the same game in the expected state; nobody was accused."""
    for player in pair.players:
        assert not player.of(SessionFailed)
    left, right = (player.kept()[-1] for player in pair.players)
    assert left.log.entries == right.log.entries
    assert state_hash(left.state) == state_hash(right.state) == expected
    require_one_signature(pair)


A_TURN: list[Action] = [TURN, DISCARD]


def reference(held: tuple[Held, Held], actions: list[Action]) -> CuttingPair:
    """The actions without any trouble."""
    pair = after(held)
    play(pair, actions)
    return pair


@pytest.mark.slow
@pytest.mark.parametrize("to", [0, 1])
def test_c09_every_byte_of_a_turn_with_its_openings(to: int) -> None:
    """C9: TURN, ACK, OPEN_A, OPEN_B, END: cut after each single byte of each."""
    held = begun(*BEGINNING)
    whole = reference(held, A_TURN)
    expected = state_hash(state_of(whole.players[0]))
    borders = message_borders(whole, to)
    assert len(borders) > 4
    for budget in range(borders[-1]):
        pair = after(held)
        pair.side, pair.budget = to, budget
        play(pair, A_TURN)
        judge(pair, expected)


@pytest.mark.slow
def test_c10_both_crash_at_every_pair_of_steps() -> None:
    """C10: each program dies before any of its writes and sends, in every pairing."""
    held = begun(*BEGINNING)
    whole = reference(held, A_TURN)
    expected = state_hash(state_of(whole.players[0]))
    steps = [player.steps for player in whole.players]
    assert min(steps) >= 8
    for first in range(1, steps[0] + 1):
        for second in range(1, steps[1] + 1):
            pair = after(held)
            pair.players[0].crash_before = first
            pair.players[1].crash_before = second
            play(pair, A_TURN)
            judge(pair, expected)


def some_moves(held: tuple[Held, Held], count: int) -> list[Action]:
    """Lawful actions one after the other, most of them moves of one turn."""
    pair, rng = after(held), random.Random(1)  # noqa: S311 - a repeatable turn
    actions: list[Action] = []
    while len(actions) < count:
        position = position_of(pair.players[0])
        mover = position.active
        action = choose(state_of(pair.players[0]), mover, rng, talk=0)
        assert action is not None
        if isinstance(action, Move) or rng.random() < 0.2:
            actions.append(action)
            pair.command(side_of(pair, mover), Act(action))
            pair.pump()
    return actions


@pytest.mark.slow
@pytest.mark.parametrize("to", [0, 1])
def test_report_01_a_cut_in_the_moves_of_a_long_turn(to: int) -> None:
    """Report 1: thirty actions, the stream cut all over them: equal in the end."""
    held = begun(*BEGINNING)
    actions = some_moves(held, 30)
    assert sum(isinstance(action, Move) for action in actions) > 10
    whole = reference(held, actions)
    expected = state_hash(state_of(whole.players[0]))
    last = message_borders(whole, to)[-1]
    for budget in range(0, last, 97):  # 97 meets every place of a frame in turn
        pair = after(held)
        pair.side, pair.budget = to, budget
        play(pair, actions)
        judge(pair, expected)
