"""The games of one table: the open one, the one before, and any other asked for.

A session asks for a game by its id when the peer names one this side has not at
hand (protocol.md 12, P5): it may be open on the disk, finished, or accepted and
never started. What is found is locked and kept while it is at hand, so that every
link works on the same object. Only the game's own peer finds it: a log is looked at
before it is locked, and whoever asks for somebody else's leaves no trace. Nor can a
peer make us hold every game we ever played: few are kept that are not at hand, however
many deals one table sees.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Final

from crapette_p2p.engine.layout import other
from crapette_p2p.errors import LogError
from crapette_p2p.gamelog.genesis import Genesis
from crapette_p2p.net.failures import StorageError
from crapette_p2p.net.hints import Hint, Hints
from crapette_p2p.net.matches import has_next_deal
from crapette_p2p.net.player import Player
from crapette_p2p.net.recorder import Recorder
from crapette_p2p.session.opengame import OpenGame

_MAX_KEPT: Final = 4
"""Games that were played or asked for and are held beside the ones at hand."""


class Shelf:
    """What one table plays, has played and could go on with."""

    def __init__(
        self,
        player: Player,
        recorder: Recorder,
        hint: Callable[[], Hint | None] = lambda: None,
    ) -> None:
        self._player = player
        self._hint = hint
        self._recorder = recorder
        recorder.on_accepted = self._accepted
        self._found: dict[bytes, OpenGame] = {}
        self.open: OpenGame | None = None
        """The game to go on with."""
        self.previous: OpenGame | None = None
        """The finished game before."""
        self._agreed: bytes | None = None
        """The deal that we, role 1, have agreed to; START is missing."""

    def put(self, game: OpenGame) -> None:
        """Have ``game`` at hand, as the open one or the one before."""
        self._found[game.game_id] = game
        self._agreed = None if game.started else game.game_id
        if game.done:
            self.previous = game
            if self.open is not None and self.open.done:
                self.open = None
        elif game.started and game is not self.open:
            self.open = game
            with contextlib.suppress(StorageError):
                self._forget_others(game.peer_key, game.game_id)
            self._let_go_of_old()

    def lookup(self, game_id: bytes, peer_key: bytes) -> OpenGame | None:
        """The game of that id with that peer, from hand or from the disk."""
        game = self._found.get(game_id)
        if game is None:
            with contextlib.suppress(StorageError, LogError):
                game = self._load(game_id, peer_key)
        return game if game is not None and game.peer_key == peer_key else None

    def keep_evidence(self, game: OpenGame | None, code: int, data: bytes) -> None:
        """Write down what proves that the peer broke ``game``."""
        if game is None:
            return
        time, store = game.log.genesis.unix_time, self._recorder.store
        # The log's FAULT record proves as much, if this file cannot be written.
        with contextlib.suppress(StorageError):
            store.save_evidence(game.game_id, time, code=code, data=data)

    def _load(self, game_id: bytes, peer_key: bytes) -> OpenGame | None:
        store, kept = self._recorder.store, self._player.kept
        path = store.find(game_id)
        if path is None or kept.peer_of(path) != peer_key:
            return None
        if game_id == self._agreed:  # agreed to over a link that is gone
            self._recorder.release(game_id)
        game, log = kept.load(path)
        if game.game_id != game_id:
            log.close()
            return None
        self._recorder.adopt(game_id, log)
        self._found[game_id] = game
        self._let_go_of_old()
        return game

    def _let_go_of_old(self) -> None:
        """Close what was played or asked for long ago, and is no more at hand."""
        at_hand = (self.open, self.previous)
        past = [i for i, game in self._found.items() if game not in at_hand]
        for game_id in past[:-_MAX_KEPT]:
            del self._found[game_id]
            self._recorder.release(game_id)

    def _accepted(self, game_id: bytes, genesis: Genesis) -> None:
        """We, role 1, agreed to a deal: whatever was accepted before is void (P6).

        Else a peer who never starts what he proposes would fill the folder.
        """
        at_hand = {g.game_id for g in (self.open, self.previous) if g is not None}
        for held in self._recorder.held() - at_hand - {game_id}:
            self._found.pop(held, None)
            self._recorder.release(held)
        seat = genesis.seat_of(self._player.identity.public)
        if seat is not None:
            with contextlib.suppress(StorageError):
                self._forget_others(genesis.keys[other(seat)], game_id)
        self._agreed, hint = game_id, self._hint()
        if hint is not None:
            Hints(self._player.resume).save(game_id, hint)

    def _forget_others(self, peer_key: bytes, game_id: bytes) -> None:
        """Deals with a peer that were agreed on and never began: all but one go."""
        for forgotten in self._player.kept.forget_accepted(peer_key, but=game_id):
            Hints(self._player.resume).drop(forgotten)

    @property
    def goes_on(self) -> bool:
        """Whether a lost link leaves something to come back for."""
        if self.open is not None:
            return self.open.failed is None
        if self._agreed is not None:
            return True
        return self.previous is not None and has_next_deal(self.previous.state)
