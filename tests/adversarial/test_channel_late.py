"""C7: calls that come late, twice, or over cards that were seen since."""

from __future__ import annotations

from crapette_p2p.engine import legal_with_offences
from crapette_p2p.engine.actions import DISCARD, TURN
from crapette_p2p.gamelog.events import EventType
from crapette_p2p.gamelog.state import GameState, state_hash
from crapette_p2p.session import messages as wire
from tests.adversarial.calling import play_carelessly, right_stop, wrong_stop
from tests.adversarial.hostile import Hostile
from tests.adversarial.stages import at_table
from tests.adversarial.verdicts import Court
from tests.helpers.driving import act, position_of, require_equal, state_of
from tests.helpers.first_turns import table_with_mover


def test_c07_a_stop_that_comes_too_late(court: Court) -> None:
    """C7: once the caller has acted himself, his call is 404."""
    pair = table_with_mover(0)
    act(pair, 0, DISCARD)
    assert pair.players[1].live.may(wrong_stop(0))
    act(pair, 1, TURN)
    assert not pair.players[1].live.may(wrong_stop(0))
    hostile = Hostile(pair, 0)
    hostile.notice_now()
    hostile.say(hostile.action(wrong_stop(0)))
    court.convict(hostile.require(404, proven=True))


def turned_since(state: GameState) -> bool:
    """Whether a card has been turned up after an offence that can be called."""
    position = state.position
    if position is None or not position.offences or state.due is not None:
        return False
    before = position.offences[0].before
    drawn = position.top(20 + position.active)
    return (
        position.callable == position.active
        and before.active == position.active
        and drawn >= 0
        and sum(face != 255 for face in before.faces)
        < sum(face != 255 for face in position.faces)
    )


def test_c07_a_stop_over_cards_seen_since(court: Court) -> None:
    """C7: all is rolled back but what was seen; nobody opens such a card again."""
    pair = play_carelessly("crapette", turned_since)
    state = state_of(pair.players[0])
    position = position_of(pair.players[0])
    offender = int(position.active)
    slot = position.piles[20 + offender][-1]
    act(pair, 1 - offender, right_stop(state))
    after = position_of(pair.players[0])
    assert slot in after.piles[18 + offender]  # face down again
    assert after.faces[slot] == position.faces[slot]  # and known to both
    require_equal(pair)
    for _ in range(40):
        position = position_of(pair.players[0])
        active = int(position.active)
        if active == offender and position.piles[18 + offender][-1] == slot:
            break
        listed = [a for a, _ in legal_with_offences(position)]
        act(pair, active, next((a for a in listed if a in (DISCARD, TURN)), listed[0]))
    number = state_of(pair.players[0]).length
    act(pair, offender, TURN)
    assert state_of(pair.players[0]).length == number + 1  # no openings followed
    assert position_of(pair.players[0]).piles[20 + offender][-1] == slot
    hostile = Hostile(pair, offender)
    hostile.notice_now()
    line = (slot % 52, 0, bytes(32))
    hostile.say(hostile.event(EventType.OPEN_A, (offender, (line,))))
    court.convict(hostile.require(404, proven=True))


def test_c07_the_same_stop_twice() -> None:
    """C7: sent again it is the same event and is not judged twice."""
    hostile = at_table("crapette", mover=False)
    act(hostile.pair, 1 - hostile.seat, TURN)
    stop = hostile.action(wrong_stop(hostile.victim))
    hostile.say(stop)
    length = hostile.state.length
    hostile.notice_now()
    hostile.say(stop)
    hostile.require_unmoved()
    assert hostile.state.length == length
    again = hostile.honest.sent[-1]
    assert isinstance(again, wire.Ack)
    assert again.state_after == state_hash(hostile.state)
