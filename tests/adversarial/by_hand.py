"""A cheat whose every event and ACK is made by hand, from START on.

His own machinery would refuse to sign what is unlawful, so after the login it is
left behind: it hears nothing more. ``ByHand`` makes each event from what the
victim's log says, with secrets of the test's choice (honest, or ``Rigged``), and
countersigns whatever the victim does.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable
from dataclasses import dataclass, field

from crapette_p2p.engine.actions import RESIGN, Action
from crapette_p2p.fairdeal.layer import Layer, context, root_of
from crapette_p2p.gamelog.bodies import Body
from crapette_p2p.gamelog.events import EventType, action_to_body
from crapette_p2p.gamelog.secrets import Secrets, owed_body
from crapette_p2p.gamelog.state import GameState, owes, state_hash
from crapette_p2p.session import messages as wire
from crapette_p2p.session.commands import Act
from crapette_p2p.session.notices import GameStarted
from tests.adversarial.hostile import Hostile
from tests.adversarial.stages import hostile_pair

_SLOT_TAG = b"crapette/1/slot\0"
Change = Callable[[bytes], bytes]
"""What a rigged layer makes of an honest permutation."""


class Rigged(Secrets):
    """Honest seeds; the layer of one candidate of one deck holds what we like."""

    __slots__ = ("_change", "_place")

    def __init__(
        self, honest: Secrets, *, deck: int, candidate: int, change: Change
    ) -> None:
        super().__init__(honest.seeds0, honest.seeds1)
        self._place = deck, candidate
        self._change = change

    def layer(self, game_id: bytes, seat: int, deck: int, candidate: int) -> Layer:
        """The honest layer, or the rigged one, committed to as if it were one."""
        honest = super().layer(game_id, seat, deck, candidate)
        if (deck, candidate) != self._place:
            return honest
        ctx = context(game_id, seat, deck, candidate)
        perm = self._change(honest.perm)
        slots = b"".join(
            hashlib.sha256(_SLOT_TAG + ctx + bytes([i, value]) + salt).digest()
            for i, (value, salt) in enumerate(zip(perm, honest.salts, strict=True))
        )
        return Layer(perm, honest.salts, slots, root_of(ctx, slots))


def honest_secrets(seed: int = 77, k: int = 2) -> Secrets:
    """The same secrets for the same seed."""
    return Secrets.fresh(random.Random(seed).randbytes, k)  # noqa: S311 - repeatable


@dataclass
class ByHand(Hostile):
    """The cheat, from a started game on."""

    secrets: Secrets = field(default_factory=honest_secrets)
    rng: random.Random = field(default_factory=lambda: random.Random(5))  # noqa: S311 - repeatable

    def owed(self) -> tuple[EventType, Body]:
        """What the cheat owes, as honestly as his secrets allow."""
        made = owed_body(self.state, self.secrets, self.seat, self.rng.randbytes)
        assert made is not None, "he owes nothing"
        return made

    def owes(self, kind: EventType) -> bool:
        """Whether the cheat owes an event of that type."""
        owed = owes(self.state)
        return owed is not None and (owed.author, owed.type) == (self.seat, kind)

    def acknowledge(self) -> bool:
        """Countersign the victim's event if one waits."""
        game = self.session.open_game
        assert game is not None
        if game.mine is None:
            return False
        message = wire.EventMessage(game.mine.data, game.mine.sig)
        self.say(self.ack(message, state_hash(game.mine_after)))
        return True

    def settle(self, until: Callable[[GameState], bool] = lambda _: False) -> None:
        """Do what is owed on both sides, until something holds or nobody owes."""
        while self.honest.closed is None and not until(self.state):
            if self.acknowledge():
                continue
            owed = owes(self.state)
            if owed is None or owed.author != self.seat or owed.type is None:
                break
            made = owed_body(self.state, self.secrets, self.seat, self.rng.randbytes)
            if made is None:
                break
            self.say(self.event(*made))
        self.notice_now()

    def settle_until_owing(self, kind: EventType) -> tuple[EventType, Body]:
        """Until the cheat owes an event of that type; the event."""
        self.settle(lambda _: self.owes(kind) and not self._waits())
        return self.owed()

    def _waits(self) -> bool:
        game = self.session.open_game
        return game is not None and game.mine is not None

    def play(self, seat: int, action: Action) -> None:
        """An action of either player, and whatever it makes due."""
        if seat == self.seat:
            self.say(self.event(*action_to_body(action)))
        else:
            self.pair.command(self.victim, Act(action))
        self.settle()

    def resign(self, seat: int) -> None:
        """One of the two gives up; nothing that becomes due is answered yet."""
        if seat == self.seat:
            self.say(self.event(*action_to_body(RESIGN)))
        else:
            self.pair.command(self.victim, Act(RESIGN))
        self.notice_now()


def started(
    preset: str = "russian-bank",
    *,
    victim: int = 0,
    secrets: Secrets | None = None,
    seed: int = 1,
    k: int = 2,
) -> ByHand:
    """A game that has just begun; no event of the cheat has arrived."""
    hostile = hostile_pair(preset, victim=victim, seed=seed, k=k)
    pair = hostile.pair
    pair.split = "bytes"
    pair.join()
    pair.step_until(lambda: bool(hostile.honest.of(GameStarted)))
    pair.held[1 - victim] = True
    pair.wire_clear(victim)
    pair.split = "whole"
    return ByHand(pair, victim, secrets=secrets or honest_secrets(k=k))


def dealt(
    preset: str = "russian-bank",
    *,
    victim: int = 0,
    secrets: Secrets | None = None,
    seed: int = 1,
) -> ByHand:
    """A game whose cards lie on the table."""
    cheat = started(preset, victim=victim, secrets=secrets, seed=seed)
    cheat.settle(lambda state: state.position is not None)
    return cheat


def rigged(
    change: Change, *, deck: int, victim: int = 0, kept: bool = True, seed: int = 1
) -> ByHand:
    """A cheat who has one rigged candidate: the one he keeps, or the one he shows."""
    probe = started(victim=victim, seed=seed)
    probe.settle_until_owing(EventType.REVEAL)
    keeps = probe.state.deal.kept(probe.seat, deck)
    candidate = keeps if kept else 1 - keeps
    secrets = Rigged(honest_secrets(), deck=deck, candidate=candidate, change=change)
    return started(victim=victim, seed=seed, secrets=secrets)
