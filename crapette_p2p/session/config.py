"""What a session is constructed with: identity, policies and the game at hand.

Everything impure is injected here: signing, verifying, entropy, the wall clock,
and questions to the owner's books (known peers, kept games).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from crapette_p2p.session.commands import Terms
from crapette_p2p.session.opengame import OpenGame

Sign = Callable[[bytes], bytes]
"""Ed25519 signature of a message by the own key."""
Verify = Callable[[bytes, bytes, bytes], bool]
"""(public key, signature, message) -> whether it is good; never raises."""


def _nobody(_idpub: bytes) -> str | None:
    return None


def _no_namesake(_nick: str, _idpub: bytes) -> bool:
    return False


def _everybody(_idpub: bytes) -> int | None:
    return None


def _no_game(_game_id: bytes, _peer: bytes) -> OpenGame | None:
    return None


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionConfig:
    """One side of one link."""

    idpub: bytes
    """Own identity key, 32 bytes."""
    nick: str
    """Own nick; has to pass ``text.nick_problem``."""
    sign: Sign
    """Signs with the own key."""
    verify: Verify
    """Verifies anybody's signature."""
    rand: Callable[[int], bytes]
    """That many bytes of entropy."""
    wall: Callable[[], int]
    """Unix time; a comment in the genesis, nothing depends on it."""

    expected: bytes | None = None
    """The only peer wanted: a fingerprint (10 bytes) or a key (32 bytes)."""
    token: bytes | None = None
    """Dialler: the token of the invite that was used to dial."""
    invite: bytes | None = None
    """Listener: the token that opens the table now, if there is one."""
    invite_given: bool = False
    """Listener: an invite was given out, so a pass that does not fit is 207."""
    invite_only: bool = False
    """Listener: nobody sits down without the invite."""
    known: Callable[[bytes], str | None] = _nobody
    """How a remembered key was verified (none, sas, invite), None = stranger."""
    namesake: Callable[[str, bytes], bool] = _no_namesake
    """Whether this nick is remembered with another key than this one."""
    admit: Callable[[bytes], int | None] = _everybody
    """Listener: asked once a key is proven; a code (205 …) sends it away."""

    terms: Terms | None = None
    """What role 0 proposes by itself in the lobby; None waits for a command."""
    min_candidates: int = 16
    """Role 1 refuses a smaller K with 301."""
    game: OpenGame | None = None
    """The game to go on with."""
    previous: OpenGame | None = None
    """The finished game before, for the next deal of its match."""
    lookup: Callable[[bytes, bytes], OpenGame | None] = _no_game
    """Finds a kept game (open, finished, accepted, failed) by its id and the key of
    its other player; it touches nothing of a game that is another's."""
