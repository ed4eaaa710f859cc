"""Who sits at this keyboard: key, name, and where everything is kept."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from crapette_p2p.errors import NotationError
from crapette_p2p.gamelog.nicks import is_valid_nick
from crapette_p2p.net import sources
from crapette_p2p.net.files import REAL_DISK, Disk
from crapette_p2p.net.identity import Identity, load_or_create_identity
from crapette_p2p.net.kept import KeptGame, KeptGames
from crapette_p2p.net.paths import Paths
from crapette_p2p.net.peers import PeerBook
from crapette_p2p.net.store import GameStore


@dataclass(frozen=True, slots=True, kw_only=True)
class Player:
    """One person on this computer."""

    identity: Identity
    """The key."""
    nick: str
    """The name shown to others; see ``gamelog.nicks``."""
    peers: PeerBook
    """Whom the person knows."""
    store: GameStore
    """The person's games."""
    resume: Path
    """Directory of what interrupted games need to find each other again."""
    rand: Callable[[int], bytes]
    """Entropy for nonces, seeds and tokens."""
    wall: Callable[[], int]
    """Unix time."""

    def __post_init__(self) -> None:
        """Refuse a name that no peer would accept, before anybody is called."""
        if not is_valid_nick(self.nick):
            message = "name: {token!r} is no name for a table"
            raise NotationError(message, field="name", token=self.nick)

    def again_in(self, game: KeptGame) -> Player:
        """The same person, under the name that stands in a game of theirs."""
        return self if game.own_nick is None else replace(self, nick=game.own_nick)

    @property
    def kept(self) -> KeptGames:
        """The person's games, to be read."""
        return KeptGames(self.store, self.identity)


def player_at(
    paths: Paths,
    nick: str,
    *,
    identity: Identity | None = None,
    disk: Disk = REAL_DISK,
) -> Player:
    """The player whose files lie at ``paths``; the key is made on first use."""
    return Player(
        identity=identity or load_or_create_identity(paths.identity_key, disk),
        nick=nick,
        peers=PeerBook(paths.peers_file, disk),
        store=GameStore(paths.games, paths.secrets, disk),
        resume=paths.resume,
        rand=sources.entropy(),
        wall=sources.clock(),
    )
