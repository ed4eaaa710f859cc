"""The order of judgement of EVENT and ACK, one wrong thing at a time (P12)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from crapette_p2p.engine.actions import (
    DISCARD,
    OFFER_DRAW,
    RESIGN,
    TURN,
    Action,
    Move,
    Stop,
)
from crapette_p2p.engine.layout import PileId, other, reserve
from crapette_p2p.gamelog.events import EventType, decode_event
from crapette_p2p.gamelog.evidence import judge_evidence
from crapette_p2p.gamelog.records import RecordKind
from crapette_p2p.gamelog.state import state_hash
from crapette_p2p.gamelog.verify import verify_log
from crapette_p2p.session.channel import GAME_FAULTS
from crapette_p2p.session.commands import Act
from crapette_p2p.session.messages import Ack, Bye, EventMessage
from crapette_p2p.session.notices import SessionFailed
from crapette_p2p.session.states import State
from tests.helpers.driving import act, log_of, position_of, side_of, state_of
from tests.helpers.forging import (
    forge,
    forge_ack,
    forge_action,
    last_event,
    records_of,
)
from tests.helpers.keys import key_of, verify
from tests.helpers.pair import Pair, Player, play_pair


def table() -> tuple[Pair, int, int]:
    """A dealt game; the side of the mover and the side of the other."""
    pair = play_pair("russian-bank", seed=1)
    mover = side_of(pair, position_of(pair.players[0]).active)
    return pair, mover, 1 - mover


def failed(player: Player) -> SessionFailed:
    """How a session failed, and that nothing but one BYE told the peer so."""
    (notice,) = player.of(SessionFailed)
    assert isinstance(notice, SessionFailed)
    byes = [m for m in player.sent if isinstance(m, Bye)]
    assert [b.code for b in byes] == [notice.code]
    assert player.closed == notice.code
    return notice


def require_verdict(player: Player, code: int, *, proven: bool) -> None:
    """The fault has its code, its consequence and, if provable, its proof."""
    notice = failed(player)
    assert notice.code == code
    assert notice.game_failed == (code in GAME_FAULTS)
    expected = State.FAILED if notice.game_failed else State.SUSPENDED
    assert player.live.state is expected
    assert bool(notice.evidence) == proven
    data = list(player.disk.logs.values())[-1]
    verdict = verify_log(data, verify)
    assert verdict.first_bad is None, verdict
    if notice.evidence is not None:
        judged = judge_evidence(notice.evidence, verify)
        assert judged.proven, judged
        seat = player.live.seat
        assert seat is not None
        assert judged.seat == other(seat)
        assert records_of(player, RecordKind.FAULT)


def meet(pair: Pair, side: int, message: EventMessage | Ack) -> None:
    """A message arrives at a side."""
    pair.inject(side, message)
    pair.deliver(side)


# Events -----------------------------------------------------------------------


@pytest.mark.parametrize("data", [b"\x90", b"\x81\x01\x02", b"\xcd\x00\x01"])
def test_event_bytes_that_are_none_are_101_or_103(data: bytes) -> None:
    """Not canonical, or no array of eight."""
    pair, mover, judge = table()
    sig = pair.players[mover].key.sign(b"?")
    meet(pair, judge, EventMessage(data, sig))
    assert failed(pair.players[judge]).code in (101, 103)


def test_an_event_of_another_game_is_410() -> None:
    """C2: the game id comes first."""
    pair, mover, judge = table()
    event = forge(pair.players[mover], EventType.TURN, game_id=bytes(32))
    meet(pair, judge, event)
    require_verdict(pair.players[judge], 410, proven=False)


def test_the_own_event_sent_back_is_403() -> None:
    """P12: nobody countersigns himself."""
    pair, mover, _ = table()
    pair.command(mover, Act(TURN))
    meet(pair, mover, last_event(pair.players[mover]))
    require_verdict(pair.players[mover], 403, proven=False)
    assert not any(isinstance(m, Ack) for m in pair.players[mover].sent[-2:])


def test_a_strangers_signature_is_403_and_no_evidence() -> None:
    """C3: anybody could have written it."""
    pair, mover, judge = table()
    event = forge(pair.players[mover], EventType.TURN, key=key_of("Eve"))
    meet(pair, judge, event)
    require_verdict(pair.players[judge], 403, proven=False)


def test_an_ack_signature_is_no_event_signature() -> None:
    """C3: the tags differ."""
    pair, mover, judge = table()
    event = forge(pair.players[mover], EventType.TURN)
    ack = forge_ack(pair.players[mover], event, bytes(32))
    meet(pair, judge, EventMessage(event.event, ack.sig))
    require_verdict(pair.players[judge], 403, proven=False)


def test_a_repeated_event_gets_the_stored_ack_again() -> None:
    """C1: the same event is answered with the same ACK, and not applied twice."""
    pair, mover, judge = table()
    act(pair, position_of(pair.players[0]).active, TURN)
    events = [m for m in pair.players[mover].sent if isinstance(m, EventMessage)]
    turn = next(e for e in events if decode_event(e.event).type == EventType.TURN)
    acks = [m for m in pair.players[judge].sent if isinstance(m, Ack)]
    seq = decode_event(turn.event).seq
    before = state_of(pair.players[judge])
    pair.inject(judge, turn)
    pair.pump()
    again = [m for m in pair.players[judge].sent if isinstance(m, Ack)][-1]
    assert again == next(a for a in acks if a.seq == seq)
    assert state_of(pair.players[judge]) is before
    assert pair.players[mover].closed is None


def test_an_old_number_by_the_other_author_is_ignored() -> None:
    """C1: the loser of an old collision says nothing new."""
    pair, mover, judge = table()
    log = log_of(pair.players[0])
    seat = pair.players[mover].live.seat
    old = next(e.signed for e in log.entries if e.signed.event.author != seat)
    event = forge(pair.players[mover], EventType.TURN, seq=old.event.seq)
    meet(pair, judge, event)
    assert pair.players[judge].closed is None
    assert state_of(pair.players[judge]).length == 10


def test_another_event_at_a_final_number_is_402() -> None:
    """C1, P12: equivocation against the log, with a proof anybody can check."""
    pair, mover, judge = table()
    act(pair, position_of(pair.players[0]).active, TURN)
    meet(pair, judge, forge_action_at(pair.players[mover], 10))
    require_verdict(pair.players[judge], 402, proven=True)


def forge_action_at(player: Player, seq: int) -> EventMessage:
    """A resignation with a number that is taken."""
    return forge(player, EventType.RESIGN, seq=seq)


def test_another_event_at_a_void_number_is_402() -> None:
    """P12: a second signature is found even when the first one lost."""
    pair, mover, judge = table()
    pair.command(judge, Act(RESIGN))
    meet(pair, judge, forge_action(pair.players[mover], TURN))
    assert records_of(pair.players[judge], RecordKind.VOID)
    meet(pair, judge, forge_action(pair.players[mover], OFFER_DRAW))
    require_verdict(pair.players[judge], 402, proven=True)


def test_the_same_void_event_twice_is_recorded_once() -> None:
    """C8: the loser sends its void event again; nothing happens."""
    pair, mover, judge = table()
    pair.command(judge, Act(RESIGN))
    event = forge_action(pair.players[mover], TURN)
    meet(pair, judge, event)
    meet(pair, judge, event)
    assert len(records_of(pair.players[judge], RecordKind.VOID)) == 1
    assert pair.players[judge].closed is None


@pytest.mark.parametrize(
    ("changes", "code", "proven"),
    [
        ({"seq": 11}, 400, False),
        ({"prev": bytes(32)}, 401, False),
        ({"state": bytes(32)}, 407, True),
        ({"type": 99}, 404, True),
        ({"type": 32, "body": (1, 2, 3)}, 404, True),
        ({"type": 32, "body": (99, 1)}, 404, True),
        ({"type": 33, "body": (0,)}, 404, True),
        ({"type": 34, "body": (True,)}, 404, True),
        ({"type": 48, "body": (bytes(32), bytes(32))}, 404, True),
        ({"type": 49, "body": (0, 3, 1)}, 404, True),
        ({"type": 39, "body": ()}, 404, True),
        ({"type": 4, "body": (0, ((20, 1, bytes(32)),))}, 404, True),
    ],
)
def test_each_wrong_field_has_its_code(
    changes: dict[str, object], code: int, proven: bool
) -> None:
    """C1, C2, R1, E3: gap, fork, state, shape, and what is not lawful now."""
    pair, mover, judge = table()
    event = forge(pair.players[mover], EventType.TURN, **changes)  # type: ignore[arg-type] # fields by name
    meet(pair, judge, event)
    require_verdict(pair.players[judge], code, proven=proven)


def test_every_impossible_play_is_404_with_a_proof() -> None:
    """R1, #33: an empty pile, the other's reserve, out of turn, no drawn card."""
    pair, mover, judge = table()
    seat = pair.players[mover].live.seat
    assert seat is not None
    impossible: list[tuple[int, Action]] = [
        (mover, DISCARD),
        (mover, Move(reserve(other(seat)), PileId(0))),
        (mover, Move(PileId(20), PileId(1))),
        (mover, Stop(reserve(seat), PileId(8))),
        (judge, TURN),
    ]
    for author, action in impossible:
        pair, _, _ = table()
        meet(pair, 1 - author, forge_action(pair.players[author], action))
        require_verdict(pair.players[1 - author], 404, proven=True)


def test_a_call_while_an_opening_is_owed_is_404() -> None:
    """D20: STOP during OPENING is never accepted from the wire."""
    pair = play_pair("crapette", seed=1)
    mover = position_of(pair.players[0]).active
    side = side_of(pair, mover)
    pair.command(side, Act(TURN))
    pair.deliver(1 - side)
    # The caller's machine would wait; a modified one signs at once.
    opener = pair.players[1 - side]
    opening = last_event(opener)
    assert decode_event(opening.event).type == EventType.OPEN_A
    pair.wire_clear(side)
    ack = next(m for m in reversed(opener.sent) if isinstance(m, Ack))
    meet(pair, side, ack)
    stop = forge_action(opener, Stop(reserve(mover), PileId(8)))
    meet(pair, side, stop)
    require_verdict(pair.players[side], 404, proven=True)


# ACKs -------------------------------------------------------------------------


def test_an_ack_of_nothing_is_400() -> None:
    """C4: for an event that was never sent, or with another hash."""
    pair, mover, judge = table()
    event = forge(pair.players[mover], EventType.TURN)
    ack = forge_ack(pair.players[judge], event, bytes(32))
    meet(pair, mover, ack)
    require_verdict(pair.players[mover], 400, proven=False)
    pair, mover, judge = table()
    pair.command(mover, Act(TURN))
    good = forge_ack(pair.players[judge], last_event(pair.players[mover]), bytes(32))
    meet(pair, mover, replace(good, event_hash=bytes(32)))
    require_verdict(pair.players[mover], 400, proven=False)


def test_an_ack_with_another_signature_is_403() -> None:
    """C4: and it is no evidence."""
    pair, mover, _ = table()
    pair.command(mover, Act(TURN))
    event = last_event(pair.players[mover])
    after = state_after(pair.players[mover])
    ack = forge_ack(pair.players[mover], event, after)
    meet(pair, mover, ack)
    require_verdict(pair.players[mover], 403, proven=False)


def state_after(player: Player) -> bytes:
    """The state the player expects after its own event."""
    game = player.live.open_game
    assert game is not None
    return state_hash(game.mine_after)


def test_an_ack_of_another_state_is_407_with_a_proof() -> None:
    """C4, R6: a patched engine is found at the first differing event."""
    pair, mover, judge = table()
    pair.command(mover, Act(TURN))
    event = last_event(pair.players[mover])
    meet(pair, mover, forge_ack(pair.players[judge], event, bytes(32)))
    require_verdict(pair.players[mover], 407, proven=True)


def test_a_repeated_ack_is_ignored() -> None:
    """C4: of the last event and of an older one."""
    pair, mover, judge = table()
    act(pair, position_of(pair.players[0]).active, TURN)
    for ack in [m for m in pair.players[judge].sent if isinstance(m, Ack)]:
        meet(pair, mover, ack)
    assert pair.players[mover].closed is None


def test_an_event_that_is_not_acknowledged_blocks_the_next() -> None:
    """C17: a second event before the ACK of the first is a gap."""
    pair, mover, judge = table()
    first = forge_action(pair.players[mover], TURN)
    meet(pair, judge, first)
    meet(pair, judge, forge(pair.players[mover], EventType.TURN, seq=13))
    require_verdict(pair.players[judge], 400, proven=False)


def test_the_other_side_hears_the_code_and_keeps_its_game() -> None:
    """The accused is told; its log is not marked by what the other says."""
    pair, mover, judge = table()
    meet(pair, judge, forge_action(pair.players[mover], DISCARD))
    pair.pump()
    (notice,) = pair.players[mover].of(SessionFailed)
    assert isinstance(notice, SessionFailed)
    assert (notice.code, notice.by_peer, notice.game_failed) == (404, True, True)
    assert pair.players[mover].live.state is State.SUSPENDED


def test_after_the_result_nothing_more_is_an_event() -> None:
    """A signed event behind RESULT closes the link; the closed game stays closed."""
    pair, mover, judge = table()
    act(pair, 0, RESIGN)
    assert state_of(pair.players[judge]).done
    meet(pair, judge, forge_action(pair.players[mover], TURN))
    notice = failed(pair.players[judge])
    assert (notice.code, notice.game_failed) == (404, False)
    data = list(pair.players[judge].disk.logs.values())[-1]
    assert verify_log(data, verify).level == 5
