"""What has to follow from a fault, on the victim's side and before a stranger."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from crapette_p2p.engine.layout import Seat, other
from crapette_p2p.gamelog.evidence import judge_evidence
from crapette_p2p.gamelog.verify import Verdict, verify_log
from crapette_p2p.session.channel import GAME_FAULTS
from crapette_p2p.session.effects import Close, Effect, Emit, Persist, Send
from crapette_p2p.session.messages import Bye, decode_message
from crapette_p2p.session.notices import LinkLost, PeerLeft, SessionFailed
from crapette_p2p.session.states import State
from tests.helpers.fakegame import verify
from tests.helpers.pair import Player

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Conviction:
    """An evidence file and what it has to prove."""

    evidence: bytes
    code: int
    seat: Seat


def verdict_on(player: Player, code: int, *, proven: bool) -> Conviction | None:
    """The victim has found ``code``, said so once, and kept his log good."""
    endings = [
        n for n in player.notices if isinstance(n, SessionFailed | PeerLeft | LinkLost)
    ]
    assert len(endings) == 1, endings
    (failed,) = endings
    assert isinstance(failed, SessionFailed)
    assert (failed.code, failed.by_peer) == (code, False), failed
    assert player.closed == code
    assert [m.code for m in player.sent if isinstance(m, Bye)] == [code]
    assert bool(failed.evidence) == proven
    game = player.live.open_game
    assert failed.game_failed == (code in GAME_FAULTS and game is not None)
    assert player.live.state is _state_after(player, failed=failed.game_failed)
    for data in player.disk.logs.values():
        require_good(data)
    if failed.evidence is None:
        return None
    seat = player.live.seat
    assert seat is not None
    judged = judge_evidence(failed.evidence, verify)
    assert (judged.proven, judged.code, judged.seat) == (True, code, other(seat))
    return Conviction(failed.evidence, code, other(seat))


def _state_after(player: Player, *, failed: bool) -> State:
    game = player.live.open_game
    if failed:
        return State.FAILED
    return State.SUSPENDED if game is not None and game.is_open else State.CLOSED


def require_good(data: bytes) -> Verdict:
    """A log that verifies as far as it goes, its genesis signed by both."""
    verdict = verify_log(data, verify)
    if not verdict.begun and verdict.why is None:
        return verdict  # accepted and never begun: nothing to go wrong
    assert verdict.first_bad is None, verdict
    assert verdict.level >= 3
    return verdict


def tail_of(player: Player) -> list[Effect]:
    """The effects of a fault: FAULT, NOTE, BYE, one notice, the end; no more."""
    tail: list[Effect] = []
    for effect in reversed(player.trace):
        tail.insert(0, effect)
        if isinstance(effect, Send):
            break
    while len(tail) < len(player.trace):
        before = player.trace[-len(tail) - 1]
        if not isinstance(before, Persist) or before.kind not in (5, 6):
            break
        tail.insert(0, before)
    kinds = [type(e) for e in tail if not isinstance(e, Persist)]
    assert kinds == [Send, Emit, Close], tail
    farewell = next(e for e in tail if isinstance(e, Send))
    assert isinstance(decode_message(farewell.data[4:]), Bye)
    return tail


class Court:
    """Evidence of a module's cases, judged at its end by one fresh process.

    It has no key, no memory of the games and no network; only the files. (Each
    file was judged in this process before, when it was written.)
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._found: list[Conviction] = []

    def convict(self, *found: Conviction | None) -> None:
        """Hand in what has to prove its faults."""
        for conviction in found:
            assert conviction is not None, "no evidence was written"
            path = self._folder / f"{len(self._found)}.crev"
            path.write_bytes(conviction.evidence)
            self._found.append(conviction)

    def judge(self) -> None:
        """Let a stranger judge all of them."""
        if not self._found:
            return
        names = [str(self._folder / f"{n}.crev") for n in range(len(self._found))]
        for answer, conviction in zip(verified(names), self._found, strict=True):
            told = (answer["proven"], answer["fault"], answer["guilty"])
            assert told == (True, conviction.code, "AB"[conviction.seat]), answer


def verified(paths: list[str]) -> list[dict[str, object]]:
    """What ``crapette verify`` answers about files, in a process of its own."""
    command = [sys.executable, "-m", "crapette_p2p", "verify", "--json", *paths]
    done = subprocess.run(
        command,
        cwd="/",
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        check=False,
    )
    assert not done.stderr, done.stderr
    answers = json.loads(done.stdout)
    return answers if isinstance(answers, list) else [answers]
