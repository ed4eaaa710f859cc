"""Provisional ends, audits and results, honest and not (P4, P7, P14; D, E)."""

from __future__ import annotations

import random
from functools import cache

import pytest

from crapette_p2p.engine import due_plays
from crapette_p2p.engine.actions import GRANT, RESIGN, TURN, Stop
from crapette_p2p.engine.layout import PileId, other, reserve
from crapette_p2p.gamelog.bodies import Body
from crapette_p2p.gamelog.events import EventType, decode_event
from crapette_p2p.gamelog.evidence import judge_evidence
from crapette_p2p.gamelog.state import Phase
from crapette_p2p.gamelog.verify import verify_log
from crapette_p2p.session.channel import GAME_FAULTS
from crapette_p2p.session.commands import Act
from crapette_p2p.session.messages import EventMessage
from crapette_p2p.session.notices import DealEnded, GameOver, SessionFailed
from crapette_p2p.session.states import State
from tests.helpers.driving import (
    act,
    drive,
    log_of,
    position_of,
    require_closed,
    side_of,
    state_of,
)
from tests.helpers.forging import forge
from tests.helpers.keys import verify
from tests.helpers.pair import Disk, Pair, make_player, play_pair, terms

SEED = 23
"""A deal that is won in a turn with an offence that nobody has called."""


@cache
def _disks() -> tuple[Disk, Disk]:
    """Both disks right after the move that won, provisionally."""
    pair = play_pair("russian-bank-knock", seed=SEED)
    drive(
        pair,
        random.Random(SEED),  # noqa: S311 - a repeatable game
        until=lambda state: state.phase is Phase.ENDING,
        talk=0,
        calls=0,
    )
    assert state_of(pair.players[0]).phase is Phase.ENDING
    return pair.players[0].disk, pair.players[1].disk


def ending() -> tuple[Pair, int]:
    """Two restarted programs at a provisional end; the winner's seat."""
    pair = Pair(make_player("Ala", seed=SEED), make_player("Olek", seed=SEED))
    for player, disk in zip(pair.players, _disks(), strict=True):
        player.disk = disk.copy()
    pair.connect()
    end = position_of(pair.players[0]).end
    assert end is not None
    assert end.winner is not None
    assert [p.live.state for p in pair.players] == [State.ENDING, State.ENDING]
    return pair, end.winner


@pytest.mark.slow
def test_a_win_is_final_only_with_the_losers_grant() -> None:
    """P4: no AUDIT before GRANT; then both audit, the winner first."""
    pair, winner = ending()
    for player in pair.players:
        assert not player.of(DealEnded)
        game = player.live.open_game
        assert game is not None
        assert game.debtor == other(winner)
    assert not pair.players[side_of(pair, winner)].live.may(GRANT)
    act(pair, other(winner), GRANT)
    require_closed(pair)
    for player in pair.players:
        (over,) = player.of(GameOver)
        assert isinstance(over, GameOver)
        assert over.end.winner == winner


@pytest.mark.slow
def test_a_wrong_stop_grants_the_end() -> None:
    """P4: a call that names no due play is wrong, and grants."""
    pair, winner = ending()
    act(pair, other(winner), Stop(reserve(winner), PileId(15)))
    require_closed(pair)
    assert state_of(pair.players[0]).winner == winner


@pytest.mark.slow
def test_an_upheld_stop_undoes_the_end() -> None:
    """P4: the offence comes first; nobody has audited, and play goes on."""
    pair, winner = ending()
    position = position_of(pair.players[0])
    play = due_plays(position.offences[0].before)[0]
    act(pair, other(winner), Stop(play.source, play.target))
    assert not any(player.of(DealEnded) for player in pair.players)
    assert state_of(pair.players[0]).audits == 0
    assert pair.players[0].live.state is State.PLAY
    act(pair, winner, RESIGN)
    require_closed(pair)


@pytest.mark.slow
def test_a_silent_loser_is_the_debtor_for_ever() -> None:
    """P4, T_HUMAN does not run: the winner waits, the log says who owes."""
    pair, winner = ending()
    pair.wait(7200)
    assert [p.live.state for p in pair.players] == [State.ENDING, State.ENDING]
    data = pair.players[0].disk.logs[log_of(pair.players[0]).game_id]
    verdict = verify_log(data, verify)
    assert verdict.debtor == other(winner)
    assert verdict.level < 4


def test_the_debtor_is_the_other_while_an_own_event_is_un_acked() -> None:
    """P14: he owes the ACK, whoever the game waits for otherwise."""
    pair = play_pair("russian-bank", seed=1)
    active = position_of(pair.players[0]).active
    mover = side_of(pair, active)
    games = [player.live.open_game for player in pair.players]
    assert games[0] is not None
    assert games[1] is not None
    assert games[0].debtor == games[1].debtor == active
    pair.command(mover, Act(TURN))
    mine = games[mover]
    theirs = games[1 - mover]
    assert mine is not None
    assert theirs is not None
    assert mine.debtor == other(active)
    assert theirs.debtor == active


# What a modified client sends -------------------------------------------------


def before_event(seq: int, *, split: str = "bytes") -> tuple[Pair, int, Body]:
    """The set-up up to event ``seq``; its author's side, and its honest body."""
    pair = Pair(split=split)
    pair.players[0].options["terms"] = terms("russian-bank")
    pair.join()
    author = seq & 1
    judge = pair.players[1 - author]

    def due() -> bool:
        game = judge.live.game
        return game is not None and game.length == seq

    pair.step_until(due, 50_000)
    (body,) = [
        event.body
        for message in pair.players[author].sent
        if isinstance(message, EventMessage)
        for event in [decode_event(message.event)]
        if event.seq == seq
    ]
    pair.wire_clear(1 - author)
    return pair, author, body


def flip(value: object) -> bytes:
    """Bytes with one bit wrong."""
    assert isinstance(value, bytes)
    return bytes([value[0] ^ 1]) + value[1:]


def bend(name: str, pair: Pair, body: Body) -> tuple[int, Body]:
    """The body of a case below: its event type and fields."""
    first = log_of(pair.players[0]).entries
    match name:
        case "a challenge of candidate K":
            return 2, (2, 0)
        case "a challenge of one number":
            return 2, (0,)
        case "roots copied from the other":
            return 1, first[0].signed.event.body
        case "a root twice":
            root = body[0]
            assert isinstance(root, bytes)
            return 1, (root[:32] * 2, body[1])
        case "a seed that gives no committed root":
            return 3, (flip(body[0]), *body[1:])
        case "slots that give no committed root":
            return 3, (*body[:3], flip(body[3]))
        case "another position than called for":
            return 4, (body[0], _lines(body, at=51))
        case "one line too few":
            return 4, (body[0], _lines(body)[:-1])
        case "another slot":
            return 4, (body[0], _lines(body, value=True))
        case "another salt":
            return 4, (body[0], _lines(body, salt=True))
        case "OPEN_B before OPEN_A":
            return 5, body
        case "another card":
            return 5, (body[0], _lines(body, value=True))
        case "a card out of range":
            return 5, (body[0], ((0, 52, bytes(32)), *_lines(body)[1:]))
        case _:
            raise AssertionError(name)


def _lines(
    body: Body, *, at: int | None = None, value: bool = False, salt: bool = False
) -> tuple[tuple[int, int, bytes], ...]:
    lines = body[1]
    assert isinstance(lines, tuple)
    first_at, first_value, first_salt = lines[0]
    first = (
        first_at if at is None else at,
        (first_value + 1) % 52 if value else first_value,
        flip(first_salt) if salt else first_salt,
    )
    return (first, *lines[1:])


@pytest.mark.parametrize(
    ("seq", "name", "code"),
    [
        (1, "roots copied from the other", 304),
        (1, "a root twice", 304),
        (3, "a challenge of candidate K", 404),
        (3, "a challenge of one number", 404),
        (5, "a seed that gives no committed root", 302),
        (5, "slots that give no committed root", 302),
        (7, "another position than called for", 404),
        (7, "one line too few", 404),
        (7, "another slot", 405),
        (7, "another salt", 405),
        (7, "OPEN_B before OPEN_A", 404),
        (9, "another card", 405),
        (9, "a card out of range", 404),
    ],
)
def test_a_cheat_in_the_deal_is_found_and_proven(
    seq: int, name: str, code: int
) -> None:
    """D1-D13: the code of each, FAILED, and evidence a stranger accepts."""
    pair, cheat, body = before_event(seq)
    kind, bent = bend(name, pair, body)
    message = forge(pair.players[cheat], kind, bent)
    pair.inject(1 - cheat, message)
    pair.deliver(1 - cheat, 20_000)
    require_proof(pair, 1 - cheat, code)


def require_proof(pair: Pair, side: int, code: int) -> None:
    """The judge has failed the game, with a proof against the other."""
    judge = pair.players[side]
    (failed,) = judge.of(SessionFailed)
    assert isinstance(failed, SessionFailed)
    assert (failed.code, failed.game_failed) == (code, True)
    assert code in GAME_FAULTS
    assert failed.evidence is not None
    judged = judge_evidence(failed.evidence, verify)
    assert judged.proven, judged
    assert judge.live.seat is not None
    assert judged.seat == other(judge.live.seat)
    data = list(judge.disk.logs.values())[-1]
    verdict = verify_log(data, verify)
    assert verdict.first_bad is None
    assert verdict.guilty == judged.seat
    assert judge.live.state is State.FAILED


def over(seat: int) -> tuple[Pair, int]:
    """``seat`` has won by the other's resignation and owes the first AUDIT."""
    pair = play_pair("russian-bank", seed=1)
    winner, loser = side_of(pair, seat), side_of(pair, other(seat))
    pair.command(loser, Act(RESIGN))
    pair.split = "bytes"
    pair.step_until(lambda: pair.players[loser].live.state is State.OVER)
    pair.wire_clear(loser)
    return pair, winner


@pytest.mark.parametrize(
    ("kind", "body", "code"),
    [
        (EventType.AUDIT, (bytes(32), bytes(32)), 408),
        (EventType.AUDIT, (bytes(32),), 404),
        (EventType.RESULT, (0, 3, 1), 404),
        (EventType.GRANT, (), 404),
        (EventType.TURN, (), 404),
    ],
)
def test_a_cheat_at_the_end_is_found_and_proven(
    kind: EventType, body: Body, code: int
) -> None:
    """E1-E3: a wrong seed is 408; nothing but AUDIT is lawful there."""
    pair, winner = over(0)
    pair.inject(1 - winner, forge(pair.players[winner], kind, body))
    pair.deliver(1 - winner, 20_000)
    require_proof(pair, 1 - winner, code)
    assert not state_of(pair.players[1 - winner]).done


@pytest.mark.parametrize("body", [(1, 3, 1), (None, 3, 0), (0, 0, 1), (0, 3, 2)])
def test_a_result_that_is_not_the_engines_verdict_is_404(body: Body) -> None:
    """P7, E3: winner, reason and points have to be what both have seen."""
    pair = play_pair("russian-bank", seed=1)
    pair.command(1, Act(RESIGN))
    pair.split = "bytes"
    pair.step_until(lambda: state_of(pair.players[1]).audits == 0b11)
    pair.wire_clear(1)
    pair.inject(1, forge(pair.players[0], EventType.RESULT, body))
    pair.deliver(1, 20_000)
    require_proof(pair, 1, 404)


def test_lost_seeds_end_the_link_but_not_the_game() -> None:
    """The secrets file is gone: 500 to the peer, no wrong opening, no exception."""
    pair = play_pair("russian-bank", seed=1)
    pair.cut()
    for player in pair.players:
        player.crash()
        player.disk.seeds.clear()
    pair.connect()
    mover = side_of(pair, position_of(pair.players[0]).active)
    pair.command(mover, Act(TURN))
    pair.pump()
    (failed,) = pair.players[1 - mover].of(SessionFailed)
    assert isinstance(failed, SessionFailed)
    assert (failed.code, failed.game_failed) == (500, False)
    assert pair.players[1 - mover].live.state is State.SUSPENDED
