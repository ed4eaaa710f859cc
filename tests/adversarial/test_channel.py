"""C: events and ACKs that are out of turn, of another hand, or twice."""

from __future__ import annotations

from dataclasses import replace

import pytest

from crapette_p2p.engine.actions import DISCARD, OFFER_DRAW, RESIGN, TURN, Action
from crapette_p2p.gamelog.events import EventType, decode_event
from crapette_p2p.gamelog.genesis import genesis_message
from crapette_p2p.gamelog.records import RecordKind
from crapette_p2p.gamelog.state import state_hash
from crapette_p2p.session import messages as wire
from crapette_p2p.session.commands import Act
from tests.adversarial.hostile import SPLITS, Hostile, changed
from tests.adversarial.stages import at_table, hostile_pair
from tests.adversarial.verdicts import Court
from tests.helpers.driving import act, position_of, state_of
from tests.helpers.forging import last_event, records_of
from tests.helpers.keys import key_of

EVERY_SPLIT = pytest.mark.parametrize("split", SPLITS)
TURN_EVENT = EventType.TURN


def moving(split: str = "whole") -> Hostile:
    """The cheat is to move."""
    return at_table(mover=True, split=split)


def waiting(split: str = "whole") -> Hostile:
    """The victim has moved and waits for the cheat's ACK."""
    hostile = at_table(mover=False)
    hostile.pair.command(hostile.victim, Act(TURN))
    hostile.pair.held[1 - hostile.victim] = True
    hostile.pair.split = split
    hostile.notice_now()
    return hostile


def good_ack(hostile: Hostile) -> wire.Ack:
    """The ACK that the victim waits for."""
    game = hostile.session.open_game
    assert game is not None
    return hostile.ack(last_event(hostile.honest), state_hash(game.mine_after))


@EVERY_SPLIT
def test_c01_numbers_that_do_not_follow(split: str, court: Court) -> None:
    """C1: a gap is 400, the same again is answered with the stored ACK."""
    hostile = moving(split)
    hostile.say(hostile.event(TURN_EVENT, seq=11))
    hostile.require(400)
    hostile = moving(split)
    hostile.say(hostile.event(TURN_EVENT, seq=2**32 - 1))
    hostile.require(400)
    hostile = moving(split)
    old = [m for m in hostile.cheat.sent if isinstance(m, wire.EventMessage)]
    for event in old:
        hostile.say(event)
        hostile.require_unmoved()
        ack = hostile.honest.sent[-1]
        assert isinstance(ack, wire.Ack)
        assert ack.seq == decode_event(event.event).seq
    hostile = moving(split)
    seat = hostile.seat
    final = [e.signed.event.seq for e in hostile.log.entries]
    theirs = [s for s in final if hostile.log.entries[s].signed.event.author == seat]
    for seq in final:
        hostile = moving(split)
        hostile.say(hostile.event(EventType.RESIGN, seq=seq))
        if seq in theirs:
            court.convict(hostile.require(402, proven=True))
        else:
            hostile.require_unmoved()  # the loser of an old collision


@pytest.mark.parametrize("lost", ["final", "void"])
def test_c01_a_second_event_with_one_number(lost: str, court: Court) -> None:
    """C1, P12: 402 against a final event and against one that lost a collision."""
    hostile = moving()
    if lost == "final":
        act(hostile.pair, hostile.seat, TURN)
        hostile.notice_now()
        hostile.say(hostile.event(EventType.RESIGN, seq=10, prev=bytes(32)))
    else:
        hostile.pair.held[1 - hostile.victim] = True
        hostile.pair.command(hostile.victim, Act(RESIGN))
        hostile.say(hostile.event(TURN_EVENT))
        assert len(records_of(hostile.honest, RecordKind.VOID)) == 1
        hostile.say(hostile.action(OFFER_DRAW))
    court.convict(hostile.require(402, proven=True))


@EVERY_SPLIT
def test_c02_another_head_state_game_or_author(split: str, court: Court) -> None:
    """C2: 401, 407 (provable), 410 and 403."""
    for changes, code in (
        ({"prev": bytes(32)}, 401),
        ({"prev": moving().log.game_id}, 401),
        ({"game_id": bytes(32)}, 410),
        ({"author": 1 - moving().seat}, 403),
    ):
        hostile = moving(split)
        hostile.say(hostile.event(TURN_EVENT, **changes))
        hostile.require(code)
    hostile = moving(split)
    hostile.say(hostile.event(TURN_EVENT, state=bytes(32)))
    court.convict(hostile.require(407, proven=True))


EVERY_TYPE = [
    EventType.COMMIT,
    EventType.CHALLENGE,
    EventType.REVEAL,
    EventType.OPEN_A,
    EventType.OPEN_B,
    EventType.TURN,
    EventType.RESIGN,
    EventType.AUDIT,
    EventType.RESULT,
]


@EVERY_SPLIT
@pytest.mark.parametrize("kind", EVERY_TYPE)
def test_c02_one_wrong_state_in_an_otherwise_honest_game(
    kind: EventType, split: str, court: Court
) -> None:
    """C2: at whatever event the other's machine begins to differ: 407, at once."""
    hostile = hostile_pair(victim=0)
    hostile.pair.split = split
    hostile.bend(kind, lambda event: changed(event, state=bytes(32)))
    hostile.pair.connect()
    lines: list[tuple[int, Action]] = [
        (side, action) for side in (0, 1, 0, 1) for action in (TURN, DISCARD)
    ]
    if kind != EventType.TURN:  # he resigns himself, or audits and closes as winner
        lines = [(1 if kind == EventType.RESIGN else 0, RESIGN)]
    for side, action in lines:
        if hostile.honest.closed is None:
            hostile.pair.attempt(side, Act(action))
            hostile.pair.pump()
    court.convict(hostile.require(407, proven=True))


def test_c02_the_order_of_judgement() -> None:
    """C2, P12: what is wrong in several ways has the code of the first."""
    wrong = {"game_id": bytes(32), "seq": 99, "prev": bytes(32), "state": bytes(32)}
    codes = []
    while wrong:
        hostile = moving()
        hostile.say(hostile.event(EventType.MOVE, (0, 0), **wrong))  # type: ignore[arg-type] # fields by name
        codes.append(hostile.honest.closed)
        del wrong[next(iter(wrong))]
    assert codes == [410, 400, 401, 407]


@EVERY_SPLIT
def test_c03_signatures_of_other_hands_and_other_things(split: str) -> None:
    """C3: whatever the signature was made for, it is no event's: 403, no evidence."""
    hostile = moving(split)
    good = hostile.event(TURN_EVENT)
    ack = hostile.ack(good, bytes(32))
    cheat, victim = hostile.cheat.key, hostile.honest.key
    genesis_sig = cheat.sign(genesis_message(hostile.log.game_id))
    for sig in (
        ack.sig,
        genesis_sig,
        victim.sign(good.event),
        cheat.sign(good.event),
        bytes(64),
        good.sig[:32] + bytes(32),
    ):
        hostile = moving(split)
        hostile.say(wire.EventMessage(good.event, sig))
        hostile.require(403)
    hostile = moving(split)
    hostile.say(hostile.event(TURN_EVENT, key=key_of("Eve")))
    hostile.require(403)


def test_c03_the_own_event_comes_back() -> None:
    """C3, P12: nobody countersigns himself."""
    hostile = waiting()
    hostile.say(last_event(hostile.honest))
    hostile.require(403)
    hostile = at_table()
    own = [e.signed for e in hostile.log.entries if e.signed.event.author == 0]
    hostile.say(wire.EventMessage(own[0].data, own[0].sig))
    hostile.require(403)


@EVERY_SPLIT
def test_c04_acks_of_nothing_and_of_something_else(split: str, court: Court) -> None:
    """C4: 400 for another number or hash, 403 for a signature, 407 for a state."""
    good = good_ack(waiting())
    event_sig = last_event(waiting().honest).sig
    for bent, code in (
        (replace(good, seq=11), 400),
        (replace(good, seq=3), 400),
        (replace(good, event_hash=bytes(32)), 400),
        (replace(good, sig=bytes(64)), 403),
        (replace(good, sig=event_sig), 403),
        (replace(good, state_after=bytes(32)), 403),
    ):
        hostile = waiting(split)
        hostile.say(bent)
        hostile.require(code)
    hostile = waiting(split)
    hostile.say(hostile.ack(last_event(hostile.honest), bytes(32)))
    court.convict(hostile.require(407, proven=True))
    hostile = moving(split)
    hostile.say(hostile.ack(hostile.event(TURN_EVENT), bytes(32)))
    hostile.require(400)


def test_c04_an_ack_twice_is_nothing_new() -> None:
    """C4: of the last event and of every older one."""
    hostile = waiting()
    ack = good_ack(hostile)
    hostile.say(ack)
    assert hostile.state.length == 11
    hostile.say(ack)
    hostile.require_unmoved()
    for old in [m for m in hostile.cheat.sent if isinstance(m, wire.Ack)]:
        hostile.say(old)
        hostile.require_unmoved()


@pytest.mark.parametrize("cut", [False, True])
def test_c08_the_loser_sends_his_void_event_again(*, cut: bool) -> None:
    """C8: before and after a cut: recorded once, answered with nothing."""
    hostile = moving()
    pair, victim = hostile.pair, hostile.victim
    pair.command(hostile.victim, Act(RESIGN))
    void = hostile.event(TURN_EVENT)
    hostile.say(void)
    if cut:
        pair.connect()
    else:
        pair.pump()
    hostile.notice_now()
    for _ in range(3):
        hostile.say(void)
    hostile.require_unmoved()
    assert len(records_of(hostile.honest, RecordKind.VOID)) == 1
    assert state_of(pair.players[victim]).winner == hostile.seat


def test_c08_a_loser_who_does_not_give_in() -> None:
    """C8: going on from his void event is another head: 401, and no evidence."""
    hostile = moving()
    hostile.pair.held[1 - hostile.victim] = True
    hostile.pair.command(hostile.victim, Act(RESIGN))
    void = hostile.event(TURN_EVENT)
    hostile.say(void)
    game = hostile.session.open_game
    assert game is not None
    mine = wire.EventMessage(game.mine.data, game.mine.sig) if game.mine else void
    hostile.say(hostile.ack(mine, state_hash(game.mine_after)))
    hostile.notice_now()
    hostile.say(hostile.event(EventType.END, (0,), prev=bytes(32)))
    hostile.require(401)


@EVERY_SPLIT
def test_c17_events_without_waiting(split: str) -> None:
    """C17: the second of two at once is judged on top of the first, or a gap."""
    hostile = moving(split)
    first = hostile.event(TURN_EVENT)
    hostile.say(first, hostile.event(EventType.END, (0,), seq=12))
    assert hostile.honest.closed == 400
    hostile = moving(split)
    flood = [hostile.event(TURN_EVENT, seq=seq) for seq in range(11, 300)]
    hostile.say(*flood)
    hostile.require(400)


def test_c17_a_flood_of_lawful_events_is_a_game() -> None:
    """C17, P9: an offer and a resignation in one flight are simply both final."""
    hostile = moving()
    hostile.pair.held[1 - hostile.victim] = True
    offer = hostile.action(OFFER_DRAW)
    probe = moving()
    probe.say(probe.action(OFFER_DRAW))
    resign = probe.action(RESIGN)
    hostile.say(offer, resign)
    assert hostile.honest.closed is None
    assert hostile.state.winner == 1 - hostile.seat


@EVERY_SPLIT
def test_c15_an_event_before_resume(split: str) -> None:
    """C15: neither side sends one, and one that comes all the same is 104."""
    hostile = moving()
    event = hostile.event(TURN_EVENT)
    pair, victim = hostile.pair, hostile.victim
    pair.split = "bytes"
    hostile.honest.options["known"] = lambda _key: "sas"
    hostile.cheat.options["known"] = lambda _key: "sas"
    pair.join()
    pair.step_until(lambda: hostile.session.state.value == "RESUMING")
    pair.wire_clear(victim)
    sent = {type(m) for m in hostile.honest.sent[-2:]}
    assert not sent & {wire.EventMessage, wire.Ack}
    assert not pair.attempt(victim, Act(TURN))
    assert not pair.attempt(victim, Act(DISCARD))
    assert not pair.attempt(victim, Act(RESIGN))
    pair.split = split
    hostile.honest.notices.clear()
    hostile.honest.sent.clear()
    hostile.say(event)
    hostile.require(104)
    assert position_of(hostile.honest) is not None
