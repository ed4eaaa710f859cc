"""What an interrupted game needs to find its other half again.

One small JSON file a game in the state directory: which end dialled, and where.
IP addresses have no place in a log that may be shown around, so they are here. A
hint that is lost or damaged costs nothing but typing the address again.
"""

from __future__ import annotations

import contextlib
import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from crapette_p2p.gamelog.game import GameState
from crapette_p2p.net.address import (
    LAST_PORT,
    Address,
    AddressError,
    parse_address,
)
from crapette_p2p.net.failures import StorageError
from crapette_p2p.net.files import read_small, replace_file
from crapette_p2p.net.matches import has_next_deal

_DAMAGED: Final = (ValueError, TypeError, KeyError, OverflowError, RecursionError)


@dataclass(frozen=True, slots=True, kw_only=True)
class Hint:
    """How the last link of a game was made."""

    hosted: bool
    """Whether this end listened."""
    port: int
    """Where this end listened, 0 if it dialled."""
    binds: tuple[str, ...] = ()
    """The addresses listened on; empty for all."""
    public: bool = False
    """Whether the door was open to the internet."""
    addresses: tuple[str, ...] = ()
    """Where the peer was dialled, best first."""

    def places(self) -> tuple[Address, ...]:
        """``addresses`` as addresses; what is none is left out."""
        found = []
        for text in self.addresses:
            with contextlib.suppress(AddressError):
                found.append(parse_address(text))
        return tuple(found)


class Hints:
    """The directory of hints."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory

    def save(self, game_id: bytes, hint: Hint) -> None:
        """Keep a hint; a full disk is not worth a word here."""
        with contextlib.suppress(StorageError):
            replace_file(self._path(game_id), json.dumps(asdict(hint)).encode())

    def load(self, game_id: bytes) -> Hint | None:
        """The hint of a game, if there is a good one."""
        try:
            fields = json.loads(read_small(self._path(game_id)) or b"null")
            port = int(fields["port"])
            if not 0 <= port <= LAST_PORT:
                return None
            return Hint(
                hosted=bool(fields["hosted"]),
                port=port,
                binds=tuple(map(str, fields["binds"])),
                public=bool(fields["public"]),
                addresses=tuple(map(str, fields["addresses"])),
            )
        except (StorageError, *_DAMAGED):
            return None

    def follow(self, game: GameState, hint: Hint | None) -> None:
        """Keep a hint for as long as the match goes on, with its newest deal."""
        if game.genesis.match.previous is not None:
            self.drop(game.genesis.match.previous)
        if game.done and not has_next_deal(game):
            self.drop(game.game_id)
        elif hint is not None:
            self.save(game.game_id, hint)

    def drop(self, game_id: bytes) -> None:
        """Forget the hint of a game that is over."""
        with contextlib.suppress(OSError):
            self._path(game_id).unlink(missing_ok=True)

    def _path(self, game_id: bytes) -> Path:
        return self._directory / f"{game_id[:8].hex()}.json"
