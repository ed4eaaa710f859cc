"""Which game is gone on with, and who knows it (P5, P6, P12)."""

from __future__ import annotations

import pytest

from crapette_p2p.engine.actions import DISCARD, RESIGN
from crapette_p2p.gamelog.records import MAGIC, encode_record
from crapette_p2p.session import messages as wire
from crapette_p2p.session.commands import Act
from crapette_p2p.session.notices import (
    SessionFailed,
)
from crapette_p2p.session.states import State
from tests.helpers.coming_back import (
    has_started,
    mover_of,
    played,
    restart,
    resuming,
    state_length,
)
from tests.helpers.driving import (
    log_of,
    require_closed,
    require_equal,
    state_of,
)
from tests.helpers.forging import forge_action
from tests.helpers.pair import Pair, play_pair, terms


def test_a_game_only_one_side_has_open_is_looked_up_by_the_other() -> None:
    """P6: the last ACK is lost, one side is finished, the other is not."""
    pair = played()
    act_without_last_ack(pair)
    assert state_of(pair.players[1]).done != state_of(pair.players[0]).done
    restart(pair, 0, 1)
    pair.connect()
    for player in pair.players:
        assert player.live.state is State.LOBBY
        assert state_of(player).done
    require_closed(pair)


def act_without_last_ack(pair: Pair) -> None:
    """Role 1 resigns; RESULT arrives, its ACK does not."""
    pair.command(1, Act(RESIGN))
    pair.step_until(lambda: state_of(pair.players[1]).done)


@pytest.mark.parametrize("dialler", [0, 1])
@pytest.mark.parametrize("restarted", [(), (0, 1)])
def test_a_cut_between_accept_and_start_does_not_lose_the_game(
    dialler: int, restarted: tuple[int, ...]
) -> None:
    """P6: role 0 has a game, role 1 an accepted genesis: START comes again."""
    pair = Pair()
    pair.players[0].options["terms"] = terms("russian-bank")
    pair.join()
    pair.step_until(
        lambda: any(isinstance(m, wire.Start) for m in pair.players[0].sent)
    )
    restart(pair, *restarted)
    pair.connect(dialler=dialler)
    for player in pair.players:
        assert player.live.state is State.PLAY
    require_equal(pair)


def test_a_cut_before_accept_arrives_lets_role_0_propose_again() -> None:
    """P6: the proposal dies with its link; the accepted genesis is replaced."""
    pair = Pair()
    pair.players[0].options["terms"] = terms("russian-bank")
    pair.join()
    pair.step_until(
        lambda: any(isinstance(m, wire.Accept) for m in pair.players[1].sent)
    )
    restart(pair, 0, 1)
    pair.connect()
    assert [p.live.state for p in pair.players] == [State.PLAY, State.PLAY]
    require_equal(pair)


def test_a_start_for_a_started_game_of_no_events_is_ignored() -> None:
    """P6: the cut came after START; it is sent again and changes nothing."""
    pair = Pair()
    pair.players[0].options["terms"] = terms("russian-bank")
    pair.join()
    pair.step_until(
        lambda: any(isinstance(m, wire.Start) for m in pair.players[0].sent)
    )
    while state_length(pair, 1) == 0 and not has_started(pair, 1):
        pair.deliver(1, 1)
    pair.connect()
    assert [p.live.state for p in pair.players] == [State.PLAY, State.PLAY]
    require_equal(pair)


def test_an_unknown_game_is_410_and_keeps_the_own_one() -> None:
    """C14, #11: a game the other has never heard of."""
    pair = played()
    restart(pair, 1)
    pair.players[1].disk.logs.clear()
    pair.connect()
    (failed,) = pair.players[1].of(SessionFailed)
    assert isinstance(failed, SessionFailed)
    assert failed.code == 410
    assert pair.players[0].live.state is State.SUSPENDED
    assert not pair.players[0].kept()[0].failed


def test_of_two_games_the_diallers_counts() -> None:
    """P5: the listener looks the dialler's game up and goes on with it."""
    pair = played(seed=1)
    first = log_of(pair.players[0]).game_id
    pair.cut()
    saved = pair.players[1].disk.copy()
    for player in pair.players:
        player.disk.logs = {}
        player.games.clear()
    pair.connect()
    second = log_of(pair.players[0]).game_id
    assert second != first
    pair.cut()
    for player in pair.players:
        player.games.clear()
    pair.players[1].disk = saved
    pair.players[0].disk.logs[first] = _log_of_first(pair, first)
    pair.players[0].disk.logs[second] = pair.players[0].disk.logs.pop(second)
    pair.connect(dialler=1)
    assert [log_of(p).game_id for p in pair.players] == [first, first]


def _log_of_first(pair: Pair, game_id: bytes) -> bytes:
    bodies = [
        e for e in pair.players[0].trace if getattr(e, "game_id", None) == game_id
    ]
    records = [
        encode_record(e.kind, e.body)  # type: ignore[union-attr] # Persist has both
        for e in bodies
        if hasattr(e, "kind")
    ]
    return MAGIC + b"".join(records)


def test_logs_that_differ_fail_with_409() -> None:
    """C14: the right length with a wrong head."""
    pair = played()
    resuming(pair, 0)
    log = log_of(pair.players[0])
    pair.inject(0, wire.Resume(log.game_id, log.length, bytes(32), 0))
    pair.deliver(0)
    (failed,) = pair.players[0].of(SessionFailed)
    assert isinstance(failed, SessionFailed)
    assert (failed.code, failed.game_failed) == (409, True)
    assert pair.players[0].live.state is State.FAILED
    restart(pair, 0)
    pair.connect()
    answers = [m.code for m in pair.players[0].sent if isinstance(m, wire.Bye)]
    assert answers == [409, 409]


def test_a_failed_game_answers_every_resume_with_its_code() -> None:
    """P12: after 404 the game never goes on."""
    pair = play_pair("russian-bank", seed=1)
    mover = mover_of(pair)
    pair.inject(1 - mover, forge_action(pair.players[mover], DISCARD))
    pair.pump()
    for again in range(2):
        restart(pair, 1 - mover)
        pair.connect(dialler=again)
        byes = [m.code for m in pair.players[1 - mover].sent if isinstance(m, wire.Bye)]
        assert set(byes) == {404}
