"""Two sessions and a fake wire that can split, hold back, cut and close.

A ``Player`` has a key, a disk in memory and, while a link stands, a session.
``Pair`` carries out effects in order, as the shell does, carries bytes between
the two, and lets time pass. A player can crash before any effect: what was not
written is gone, and the next session is made from the disk.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

from crapette_p2p.engine.ruleset import PRESETS
from crapette_p2p.errors import IllegalMove, LocalProtocolError
from crapette_p2p.session.commands import Command, Terms
from crapette_p2p.session.effects import (
    Close,
    DropSecrets,
    Effect,
    Emit,
    Persist,
    PersistSecret,
    Send,
)
from crapette_p2p.session.framing import frame
from crapette_p2p.session.messages import Message, decode_message, encode_message
from crapette_p2p.session.session import Session
from tests.helpers.disk import Crashed, Disk
from tests.helpers.players import Player, agreeable, make_player

__all__ = ["CERT", "Crashed", "Disk", "Pair", "Player", "Wire", "agreeable"]
__all__ += ["make_player", "play_pair", "terms"]

CERT = bytes(range(32))
"""Stands for the digest of the listener's certificate."""


@dataclass
class Wire:
    """One link: two directions, each with its bytes in flight."""

    dialler: int
    flight: tuple[bytearray, bytearray] = field(
        default_factory=lambda: (bytearray(), bytearray())
    )
    """Bytes on their way *to* each player."""
    closed: list[bool] = field(default_factory=lambda: [False, False])
    """Who has closed his end."""
    ended: list[bool] = field(default_factory=lambda: [False, False])
    """Who was told that the other has closed."""


class Pair:
    """Two players, at most one link between them."""

    def __init__(
        self,
        left: Player | None = None,
        right: Player | None = None,
        *,
        seed: int = 0,
        split: str = "whole",
    ) -> None:
        self.rng = random.Random(seed)  # noqa: S311 - a repeatable wire
        self.players = (left or make_player("Ala"), right or make_player("Olek"))
        self.split = split
        """How bytes arrive: whole, bytes, random, mostly (whole, now and then not)."""
        self.now = 1000.0
        self.wire: Wire | None = None
        self.held = [False, False]
        """Whether bytes to that player are held back."""

    # The link -----------------------------------------------------------------

    def connect(self, *, dialler: int = 1) -> None:
        """A new link with new sessions, as far as it goes by itself."""
        self.join(dialler=dialler)
        self.pump()

    def join(self, *, dialler: int = 1) -> None:
        """A new link; nothing is carried yet."""
        self.cut()
        self.wire = Wire(dialler)
        for side in (dialler, 1 - dialler):
            player = self.players[side]
            player.closed = None
            player.answers.clear()
            player.session = Session(player.config())
            dials = side == dialler
            self._call(side, partial(self._connected, dials=dials))

    def _connected(self, session: Session, *, dials: bool) -> list[Effect]:
        return session.connected(self.now, CERT, dials)

    def cut(self) -> None:
        """The link is gone without a word; what was in flight is lost."""
        wire, self.wire = self.wire, None
        if wire is None:
            return
        for side, player in enumerate(self.players):
            if player.session is not None and player.closed is None:
                self._call(side, lambda session: session.eof(self.now))
            player.session = None

    def inject(self, to: int, message: Message | bytes) -> None:
        """Put a frame on its way to a player, as if the other had sent it."""
        assert self.wire is not None
        payload = message if isinstance(message, bytes) else encode_message(message)
        self.wire.flight[to].extend(frame(payload))

    def inject_raw(self, to: int, data: bytes) -> None:
        """Put bytes on their way to a player."""
        assert self.wire is not None
        self.wire.flight[to].extend(data)

    def wire_clear(self, to: int) -> None:
        """Lose what is on its way to a player."""
        assert self.wire is not None
        self.wire.flight[to].clear()

    # Carrying -----------------------------------------------------------------

    def pump(self, limit: int = 1_000_000) -> None:
        """Carry bytes and answers until nothing moves."""
        for _ in range(limit):
            if not self.step():
                self._rest()
                return
        raise AssertionError("the two never come to rest")

    def _rest(self) -> None:
        """What nothing depends on is synced soon, too (net/pump.py)."""
        for side, player in enumerate(self.players):
            try:
                player.disk.settle()
            except Crashed:
                self._crash(side)

    def step_until(self, done: Callable[[], bool], limit: int = 10_000) -> None:
        """Carry pieces one by one until something holds."""
        for _ in range(limit):
            if done():
                return
            if not self.step():
                break
        assert done(), "it never comes to that"

    def step(self) -> bool:
        """One answer or one piece of bytes; False if nothing moved."""
        sides = [0, 1]
        self.rng.shuffle(sides)
        return any(self._answer(side) for side in sides) or any(
            self.deliver(side) for side in sides
        )

    def _answer(self, side: int) -> bool:
        player = self.players[side]
        if player.session is None or player.closed is not None or not player.answers:
            return False
        self.command(side, player.answers.pop(0))
        return True

    def deliver(self, side: int, size: int | None = None) -> bool:
        """Carry a piece of what is on its way to a player."""
        wire, player = self.wire, self.players[side]
        if wire is None or self.held[side] or player.session is None:
            return False
        flight = wire.flight[side]
        if player.closed is not None:
            flight.clear()
            return False
        if flight:
            size = size or self._piece(len(flight))
            chunk = bytes(flight[:size])
            del flight[:size]
            self._call(side, lambda session: session.receive(self.now, chunk))
            return True
        if wire.closed[1 - side] and not wire.ended[side]:
            wire.ended[side] = True
            self._call(side, lambda session: session.eof(self.now))
            return True
        return False

    def _piece(self, available: int) -> int:
        match self.split:
            case "bytes":
                return 1
            case "random":
                return self.rng.randint(
                    1, min(available, self.rng.choice((3, 40, 900)))
                )
            case "mostly" if self.rng.random() < 0.25:
                return self.rng.randint(
                    1, min(available, self.rng.choice((3, 40, 900)))
                )
            case _:
                return available

    def command(self, side: int, command: Command) -> None:
        """What the person of a side does; raises what the session raises."""
        self._call(side, lambda session: session.command(self.now, command))

    def attempt(self, side: int, command: Command) -> bool:
        """Like ``command``, but False where the session refuses it."""
        try:
            self.command(side, command)
        except (LocalProtocolError, IllegalMove):
            return False
        return True

    def _call(self, side: int, call: Callable[[Session], list[Effect]]) -> None:
        player = self.players[side]
        effects = call(player.live)
        game = player.live.open_game
        if game is not None:
            player.games[game.game_id] = game
        try:
            for effect in player.reorder(effects):
                self._carry_out(side, effect)
        except Crashed:
            self._crash(side)

    def _crash(self, side: int) -> None:
        self.players[side].crash()
        wire, self.wire = self.wire, None
        if wire is not None and self.players[1 - side].session is not None:
            self._hang_up(1 - side)

    def _hang_up(self, side: int) -> None:
        player = self.players[side]
        if player.closed is None:
            self._call(side, lambda session: session.eof(self.now))
        player.session = None

    def _carry_out(self, side: int, effect: Effect) -> None:
        player = self.players[side]
        if isinstance(effect, Send | Persist | PersistSecret | DropSecrets):
            player.steps += 1
            if player.crash_before is not None and player.steps >= player.crash_before:
                raise Crashed
        player.trace.append(effect)
        if isinstance(effect, Send | Close):
            player.disk.settle()
        match effect:
            case Persist() | PersistSecret() | DropSecrets():
                player.disk.write(effect)
            case Send(data):
                player.sent.append(decode_message(data[4:]))
                if self.wire is not None and not self.wire.closed[side]:
                    self.wire.flight[1 - side].extend(data)
            case Emit(notice):
                player.notices.append(notice)
                answer = player.person(notice)
                if answer is not None:
                    player.answers.append(answer)
            case Close(code):
                player.closed = code
                if self.wire is not None:
                    self.wire.closed[side] = True

    # Time ---------------------------------------------------------------------

    def tick(self) -> None:
        """Tell both sessions what time it is."""
        for side, player in enumerate(self.players):
            if player.session is not None and player.closed is None:
                self._call(side, lambda session: session.tick(self.now))

    def wait(self, seconds: float) -> None:
        """Let time pass, ticking each session when it asks for it."""
        end = self.now + seconds
        while True:
            due = [
                deadline
                for player in self.players
                if player.session is not None and player.closed is None
                if (deadline := player.session.deadline()) is not None
            ]
            soonest = min(due, default=end)
            self.now = max(self.now, min(soonest, end))
            self.tick()
            self.pump()
            if soonest >= end:
                return


def terms(preset: str = "crapette", *, k: int = 2, target: int = 1) -> Terms:
    """Terms with few candidates, to be quick."""
    return Terms(preset=preset, rules=PRESETS[preset], candidates=k, target=target)


def play_pair(
    preset: str = "crapette", *, seed: int = 0, split: str = "whole", target: int = 1
) -> Pair:
    """Two players who have just been dealt a game."""
    pair = Pair(
        make_player("Ala", seed=seed),
        make_player("Olek", seed=seed),
        seed=seed,
        split=split,
    )
    pair.players[0].options["terms"] = terms(preset, target=target)
    pair.connect()
    return pair
