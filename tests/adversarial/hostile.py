"""A peer that keeps to the protocol up to any point and then does anything.

``Hostile`` is one link between an honest program (the *victim*) and a cheat. The
cheat runs the honest machinery too, on a key of his own, so that he gets as far
as a real modified client would; from there he says what he likes: bytes, frames,
messages, events he signs, ACKs (``say``, ``raw``, ``event``, ``ack``), or he lets
his own machinery run and changes what it sends on the way out (``bend``).

``require`` is the verdict of every case: the expected code, exactly one farewell
with it, nothing else from the moment the wrong thing arrived, a log that still
verifies, and, where the fault can be proven, evidence that convicts the cheat.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, replace

from crapette_p2p.engine.actions import Action
from crapette_p2p.engine.layout import Seat
from crapette_p2p.gamelog.bodies import Body
from crapette_p2p.gamelog.events import (
    Event,
    EventType,
    action_to_body,
    decode_event,
    encode_event,
    event_hash,
    event_message,
)
from crapette_p2p.gamelog.log import GameLog
from crapette_p2p.gamelog.state import GameState, state_hash
from crapette_p2p.session import messages as wire
from crapette_p2p.session.effects import Effect, Emit, Send
from crapette_p2p.session.framing import frame
from crapette_p2p.session.notices import ChatReceived
from crapette_p2p.session.session import Session
from tests.adversarial.verdicts import Conviction, tail_of, verdict_on
from tests.helpers.driving import drive, log_of, state_of
from tests.helpers.forging import forge_ack
from tests.helpers.keys import Key
from tests.helpers.pair import Pair, Player

SPLITS = ("whole", "bytes", "random")
"""How the wrong bytes arrive."""
Bend = Callable[[Event], Event | None]
"""What becomes of an event on its way out; None leaves it as it is."""


@dataclass
class Hostile:
    """One link; ``victim`` is the side of the honest player."""

    pair: Pair
    victim: int
    mark: int = 0
    """How many effects the victim had when the wrong thing was on its way."""
    before: int = 0
    """How long his log was then."""

    @property
    def honest(self) -> Player:
        """The victim."""
        return self.pair.players[self.victim]

    @property
    def cheat(self) -> Player:
        """The other one."""
        return self.pair.players[1 - self.victim]

    @property
    def session(self) -> Session:
        """The victim's session."""
        return self.honest.live

    @property
    def state(self) -> GameState:
        """The victim's game."""
        return state_of(self.honest)

    @property
    def log(self) -> GameLog:
        """The victim's log."""
        return log_of(self.honest)

    @property
    def seat(self) -> Seat:
        """The cheat's seat."""
        seat = self.honest.live.seat
        assert seat is not None
        return Seat(1 - seat)

    # What he says -------------------------------------------------------------

    def say(self, *messages: wire.Message | bytes) -> None:
        """Send frames (of messages, or with these payloads) to the victim."""
        payloads = (
            m if isinstance(m, bytes) else wire.encode_message(m) for m in messages
        )
        self.raw(b"".join(map(frame, payloads)))

    def raw(self, data: bytes) -> None:
        """Send bytes, cut as the pair cuts them."""
        self.notice_now()
        self.pair.inject_raw(self.victim, data)
        while self.pair.deliver(self.victim):
            pass

    def notice_now(self) -> None:
        """From here on nothing but the verdict may come of it."""
        self.mark = len(self.honest.trace)
        self.before = self.honest_length()

    def honest_length(self) -> int:
        """How long the victim's log is, 0 without one."""
        log = self.honest.session.log if self.honest.session else None
        return log.length if log is not None else 0

    def event(
        self, kind: int, body: Body = (), *, key: Key | None = None, **changes: object
    ) -> wire.EventMessage:
        """The cheat's next event on top of the victim's log, signed."""
        log, state = self.log, self.state
        event = Event(
            game_id=log.game_id,
            seq=log.length,
            author=self.seat,
            prev=log.head,
            state=state_hash(state),
            type=kind,
            body=body,
        )
        return self.sign(changed(event, **changes), key)

    def action(self, action: Action, **changes: object) -> wire.EventMessage:
        """The same with an action in it."""
        return self.event(*action_to_body(action), **changes)  # type: ignore[arg-type] # fields by name

    def ack(self, message: wire.EventMessage, state_after: bytes) -> wire.Ack:
        """The cheat's ACK of an event, naming any state."""
        return forge_ack(self.cheat, message, state_after)

    def bend(self, kind: EventType, how: Bend) -> None:
        """Change the cheat's next event of that type on its way out."""
        waiting = [how]

        def bent(effects: list[Effect]) -> list[Effect]:
            return [self._bent(effect, kind, waiting) for effect in effects]

        self.cheat.reorder = bent

    def _bent(self, effect: Effect, kind: EventType, waiting: list[Bend]) -> Effect:
        if not waiting or not isinstance(effect, Send):
            return effect
        message = wire.decode_message(effect.data[4:])
        if not isinstance(message, wire.EventMessage):
            return effect
        event = decode_event(message.event)
        changed = waiting[0](event) if event.type == kind else None
        if changed is None:
            return effect
        waiting.clear()
        self.before = event.seq
        return Send(frame(wire.encode_message(self.sign(changed))))

    def sign(self, event: Event, key: Key | None = None) -> wire.EventMessage:
        """Any event, signed by the cheat."""
        data = encode_event(event)
        sign = (key or self.cheat.key).sign
        return wire.EventMessage(data, sign(event_message(event_hash(data))))

    # What follows -------------------------------------------------------------

    def require(
        self, code: int, *, proven: bool = False, answers: bool = False
    ) -> Conviction | None:
        """The verdict on what was sent since ``notice_now``; see the module.

        ``answers``: it came as a flood, whose beginning was answered.
        """
        found = verdict_on(self.honest, code, proven=proven)
        tail = tail_of(self.honest)
        since = self.honest.trace[self.mark : -len(tail)] if self.mark else []
        assert all(answers and _is_answer(effect) for effect in since), since
        assert self.honest_length() == self.before, "the wrong event was applied"
        self._require_deaf()
        return found

    def _require_deaf(self) -> None:
        """Whatever else comes, a session that is over says nothing more."""
        done = len(self.honest.trace)
        effects = self.session.receive(self.pair.now, frame(b"\x92\x08\x01"))
        effects += self.session.tick(self.pair.now + 1000)
        effects += self.session.eof(self.pair.now + 1000)
        assert effects == []
        assert len(self.honest.trace) == done

    def require_unmoved(self) -> None:
        """What was sent had no effect at all on the game or the link."""
        assert self.honest.closed is None
        assert self.honest_length() == self.before
        assert not [e for e in self.honest.trace[self.mark :] if not _is_answer(e)]

    def require_goes_on(self) -> None:
        """The link stands and the game can be played."""
        length = self.state.length
        rng = random.Random(3)  # noqa: S311 - a repeatable game
        drive(self.pair, rng, until=lambda state: state.length > length + 5)


def _is_answer(effect: Effect) -> bool:
    """A PONG, a repeated ACK, a line of chat: nothing that changes anything."""
    if isinstance(effect, Emit):
        return isinstance(effect.notice, ChatReceived)
    if not isinstance(effect, Send):
        return False
    message = wire.decode_message(effect.data[4:])
    return isinstance(message, wire.Pong | wire.Ack)


def changed(event: Event, **changes: object) -> Event:
    """An event with other fields."""
    return replace(event, **changes)  # type: ignore[arg-type] # fields by name
