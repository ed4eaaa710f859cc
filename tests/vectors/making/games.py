"""Whole games between two sessions, recorded: every frame, the log, every state.

The two sessions run as they do on a link; their keys, their entropy and what
their players choose come out of SHA-256, so the same bytes are made every time.
``protocol/vectors/games/README.md`` says what is in the files.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from crapette_p2p.engine import PRESETS, Action
from crapette_p2p.engine.layout import SEAT_NAMES, Seat
from crapette_p2p.engine.notation import format_action
from crapette_p2p.gamelog.events import EventType, body_to_action
from crapette_p2p.gamelog.game import apply, encode_state, start_game, state_hash
from crapette_p2p.gamelog.log import GameLog
from crapette_p2p.gamelog.records import MAGIC, encode_record
from crapette_p2p.gamelog.state import GameState
from crapette_p2p.session.commands import AcceptTerms, Act, Confirm, Leave, Terms
from crapette_p2p.session.config import SessionConfig
from crapette_p2p.session.effects import Effect, Emit, Persist, Send
from crapette_p2p.session.notices import CardsToCompare, TermsProposed
from crapette_p2p.session.session import Session
from tests.helpers.keys import real_key, verify
from tests.vectors.making.picking import Picker, choose
from tests.vectors.making.writing import GENERATOR, VECTORS, Json

GAMES: Final = VECTORS / "games"
CERT_DIGEST: Final = hashlib.sha256(b"no certificate").digest()
NICKS: Final = ("Ala", "Olek")
DIALLER: Final = 1
PLANS: Final = {
    "crapette": (64, "recorded 3"),
    "garibaldka": (16, "recorded 5"),
    "russian-bank": (16, "recorded 6"),
    "russian-bank-knock": (16, "recorded 1"),
}
"""K, and the label the choices are made of."""


@dataclass(slots=True)
class Side:
    """One player with his session and everything it did."""

    role: int
    secret: bytes
    entropy: Picker
    session: Session = field(init=False)
    drawn: list[bytes] = field(default_factory=list)
    """Everything it drew from its generator, in order."""
    log: bytearray = field(default_factory=lambda: bytearray(MAGIC))
    todo: list[Confirm | AcceptTerms] = field(default_factory=list)
    state: str = "TLS"

    def rand(self, size: int) -> bytes:
        """Entropy for the session, written down."""
        self.drawn.append(self.entropy.bytes(size))
        return self.drawn[-1]


class Recording:
    """Two sides, the frames between them in the order they were sent."""

    def __init__(self, preset: str) -> None:
        k, label = PLANS[preset]
        self.preset = preset
        self.picker = Picker(f"{label} {preset} choices")
        self.frames: list[tuple[int, bytes]] = []
        self._arrived = 0
        self.steps: set[tuple[str, str]] = set()
        """The changes of session states that were seen."""
        terms = Terms(preset=preset, rules=PRESETS[preset], candidates=k)
        self.sides = tuple(self._side(role, label, terms) for role in (0, 1))

    def _side(self, role: int, label: str, terms: Terms) -> Side:
        secret = hashlib.sha256(f"recorded player {role}".encode()).digest()
        side = Side(role, secret, Picker(f"{label} {self.preset} entropy {role}"))
        who = real_key(secret)
        config = SessionConfig(
            idpub=who.public,
            nick=NICKS[role],
            sign=who.sign,
            verify=verify,
            rand=side.rand,
            wall=lambda: 1_800_000_000,
            terms=terms if role == 0 else None,
        )
        side.session = Session(config)
        return side

    def run(self) -> None:
        """From HELLO to the BYE after RESULT."""
        for side in (self.sides[1 - DIALLER], self.sides[DIALLER]):
            dials = side.role == DIALLER
            self._carry(side, side.session.connected(0.0, CERT_DIGEST, dials))
        self._settle()
        while (act := self._next()) is not None:
            seat, action = act
            side = self.sides[seat]
            self._carry(side, side.session.command(0.0, Act(action)))
            self._settle()
        leaving = self.sides[0]
        self._carry(leaving, leaving.session.command(0.0, Leave(502)))
        self._settle()

    def _next(self) -> tuple[int, Action] | None:
        game = self.sides[0].session.game
        assert game is not None
        position = game.position
        assert position is not None
        if game.final_end is not None:
            return None
        return choose(position, self.picker)

    def _settle(self) -> None:
        """Carry frames and answers until nothing moves."""
        while self._arrived < len(self.frames) or self._answered():
            for sender, data in self.frames[self._arrived :]:
                self._arrived += 1
                side = self.sides[1 - sender]
                self._carry(side, side.session.receive(0.0, data))

    def _answered(self) -> bool:
        for side in self.sides:
            if side.todo:
                self._carry(side, side.session.command(0.0, side.todo.pop(0)))
                return True
        return False

    def _carry(self, side: Side, effects: list[Effect]) -> None:
        now = side.session.state.name
        if now != side.state:
            self.steps.add((side.state, now))
            side.state = now
        for effect in effects:
            match effect:
                case Send(data):
                    self.frames.append((side.role, data))
                case Persist(_, kind, body):
                    side.log += encode_record(kind, body)
                case Emit(CardsToCompare()):
                    side.todo.append(Confirm(same=True))
                case Emit(TermsProposed()):
                    side.todo.append(AcceptTerms())
                case _:
                    pass


def states_of(log: GameLog) -> list[GameState]:
    """The state before each event, and the last one."""
    states = [start_game(log.genesis, log.game_id)]
    for entry in log.entries:
        event = entry.signed.event
        states.append(apply(states[-1], event.author, event.type, event.body))
    return states


def _framed(parts: list[bytes]) -> bytes:
    return b"".join(len(part).to_bytes(4, "big") + part for part in parts)


def _moves(log: GameLog, states: list[GameState]) -> list[list[object]]:
    """Every event: its author, its type, and its action in words."""
    moves: list[list[object]] = []
    for entry, state in zip(log.entries, states, strict=False):
        event = entry.signed.event
        action = body_to_action(event.type, event.body)
        text = None
        if action is not None:
            text = format_action(action, state.position, seat=event.author)
        author = SEAT_NAMES[event.author]
        moves.append([author, EventType(event.type).name, text])
    return moves


def _index(recording: Recording, log: GameLog, states: list[GameState]) -> Json:
    end = states[-1].final_end
    assert end is not None
    return {
        "schema": "game.json",
        "spec": "spec/60-session.md",
        "generator": GENERATOR,
        "preset": recording.preset,
        "dialler": DIALLER,
        "cert_digest": CERT_DIGEST.hex(),
        "game_id": log.game_id.hex(),
        "players": [
            {
                "role": side.role,
                "nick": NICKS[side.role],
                "secret": side.secret.hex(),
                "public": real_key(side.secret).public.hex(),
                "drawn": [part.hex() for part in side.drawn],
            }
            for side in recording.sides
        ],
        "frames": len(recording.frames),
        "result": [
            None if end.winner is None else SEAT_NAMES[Seat(end.winner)],
            end.reason.name.lower(),
            end.points,
        ],
        "events": _moves(log, states),
        "states": [state_hash(state).hex() for state in states],
    }


def record(preset: str) -> Recording:
    """The whole game of a preset."""
    recording = Recording(preset)
    recording.run()
    return recording


def files_of(preset: str) -> Iterator[tuple[Path, bytes]]:
    """The four files of a recorded game."""
    recording = record(preset)
    log = recording.sides[0].session.log
    assert log is not None
    states = states_of(log)
    index = _index(recording, log, states)
    lists = {"players", "events", "states"}
    lines = [
        f"  {json.dumps(k)}: " + (_listed(v) if k in lists else json.dumps(v))
        for k, v in index.items()
    ]
    text = "{\n" + ",\n".join(lines) + "\n}\n"
    yield GAMES / f"{preset}.json", text.encode()
    wire = b"".join(bytes([sender]) + data for sender, data in recording.frames)
    yield GAMES / f"{preset}.frames", wire
    yield GAMES / f"{preset}.crlog", bytes(recording.sides[0].log)
    encoded = [encode_state(state) for state in states]
    yield GAMES / f"{preset}.states", _framed(encoded)


def _listed(values: list[object]) -> str:
    rows = ",\n".join("    " + json.dumps(value) for value in values)
    return "[\n" + rows + "\n  ]"


def files() -> Iterator[tuple[Path, bytes]]:
    """The files of all recorded games."""
    for preset in PLANS:
        yield from files_of(preset)
