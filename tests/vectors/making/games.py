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

from crapette_p2p.engine import Action, rules_to_json
from crapette_p2p.engine.layout import SEAT_NAMES, Seat
from crapette_p2p.engine.notation import format_action
from crapette_p2p.gamelog.events import Event, EventType, body_to_action
from crapette_p2p.gamelog.game import apply, encode_state, start_game, state_hash
from crapette_p2p.gamelog.log import GameLog
from crapette_p2p.gamelog.records import MAGIC, RecordKind, encode_record
from crapette_p2p.gamelog.state import GameState
from crapette_p2p.session.commands import AcceptTerms, Act, Confirm, Leave, Terms
from crapette_p2p.session.config import SessionConfig
from crapette_p2p.session.effects import Effect, Emit, Persist, PersistSecret, Send
from crapette_p2p.session.notices import CardsToCompare, TermsProposed
from crapette_p2p.session.session import Session
from tests.helpers.keys import real_key, verify
from tests.vectors.making.picking import Picker
from tests.vectors.making.plans import PLANS, Plan, answer_meanwhile
from tests.vectors.making.writing import GENERATOR, VECTORS, Json

GAMES: Final = VECTORS / "games"
CERT_DIGEST: Final = hashlib.sha256(b"no certificate").digest()
NICKS: Final = ("Ala", "Olek")
DIALLER: Final = 1
UNIX_TIME: Final = 1_800_000_000


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
    seeds: dict[int, bytes] = field(default_factory=dict)
    """What it keeps beside its log, by deck."""
    todo: list[Confirm | AcceptTerms] = field(default_factory=list)
    state: str = "TLS"

    def rand(self, size: int) -> bytes:
        """Entropy for the session, written down."""
        self.drawn.append(self.entropy.bytes(size))
        return self.drawn[-1]


class Recording:
    """Two sides, the frames between them in the order they were sent."""

    def __init__(self, name: str, plan: Plan) -> None:
        self.plan = plan
        label = f"{plan.label} {name}"
        self.name = name
        self.picker = Picker(f"{label} choices")
        self.frames: list[tuple[int, bytes]] = []
        self._arrived = 0
        self.steps: set[tuple[str, str]] = set()
        """The changes of session states that were seen."""
        terms = Terms(preset=plan.preset, rules=plan.rules, candidates=plan.k)
        self.sides = tuple(self._side(role, label, terms) for role in (0, 1))

    def _side(self, role: int, label: str, terms: Terms) -> Side:
        secret = hashlib.sha256(f"recorded player {role}".encode()).digest()
        side = Side(role, secret, Picker(f"{label} entropy {role}"))
        side.session = Session(self.config(side, terms if role == 0 else None))
        return side

    def config(self, side: Side, terms: Terms | None) -> SessionConfig:
        """What a session of this player is made of."""
        who = real_key(side.secret)
        return SessionConfig(
            idpub=who.public,
            nick=NICKS[side.role],
            sign=who.sign,
            verify=verify,
            rand=side.rand,
            wall=lambda: UNIX_TIME,
            terms=terms,
            min_candidates=2,
        )

    def run(self) -> None:
        """From HELLO to the BYE after RESULT."""
        self.connect(DIALLER, CERT_DIGEST)
        self.play_on()

    def connect(self, dialler: int, cert_digest: bytes) -> None:
        """A link is up; carry what the two say by themselves."""
        for side in (self.sides[1 - dialler], self.sides[dialler]):
            dials = side.role == dialler
            self._carry(side, side.session.connected(0.0, cert_digest, dials))
        self._settle()

    def play_on(self) -> None:
        """From here to the BYE after RESULT."""
        while (act := self._next()) is not None:
            self.act(act, *self._meanwhile(*act))
            self._settle()
        leaving = self.sides[0]
        self._carry(leaving, leaving.session.command(0.0, Leave(502)))
        self._settle()

    def act(self, *acts: tuple[int, Action]) -> None:
        """Let players act, without carrying anything between them."""
        for seat, action in acts:
            side = self.sides[seat]
            self._carry(side, side.session.command(0.0, Act(action)))

    def _next(self) -> tuple[int, Action] | None:
        game = self.sides[0].session.game
        assert game is not None
        position = game.position
        assert position is not None
        if game.final_end is not None:
            return None
        return self.plan.choose(position, self.picker, game.length)

    def _meanwhile(self, seat: int, action: Action) -> list[tuple[int, Action]]:
        """What the other player does before he sees it, in games with collisions."""
        game = self.sides[0].session.game
        assert game is not None
        assert game.position is not None
        if not self.plan.collides:
            return []
        return answer_meanwhile(game.position, seat, action, game.length)

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
                case Persist(_, RecordKind.NOTE, _):
                    pass  # a remark of our own program
                case Persist(_, kind, body):
                    side.log += encode_record(kind, body)
                case PersistSecret(_, deck, seeds):
                    side.seeds[deck] = b"".join(seeds)
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


def framed(parts: list[bytes]) -> bytes:
    """Parts as a file: the length of each before it."""
    return b"".join(len(part).to_bytes(4, "big") + part for part in parts)


def _moves(log: GameLog, states: list[GameState]) -> list[list[object]]:
    """Every event: its author, type, action in words, and the piles it names."""
    pairs = zip(log.entries, states, strict=False)
    return [_move(entry.signed.event, state) for entry, state in pairs]


def _move(event: Event, state: GameState) -> list[object]:
    action = body_to_action(event.type, event.body)
    text = None
    if action is not None:
        text = format_action(action, state.position, seat=event.author)
    names = event.type in (EventType.MOVE, EventType.STOP)
    piles = list(event.body) if names else None
    return [SEAT_NAMES[event.author], EventType(event.type).name, text, piles]


def _lost(log: GameLog, states: list[GameState]) -> list[list[object]]:
    """The events that lost a collision, their number first."""
    events = [signed.event for signed in log.voids]
    return [[event.seq, *_move(event, states[event.seq])] for event in events]


def index_of(
    recording: Recording, log: GameLog, states: list[GameState], head: Json
) -> Json:
    """The index of a recording; ``head`` says what its links were."""
    end = states[-1].final_end
    assert end is not None
    return {
        "schema": head.pop("schema"),
        "spec": "spec/60-session.md",
        "generator": GENERATOR,
        "preset": recording.plan.preset,
        "terms": {
            "rules": rules_to_json(recording.plan.rules),
            "candidates": recording.plan.k,
            "assist": log.genesis.assist,
            "match": [1, log.genesis.match.target, 0, 0, None],
            "unix_time": UNIX_TIME,
        },
        "game_id": log.game_id.hex(),
        **head,
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
        "result": [
            None if end.winner is None else SEAT_NAMES[Seat(end.winner)],
            end.reason.name.lower(),
            end.points,
        ],
        "events": _moves(log, states),
        "lost": _lost(log, states),
        "states": [state_hash(state).hex() for state in states],
    }


def record(name: str) -> Recording:
    """The whole game of a plan."""
    recording = Recording(name, PLANS[name])
    recording.run()
    return recording


def files_of(name: str) -> Iterator[tuple[Path, bytes]]:
    """The four files of a recorded game."""
    recording = record(name)
    log = recording.sides[0].session.log
    assert log is not None
    states = states_of(log)
    head = {
        "schema": "game.json",
        "dialler": DIALLER,
        "cert_digest": CERT_DIGEST.hex(),
        "frames": len(recording.frames),
    }
    index = index_of(recording, log, states, head)
    yield GAMES / f"{name}.json", index_text(index)
    yield GAMES / f"{name}.frames", wire_of(recording.frames)
    yield GAMES / f"{name}.crlog", bytes(recording.sides[0].log)
    encoded = [encode_state(state) for state in states]
    yield GAMES / f"{name}.states", framed(encoded)


def wire_of(frames: list[tuple[int, bytes]]) -> bytes:
    """Frames as a file: the role of the sender before each."""
    return b"".join(bytes([sender]) + data for sender, data in frames)


def index_text(index: Json) -> bytes:
    """An index as a file: one line for each event, state and player."""
    lists = {"links", "players", "events", "lost", "states"}
    lines = [
        f"  {json.dumps(k)}: " + (_listed(v) if k in lists else json.dumps(v))
        for k, v in index.items()
    ]
    return ("{\n" + ",\n".join(lines) + "\n}\n").encode()


def _listed(values: list[object]) -> str:
    if not values:
        return "[]"
    rows = ",\n".join("    " + json.dumps(value) for value in values)
    return "[\n" + rows + "\n  ]"


def files() -> Iterator[tuple[Path, bytes]]:
    """The files of all recorded games."""
    for name in PLANS:
        yield from files_of(name)
