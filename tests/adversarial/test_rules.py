"""R: impossible moves, playable faults, and machines that compute otherwise."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

import msgpack  # type: ignore[import-untyped] # it ships no types
import pytest

from crapette_p2p.engine import due_plays, legal_with_offences, refusal
from crapette_p2p.engine.actions import (
    DISCARD,
    GRANT,
    PASS,
    TURN,
    Action,
    AnswerDraw,
    Move,
    Stop,
)
from crapette_p2p.engine.layout import PileId, Seat
from crapette_p2p.engine.position import EndReason, Position
from crapette_p2p.engine.ruleset import PRESETS
from crapette_p2p.gamelog.events import EventType, action_to_body
from crapette_p2p.gamelog.evidence import encode_evidence, judge_evidence
from crapette_p2p.gamelog.game import problem, start_game, step
from crapette_p2p.gamelog.genesis import Genesis, encode_genesis
from crapette_p2p.gamelog.state import GameState, state_hash
from crapette_p2p.session import messages as wire
from crapette_p2p.session.commands import Act
from crapette_p2p.session.notices import SessionFailed, TermsProposed
from tests.adversarial.calling import play_carelessly, right_stop
from tests.adversarial.hash_chain import chain_of
from tests.adversarial.hostile import Hostile
from tests.adversarial.stages import at_table, in_lobby
from tests.adversarial.verdicts import ROOT, Court
from tests.helpers.driving import act, drive, log_of, position_of, state_of
from tests.helpers.fakegame import FakeGame, make_genesis, turns, verify
from tests.helpers.pair import play_pair

# R1 -------------------------------------------------------------------------------


def every_action() -> Iterator[Action]:
    """All moves between any two piles, all calls, and what needs no pile."""
    for source in range(24):
        for target in range(24):
            yield Move(PileId(source), PileId(target))
            yield Stop(PileId(source), PileId(target))
    yield from (TURN, DISCARD, PASS, GRANT, AnswerDraw(accept=True))


@cache
def refused_by_kind(preset: str, length: int) -> dict[tuple[int, str], Action]:
    """One impossible action of each seat for each reason the rules have for it."""
    pair = play_pair(preset, seed=2)
    rng = random.Random(2)  # noqa: S311 - a repeatable game
    drive(pair, rng, until=lambda state: state.length >= length, talk=0)
    position = position_of(pair.players[0])
    found: dict[tuple[int, str], Action] = {}
    for action in every_action():
        for seat in (0, 1):
            reason = refusal(position, Seat(seat), action)
            if reason is not None:
                found.setdefault((seat, f"{type(action).__name__} {reason}"), action)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("preset", ["crapette", "garibaldka"])
@pytest.mark.parametrize("length", [10, 60])
def test_r01_every_kind_of_impossible_move(
    preset: str, length: int, court: Court
) -> None:
    """R1: 404 with evidence, whatever the reason and whoever tries it."""
    kinds = refused_by_kind(preset, length)
    assert len({reason for _, reason in kinds}) >= 10
    for number, ((seat, _), action) in enumerate(kinds.items()):
        pair = play_pair(preset, seed=2)
        rng = random.Random(2)  # noqa: S311 - a repeatable game
        drive(pair, rng, until=lambda state: state.length >= length, talk=0)
        hostile = Hostile(pair, 1 - seat)
        hostile.notice_now()
        hostile.say(hostile.action(action))
        found = hostile.require(404, proven=True)
        if number % 4 == 0:
            court.convict(found)


@pytest.mark.slow
@pytest.mark.parametrize("preset", PRESETS)
def test_r01_the_log_refuses_what_the_rules_refuse(preset: str) -> None:
    """R1: all 24 x 24 moves and calls of both seats, in positions of a game."""
    game = FakeGame(make_genesis(preset, k=2, seed=3), seed=3)
    for number, state in enumerate(turns(game, 60)):
        position = state.position
        assert position is not None
        if number % 12 or state.due is not None or position.end is not None:
            continue
        for action in every_action():
            for seat in (0, 1):
                refused = refusal(position, Seat(seat), action) is not None
                code = problem(state, seat, *action_to_body(action))
                assert code == (404 if refused else None), (action, seat)


# R2 -------------------------------------------------------------------------------


def offends(state: GameState) -> bool:
    """Whether an offence can be called now."""
    position = state.position
    return position is not None and bool(position.offences) and state.due is None


@pytest.mark.parametrize("preset", ["crapette", "russian-bank-knock"])
def test_r02_a_playable_fault_is_accepted_and_can_be_called(preset: str) -> None:
    """R2: the offence is final like any move; the call names it and is upheld."""
    pair = play_carelessly(preset, offends)
    state = state_of(pair.players[0])
    position = position_of(pair.players[0])
    offender = position.callable
    assert offender is not None
    assert due_plays(position.offences[0].before)
    act(pair, 1 - int(offender), right_stop(state))
    after = position_of(pair.players[0])
    assert not after.offences
    assert after.calls.wrong == position.calls.wrong
    for player in pair.players:
        assert player.closed is None


# R3 -------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("preset", PRESETS)
def test_r03_playing_it_again_gives_the_same_state_after_each_event(
    preset: str,
) -> None:
    """R3: SyncTest: from genesis, after every single event."""
    pair = play_pair(preset, seed=3)
    rng = random.Random(3)  # noqa: S311 - a repeatable game
    drive(pair, rng, until=lambda state: state.length >= 70)
    log = log_of(pair.players[0])
    for length in range(1, log.length + 1):
        state = start_game(log.genesis, log.game_id)
        for entry in log.entries[:length]:
            event = entry.signed.event
            trusting = event.seq < length - 1
            after = step(state, event.author, event.type, event.body, trusting=trusting)
            assert isinstance(after, GameState)
            state = after
        assert state_hash(state) == log.entries[length - 1].state_after


# R4 -------------------------------------------------------------------------------

ENVIRONMENTS = [
    {"PYTHONHASHSEED": "0"},
    {"PYTHONHASHSEED": "4711", "TZ": "Pacific/Kiritimati"},
    {"PYTHONHASHSEED": "random", "LC_ALL": "tr_TR.UTF-8", "LANG": "tr_TR.UTF-8"},
    {"LC_ALL": "C", "TZ": "America/St_Johns", "PYTHONUTF8": "0"},
    {"MSGPACK_PUREPYTHON": "1", "PYTHONOPTIMIZE": "2"},
]


def chains_in(python: str, environment: dict[str, str]) -> list[str]:
    """The hash chains as another process computes them."""
    paths = os.pathsep.join([str(ROOT), str(Path(msgpack.__file__).parents[1])])
    done = subprocess.run(
        [python, "-m", "tests.adversarial.hash_chain"],
        env={"PATH": os.environ["PATH"], "PYTHONPATH": paths, **environment},
        cwd=ROOT,
        capture_output=True,
        check=True,
        text=True,
    )
    return done.stdout.split()


def other_pythons() -> list[str]:
    """Python 3.12 and 3.13, where this machine has them."""
    roots = [Path.home() / ".pyenv" / "versions"]
    found = [shutil.which(f"python3.{minor}") for minor in (12, 13)]
    for root in roots:
        for minor in (12, 13):
            found += [str(p) for p in root.glob(f"3.{minor}.*/bin/python3.{minor}")]
    good = []
    for python in filter(None, found):
        asked = subprocess.run([python, "-c", ""], capture_output=True, check=False)
        if asked.returncode == 0:
            good.append(python)
    return good


@pytest.mark.slow
def test_r04_other_environments_compute_the_same() -> None:
    """R4: hash seed, locale, time zone, codec half and optimisation do not matter."""
    here = [chain_of(preset, 4) for preset in PRESETS]
    for environment in ENVIRONMENTS:
        assert chains_in(sys.executable, environment) == here


@pytest.mark.slow
def test_r04_other_versions_compute_the_same() -> None:
    """R4: every Python that may play."""
    pythons = other_pythons()
    if not pythons:
        pytest.skip("no other Python here")
    here = [chain_of(preset, 4) for preset in PRESETS]
    for python in pythons:
        assert chains_in(python, {}) == here


# R5 -------------------------------------------------------------------------------


@pytest.mark.parametrize("bent", ["hash", "switch"])
def test_r05_another_rule_set_than_its_hash_says(bent: str) -> None:
    """R5: 300, before anybody is asked and before any commitment."""
    hostile = in_lobby(victim=1)
    ala, olek = hostile.cheat, hostile.honest
    genesis = Genesis(
        preset="crapette",
        rules=PRESETS["crapette"],
        keys=(ala.key.public, olek.key.public),
        nicks=("Ala", "Olek"),
        nonces=(bytes(32), None),
    )
    data = bytearray(encode_genesis(genesis))
    head = b"\xc4\x20" if bent == "hash" else b"\xc4\x14\xdc\x00\x11"
    data[data.index(head) + len(head) + 1] ^= 1
    hostile.say(wire.ProposeMessage(bytes(data)))
    hostile.require(300)
    assert not hostile.honest.of(TermsProposed)
    assert not hostile.honest.disk.logs


# R6 -------------------------------------------------------------------------------


def miscounted(state: GameState) -> bytes:
    """What a machine would sign that counts the actions of a turn wrongly."""
    position = state.position
    assert position is not None
    wrong = replace(state, position=_one_more(position), memo=[])
    return state_hash(wrong)


def _one_more(position: Position) -> Position:
    return replace(position, acts=position.acts + 1)


def test_r06_a_machine_that_miscounts_is_found_at_once(court: Court) -> None:
    """R6: at its first differing event, and at its first differing ACK."""
    hostile = at_table(mover=True)
    act(hostile.pair, hostile.seat, TURN)
    hostile.notice_now()
    wrong = miscounted(hostile.state)
    hostile.say(hostile.event(EventType.END, (0,), state=wrong))
    court.convict(hostile.require(407, proven=True))
    hostile = at_table(mover=False)
    hostile.pair.held[1 - hostile.victim] = True
    hostile.pair.command(hostile.victim, Act(TURN))
    game = hostile.session.open_game
    assert game is not None
    assert game.mine is not None
    hostile.notice_now()
    message = wire.EventMessage(game.mine.data, game.mine.sig)
    ack = hostile.ack(message, miscounted(game.mine_after))
    hostile.say(ack)
    court.convict(hostile.require(407, proven=True))
    claim = hostile.log.fault
    assert claim is not None
    for sig in (bytes(64), game.mine.sig, ack.sig[:-1] + b"\0"):  # forged: no proof
        forged = encode_evidence(hostile.log, replace(claim, sig=sig))
        assert not judge_evidence(forged, verify).proven


def test_r06_the_one_whose_own_machine_is_wrong_proves_nothing() -> None:
    """R6: the blame names the right side: his evidence convinces nobody."""
    hostile = at_table(mover=True)
    act(hostile.pair, hostile.seat, TURN)
    hostile.notice_now()
    good = hostile.event(EventType.END, (0,))
    game = hostile.session.open_game
    assert game is not None
    game.state.memo[:] = [miscounted(hostile.state)]
    hostile.say(good)
    (failed,) = hostile.honest.of(SessionFailed)
    assert isinstance(failed, SessionFailed)
    assert failed.code == 407
    assert failed.evidence is not None
    assert not judge_evidence(failed.evidence, verify).proven


# R7 -------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("preset", PRESETS)
def test_r07_turns_without_progress_end_the_deal(preset: str) -> None:
    """R7: two who only turn and discard are stopped by the rules."""
    pair = play_pair(preset, seed=1)
    for _ in range(2000):
        position = position_of(pair.players[0])
        if position.end is not None:
            break
        listed = [action for action, _ in legal_with_offences(position)]
        idle = [a for a in listed if not isinstance(a, Move)]
        act(pair, int(position.active), (idle or listed)[0])
    end = position_of(pair.players[0]).end
    assert end is not None
    assert end.reason == EndReason.BLOCKED


@pytest.mark.slow
@pytest.mark.parametrize("preset", ["crapette", "russian-bank"])
def test_r07_cards_moved_to_and_fro_end_the_turn(preset: str) -> None:
    """R7: after 400 actions in a turn only foundations and its end are left."""
    game = FakeGame(make_genesis(preset, k=2, seed=1), seed=1)
    game.set_up()
    while (position := game.state.position) is not None and position.acts < 400:
        listed = [action for action, _ in legal_with_offences(position)]
        idle = [a for a in listed if isinstance(a, Move) and a.target < 8]
        columns: list[Action] = [move for move in idle if move.source < 8]
        game.act(position.active, game.rng.choice(columns or [TURN]))
        game.settle()
    position = game.state.position
    assert position is not None
    assert position.acts == 400
    for action, _ in legal_with_offences(position):
        assert not isinstance(action, Move) or 8 <= action.target < 16
    for source in range(8):
        for target in range(8):
            kind, body = action_to_body(Move(PileId(source), PileId(target)))
            assert problem(game.state, int(position.active), kind, body) == 404
