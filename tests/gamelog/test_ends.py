"""How a deal is closed: grant, audits, result; and who owes what meanwhile."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from crapette_p2p.engine.actions import (
    ACCEPT_DRAW,
    DECLINE_DRAW,
    GRANT,
    OFFER_DRAW,
    RESIGN,
    TURN,
)
from crapette_p2p.engine.layout import other
from crapette_p2p.engine.position import End, EndReason
from crapette_p2p.engine.ruleset import PRESETS
from crapette_p2p.errors import LogError
from crapette_p2p.gamelog.events import MAX_EVENTS, EventType, action_to_body
from crapette_p2p.gamelog.game import problem, result_body, step
from crapette_p2p.gamelog.state import GameState, Owed, Phase, owes
from tests.helpers.fakegame import FakeGame, make_genesis, play_game, turns

AUDIT, RESULT, GRANT_EVENT = EventType.AUDIT, EventType.RESULT, EventType.GRANT


def in_play(rules: str = "russian-bank", seed: int = 0) -> FakeGame:
    """A game at its first position."""
    game = FakeGame(make_genesis(rules, k=2, seed=seed), seed=seed)
    game.set_up()
    return game


def owed(game: FakeGame) -> tuple[int, EventType | None] | None:
    """Who owes what."""
    due = owes(game.state)
    return None if due is None else (due.author, due.type)


@pytest.mark.parametrize("resigner", [0, 1])
def test_the_winner_audits_first_and_writes_the_result(resigner: int) -> None:
    """P7: winner, then loser, then RESULT by whoever audited first."""
    game = in_play()
    game.act(resigner, RESIGN)
    winner = 1 - resigner
    for author, kind in ((winner, AUDIT), (resigner, AUDIT), (winner, RESULT)):
        assert owed(game) == (author, kind)
        made = game.owed()
        assert made is not None
        _, _, body = made
        assert problem(game.state, 1 - author, kind, body) == 404
        for wrong in (RESULT if kind == AUDIT else AUDIT, EventType.RESIGN):
            assert problem(game.state, author, wrong, ()) == 404
        game.event(*made)
    assert owes(game.state) is None
    assert game.state.phase == Phase.OVER
    for author in (0, 1):
        for kind in EventType:
            assert problem(game.state, author, kind, ()) == 404


def test_after_a_draw_role_0_audits_first() -> None:
    """P7: without a winner role 0, then role 1; points 0."""
    game = in_play()
    game.act(1, OFFER_DRAW)
    assert game.state.position is not None
    game.act(0, ACCEPT_DRAW)
    assert owed(game) == (0, AUDIT)
    game.settle()
    authors = [e.signed.event.author for e in game.log.entries[-3:]]
    assert authors == [0, 1, 0]
    assert game.log.entries[-1].signed.event.body == (None, EndReason.AGREED, 0)


def test_result_has_to_be_the_verdict_of_the_rules() -> None:
    """E3: another winner, reason or score, or a boolean for a number, is 404."""
    game = in_play("crapette")
    game.act(0, RESIGN)
    with pytest.raises(LogError):
        result_body(in_play().state)
    while owed(game) != (1, RESULT):
        made = game.owed()
        assert made is not None
        game.event(*made)
    end = game.state.final_end
    assert end is not None
    assert (end.winner, end.reason) == (1, EndReason.RESIGNED)
    good = (1, 3, end.points)
    assert result_body(game.state) == good
    assert problem(game.state, 1, RESULT, good) is None
    for bad in (
        (0, 3, end.points),
        (None, 3, end.points),
        (1, 2, end.points),
        (1, 3, end.points + 1),
        (True, 3, end.points),
        (1, 3),
        (*good, 0),
        (),
    ):
        assert problem(game.state, 1, RESULT, bad) == 404


def test_an_audit_with_other_seeds_is_408() -> None:
    """E1: a wrong seed, or the seed of another candidate."""
    game = in_play()
    game.act(0, RESIGN)
    made = game.owed()
    assert made is not None
    author, kind, (seed0, seed1) = made
    assert isinstance(seed0, bytes)
    kept = game.state.deal.kept(author, 0)
    unkept = game.secrets[author].seed(0, 1 - kept)
    assert problem(game.state, author, kind, (unkept, seed1)) == 408
    assert problem(game.state, author, kind, (seed1, seed0)) == 408
    assert problem(game.state, author, kind, (bytes(32), seed1)) == 408
    assert problem(game.state, author, kind, (seed0[:31], seed1)) == 404
    assert problem(game.state, author, kind, (seed0,)) == 404


def test_nobody_audits_while_the_deal_goes_on() -> None:
    """P4: seeds are not opened before the end is final."""
    game = in_play()
    for author in (0, 1):
        assert problem(game.state, author, AUDIT, (bytes(32), bytes(32))) == 404
        assert problem(game.state, author, RESULT, (None, 2, 0)) == 404


def provisional(preset: str) -> Iterator[FakeGame]:
    """Games that stand at a provisional end."""
    for seed in range(40):
        game = FakeGame(make_genesis(preset, k=2, seed=seed), seed=seed)
        for state in turns(game, 2_000):
            if state.phase == Phase.ENDING:
                yield game
                break


@pytest.mark.slow
@pytest.mark.parametrize("preset", ["crapette", "russian-bank-knock"])
def test_in_games_with_calls_an_end_has_to_be_granted(preset: str) -> None:
    """P4: only GRANT or STOP, only by the opponent of the action's author."""
    for number, game in enumerate(provisional(preset)):
        end = game.state.end
        assert end is not None
        assert end.provisional_by is not None
        granter = other(end.provisional_by)
        assert owed(game) == (granter, GRANT_EVENT)
        assert game.state.winner is None
        assert game.state.final_end is None
        for author in (0, 1):
            lawful = {
                kind
                for kind, body in ((GRANT_EVENT, ()), (EventType.STOP, (16, 8)))
                if problem(game.state, author, kind, body) is None
            }
            assert GRANT_EVENT not in lawful or author == granter
            for kind, body in (
                (EventType.RESIGN, ()),
                (EventType.DRAW_OFFER, ()),
                (AUDIT, (bytes(32), bytes(32))),
                action_to_body(TURN),
                (EventType.END, (0,)),
            ):
                assert problem(game.state, author, kind, body) == 404
        game.act(granter, GRANT)
        assert game.state.final_end is not None
        assert owed(game) == (game.state.first_auditor, AUDIT)
        if number == 4:
            break


@pytest.mark.slow
@pytest.mark.parametrize("preset", PRESETS)
def test_every_game_comes_to_a_signed_result(preset: str) -> None:
    """Whatever is played, RESULT says what the engine says."""
    ends: set[EndReason] = set()
    for seed in range(6):
        game = play_game(preset, seed=seed, k=2, actions=400)
        end = game.state.final_end
        assert isinstance(end, End)
        last = game.log.entries[-1].signed.event
        assert last.type == RESULT
        assert last.body == (end.winner, end.reason, end.points)
        ends.add(end.reason)
    assert ends


def test_an_open_offer_may_be_refused() -> None:
    """DRAW_ANSWER 0 leaves the deal as it was, but for the offer."""
    game = in_play()
    game.act(0, OFFER_DRAW)
    assert problem(game.state, 0, *action_to_body(ACCEPT_DRAW)) == 404
    game.act(1, DECLINE_DRAW)
    assert game.state.phase == Phase.PLAY
    assert problem(game.state, 1, *action_to_body(DECLINE_DRAW)) == 404


def test_no_event_has_a_number_of_20000() -> None:
    """P16: the limit stands above everything else."""
    game = in_play()
    assert game.state.position is not None
    mover = game.state.position.active
    last = replace(game.state, length=MAX_EVENTS - 1, memo=[])
    beyond = replace(game.state, length=MAX_EVENTS, memo=[])
    assert isinstance(step(last, mover, *action_to_body(RESIGN)), GameState)
    assert step(beyond, mover, *action_to_body(RESIGN)) == 404


def test_a_turn_that_ends_late_blocks_the_deal() -> None:
    """P16: at seq 16,000 and later the end of a turn is the end of the deal."""
    game = in_play()
    assert game.state.position is not None
    mover = game.state.position.active
    game.act(mover, TURN)
    game.settle()
    late = replace(game.state, length=16_000, memo=[])
    early = replace(game.state, length=15_999, memo=[])
    ended = step(late, mover, EventType.END, (0,))
    going = step(early, mover, EventType.END, (0,))
    assert isinstance(ended, GameState)
    assert isinstance(going, GameState)
    assert going.end is None
    assert ended.end is not None
    assert ended.end.reason == EndReason.BLOCKED
    assert owes(ended) == Owed(ended.first_auditor, AUDIT)
