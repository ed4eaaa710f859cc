"""Replay: any moment equals the fold of the events before it."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest

from crapette_p2p.engine.actions import Move, Stop, Turn
from crapette_p2p.engine.played import is_talk
from crapette_p2p.engine.ruleset import PRESETS
from crapette_p2p.errors import LogError
from crapette_p2p.gamelog.events import EventType
from crapette_p2p.gamelog.game import apply, start_game
from crapette_p2p.gamelog.records import MAGIC, RecordKind
from crapette_p2p.gamelog.replay import Replay, open_replay
from crapette_p2p.gamelog.state import GameState, Phase, state_hash
from tests.helpers.fakegame import FakeGame, file_of, make_genesis, play_game, verify


def folded(game: FakeGame) -> list[GameState]:
    """The state after each number of events, from scratch."""
    states = [start_game(game.genesis)]
    for entry in game.log.entries:
        event = entry.signed.event
        states.append(apply(states[-1], event.author, event.type, event.body))
    return states


@pytest.mark.slow
@pytest.mark.parametrize("preset", PRESETS)
def test_seeking_anywhere_equals_folding(preset: str) -> None:
    """R3: forwards, backwards, at random; and the play's own last state."""
    game = play_game(preset, seed=21, k=2, actions=150)
    states = folded(game)
    replay = open_replay(game.data)
    assert replay.length == game.log.length == len(states) - 1
    rng = random.Random(3)  # noqa: S311 - repeatable places
    places = [*range(replay.length + 1), *reversed(range(replay.length + 1))]
    places += [rng.randrange(replay.length + 1) for _ in range(200)]
    for n in places:
        state = replay.seek(n)
        assert state == states[n]
        assert replay.position(n) == states[n].position
        if n:
            assert state_hash(state) == game.log.entries[n - 1].state_after
    assert replay.seek(replay.length) == game.state


def test_places_outside_the_log_raise() -> None:
    """There is nothing before 0 or after the last event."""
    replay = open_replay(play_game(seed=1, k=2, actions=3).data)
    for n in (-1, replay.length + 1):
        with pytest.raises(IndexError):
            replay.seek(n)
    assert replay.seek(0).length == 0
    assert replay.position(9) is None
    assert replay.position(10) is not None


def whole() -> tuple[FakeGame, Replay]:
    """A whole game with Stops and talk, and its replay."""
    game = play_game("crapette", seed=21, k=2, actions=300)
    return game, open_replay(game.data, verify)


@pytest.mark.slow
def test_steps_are_the_actions_with_their_openings() -> None:
    """Numbered from 1; a step ends where its card lies open."""
    game, replay = whole()
    kinds = [entry.signed.event.type for entry in game.log.entries]
    actions = [seq for seq, kind in enumerate(kinds) if 32 <= kind < 48]
    assert [step.seq for step in replay.steps] == actions
    assert [step.number for step in replay.steps] == list(range(1, len(actions) + 1))
    ends = [step.length for step in replay.steps]
    assert ends == sorted(ends)
    for step, following in zip(replay.steps, actions[1:], strict=False):
        state = replay.moment(step.number)
        assert state.length == step.length <= following
        assert state.due is None
        assert set(kinds[step.seq + 1 : step.length]) <= {
            EventType.OPEN_A,
            EventType.OPEN_B,
        }
        assert game.log.entries[step.seq].signed.event.author == step.author
        if isinstance(step.action, (Move, Turn)):
            assert step.card is not None
    assert replay.moment(0).length == 10


@pytest.mark.slow
def test_steps_tell_turns_and_stops() -> None:
    """The turn number grows by one at a time; a Stop says whether it was right."""
    _, replay = whole()
    turns = [step.turn for step in replay.steps]
    assert turns[0] == 1
    assert all(b - a in (0, 1) for a, b in pairwise(turns))
    assert turns[-1] > 5
    stops = [step for step in replay.steps if isinstance(step.action, Stop)]
    assert {step.upheld for step in stops} == {True, False}
    for step in stops:
        before = replay.seek(step.seq).position
        after = replay.moment(step.number).position
        assert before is not None
        assert after is not None
        assert (before.piles != after.piles) or not step.upheld or after.end is not None
        assert step.text.startswith("stop ")
    others = [step for step in replay.steps if not isinstance(step.action, Stop)]
    assert {step.upheld for step in others} == {None}
    talk = {step.action for step in replay.steps if is_talk(step.action)}
    for step in replay.steps:
        if step.action in talk:
            before = replay.seek(step.seq).position
            after = replay.moment(step.number).position
            assert before is not None
            assert after is not None
            assert before.piles == after.piles


@pytest.mark.slow
def test_hidden_cards_show_after_both_audits_only() -> None:
    """All 104 faces then, and they agree with those that were seen."""
    game, replay = whole()
    faces = replay.hidden_faces()
    assert faces is not None
    assert sorted(faces[:52]) == sorted(faces[52:]) == list(range(52))
    position = game.state.position
    assert position is not None
    for seen, real in zip(position.faces, faces, strict=True):
        assert seen in (real, 255)
    before = open_replay(file_of(game.records[:-4]))
    assert before.seek(before.length).phase == Phase.AUDIT
    assert before.hidden_faces() is None


def test_a_broken_log_plays_up_to_the_break() -> None:
    """What is good can be watched; the verdict says where and why it ends."""
    game = play_game("crapette", seed=4, k=2, actions=20)
    records = list(game.records)
    kind, (data, sig) = records[41]
    assert isinstance(sig, bytes)
    records[41] = (kind, (data, bytes(64)))
    replay = open_replay(file_of(records), verify)
    assert replay.length == 20
    assert replay.seek(20) == open_replay(game.data).seek(20)
    assert replay.verdict is not None
    assert (replay.verdict.first_bad, replay.verdict.why) == (41, "bad-signature")
    torn = open_replay(game.data[:-9], verify)
    assert torn.length == game.log.length - 1
    assert torn.verdict is not None
    assert torn.verdict.torn


def test_a_signed_impossible_move_is_not_played() -> None:
    """Level 1: the replay ends before the event the rules refuse."""
    game = FakeGame(make_genesis(k=2, seed=3), seed=3)
    game.set_up()
    signed = game.sign(0, EventType.MOVE, (0, 0))
    game.record(RecordKind.EVENT, signed.data, signed.sig)
    game.finish(signed, game.state)
    replay = open_replay(game.data, verify)
    assert replay.length == 10
    assert replay.log.length == 11
    assert replay.verdict is not None
    assert replay.verdict.level == 1


def test_a_log_of_the_set_up_has_no_table_yet() -> None:
    """Nothing to show, nothing to fail."""
    game = FakeGame(make_genesis(k=2, seed=3), seed=3)
    replay = open_replay(game.data)
    assert (replay.length, replay.start, replay.steps) == (0, 0, ())
    assert replay.moment(0).position is None
    made = game.owed()
    assert made is not None
    game.event(*made)
    assert open_replay(game.data).length == 1


@pytest.mark.parametrize("data", [b"", MAGIC, MAGIC + b"\0\0\0\x02\x02\x90"])
def test_a_file_without_a_game_raises(data: bytes) -> None:
    """Not even a genesis: LogError with the record."""
    with pytest.raises(LogError) as caught:
        open_replay(data)
    assert caught.value.record == 0
