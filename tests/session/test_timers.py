"""Silence, waiting, and rates: what ends a link, what only tells (P9, P15)."""

from __future__ import annotations

import random

import pytest

from crapette_p2p.engine.actions import RESIGN, TURN
from crapette_p2p.errors import LocalProtocolError
from crapette_p2p.session import messages as wire
from crapette_p2p.session.commands import AcceptTerms, Act, Confirm, Propose, SayChat
from crapette_p2p.session.notices import (
    AckLate,
    ChatReceived,
    LinkLost,
    PeerHeard,
    PeerLeft,
    PeerQuiet,
    SessionFailed,
)
from crapette_p2p.session.states import State
from crapette_p2p.session.timers import TokenBucket
from tests.helpers.driving import act, drive, position_of, require_closed, side_of
from tests.helpers.pair import Pair, make_player, play_pair, terms
from tests.helpers.stranger import Dialler, nobody


def hold(pair: Pair, *, both: bool = True) -> None:
    """From now on nothing arrives (a pulled cable, a stopped process)."""
    pair.held[:] = [True, both]


def test_a_silent_link_is_pinged_reported_and_dropped_in_this_order() -> None:
    """T_PING 5 s, quiet 10 s, T_DEAD 15 s; the game is kept (T3)."""
    pair = play_pair()
    hold(pair)
    player = pair.players[0]
    sent = len(player.sent)
    pair.wait(4.9)
    assert not player.sent[sent:]
    pair.wait(0.2)
    assert [type(m) for m in player.sent[sent:]] == [wire.Ping]
    pair.wait(5)
    assert player.of(PeerQuiet) == [PeerQuiet(10)]
    assert player.closed is None
    pair.wait(5)
    assert player.of(LinkLost) == [LinkLost(106)]
    assert player.live.state is State.SUSPENDED


def test_a_peer_that_answers_pings_is_never_lost() -> None:
    """#15: thinking for ten minutes is no reason to leave."""
    pair = play_pair()
    pair.wait(600)
    for player in pair.players:
        assert player.live.state is State.PLAY
        assert not player.of(PeerQuiet)
        assert player.live.latency == 0


def test_a_peer_that_was_quiet_and_comes_back_is_heard() -> None:
    """#15: a freeze of 12 s ends with a word, not with a lost game."""
    pair = play_pair()
    hold(pair)
    pair.wait(12)
    pair.held[:] = [False, False]
    pair.pump()
    for player in pair.players:
        assert player.of(PeerHeard)
        assert player.live.state is State.PLAY


def test_pong_repeats_the_number() -> None:
    """P20: PONG carries PING's n; an invented PONG says nothing."""
    pair = play_pair()
    pair.inject(0, wire.Ping(77))
    pair.deliver(0)
    assert pair.players[0].sent[-1] == wire.Pong(77)
    pair.inject(0, wire.Pong(5))
    pair.deliver(0)
    assert pair.players[0].live.latency is None


def test_an_event_without_ack_warns_and_then_drops_the_link() -> None:
    """T5, T_ACK: 5 s tell the player, 20 s suspend, although PINGs are answered."""
    pair = play_pair("russian-bank", seed=1)
    mover = side_of(pair, position_of(pair.players[0]).active)
    player = pair.players[mover]
    pair.command(mover, Act(TURN))
    pair.wire_clear(1 - mover)
    for second in range(21):
        pair.inject(mover, wire.Pong(0))
        pair.wait(1)
        if second == 5:
            assert player.of(AckLate) == [AckLate(5)]
            assert player.closed is None
    assert player.of(LinkLost) == [LinkLost(106)]
    assert [m.code for m in player.sent if isinstance(m, wire.Bye)] == [106]
    assert player.live.state is State.SUSPENDED
    pair.connect()
    act(pair, side_of(pair, 0), RESIGN)
    require_closed(pair)


@pytest.mark.parametrize("side", [0, 1])
def test_a_login_that_does_not_come_further_ends_after_10_s(side: int) -> None:
    """W19, T_LOGIN: slow or silent, before READY only ten seconds are given."""
    pair = Pair()
    pair.join()
    pair.held[side] = True
    pair.wait(9.9)
    assert pair.players[side].closed is None
    pair.wait(0.2)
    assert pair.players[side].closed == 106


def test_a_dripping_frame_is_no_sign_of_life() -> None:
    """W19: one byte a second moves no deadline."""
    stranger = Dialler(make_player("Ala"))
    pair = stranger.pair
    pair.held[1] = True
    hello = wire.encode_message(stranger.hello)
    data = len(hello).to_bytes(4, "big") + hello
    for i in range(11):
        pair.inject_raw(0, data[i : i + 1])
        pair.wait(1)
    assert stranger.listener.closed == 106


def test_two_minutes_are_given_where_a_person_is_asked() -> None:
    """P15: READY 1 and PROPOSE wait for a person; PINGs keep the link alive."""
    pair = Pair()
    pair.players[0].person = nobody
    pair.connect()
    pair.wait(119)
    assert pair.players[1].live.state is State.READY
    pair.command(0, Confirm(same=True))
    pair.pump()
    pair.players[1].person = nobody
    pair.command(0, Propose(terms()))
    pair.pump()
    pair.wait(119)
    assert pair.players[0].live.state is State.PROPOSED
    pair.wait(2)
    assert pair.players[0].closed == 106
    assert pair.players[0].of(LinkLost) == [LinkLost(106, unanswered=True)]
    assert pair.players[1].of(PeerLeft) == [PeerLeft(106, "", unanswered=True)]


def test_cards_that_nobody_answers_are_no_silence() -> None:
    """T_HUMAN on both sides: both hear that a person did not answer."""
    pair = Pair()
    for player in pair.players:
        player.person = nobody
    pair.connect()
    pair.wait(119)
    assert [player.closed for player in pair.players] == [None, None]
    pair.wait(2)
    for player in pair.players:
        assert [*player.of(LinkLost), *player.of(PeerLeft)] in (
            [LinkLost(106, unanswered=True)],
            [PeerLeft(106, "", unanswered=True)],
        )


def test_a_computer_that_is_silent_before_the_answer_is_silent() -> None:
    """A person would have had time, but nothing comes any more (T_DEAD)."""
    pair = Pair()
    pair.players[0].person = nobody
    pair.connect()
    hold(pair)
    pair.wait(16)
    for player in pair.players:
        assert player.of(LinkLost) == [LinkLost(106)]


def test_whoever_thought_about_the_terms_may_still_wait_for_start() -> None:
    """T_STEP runs from ACCEPT on: a minute over the terms costs nobody the link."""
    pair = Pair()
    pair.connect()
    pair.players[1].person = nobody
    pair.command(0, Propose(terms()))
    pair.pump()
    pair.wait(60)
    pair.held = [True, True]
    pair.command(1, AcceptTerms())
    pair.wait(9.9)
    assert pair.players[1].live.state is State.PROPOSED
    pair.wait(0.2)
    assert pair.players[1].closed == 106


def test_a_late_no_is_heard_as_a_no() -> None:
    """READY 2 after the ten seconds of a login: the farewell is waited for."""
    pair = Pair()
    pair.players[0].person = nobody
    pair.connect()
    pair.wait(60)
    pair.inject(1, wire.Ready("Ala", 2))
    pair.pump()
    pair.wait(9)
    assert pair.players[1].closed is None
    pair.wait(2)
    assert pair.players[1].closed == 106


def test_a_person_who_never_answers_the_cards_ends_the_login() -> None:
    """T_HUMAN on the listener's side as well."""
    pair = Pair()
    pair.players[0].person = nobody
    pair.connect()
    pair.wait(121)
    assert pair.players[0].closed == 106
    assert pair.players[0].live.state is State.CLOSED


def test_the_diallers_person_may_take_his_time_with_the_cards() -> None:
    """P15: RESUME does not wait for the dialler's four cards."""
    pair = Pair()
    pair.players[1].person = nobody
    pair.connect()
    pair.wait(60)
    assert [p.live.state for p in pair.players] == [State.LOBBY, State.LOBBY]


def test_an_owed_event_is_awaited_for_ten_seconds() -> None:
    """T_STEP: RESUME, SYNC and whatever the peer owes by itself."""
    pair = Pair()
    pair.join()
    pair.split = "bytes"
    pair.step_until(lambda: pair.players[0].live.state is State.RESUMING)
    pair.wire_clear(0)
    for _ in range(11):
        pair.inject(0, wire.Pong(0))
        pair.deliver(0, 4096)
        pair.now += 1
        pair.tick()
    assert pair.players[0].closed == 106


def test_a_silent_auditor_is_suspended_not_failed() -> None:
    """P15, E2: the second AUDIT does not come; the game waits, the link does not."""
    pair = play_pair("russian-bank", seed=1)
    pair.command(1, Act(RESIGN))
    pair.deliver(0)
    pair.deliver(1)  # ACK and the winner's AUDIT arrive
    pair.wire_clear(0)
    ack = next(m for m in reversed(pair.players[1].sent) if isinstance(m, wire.Ack))
    pair.held[1] = True
    pair.inject(0, ack)
    for _ in range(11):
        pair.inject(0, wire.Pong(0))
        pair.now += 1
        pair.deliver(0)
        pair.tick()
    player = pair.players[0]
    assert player.live.state is State.SUSPENDED
    assert player.closed == 106
    assert not player.of(SessionFailed)


def test_a_mover_and_one_who_has_to_grant_may_think_for_ever() -> None:
    """T_MOVE none: no timer runs against a person at the table."""
    pair = play_pair("crapette")
    pair.wait(3600)
    assert [p.live.state for p in pair.players] == [State.PLAY, State.PLAY]


def test_a_jump_of_the_clock_ends_the_link_and_nothing_else() -> None:
    """T4: eight hours of sleep; afterwards the game is resumed."""
    pair = play_pair("russian-bank", seed=1)
    pair.now += 8 * 3600
    pair.tick()
    assert [p.live.state for p in pair.players] == [State.SUSPENDED] * 2
    pair.connect()
    assert [p.live.state for p in pair.players] == [State.PLAY] * 2


# Rates --------------------------------------------------------------------------


@pytest.mark.parametrize("message", [wire.Ping(1), wire.Chat("x"), wire.Pong(3)])
def test_a_flood_of_talk_is_105(message: wire.Message) -> None:
    """W17, P9: 200 at once and 50 a second, whatever they are."""
    pair = play_pair()
    for _ in range(200):
        pair.inject(0, message)
    pair.deliver(0)
    assert pair.players[0].closed is None
    pair.inject(0, message)
    pair.deliver(0)
    (failed,) = pair.players[0].of(SessionFailed)
    assert isinstance(failed, SessionFailed)
    assert failed.code == 105
    assert pair.players[0].live.state is State.SUSPENDED


def test_a_flood_of_repeated_acks_and_events_is_105() -> None:
    """W17: what does not advance the log counts, old ACKs and events too."""
    pair = play_pair()
    old = [
        m for m in pair.players[1].sent if isinstance(m, wire.Ack | wire.EventMessage)
    ]
    for _ in range(300 // len(old)):
        for message in old:
            pair.inject(0, message)
    pair.deliver(0)
    assert pair.players[0].closed == 105


def test_a_slow_stream_of_talk_is_fine() -> None:
    """Fifty frames a second for ever stay below the limit."""
    pair = play_pair()
    for _ in range(30):
        for _ in range(50):
            pair.inject(0, wire.Ping(1))
        pair.deliver(0)
        pair.now += 1
    assert pair.players[0].closed is None


@pytest.mark.slow
def test_two_fast_bots_are_never_too_fast() -> None:
    """P9: events that become final and their ACKs do not count."""
    pair = play_pair("russian-bank", seed=1)
    drive(pair, random.Random(1), until=lambda state: state.length > 600)  # noqa: S311 - a repeatable game
    assert all(player.closed is None for player in pair.players)


def test_the_own_chat_is_paced() -> None:
    """A burst of five lines, then one a second; the peer is not flooded."""
    pair = play_pair()
    for _ in range(5):
        pair.command(0, SayChat("hello"))
    with pytest.raises(LocalProtocolError):
        pair.command(0, SayChat("hello"))
    pair.now += 1
    pair.command(0, SayChat("again"))
    pair.pump()
    assert len(pair.players[1].of(ChatReceived)) == 6


def test_chat_is_cut_and_stripped_on_both_sides() -> None:
    """P10: 256 bytes at a character border; hostile text loses its teeth."""
    pair = play_pair()
    pair.command(0, SayChat("é" * 200 + "\x1b[2J"))
    pair.pump()
    (heard,) = pair.players[1].of(ChatReceived)
    assert heard == ChatReceived("é" * 128)
    pair.inject(1, wire.Chat("\x1b]52;c;x\x07\u202e\0"))
    pair.inject(1, wire.Chat("\x1b\x07"))
    pair.pump()
    assert pair.players[1].of(ChatReceived)[1:] == [ChatReceived("]52;c;x")]


def test_a_bucket_fills_again_with_time() -> None:
    """The burst at once, the rate in the long run, never more than the burst."""
    bucket = TokenBucket(rate=2, burst=3)
    assert [bucket.take(0.0) for _ in range(4)] == [True, True, True, False]
    assert [bucket.take(1.0) for _ in range(3)] == [True, True, False]
    assert [bucket.take(100.0) for _ in range(4)] == [True, True, True, False]
