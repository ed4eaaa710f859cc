"""Whole games between two sessions, over a wire that cuts bytes in any way."""

from __future__ import annotations

import random

import pytest

from crapette_p2p.engine.actions import (
    ACCEPT_DRAW,
    DISCARD,
    OFFER_DRAW,
    RESIGN,
    TURN,
)
from crapette_p2p.engine.position import EndReason
from crapette_p2p.engine.ruleset import PRESETS
from crapette_p2p.gamelog.events import EventType, decode_event
from crapette_p2p.gamelog.state import state_hash
from crapette_p2p.session.commands import Act, Propose
from crapette_p2p.session.effects import Persist, PersistSecret, Send
from crapette_p2p.session.messages import EventMessage
from crapette_p2p.session.notices import (
    DealEnded,
    DealProgress,
    EventFinal,
    GameOver,
    GameStarted,
)
from crapette_p2p.session.states import State
from tests.helpers.driving import (
    act,
    drive,
    log_of,
    require_closed,
    require_equal,
    side_of,
    state_of,
)
from tests.helpers.pair import Pair, make_player, play_pair, terms


@pytest.mark.slow
@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("seed", range(2))
def test_a_random_game_ends_with_equal_closed_logs(preset: str, seed: int) -> None:
    """Any lawful play of any preset ends in two equal logs of the highest level."""
    pair = play_pair(preset, seed=seed, split="random")
    drive(pair, random.Random(seed))  # noqa: S311 - a repeatable game
    require_closed(pair)
    assert [p.live.state for p in pair.players] == [State.LOBBY, State.LOBBY]


@pytest.mark.parametrize("split", ["whole", "bytes", "random"])
def test_how_the_bytes_are_cut_changes_nothing(split: str) -> None:
    """The same game byte by byte, in pieces and at once gives the same log."""
    logs = []
    for how in ("whole", split):
        pair = play_pair("russian-bank", seed=7, split=how)
        drive(pair, random.Random(7), until=lambda s: s.length > 40)  # noqa: S311 - a repeatable game
        require_equal(pair)
        logs.append([e.signed.data for e in log_of(pair.players[0]).entries])
    assert logs[0] == logs[1]


def test_the_deal_is_made_without_anybody_asking() -> None:
    """After START both sides propose all ten set-up events by themselves."""
    pair = play_pair()
    for player in pair.players:
        finals = [n for n in player.notices if isinstance(n, EventFinal)]
        types = [f.type for f in finals[:10]]
        assert types == [EventType(kind) for kind in (1, 1, 2, 2, 3, 3, 4, 4, 5, 5)]
        progress = [n for n in player.notices if isinstance(n, DealProgress)]
        assert [p.done for p in progress] == list(range(11))
        assert progress[0].step == "commit"
        assert progress[-1].step == "deal"
        assert len(player.of(GameStarted)) == 1


def test_seeds_are_on_the_disk_before_the_commitments() -> None:
    """PersistSecret of both decks comes before the COMMIT record (P17)."""
    pair = play_pair()
    for player in pair.players:
        kinds = [
            e
            for e in player.trace
            if isinstance(e, PersistSecret)
            or (
                isinstance(e, Persist)
                and e.kind == 2
                and isinstance(e.body[0], bytes)
                and decode_event(e.body[0]).author == player.live.seat
            )
        ]
        assert [type(e) for e in kinds[:3]] == [PersistSecret, PersistSecret, Persist]


def test_everything_is_recorded_before_it_is_sent() -> None:
    """Each EVENT and each ACK leaves only after the record that keeps it."""
    pair = play_pair(seed=3)
    drive(pair, random.Random(3), until=lambda state: state.length > 60)  # noqa: S311 - a repeatable game
    for player in pair.players:
        kept: set[bytes] = set()
        for effect in player.trace:
            if isinstance(effect, Persist):
                kept |= {item for item in effect.body if isinstance(item, bytes)}
            if isinstance(effect, Send) and effect.data[5:6] in (b"\x30", b"\x31"):
                sig = effect.data[-64:]
                assert sig in kept


def test_an_opening_is_never_sent_before_the_event_that_calls_for_it_is_final() -> None:
    """At each OPEN_A that leaves, the event before it is in the sender's log."""
    pair = play_pair(seed=4)
    drive(pair, random.Random(4), until=lambda state: state.length > 120)  # noqa: S311 - a repeatable game
    for player in pair.players:
        entries = log_of(player).entries
        openings = 0
        for message in player.sent:
            if isinstance(message, EventMessage):
                event = decode_event(message.event)
                if event.type == EventType.OPEN_A and event.seq > 10:
                    openings += 1
                    assert event.prev == entries[event.seq - 1].signed.hash
        assert openings


def test_an_upheld_stop_that_uncovers_a_card_is_followed_by_its_openings() -> None:
    """P2, C6: STOP is a reveal event too; both halves come by themselves."""
    pair = play_pair("crapette", seed=10)
    drive(
        pair,
        random.Random(10),  # noqa: S311 - a repeatable game
        until=lambda state: state.length > 60,
        talk=0,
        calls=0.9,
    )
    types = [e.signed.event.type for e in log_of(pair.players[0]).entries]
    stops = [i for i, kind in enumerate(types) if kind == EventType.STOP]
    assert [types[i + 1 : i + 3] for i in stops] == [[4, 5], [4, 5]]
    require_equal(pair)


def test_resigning_ends_the_deal_at_once_and_both_audit() -> None:
    """RESIGN is final; the winner audits first and signs RESULT."""
    pair = play_pair()
    act(pair, 1, RESIGN)
    require_closed(pair)
    types = [e.signed.event.type for e in log_of(pair.players[0]).entries[-3:]]
    authors = [e.signed.event.author for e in log_of(pair.players[0]).entries[-3:]]
    assert types == [EventType.AUDIT, EventType.AUDIT, EventType.RESULT]
    assert authors == [0, 1, 0]
    for player in pair.players:
        (ended,) = player.of(DealEnded)
        assert isinstance(ended, DealEnded)
        assert ended.end.winner == 0
        assert ended.end.reason == EndReason.RESIGNED
        (over,) = player.of(GameOver)
        assert isinstance(over, GameOver)
        assert over.match_over


def test_the_winner_signs_the_result_whichever_role_he_has() -> None:
    """When role 0 resigns, role 1 audits first and closes the log (P7)."""
    pair = play_pair()
    act(pair, 0, RESIGN)
    require_closed(pair)
    last = log_of(pair.players[0]).entries[-1].signed.event
    assert last.type == EventType.RESULT
    assert last.author == 1


def test_an_agreed_draw_lets_role_0_audit_first() -> None:
    """Without a winner role 0 audits first and signs RESULT (P7)."""
    pair = play_pair()
    act(pair, 1, OFFER_DRAW)
    act(pair, 0, ACCEPT_DRAW)
    require_closed(pair)
    authors = [e.signed.event.author for e in log_of(pair.players[0]).entries[-3:]]
    assert authors == [0, 1, 0]


def test_the_next_deal_of_a_match_keeps_the_roles() -> None:
    """Deal 2 is proposed by role 0 of deal 1, names it and adds its points."""
    pair = play_pair("russian-bank", target=2)
    act(pair, 0, RESIGN)
    first = log_of(pair.players[0]).game_id
    assert not any(
        notice.match_over
        for player in pair.players
        for notice in player.notices
        if isinstance(notice, GameOver)
    )
    pair.command(0, Propose())
    pair.pump()
    for player in pair.players:
        genesis = log_of(player).genesis
        assert genesis.match.deal_number == 2
        assert genesis.match.scores == (0, 1)
        assert genesis.match.previous == first
    act(pair, 0, RESIGN)
    require_closed(pair)
    (_, over) = pair.players[1].of(GameOver)
    assert isinstance(over, GameOver)
    assert over.score == (0, 2)
    assert over.match_over


def test_roles_stay_when_the_dialler_changes_between_deals() -> None:
    """Role 0 proposes the next deal of a match although he dialled this time."""
    pair = play_pair("russian-bank", target=2)
    act(pair, 1, RESIGN)
    pair.connect(dialler=0)
    pair.command(0, Propose())
    pair.pump()
    assert side_of(pair, 0) == 0
    assert log_of(pair.players[1]).genesis.match.deal_number == 2


def test_a_finished_match_is_followed_by_a_first_deal() -> None:
    """After the last deal the listener proposes deal 1 of a new match."""
    pair = play_pair("russian-bank")
    act(pair, 1, RESIGN)
    pair.command(0, Propose())
    pair.pump()
    match = log_of(pair.players[1]).genesis.match
    assert (match.deal_number, match.scores, match.previous) == (1, (0, 0), None)


def test_both_sides_know_when_an_action_is_possible() -> None:
    """``may`` is true for the mover's lawful actions and for nothing else."""
    pair = play_pair("russian-bank")
    position = state_of(pair.players[0]).position
    assert position is not None
    mover = pair.players[side_of(pair, position.active)].live
    other = pair.players[1 - side_of(pair, position.active)].live
    assert mover.may(TURN)
    assert not mover.may(DISCARD)
    assert not other.may(TURN)
    assert other.may(RESIGN)


def test_every_final_event_carries_the_state_right_after_it() -> None:
    """Notices of one batch each hold their own state, not the latest."""
    pair = play_pair()
    drive(pair, random.Random(2), until=lambda state: state.length > 30)  # noqa: S311 - a repeatable game
    for player in pair.players:
        finals = [n for n in player.notices if isinstance(n, EventFinal)]
        entries = log_of(player).entries
        for final, entry in zip(finals, entries, strict=True):
            assert final.state.length == final.seq + 1
            assert state_hash(final.state) == entry.state_after


def test_two_actions_in_a_row_are_refused_until_the_first_is_confirmed() -> None:
    """A held key draws one card: the second action meets an un-acked event."""
    pair = play_pair("russian-bank")
    position = state_of(pair.players[0]).position
    assert position is not None
    side = side_of(pair, position.active)
    pair.command(side, Act(TURN))
    assert not pair.attempt(side, Act(TURN))
    assert not pair.players[side].live.may(TURN)
    pair.pump()
    turned = [
        e
        for e in log_of(pair.players[0]).entries
        if e.signed.event.type == EventType.TURN
    ]
    assert len(turned) == 1


def test_a_session_without_terms_waits_for_its_person() -> None:
    """The listener's command proposes; the lobby says who is to."""
    pair = Pair(make_player("Ala"), make_player("Olek"))
    pair.connect()
    assert pair.players[0].live.state is State.LOBBY
    pair.command(0, Propose(terms("garibaldka")))
    pair.pump()
    assert pair.players[1].live.state is State.PLAY
