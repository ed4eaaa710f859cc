"""Players of session tests: a key, a disk in memory, and a person who answers."""

from __future__ import annotations

import contextlib
import random
from collections.abc import Callable
from dataclasses import dataclass, field

from crapette_p2p.errors import LogError
from crapette_p2p.session.commands import AcceptTerms, Command, Confirm
from crapette_p2p.session.config import SessionConfig
from crapette_p2p.session.effects import Effect
from crapette_p2p.session.messages import Message
from crapette_p2p.session.notices import CardsToCompare, Notice, TermsProposed
from crapette_p2p.session.opengame import OpenGame, load_game
from crapette_p2p.session.session import Session
from tests.helpers.disk import Disk
from tests.helpers.keys import Key, key_of


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
    loses_power: bool = False
    """Whether it is the machine that crashes, and not the program alone."""
    reorder: Callable[[list[Effect]], list[Effect]] = list
    """What a mutant does to the order of effects."""
    closed: int | None = None
    answers: list[Command] = field(default_factory=list)

    @property
    def live(self) -> Session:
        """The session that has to be there."""
        assert self.session is not None
        return self.session

    def find(self, game_id: bytes) -> OpenGame | None:
        """A game in memory or on the disk; raises LogError where it is damaged."""
        if game_id not in self.games and game_id in self.disk.logs:
            self.games[game_id] = load_game(
                self.disk.take_up(game_id),
                idpub=self.key.public,
                sign=self.key.sign,
                secrets=self.disk.secrets_of(game_id),
            )
        return self.games.get(game_id)

    def lookup(self, game_id: bytes, peer_key: bytes) -> OpenGame | None:
        """What a session is told: a game of ours with that peer, if it is whole."""
        with contextlib.suppress(LogError):
            game = self.find(game_id)
            if game is not None and game.peer_key == peer_key:
                return game
        return None

    def kept(self) -> list[OpenGame]:
        """All games, the newest last."""
        found = [self.find(game_id) for game_id in self.disk.logs]
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
        """Lose everything but the disk, and not all of that without power."""
        if self.loses_power:
            self.disk.lose_power()
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
