"""E: audits and results that lie, or never come."""

from __future__ import annotations

import pytest

from crapette_p2p.engine.actions import ACCEPT_DRAW, OFFER_DRAW
from crapette_p2p.gamelog.bodies import Body
from crapette_p2p.gamelog.events import EventType
from crapette_p2p.gamelog.verify import verify_log
from crapette_p2p.session.notices import GameOver
from crapette_p2p.session.states import State
from tests.adversarial.by_hand import ByHand, dealt, rigged
from tests.adversarial.verdicts import Court
from tests.helpers.fakegame import verify

AUDIT, RESULT = EventType.AUDIT, EventType.RESULT
SIDES = pytest.mark.parametrize("victim", [0, 1])


def won_by(victim: int, *, cheat_wins: bool) -> ByHand:
    """A deal that one of the two has given up; nobody has audited yet."""
    cheat = dealt(victim=victim)
    cheat.resign(victim if cheat_wins else 1 - victim)
    return cheat


def auditing(victim: int, *, cheat_wins: bool) -> tuple[ByHand, Body]:
    """The cheat owes his AUDIT, as the winner or after the winner's; its body."""
    cheat = won_by(victim, cheat_wins=cheat_wins)
    return cheat, cheat.settle_until_owing(AUDIT)[1]


@SIDES
@pytest.mark.parametrize("cheat_wins", [False, True])
def test_e01_seeds_that_make_another_layer(
    victim: int, *, cheat_wins: bool, court: Court
) -> None:
    """E1: a wrong seed, one of another candidate, both exchanged: 408."""
    cheat, (seed0, seed1) = auditing(victim, cheat_wins=cheat_wins)
    deal, secrets = cheat.state.deal, cheat.secrets
    others = [secrets.seed(deck, 1 - deal.kept(cheat.seat, deck)) for deck in (0, 1)]
    bodies: list[tuple[Body, int]] = [
        ((bytes(32), seed1), 408),
        ((seed0, bytes(32)), 408),
        ((others[0], seed1), 408),
        ((seed0, others[1]), 408),
        ((seed1, seed0), 408),
        ((seed0,), 404),
        ((seed0, seed1, seed0), 404),
        ((b"", seed1), 404),
    ]
    for body, code in bodies:
        cheat, _ = auditing(victim, cheat_wins=cheat_wins)
        cheat.say(cheat.event(AUDIT, body))
        court.convict(cheat.require(code, proven=True))
        assert not cheat.honest.of(GameOver)


@SIDES
def test_e01_a_layer_that_is_no_permutation(victim: int, court: Court) -> None:
    """E1, P13: whatever seed he shows, it makes another layer: 408."""

    def two_the_same(perm: bytes) -> bytes:
        return perm[:51] + perm[:1] if perm[0] != perm[51] else perm

    cheat = rigged(two_the_same, deck=1 - victim, victim=victim, seed=3)
    cheat.settle(lambda state: state.position is not None)
    cheat.resign(victim)
    cheat.say(cheat.event(*cheat.settle_until_owing(AUDIT)))
    court.convict(cheat.require(408, proven=True))


@SIDES
def test_e02_a_winner_who_does_not_audit(victim: int) -> None:
    """E2: no AUDIT of his, no RESULT: the log says who owes, and it is no win yet."""
    cheat, _ = auditing(victim, cheat_wins=True)
    cheat.pair.wait(11)
    assert cheat.honest.closed == 106
    assert cheat.session.state is State.SUSPENDED
    (data,) = cheat.honest.disk.logs.values()
    verdict = verify_log(data, verify)
    assert verdict.level == 3
    assert (verdict.debtor, verdict.owed and verdict.owed.type) == (cheat.seat, AUDIT)
    assert verdict.end is not None
    assert not cheat.honest.of(GameOver)


@SIDES
def test_e02_a_loser_who_does_not_audit(victim: int) -> None:
    """E2: the winner has audited, the opponent is silent: level 3, he owes."""
    cheat, _ = auditing(victim, cheat_wins=False)
    assert cheat.state.audits == 1 << victim
    cheat.pair.wait(11)
    (data,) = cheat.honest.disk.logs.values()
    verdict = verify_log(data, verify)
    assert (verdict.level, verdict.debtor) == (3, cheat.seat)
    assert verdict.end is not None
    assert verdict.end.winner == victim


@SIDES
def test_e02_nobody_audits_or_closes_out_of_turn(victim: int, court: Court) -> None:
    """E2, P7: the winner first, then the other; RESULT after both: 404."""
    _, honest = auditing(victim, cheat_wins=False)
    for kind, body in (
        (AUDIT, honest),
        (RESULT, (victim, 3, 1)),
        (EventType.GRANT, ()),
        (EventType.RESIGN, ()),
    ):
        cheat = won_by(victim, cheat_wins=False)
        cheat.say(cheat.event(kind, body))  # the victim's AUDIT is on its way
        court.convict(cheat.require(404, proven=True))
    cheat, _ = auditing(victim, cheat_wins=False)
    cheat.say(cheat.event(RESULT, (victim, 3, 1)))
    court.convict(cheat.require(404, proven=True))


@SIDES
def test_e03_results_that_contradict_the_state(victim: int, court: Court) -> None:
    """E3: another winner, reason or score than both have seen: 404."""
    cheat_seat = 1 - victim
    good = (cheat_seat, 3, 1)
    bodies: list[Body] = [
        (victim, 3, 1),
        (None, 3, 0),
        (cheat_seat, 0, 1),
        (cheat_seat, 3, 2),
        (cheat_seat, 3, 0),
        (cheat_seat, 3),
        (bool(cheat_seat), 3, 1),
        (cheat_seat, True, 1),
        (*good, 0),
    ]
    for body in bodies:
        cheat = won_by(victim, cheat_wins=True)
        assert cheat.settle_until_owing(RESULT)[1] == good
        cheat.say(cheat.event(RESULT, body))
        court.convict(cheat.require(404, proven=True))
        assert not cheat.honest.of(GameOver)


def test_e03_a_result_by_the_other_hand(court: Court) -> None:
    """E3: in a draw role 0 audits first and closes; role 1 cannot."""
    cheat = dealt(victim=0)
    cheat.play(0, OFFER_DRAW)
    cheat.play(1, ACCEPT_DRAW)
    # ``play`` has settled what the cheat owes; the victim's RESULT was made too.
    assert cheat.state.done
    cheat = dealt(victim=0)
    cheat.play(0, OFFER_DRAW)
    cheat.say(cheat.action(ACCEPT_DRAW))
    cheat.notice_now()
    assert cheat.honest_length() == 12
    cheat.say(cheat.event(RESULT, (None, 2, 0)))
    court.convict(cheat.require(404, proven=True))
