"""Whole signed games between two keys in memory, played by a random policy.

``play_game`` makes the log of one game record by record: COMMIT to RESULT, with
real Ed25519 signatures, both players' events and ACKs. ``FakeGame`` can also be
driven by hand, event by event, and made to lie.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import lru_cache

from crapette_p2p.engine import due_plays, legal_with_offences
from crapette_p2p.engine.actions import (
    ACCEPT_DRAW,
    DECLINE_DRAW,
    DISCARD,
    GRANT,
    OFFER_DRAW,
    RESIGN,
    Action,
    Move,
    Stop,
)
from crapette_p2p.engine.layout import PileId, Seat, other, reserve
from crapette_p2p.engine.position import Position
from crapette_p2p.engine.ruleset import PRESETS, RuleSet
from crapette_p2p.gamelog.bodies import Body
from crapette_p2p.gamelog.events import (
    Event,
    EventType,
    ack_message,
    action_to_body,
    event_message,
)
from crapette_p2p.gamelog.game import problem, start_game, step
from crapette_p2p.gamelog.genesis import Genesis, encode_genesis, genesis_message
from crapette_p2p.gamelog.log import Entry, GameLog, SignedEvent
from crapette_p2p.gamelog.records import MAGIC, RecordKind, encode_record
from crapette_p2p.gamelog.secrets import Secrets, owed_body
from crapette_p2p.gamelog.state import GameState, Phase, owes, state_hash
from tests.helpers.keys import Key, real_key
from tests.helpers.keys import verify as check_signature

RawRecord = tuple[RecordKind, tuple[object, ...]]


def identity(name: str) -> Key:
    """The same key for the same name, in every test."""
    return real_key(hashlib.sha256(b"test key " + name.encode()).digest())


@lru_cache(maxsize=32_768)
def verify(key: bytes, sig: bytes, message: bytes) -> bool:
    """Whether the signature is good; what the program injects, for tests.

    Answers are kept: tests judge the same good beginning thousands of times.
    """
    return check_signature(key, sig, message)


def make_genesis(
    rules: str | RuleSet = "crapette",
    *,
    k: int = 3,
    seed: int = 0,
    names: tuple[str, str] = ("Ala", "Olek"),
) -> Genesis:
    """A genesis of two well-known keys; ``seed`` makes another game of it."""
    preset = rules if isinstance(rules, str) else "house"
    return Genesis(
        preset=preset,
        rules=PRESETS[rules] if isinstance(rules, str) else rules,
        k=k,
        keys=(identity(names[0]).public, identity(names[1]).public),
        nicks=names,
        nonces=(_bytes("nonce 0", seed), _bytes("nonce 1", seed)),
        unix_time=1_796_000_000 + seed,
    )


def _bytes(label: str, seed: int) -> bytes:
    return hashlib.sha256(f"{label} {seed}".encode()).digest()


@dataclass
class FakeGame:
    """Two players, one log, everything final at once unless told otherwise."""

    genesis: Genesis
    seed: int = 0
    names: tuple[str, str] = ("Ala", "Olek")
    records: list[RawRecord] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.rng = random.Random(self.seed)  # noqa: S311 - a repeatable game
        self.players = tuple(identity(name) for name in self.names)
        data = encode_genesis(self.genesis)
        self.state: GameState = start_game(self.genesis)
        self.game_id = self.state.game_id
        message = genesis_message(self.game_id)
        sigs = (self.players[0].sign(message), self.players[1].sign(message))
        self.log = GameLog(data, sigs)
        self.record(RecordKind.GENESIS, data, *sigs)
        self.secrets = tuple(
            Secrets.fresh(self.rng.randbytes, self.genesis.k) for _ in (0, 1)
        )

    def record(self, kind: RecordKind, *body: object) -> None:
        """Write one record as it stands."""
        self.records.append((kind, body))

    def sign(
        self, author: int, kind: int, body: Body, **changes: object
    ) -> SignedEvent:
        """The next event of ``author``, signed; ``changes`` bend its fields."""
        event = Event(
            game_id=self.game_id,
            seq=self.log.length,
            author=Seat(author),
            prev=self.log.head,
            state=state_hash(self.state),
            type=kind,
            body=body,
        )
        event = replace(event, **changes)  # type: ignore[arg-type] # fields by name
        signed = SignedEvent.of(event, b"")
        sig = self.players[author].sign(event_message(signed.hash))
        return replace(signed, sig=sig)

    def ack(self, signed: SignedEvent, state_after: bytes) -> bytes:
        """The other's signature under an event."""
        seq = signed.event.seq
        message = ack_message(self.game_id, seq, signed.hash, state_after)
        return self.players[other(signed.event.author)].sign(message)

    def event(self, author: int, kind: int, body: Body) -> None:
        """Make an event final: signed, countersigned, recorded, applied."""
        self.final(self.sign(author, kind, body))

    def final(self, signed: SignedEvent, *, trusting: bool = False) -> None:
        """Record a signed event and its ACK and go on from there."""
        event = signed.event
        after = step(
            self.state, event.author, event.type, event.body, trusting=trusting
        )
        assert isinstance(after, GameState), f"refused with {after}"
        self.record(RecordKind.EVENT, signed.data, signed.sig)
        self.finish(signed, after)

    def finish(self, signed: SignedEvent, after: GameState) -> None:
        """Record the ACK of an event whose EVENT record stands already."""
        hash_ = state_hash(after)
        sig = self.ack(signed, hash_)
        self.record(RecordKind.ACK, signed.event.seq, signed.hash, hash_, sig)
        self.log.append(Entry(signed, hash_, sig))
        self.state = after

    def act(self, seat: int, action: Action) -> None:
        """Make an action of a player final."""
        self.event(seat, *action_to_body(action))

    def owed(self) -> tuple[Seat, EventType, Body] | None:
        """The event somebody owes and can make without choosing, or None."""
        due = owes(self.state)
        if due is None:
            return None
        made = owed_body(
            self.state, self.secrets[due.author], due.author, self.rng.randbytes
        )
        return None if made is None else (due.author, *made)

    def settle(self) -> None:
        """Make everything final that is owed without anybody's choice."""
        while (made := self.owed()) is not None:
            self.event(*made)

    def set_up(self) -> None:
        """Play the fixed sequence up to the first position."""
        while self.state.position is None:
            made = self.owed()
            assert made is not None
            self.event(*made)

    @property
    def data(self) -> bytes:
        """The bytes of the log file so far."""
        return file_of(self.records)


def file_of(records: list[RawRecord]) -> bytes:
    """A log file of these records."""
    return MAGIC + b"".join(encode_record(kind, body) for kind, body in records)


def play_game(
    rules: str | RuleSet = "crapette",
    *,
    seed: int = 0,
    k: int = 3,
    actions: int = 3000,
) -> FakeGame:
    """A whole game by a random policy, RESULT included.

    After ``actions`` actions the mover resigns, so that it always ends.
    """
    game = FakeGame(make_genesis(rules, k=k, seed=seed), seed=seed)
    for _ in turns(game, actions):
        pass
    return game


def turns(game: FakeGame, actions: int = 3000) -> Iterator[GameState]:
    """Play ``game`` to its RESULT; yields the state before every choice."""
    game.set_up()
    left = actions
    while game.state.phase != Phase.OVER:
        game.settle()
        if game.state.phase not in (Phase.PLAY, Phase.ENDING):
            continue
        yield game.state
        seat, action = choose(game, resign=left <= 0)
        game.act(seat, action)
        left -= 1


def choose(game: FakeGame, *, resign: bool = False) -> tuple[Seat, Action]:
    """A random lawful choice of whoever may make one; prefers getting on."""
    position = game.state.position
    assert position is not None
    rng = game.rng
    stop = _some_stop(game, position)
    if stop is not None:
        return stop
    end = position.end
    if end is not None:
        assert end.provisional_by is not None
        return other(end.provisional_by), GRANT
    if resign:
        return position.active, RESIGN
    if rng.random() < 0.03:
        talk = _some_talk(game)
        if talk is not None:
            return talk
    listed = legal_with_offences(position)
    clean = [action for action, offence in listed if offence is None]
    wrong = [action for action, offence in listed if offence is not None]
    some = wrong if wrong and (not clean or rng.random() < 0.08) else clean
    weights = [_weight(action) for action in some]
    return position.active, rng.choices(some, weights)[0]


def _weight(action: Action) -> float:
    """Moves that lead on are likelier than moves among columns."""
    if isinstance(action, Move):
        if action.target >= 8:
            return 12.0
        return 4.0 if action.source >= 16 else 0.7
    return 0.6 if action == DISCARD else 3.0


def _some_stop(game: FakeGame, position: Position) -> tuple[Seat, Action] | None:
    """A right call half of the time there is one, now and then a wrong one."""
    if position.callable is None:
        return None
    caller, chance = other(position.callable), game.rng.random()
    if position.offences and chance < 0.5:
        plays = due_plays(position.offences[0].before)
    elif chance > 0.97:
        plays = (Move(reserve(position.callable), PileId(8)),)
    else:
        return None
    if not plays:
        return None
    play = game.rng.choice(plays)
    stop = Stop(play.source, play.target)
    refused = problem(game.state, caller, *action_to_body(stop))
    return None if refused is not None else (caller, stop)


def _some_talk(game: FakeGame) -> tuple[Seat, Action] | None:
    position = game.state.position
    assert position is not None
    if position.offer is not None:
        yes = game.rng.random() < 0.1
        return other(position.offer), ACCEPT_DRAW if yes else DECLINE_DRAW
    seat = Seat(game.rng.randrange(2))
    if problem(game.state, seat, *action_to_body(OFFER_DRAW)) is None:
        return seat, OFFER_DRAW
    return None
