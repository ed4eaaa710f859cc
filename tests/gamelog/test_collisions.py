"""Collisions in a log: who became void, what may stand between event and ACK."""

from __future__ import annotations

import pytest

from crapette_p2p.engine.actions import OFFER_DRAW, RESIGN, TURN
from crapette_p2p.gamelog.events import EventType, action_to_body
from crapette_p2p.gamelog.game import step
from crapette_p2p.gamelog.log import SignedEvent
from crapette_p2p.gamelog.records import RecordKind
from crapette_p2p.gamelog.state import GameState
from crapette_p2p.gamelog.verify import Verdict, verify_log
from tests.helpers.fakegame import FakeGame, make_genesis, verify

EVENT, VOID, ACK = RecordKind.EVENT, RecordKind.VOID, RecordKind.ACK


@pytest.fixture
def game() -> FakeGame:
    """A game at its first position."""
    made = FakeGame(make_genesis("russian-bank", k=2, seed=2), seed=2)
    made.set_up()
    return made


def mover_of(game: FakeGame) -> int:
    """Whose turn it is."""
    assert game.state.position is not None
    return game.state.position.active


def write(game: FakeGame, kind: RecordKind, signed: SignedEvent) -> None:
    """A record of an event as it stands."""
    game.record(kind, signed.data, signed.sig)


def finish(game: FakeGame, signed: SignedEvent) -> None:
    """Its ACK, and on from there."""
    event = signed.event
    after = step(game.state, event.author, event.type, event.body)
    assert isinstance(after, GameState)
    game.finish(signed, after)


def judged(game: FakeGame) -> Verdict:
    """The verdict on the file so far."""
    return verify_log(game.data, verify)


def test_the_peers_winner_voids_the_own_event(game: FakeGame) -> None:
    """Own EVENT, the other's EVENT of that number, its ACK."""
    mover = mover_of(game)
    turn = game.sign(mover, *action_to_body(TURN))
    resign = game.sign(1 - mover, *action_to_body(RESIGN))
    write(game, EVENT, turn)
    write(game, EVENT, resign)
    finish(game, resign)
    game.settle()
    verdict = judged(game)
    assert (verdict.level, verdict.first_bad) == (5, None)
    assert verdict.summary is not None
    assert verdict.summary.voids == 1


def test_the_peers_loser_is_kept_as_void(game: FakeGame) -> None:
    """Own EVENT, the other's as VOID, the ACK of the own one."""
    mover = mover_of(game)
    offer = game.sign(1 - mover, *action_to_body(OFFER_DRAW))
    turn = game.sign(mover, *action_to_body(TURN))
    write(game, EVENT, turn)
    write(game, VOID, offer)
    finish(game, turn)
    game.settle()
    verdict = judged(game)
    assert (verdict.level, verdict.first_bad) == (3, None)
    assert verdict.summary is not None
    assert verdict.summary.voids == 1


def test_the_priority_of_a_collision_is_checked(game: FakeGame) -> None:
    """A loser that became final, and a winner that was kept as void, are damage."""
    mover = mover_of(game)
    offer = game.sign(1 - mover, *action_to_body(OFFER_DRAW))
    turn = game.sign(mover, *action_to_body(TURN))
    start = len(game.records)
    write(game, EVENT, turn)
    write(game, EVENT, offer)
    verdict = judged(game)
    assert (verdict.why, verdict.first_bad) == ("lost-collision", start + 1)
    del game.records[start:]
    write(game, EVENT, offer)
    write(game, VOID, turn)
    verdict = judged(game)
    assert (verdict.why, verdict.first_bad) == ("lost-collision", start + 1)


def test_two_events_of_one_author_and_number_prove_a_cheat(game: FakeGame) -> None:
    """402: in the same file, both signed, whatever else it says."""
    mover = mover_of(game)
    start = len(game.records)
    write(game, EVENT, game.sign(mover, *action_to_body(TURN)))
    write(game, EVENT, game.sign(mover, *action_to_body(RESIGN)))
    verdict = judged(game)
    assert (verdict.why, verdict.code) == ("equivocation", 402)
    assert verdict.first_bad == start + 1
    assert (verdict.guilty, verdict.guilty_of) == (mover, 402)


def test_a_void_event_stands_only_where_it_collided(game: FakeGame) -> None:
    """No VOID without an event that waits, of another number, head or rules."""
    mover = mover_of(game)
    start = len(game.records)
    offer = game.sign(1 - mover, *action_to_body(OFFER_DRAW))
    write(game, VOID, offer)
    assert judged(game).why == "stray-void"
    turn = game.sign(mover, *action_to_body(TURN))
    for bad in (
        game.sign(1 - mover, *action_to_body(OFFER_DRAW), seq=99),
        game.sign(1 - mover, *action_to_body(OFFER_DRAW), prev=bytes(32)),
        game.sign(1 - mover, *action_to_body(OFFER_DRAW), state=bytes(32)),
        game.sign(1 - mover, EventType.GRANT, ()),
        game.sign(1 - mover, EventType.DRAW_ANSWER, (1,)),
    ):
        del game.records[start:]
        write(game, EVENT, turn)
        write(game, VOID, bad)
        verdict = judged(game)
        assert verdict.level == 0
        assert verdict.first_bad == start + 1
    del game.records[start:]
    write(game, EVENT, turn)
    write(game, VOID, offer)
    write(game, VOID, offer)
    assert judged(game).why == "repeated-event"


def test_a_void_event_is_never_signed_again(game: FakeGame) -> None:
    """Its number belongs to its author's first event for ever."""
    mover = mover_of(game)
    offer = game.sign(1 - mover, *action_to_body(OFFER_DRAW))
    write(game, EVENT, game.sign(mover, *action_to_body(TURN)))
    write(game, VOID, offer)
    game.records.append((EVENT, (offer.data, offer.sig)))
    assert judged(game).why == "repeated-event"
    game.records.pop()
    other = game.sign(1 - mover, *action_to_body(RESIGN))
    write(game, EVENT, other)
    assert judged(game).why == "equivocation"


def test_a_log_of_both_sides_tells_the_same_story(game: FakeGame) -> None:
    """The loser's file and the winner's file end with the same head."""
    mover = mover_of(game)
    turn = game.sign(mover, *action_to_body(TURN))
    offer = game.sign(1 - mover, *action_to_body(OFFER_DRAW))
    start = len(game.records)
    write(game, EVENT, turn)
    write(game, VOID, offer)
    finish(game, turn)
    mine = judged(game)
    ack = game.records[-1]
    game.records[start:] = [
        (EVENT, (offer.data, offer.sig)),
        (EVENT, (turn.data, turn.sig)),
        ack,
    ]
    theirs = judged(game)
    assert mine.level == theirs.level == 3
    assert mine.summary == theirs.summary
