"""Logs as text and JSON: complete, readable back, harmless."""

from __future__ import annotations

import json
import re
from typing import cast

import pytest

from crapette_p2p.engine import format_action, parse_position
from crapette_p2p.engine.played import is_talk
from crapette_p2p.engine.ruleset import PRESETS
from crapette_p2p.gamelog.dump import (
    dump_json_lines,
    dump_text,
    log_to_json_lines,
    log_to_text,
    plain,
)
from crapette_p2p.gamelog.events import EventType
from crapette_p2p.gamelog.records import RecordKind
from crapette_p2p.gamelog.replay import Replay, Step, open_replay
from crapette_p2p.gamelog.times import Times, clock_text
from tests.helpers.fakegame import FakeGame, make_genesis, play_game, verify


def replay_of(preset: str = "crapette", actions: int = 120) -> Replay:
    """A replay of a whole game."""
    data = play_game(preset, seed=21, k=2, actions=actions).data
    return open_replay(data, verify)


def bare(step: Step) -> str:
    """A step's notation without its card, which has a field of its own."""
    return format_action(step.action, seat=step.author)


@pytest.mark.slow
@pytest.mark.parametrize("preset", PRESETS)
def test_every_change_of_the_table_is_one_line(preset: str) -> None:
    """n, seq, move and a position that the engine reads back."""
    replay = replay_of(preset)
    lines = list(dump_json_lines(replay))
    shown = [step for step in replay.steps if not is_talk(step.action)]
    assert [line["n"] for line in lines] == [*range(len(shown) + 1)]
    assert [line["seq"] for line in lines] == [9, *(step.seq for step in shown)]
    assert [line["move"] for line in lines] == [None, *map(bare, shown)]
    for line in lines:
        assert json.loads(json.dumps(line)) == line
        parse_position(line["position"])
    last = lines[-1]
    assert last["result"] == {
        "winner": last["result"]["winner"],  # type: ignore[index] # a result
        "reason": "resigned",
        "provisional": False,
        "score": last["result"]["score"],  # type: ignore[index] # a result
    }


def test_the_text_dump_shows_every_position() -> None:
    """One block a change, eight columns, both players, for diffs."""
    replay = replay_of(actions=25)
    text = "\n".join(dump_text(replay))
    shown = [step for step in replay.steps if not is_talk(step.action)]
    assert text.count("\n  1:") == len(shown) + 1
    assert "0 the lay-out" in text
    assert text.isascii()
    assert text == "\n".join(dump_text(replay_of(actions=25)))


def test_an_export_holds_the_whole_log() -> None:
    """Genesis, every event in order, what it proves."""
    replay = replay_of(actions=25)
    lines = list(log_to_json_lines(replay))
    assert json.loads(json.dumps(lines)) == lines
    assert lines[0]["type"] == "genesis"
    assert lines[0]["game_id"] == replay.log.game_id.hex()
    events = [line for line in lines if line["type"] == "event"]
    assert [line["seq"] for line in events] == list(range(replay.length))
    assert [line["event"] for line in events[:3]] == ["COMMIT", "COMMIT", "CHALLENGE"]
    moves = [line["move"] for line in events if "move" in line]
    assert moves == [bare(step) for step in replay.steps]
    assert lines[-1]["type"] == "end"
    assert lines[-1]["level"] == 5
    result = cast("dict[str, object]", lines[-1]["result"])
    assert result["reason"] == "resigned"


def test_an_export_names_what_is_not_final() -> None:
    """Voids, a pending event, notes and a fault have lines of their own."""
    game = FakeGame(make_genesis("russian-bank", k=2, seed=2), seed=2)
    game.set_up()
    assert game.state.position is not None
    mover = game.state.position.active
    turn = game.sign(mover, EventType.TURN, ())
    offer = game.sign(1 - mover, EventType.DRAW_OFFER, ())
    game.record(RecordKind.EVENT, turn.data, turn.sig)
    game.record(RecordKind.VOID, offer.data, offer.sig)
    game.record(RecordKind.NOTE, 501, "gone\x1b]52;c;x\x07\u202e")
    bad = game.sign(1 - mover, EventType.GRANT, ())
    lines = list(log_to_json_lines(open_replay(game.data, verify)))
    kinds = [line["type"] for line in lines[11:]]
    assert kinds == ["void", "pending", "note", "end"]
    assert lines[-2]["text"] == "gone\\x1b]52;c;x\\x07\\u202e"
    del game.records[-3:]
    game.record(RecordKind.FAULT, 404, bad.data, bad.sig)
    lines = list(log_to_json_lines(open_replay(game.data, verify)))
    assert lines[-2] == {
        "v": 1,
        "type": "fault",
        "code": 404,
        "hash": bad.hash.hex(),
        "author": "AB"[1 - mover],
    }


def test_a_text_export_reads_like_a_score_sheet() -> None:
    """Players, one line a turn, the end, where it is broken."""
    replay = replay_of(actions=25)
    lines = list(log_to_text(replay))
    assert lines[2:4] == ["A Ala", "B Olek"]
    assert any(line.startswith("   1 ") for line in lines)
    text = "\n".join(lines)
    for step in replay.steps:
        assert step.text in text
    assert "end " in lines[-1]
    assert "resigned" in lines[-1]


def test_a_text_export_says_when_each_turn_began() -> None:
    """From the lay-out on, pauses left out; nothing where a time is missing."""
    replay = replay_of(actions=25)
    first, last = replay.start - 1, replay.length - 1
    at = {seq: 50_000 * (seq - first) + 7_000 for seq in range(first, last + 1)}
    lines = list(log_to_text(replay, times=Times(at, 0, 0, 0)))
    plain_lines = list(log_to_text(replay))
    took = f"duration {clock_text(50 * (last - first))}"
    assert [line for line in lines if line not in plain_lines if "[" not in line] == [
        took
    ]
    turns: dict[int, int] = {}
    for step in replay.steps:
        turns.setdefault(step.turn, step.seq)
    for turn, seq in turns.items():
        (line,) = (line for line in lines if line.startswith(f"{turn:4} "))
        assert line[6:].startswith(f"  [{clock_text(50 * (seq - first))}]  ")
    assert [re.sub(r"  \[[\d:]+\]", "", line) for line in lines if line != took] == (
        plain_lines
    )
    second = turns[2]
    paused = Times(at, 0, 0, 0, {second: 50_000})
    told = "\n".join(log_to_text(replay, times=paused))
    assert f"   2 {'AB'[replay.steps[0].author ^ 1]}" in told
    assert f"[{clock_text(50 * (second - first - 1))}]" in told
    del at[second]
    told = "\n".join(log_to_text(replay, times=Times(at, 0, 0, 0)))
    assert told.count("[") == 1
    assert "duration" not in told


def test_text_of_others_is_harmless() -> None:
    """E9: escape sequences of nicks and notes are written out."""
    assert plain("a\x1b[2Jb\x9b\u202e\u2028\n") == "a\\x1b[2Jb\\x9b\\u202e\\u2028\\n"
    assert plain("Zoë Юрий") == "Zoë Юрий"


def test_a_log_of_the_set_up_dumps_nothing() -> None:
    """No table yet: no lines of positions, but an export all the same."""
    game = FakeGame(make_genesis(k=2, seed=3), seed=3)
    replay = open_replay(game.data, verify)
    assert list(dump_json_lines(replay)) == []
    assert list(dump_text(replay)) == []
    assert [line["type"] for line in log_to_json_lines(replay)] == ["genesis", "end"]
    assert next(iter(log_to_text(replay))).startswith("game ")
