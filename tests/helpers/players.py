"""Players of session tests: a key, a disk in memory, and a person who answers."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field

from crapette_p2p.gamelog.records import MAGIC, RecordKind, encode_record
from crapette_p2p.gamelog.secrets import Secrets
from crapette_p2p.session.commands import AcceptTerms, Command, Confirm
from crapette_p2p.session.config import SessionConfig
from crapette_p2p.session.effects import (
    DropSecrets,
    Effect,
    Persist,
    PersistSecret,
)
from crapette_p2p.session.messages import Message
from crapette_p2p.session.notices import CardsToCompare, Notice, TermsProposed
from crapette_p2p.session.opengame import OpenGame, load_game
from crapette_p2p.session.session import Session
from tests.helpers.keys import Key, key_of


class Disk:
    """The files of one player."""

    def __init__(self) -> None:
        self.logs: dict[bytes, bytes] = {}
        self.seeds: dict[tuple[bytes, int], bytes] = {}

    def write(self, effect: Persist | PersistSecret | DropSecrets) -> None:
        """Carry out what has to last."""
        match effect:
            case Persist(game_id, kind, body):
                known = game_id in self.logs
                assert known or kind == RecordKind.GENESIS, "a log begins with GENESIS"
                before = self.logs.get(game_id, MAGIC)
                self.logs[game_id] = before + encode_record(kind, body)
            case PersistSecret(game_id, deck, seeds):
                self.seeds[game_id, deck] = b"".join(seeds)
            case DropSecrets(game_id):
                for deck in (0, 1):
                    self.seeds.pop((game_id, deck), None)

    def secrets_of(self, game_id: bytes) -> Secrets | None:
        """The seeds of a game, if both decks' are there."""
        seeds = [self.seeds.get((game_id, deck)) for deck in (0, 1)]
        if seeds[0] is None or seeds[1] is None:
            return None
        return Secrets(seeds[0], seeds[1])

    def copy(self) -> Disk:
        """A backup."""
        other = Disk()
        other.logs, other.seeds = dict(self.logs), dict(self.seeds)
        return other


def agreeable(notice: Notice) -> Command | None:
    """A person who says yes to everything that is asked."""
    match notice:
        case CardsToCompare():
            return Confirm(same=True)
        case TermsProposed():
            return AcceptTerms()
        case _:
            return None


@dataclass
class Player:
    """One program with its person."""

    name: str
    key: Key
    rng: random.Random
    disk: Disk = field(default_factory=Disk)
    options: dict[str, object] = field(default_factory=dict)
    """Fields of the SessionConfig that differ from the usual."""
    person: Callable[[Notice], Command | None] = agreeable
    session: Session | None = None
    notices: list[Notice] = field(default_factory=list)
    sent: list[Message] = field(default_factory=list)
    """Every message this program has ever sent."""
    trace: list[Effect] = field(default_factory=list)
    games: dict[bytes, OpenGame] = field(default_factory=dict)
    """Games in memory; a crash forgets them."""
    steps: int = 0
    crash_before: int | None = None
    """Crash before that Persist or Send, counted by ``steps``."""
    reorder: Callable[[list[Effect]], list[Effect]] = list
    """What a mutant does to the order of effects."""
    closed: int | None = None
    answers: list[Command] = field(default_factory=list)

    @property
    def live(self) -> Session:
        """The session that has to be there."""
        assert self.session is not None
        return self.session

    def lookup(self, game_id: bytes, _peer: bytes = b"") -> OpenGame | None:
        """A game in memory or on the disk, whoever asks for it."""
        if game_id not in self.games and game_id in self.disk.logs:
            self.games[game_id] = load_game(
                self.disk.logs[game_id],
                idpub=self.key.public,
                sign=self.key.sign,
                secrets=self.disk.secrets_of(game_id),
            )
        return self.games.get(game_id)

    def kept(self) -> list[OpenGame]:
        """All games, the newest last."""
        found = [self.lookup(game_id) for game_id in self.disk.logs]
        return [game for game in found if game is not None]

    def config(self) -> SessionConfig:
        """What the next session is made of."""
        games = self.kept()
        fields: dict[str, object] = {
            "idpub": self.key.public,
            "nick": self.name,
            "sign": self.key.sign,
            "verify": self.key.verify,
            "rand": self.rng.randbytes,
            "wall": lambda: 1_796_000_000,
            "min_candidates": 2,
            "game": next((g for g in reversed(games) if g.is_open), None),
            "previous": next((g for g in reversed(games) if g.done), None),
            "lookup": self.lookup,
        }
        return SessionConfig(**(fields | self.options))  # type: ignore[arg-type] # fields by name

    def crash(self) -> None:
        """Lose everything but the disk."""
        self.session = None
        self.games.clear()
        self.answers.clear()
        self.crash_before = None

    def of(self, kind: type[Notice]) -> list[Notice]:
        """The notices of one kind so far."""
        return [n for n in self.notices if isinstance(n, kind)]


def make_player(name: str, *, key: Key | None = None, seed: int = 0) -> Player:
    """A player with a key of his own and nothing on his disk."""
    rng = random.Random(f"{name} {seed}")  # noqa: S311 - repeatable entropy
    return Player(name, key or key_of(name), rng)
