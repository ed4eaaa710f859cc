"""A short scripted game, cut or crashed at every place it can be (C9, C10, C11)."""

from __future__ import annotations

import pytest

from crapette_p2p.engine.actions import DISCARD, RESIGN, TURN, Action
from crapette_p2p.session.commands import Act
from crapette_p2p.session.effects import Persist, Send
from crapette_p2p.session.notices import SessionFailed
from tests.helpers.forging import require_one_signature
from tests.helpers.keys import toy_key
from tests.helpers.pair import Pair, make_player, terms
from tests.helpers.simulation import game_over

TURNS = 3
"""After so many discards the mover resigns."""


def fresh(split: str = "whole") -> Pair:
    """Two players who have never met."""
    players = [make_player(name, key=toy_key(name)) for name in ("Ala", "Olek")]
    for player in players:
        player.options["terms"] = terms("russian-bank")
    return Pair(*players, split=split)


def play_on(pair: Pair) -> None:
    """Play the script to its end, whatever has happened before."""
    for _ in range(60):
        if all(game_over(player) for player in pair.players):
            return
        if pair.wire is None or None in [p.session for p in pair.players]:
            pair.connect()
        for side in (0, 1):
            _next_action(pair, side)
            pair.pump()
    raise AssertionError("the script does not end")


def _next_action(pair: Pair, side: int) -> None:
    session = pair.players[side].session
    if session is None or session.game is None or session.log is None:
        return
    ended = sum(e.signed.event.type == 34 for e in session.log.entries)
    position = session.game.position
    wishes: list[Action] = [RESIGN] if ended >= TURNS else [DISCARD, TURN]
    if position is None or position.active != session.seat:
        return
    for action in wishes:
        if session.may(action):
            pair.attempt(side, Act(action))
            return


def judge(pair: Pair) -> None:
    """Both have closed the same game, and nobody was accused or signed twice."""
    for player in pair.players:
        assert not player.of(SessionFailed)
    left, right = (player.kept()[-1] for player in pair.players)
    assert left.log.entries == right.log.entries
    require_one_signature(pair)


def steps_of_script() -> tuple[int, int]:
    """How many writes and sends each side makes when nothing goes wrong."""
    pair = fresh()
    play_on(pair)
    judge(pair)
    return pair.players[0].steps, pair.players[1].steps


@pytest.mark.slow
@pytest.mark.parametrize("side", [0, 1])
def test_a_crash_before_any_write_or_send_loses_nothing(side: int) -> None:
    """C10: restart from the disk; the game ends as if nothing had been."""
    for step in range(1, steps_of_script()[side] + 1):
        pair = fresh()
        pair.players[side].crash_before = step
        play_on(pair)
        judge(pair)


@pytest.mark.slow
def test_both_crashing_loses_nothing() -> None:
    """C10: each at some step of his own; for one of them it is a power cut."""
    left, right = steps_of_script()
    for step in range(1, min(left, right), 3):
        pair = fresh()
        pair.players[0].crash_before = step
        pair.players[0].loses_power = True
        pair.players[1].crash_before = right - step
        play_on(pair)
        judge(pair)


def bytes_of_script() -> int:
    """How many bytes the script moves in all."""
    pair = fresh()
    play_on(pair)
    return sum(
        len(effect.data)
        for player in pair.players
        for effect in player.trace
        if isinstance(effect, Send)
    )


class CuttingPair(Pair):
    """Cuts the link after so many bytes, once."""

    budget = 0

    def deliver(self, side: int, size: int | None = None) -> bool:
        """Carry at most what is left of the budget, then cut."""
        wire = self.wire
        if wire is None or self.budget < 0:
            return super().deliver(side, size)
        waiting = len(wire.flight[side])
        if waiting >= self.budget:
            if self.budget:
                super().deliver(side, self.budget)
            self.budget = -1
            self.cut()
            return True
        self.budget -= waiting
        return super().deliver(side, size)


@pytest.mark.slow
def test_a_cut_at_any_byte_loses_nothing() -> None:
    """C9, #1: the stream ends in the middle of whatever was on its way."""
    total = bytes_of_script()
    for budget in range(1, total, max(1, total // 150)):
        plain = fresh()
        pair = CuttingPair(*plain.players)
        pair.budget = budget
        play_on(pair)
        judge(pair)


@pytest.mark.parametrize("call", ["write", "sync"])
def test_a_disk_that_fails_sends_nothing(call: str) -> None:
    """C11: what could not be written was never said; the game is as it was."""
    pair = fresh()
    pair.connect()
    side = 0 if pair.players[0].live.may(TURN) else 1
    player = pair.players[side]
    before, sent = dict(player.disk.logs), len(player.sent)
    player.disk.fails = call
    pair.command(side, Act(TURN))
    assert player.session is None
    assert player.disk.logs == before
    assert len(player.sent) == sent
    player.disk.fails = None
    play_on(pair)
    judge(pair)


def test_records_stand_in_the_order_in_which_they_became_true() -> None:
    """An own EVENT, then its ACK; the peer's EVENT, then ours: never an ACK first."""
    pair = fresh()
    play_on(pair)
    for player in pair.players:
        kinds = [e.kind for e in player.trace if isinstance(e, Persist)]
        events = [kind for kind in kinds if kind in (2, 3)]
        assert events == [2, 3] * (len(events) // 2)
