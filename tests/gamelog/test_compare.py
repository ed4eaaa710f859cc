"""Two logs of one game: prefix, fork, proof."""

from __future__ import annotations

import pytest

from crapette_p2p.engine.actions import OFFER_DRAW, RESIGN, TURN
from crapette_p2p.gamelog.compare import (
    Comparison,
    DamagedLogError,
    Relation,
    compare_logs,
)
from crapette_p2p.gamelog.events import action_to_body
from crapette_p2p.gamelog.evidence import judge_evidence
from crapette_p2p.gamelog.records import MAGIC, RecordKind
from tests.helpers.fakegame import FakeGame, file_of, make_genesis, play_game, verify


def started(seed: int = 2) -> FakeGame:
    """A game at its first position."""
    game = FakeGame(make_genesis("russian-bank", k=2, seed=seed), seed=seed)
    game.set_up()
    return game


def mover_of(game: FakeGame) -> int:
    """Whose turn it is."""
    assert game.state.position is not None
    return game.state.position.active


def test_a_log_equals_itself_whatever_its_notes() -> None:
    """Notes are local: they make no difference."""
    game = started()
    data = game.data
    game.record(RecordKind.NOTE, 501, "abandoned")
    assert compare_logs(data, game.data, verify) == Comparison(Relation.EQUAL, 10)


def test_a_shorter_log_is_a_prefix() -> None:
    """E7: cut after any record; the longer one is named."""
    game = started()
    for size in range(1, len(game.records)):
        short = file_of(game.records[:size])
        found = compare_logs(short, game.data, verify)
        assert found == Comparison(Relation.PREFIX, (size - 1) // 2, 1)
        found = compare_logs(game.data, short, verify)
        assert found == Comparison(Relation.PREFIX, (size - 1) // 2, 0)


def test_two_games_are_different() -> None:
    """E7: another game id says it all."""
    found = compare_logs(started(2).data, started(3).data, verify)
    assert found == Comparison(Relation.DIFFERENT, 0)


def test_two_events_of_one_author_are_a_fork_with_proof() -> None:
    """E7, 402: the evidence is complete and names him."""
    one, two = started(), started()
    mover = mover_of(one)
    one.act(mover, TURN)
    one.settle()
    two.act(mover, RESIGN)
    two.settle()
    for first, second in ((one, two), (two, one)):
        found = compare_logs(first.data, second.data, verify)
        assert (found.relation, found.common) == (Relation.FORK, 10)
        assert found.guilty == mover
        assert found.evidence is not None
        judgement = judge_evidence(found.evidence, verify)
        assert (judgement.proven, judgement.code) == (True, 402)
        assert judgement.seat == mover


def test_an_event_not_yet_acknowledged_can_prove_a_fork() -> None:
    """One file holds what its owner signed and never sent, the other another."""
    one, two = started(), started()
    mover = mover_of(one)
    signed = one.sign(mover, *action_to_body(RESIGN))
    one.record(RecordKind.EVENT, signed.data, signed.sig)
    two.act(mover, TURN)
    found = compare_logs(one.data, two.data, verify)
    assert (found.relation, found.common, found.longer) == (Relation.FORK, 10, 1)
    assert found.guilty == mover


def test_an_event_that_lost_a_collision_is_no_fork() -> None:
    """Each keeps the loser in his own way; the final events are the same."""
    one, two = started(), started()
    mover = mover_of(one)
    offer = two.sign(1 - mover, *action_to_body(OFFER_DRAW))
    two.record(RecordKind.EVENT, offer.data, offer.sig)
    one.act(mover, TURN)
    two.act(mover, TURN)
    found = compare_logs(one.data, two.data, verify)
    assert (found.relation, found.common) == (Relation.EQUAL, 11)
    waiting = two.records[:-2]
    found = compare_logs(one.data, file_of(waiting), verify)
    assert (found.relation, found.common, found.longer) == (Relation.PREFIX, 10, 0)


def test_final_events_of_both_authors_fork_without_a_proof() -> None:
    """No hand has signed two events of that number: nobody is named."""
    one, two = started(), started()
    mover = mover_of(one)
    one.act(mover, RESIGN)
    two.act(1 - mover, RESIGN)
    found = compare_logs(one.data, two.data, verify)
    assert (found.relation, found.common) == (Relation.FORK, 10)
    assert found.evidence is None
    assert found.guilty is None


@pytest.mark.parametrize("bad", [b"", b"x" * 40, MAGIC])
def test_a_file_that_is_no_log_is_named(bad: bytes) -> None:
    """Which of the two is damaged, and at which record."""
    good = started().data
    for which, files in enumerate(((bad, good), (good, bad))):
        with pytest.raises(DamagedLogError) as caught:
            compare_logs(*files, verify)
        error = caught.value
        assert (error.which, error.record) == (which, 0)
        assert error.why in ("not-a-log", "no-genesis")


@pytest.mark.slow
def test_every_cut_of_a_whole_game_is_a_prefix() -> None:
    """Also across Stops, draw talk and the audits."""
    game = play_game("crapette", seed=5, k=2, actions=60)
    for size in range(1, len(game.records), 17):
        short = file_of(game.records[:size])
        found = compare_logs(short, game.data, verify)
        assert (found.relation, found.longer) == (Relation.PREFIX, 1)
