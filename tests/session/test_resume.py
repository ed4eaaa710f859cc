"""Coming back: cuts, crashes and backups lose nothing (P5)."""

from __future__ import annotations

import random

import pytest

from crapette_p2p.engine.actions import DISCARD, RESIGN, TURN, Stop
from crapette_p2p.engine.layout import PileId, other, reserve
from crapette_p2p.gamelog.events import decode_event
from crapette_p2p.gamelog.state import state_hash
from crapette_p2p.session import messages as wire
from crapette_p2p.session.commands import Act, MarkAbandoned
from crapette_p2p.session.notices import (
    EventVoid,
    GameResumed,
    LinkLost,
)
from crapette_p2p.session.states import State
from tests.helpers.coming_back import (
    finish,
    mover_of,
    played,
    restart,
    state_length,
)
from tests.helpers.driving import (
    act,
    drive,
    log_of,
    position_of,
    require_closed,
    require_equal,
    side_of,
    state_of,
)
from tests.helpers.forging import last_event, require_one_signature
from tests.helpers.pair import Pair, play_pair, terms
from tests.helpers.policy import choose


@pytest.mark.parametrize("restarted", [(), (0,), (1,), (0, 1)])
@pytest.mark.parametrize("dialler", [0, 1])
def test_a_game_goes_on_where_it_was(restarted: tuple[int, ...], dialler: int) -> None:
    """C13: after a cut or a restart of either or both, whoever dials."""
    pair = played()
    before = state_hash(state_of(pair.players[0]))
    restart(pair, *restarted)
    pair.connect(dialler=dialler)
    for player in pair.players:
        assert state_hash(state_of(player)) == before
        assert player.of(GameResumed)
        assert player.live.state is State.PLAY
    finish(pair)
    require_one_signature(pair)


@pytest.mark.parametrize("lost", ["event", "ack"])
@pytest.mark.parametrize("restarted", [(), (0, 1)])
def test_a_cut_around_an_event_delivers_it_once(
    lost: str, restarted: tuple[int, ...]
) -> None:
    """#1, #6: the event or its ACK is lost; after the resume it is final once."""
    pair = played()
    mover = mover_of(pair)
    number = state_of(pair.players[0]).length
    game_id = log_of(pair.players[0]).game_id
    session = pair.players[mover].live
    assert session.game is not None
    assert session.seat is not None
    action = choose(session.game, session.seat, random.Random(3))  # noqa: S311 - a repeatable game
    assert action is not None
    pair.command(mover, Act(action))
    if lost == "ack":
        pair.deliver(1 - mover)
    restart(pair, *restarted)
    pair.connect()
    assert log_of(pair.players[0]).game_id == game_id
    assert state_of(pair.players[0]).length > number
    require_equal(pair)
    require_one_signature(pair)


def test_nothing_but_resume_is_sent_before_the_peers_resume() -> None:
    """C15: the gate: no EVENT, no ACK, and our person cannot act yet."""
    pair = played()
    mover = mover_of(pair)
    pair.command(mover, Act(RESIGN))
    sent = len(pair.players[mover].sent)
    pair.join(dialler=1 - mover)
    pair.held[mover] = False
    for _ in range(40):
        if pair.players[mover].live.state is State.RESUMING:
            break
        pair.step()
    kinds = {type(m) for m in pair.players[mover].sent[sent:]}
    assert not kinds & {wire.EventMessage, wire.Ack, wire.Chat}
    assert not pair.attempt(mover, Act(TURN))
    pair.pump()
    assert state_of(pair.players[0]).done


def test_a_restored_backup_catches_up_before_it_signs() -> None:
    """C12: the week-old disk asks for what it lacks and plays on."""
    pair = played(length=20)
    backup = pair.players[1].disk.copy()
    drive(pair, random.Random(9), until=lambda state: state.length >= 150)  # noqa: S311 - a repeatable game
    length = state_of(pair.players[0]).length
    restart(pair, 1)
    pair.players[1].disk = backup
    pair.connect()
    assert state_of(pair.players[1]).length >= length
    syncs = [m for m in pair.players[1].sent if isinstance(m, wire.Sync)]
    assert len(syncs) >= 2
    assert all(m.last - m.first <= 64 for m in syncs)
    finish(pair)
    require_one_signature(pair)


def test_a_backup_from_the_set_up_catches_up_with_large_records() -> None:
    """RECORDS hold at most 12,288 bytes, REVEALs included."""
    pair = Pair()
    pair.players[0].options["terms"] = terms("russian-bank", k=128)
    pair.join()
    pair.step_until(lambda: state_length(pair, 1) > 0)
    backup = pair.players[1].disk.copy()
    pair.pump()
    restart(pair, 1)
    pair.players[1].disk = backup
    pair.connect()
    records = [m for m in pair.players[0].sent if isinstance(m, wire.Records)]
    assert records
    assert all(sum(map(len, m.records)) <= 12_288 for m in records)
    require_equal(pair)


def test_a_backup_that_lost_a_void_event_does_not_sign_its_number_again() -> None:
    """P5 (iv): `seen` binds; the number is the other's."""
    pair = played(length=20)
    mover = mover_of(pair)
    other = 1 - mover
    backup = pair.players[mover].disk.copy()
    number = state_of(pair.players[0]).length
    pair.command(mover, Act(TURN if pair.players[mover].live.may(TURN) else RESIGN))
    event = last_event(pair.players[mover])
    pair.command(other, Act(RESIGN))
    pair.deliver(other)  # the mover's event lost there and is kept as void
    restart(pair, mover)
    pair.players[mover].disk = backup
    sent = len(pair.players[mover].sent)
    pair.held[mover] = True
    pair.connect()
    pair.held[mover] = False
    pair.pump()
    again = [
        m for m in pair.players[mover].sent[sent:] if isinstance(m, wire.EventMessage)
    ]
    assert all(decode_event(m.event).seq > number for m in again)
    assert decode_event(event.event).seq == number
    require_closed(pair)


@pytest.mark.parametrize("dialler", [0, 1])
def test_a_restored_client_is_bound_by_what_the_other_has_seen(dialler: int) -> None:
    """P5: with `seen` above its length it refuses to act until the number is taken."""
    pair = played(length=20)
    mover = mover_of(pair)
    backup = pair.players[mover].disk.copy()
    pair.command(mover, Act(RESIGN))
    pair.deliver(1 - mover)
    pair.players[1 - mover].games.clear()
    restart(pair, mover)
    pair.players[mover].disk = backup
    pair.connect(dialler=dialler)
    require_closed(pair)
    require_one_signature(pair)


def test_both_act_while_apart() -> None:
    """#14: own turn's end on one side, a Stop on the other: one order wins."""
    pair = play_pair("crapette", seed=0)
    active = position_of(pair.players[0]).active
    act(pair, active, TURN)
    mover, caller = side_of(pair, active), side_of(pair, other(active))
    number = state_of(pair.players[0]).length
    pair.command(mover, Act(DISCARD))
    pair.command(caller, Act(Stop(reserve(active), PileId(15))))
    restart(pair, mover)
    pair.connect()
    event = log_of(pair.players[0]).entries[number].signed.event
    assert event.type == 35
    assert pair.players[mover].of(EventVoid)
    require_equal(pair)
    require_one_signature(pair)


def test_a_drawn_card_survives_a_kill_of_both_programs() -> None:
    """#12: the card is open again and still owes a move."""
    pair = play_pair("russian-bank", seed=1)
    active = position_of(pair.players[0]).active
    act(pair, active, TURN)
    drawn = position_of(pair.players[0]).top(20 + active)
    restart(pair, 0, 1)
    pair.connect()
    for player in pair.players:
        position = position_of(player)
        assert position.top(20 + active) == drawn
        assert position.active == active


@pytest.mark.parametrize("steps", range(12))
def test_a_cut_during_an_opening_opens_the_card_for_both_or_none(steps: int) -> None:
    """#7, #44: TURN, OPEN_A, OPEN_B cut after any delivery; the seeds come back."""
    pair = play_pair("russian-bank", seed=1)
    mover = mover_of(pair)
    pair.command(mover, Act(TURN))
    for _ in range(steps):
        pair.step()
    restart(pair, 0, 1)
    pair.connect()
    faces = [position_of(player).faces for player in pair.players]
    assert faces[0] == faces[1]
    require_equal(pair)
    require_one_signature(pair)


def test_abandoned_is_noted_and_taken_back_when_the_peer_returns() -> None:
    """P20: NOTE records, local and reversible, also after a restart."""
    pair = played()
    pair.cut()
    pair.join()
    pair.command(0, MarkAbandoned())
    restart(pair, 0)
    (game,) = pair.players[0].kept()
    assert game.abandoned
    assert game.is_open
    pair.connect()
    assert not pair.players[0].kept()[0].abandoned
    finish(pair)


def test_a_lost_link_is_no_event_of_the_game() -> None:
    """EOF: the owner is told, the log does not change."""
    pair = played()
    length = log_of(pair.players[0]).length
    pair.cut()
    for player in pair.players:
        assert player.of(LinkLost) == [LinkLost(0)]
        assert player.kept()[0].length == length
