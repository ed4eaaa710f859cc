"""What a table knows of the people it meets, and what it notes of them.

A list of known peers that cannot be read or written is no reason to stop a game:
it is complained of, and nobody counts as known.
"""

from __future__ import annotations

from collections.abc import Callable

from crapette_p2p.net.failures import Failure, StorageError
from crapette_p2p.net.peers import HOW_VERIFIED, KnownPeer
from crapette_p2p.net.player import Player
from crapette_p2p.session.notices import PeerKnown


class Acquaintances:
    """One player's known peers, as a table asks for them."""

    def __init__(self, player: Player, complain: Callable[[Failure], None]) -> None:
        self._player = player
        self._complain = complain

    def how_known(self, key: bytes) -> str | None:
        """How a remembered key was verified; None for a stranger."""
        known = self._asked(lambda: self._player.peers.get(key))
        return known.verified if known is not None else None

    def is_namesake(self, nick: str, key: bytes) -> bool:
        """Whether this nick is remembered with another key than this one."""
        return self._asked(lambda: self._player.peers.namesake(nick, key)) is not None

    def meet(self, notice: PeerKnown, address: str, *, again: bool = False) -> None:
        """Note a meeting with somebody we know, or were told to remember.

        ``again``: the same table is linked anew, which says nothing about that.
        """
        peer, now, book = notice.peer, self._player.wall(), self._player.peers
        met = KnownPeer(
            key=peer.idpub,
            petname=peer.nick,
            nick=peer.nick,
            # A pinned fingerprint came by another way, as an invite does.
            verified=peer.verified if peer.verified in HOW_VERIFIED else "invite",
            first_seen=now,
            last_seen=now,
            addresses=(address,) if address else (),
        )
        try:
            # A first contact is never stored without a word.
            told = notice.remember and not again
            if told or book.get(peer.idpub) is not None:
                book.remember(met)
        except StorageError as error:
            self._complain(error.failure)

    def _asked(self, ask: Callable[[], KnownPeer | None]) -> KnownPeer | None:
        try:
            return ask()
        except StorageError as error:
            self._complain(error.failure)
            return None
