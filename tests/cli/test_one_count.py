"""Turns and moves of one game: every screen, list and file gives the same number."""

from __future__ import annotations

import hashlib
import json
from functools import cache

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
)

from crapette_p2p.engine.actions import Stop
from crapette_p2p.engine.layout import Seat
from crapette_p2p.engine.played import is_talk
from crapette_p2p.gamelog.counts import course_of
from crapette_p2p.gamelog.events import EventType
from crapette_p2p.gamelog.records import RecordKind
from crapette_p2p.gamelog.replay import open_replay
from crapette_p2p.net.paths import find_paths
from crapette_p2p.session.notices import EventFinal
from crapette_p2p.ui.language import ENGLISH
from crapette_p2p.ui.narrator import Narrator, running_turn
from crapette_p2p.ui.play.history import recall
from crapette_p2p.ui.play.reel import Reel
from tests.cli.commands import Crapette
from tests.helpers.fakegame import FakeGame, make_genesis, turns

SEEDS = range(3)


@cache
def played(seed: int, *, is_open: bool) -> FakeGame:
    """A game with calls and talk, broken off or resigned."""
    game = FakeGame(make_genesis(k=2, seed=seed), seed=seed)
    for number, _ in enumerate(turns(game, 150)):
        if is_open and number > 90 and game.state.due is None:
            break
    return game


@pytest.fixture
def ala(crapette: Crapette) -> Crapette:
    """The command line of the player who has seat A in all these games."""
    private = Ed25519PrivateKey.from_private_bytes(
        hashlib.sha256(b"test key Ala").digest()
    )
    path = find_paths(str(crapette.home), {}).identity_key
    path.parent.mkdir(parents=True)
    path.write_bytes(
        private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    )
    path.chmod(0o600)
    return crapette


def keep(crapette: Crapette, game: FakeGame) -> None:
    """Lay a game among the player's own."""
    kept = crapette.home / "games"
    kept.mkdir(exist_ok=True)
    (kept / f"20260101-{game.game_id[:8].hex()}.crlog").write_bytes(game.data)


@pytest.mark.parametrize("is_open", [True, False])
@pytest.mark.parametrize("seed", SEEDS)
def test_all_agree_on_one_log(ala: Crapette, seed: int, is_open: bool) -> None:
    """The table's last number of a turn is that of every list."""
    game = played(seed, is_open=is_open)
    keep(ala, game)
    turn, moves = told_at_the_table(game)
    assert turn > 5
    assert moves > 50

    replay = open_replay(game.data)
    reel = Reel(replay, ENGLISH)
    scribe, _ = recall(game.log, game.log.length, game.genesis.nicks, ENGLISH)
    course = course_of(game.data)
    for told in (replay.played, scribe.played, course.played):
        assert (told.turn, told.moves) == (turn, moves)
    assert (reel.turns, reel.moves) == (turn, moves)
    assert (reel.turn(reel.length), reel.move(reel.length)) == (turn, moves)
    assert running_turn(game.log, game.log.length) == turn

    listed = json.loads(ala("games", "--json").out)
    assert [row["turns"] for row in listed] == [turn]
    assert str(turn) in ala("games").out.splitlines()[1].split()
    lines = ala("replay", "last", "--json").out.splitlines()
    assert json.loads(lines[-1])["n"] == moves
    refused = ala("replay", "last", "--json", "--at", "move:9999").err
    assert f"{turn} turns, {moves} moves" in refused
    if is_open:
        (open_game,) = json.loads(ala("resume", "--list", "--json").out)
        assert open_game["turns"] == turn
    else:
        assert json.loads(ala("stats", "--json").out)["turns"] == turn


def told_at_the_table(game: FakeGame) -> tuple[int, int]:
    """The last turn that the line mode told, and what changed the table."""
    narrator = Narrator()
    narrator.sit_down(game.genesis, Seat(0))
    replay = open_replay(game.data)
    steps = {step.seq: step for step in replay.steps}
    for seq in range(game.log.length):
        event = game.log.entries[seq].signed.event
        step = steps.get(seq)
        action = None if step is None else step.action
        before, state = replay.seek(seq), replay.seek(seq + 1)
        if state.position is not None:
            narrator.tell(
                EventFinal(
                    seq=seq,
                    author=event.author,
                    type=EventType(event.type),
                    action=action,
                    body=event.body,
                    before=before,
                    state=state,
                )
            )
    moves = sum(not is_talk(step.action) for step in steps.values())
    assert len(steps) > moves or any(
        isinstance(step.action, Stop) for step in steps.values()
    )
    return narrator.turn, moves


def test_a_game_counts_its_first_turn_once_it_is_dealt(ala: Crapette) -> None:
    """The lay-out is turn 1, and what comes before it none."""
    game = FakeGame(make_genesis(k=2))
    keep(ala, game)
    assert json.loads(ala("games", "--json").out)[0]["turns"] == 0
    game.set_up()
    keep(ala, game)
    assert json.loads(ala("games", "--json").out)[0]["turns"] == 1
    assert {kind for kind, _ in game.records} >= {RecordKind.GENESIS, RecordKind.ACK}
    assert course_of(game.data).played.moves == 0
