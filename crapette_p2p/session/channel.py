"""The event channel of one game over one link (protocol.md 6; 12, P1-P8, P12).

Theory of operation. At most one own event is un-acked (``mine``). The peer's
event for the same number collides with it; the types alone decide, so both
sides compute the same winner without talking. What the winner's side gets is
recorded as VOID, what the loser's side had becomes void, and nobody ever signs
that number again. Everything is recorded before it is sent: an own event before
EVENT, the peer's event and our ACK before ACK. Whatever a player owes and need
not decide (COMMIT .. OPEN_B, AUDIT, RESULT) is proposed here by itself, in the
same flight as the ACK that made it due; an opening thus never leaves before the
event that calls for it is final. The channel signs nothing until ``opened``.
"""

from __future__ import annotations

from typing import Final

from crapette_p2p.canonical import encode
from crapette_p2p.engine.actions import Action, Resign, Stop
from crapette_p2p.engine.layout import other
from crapette_p2p.engine.rules import refusal
from crapette_p2p.errors import IllegalMove, LocalProtocolError, RemoteProtocolError
from crapette_p2p.gamelog.bodies import Body
from crapette_p2p.gamelog.events import (
    MAX_EVENTS,
    Event,
    EventType,
    ack_message,
    action_to_body,
    body_to_action,
    decode_event,
    event_hash,
    event_message,
    wins,
)
from crapette_p2p.gamelog.game import step
from crapette_p2p.gamelog.log import Entry, Fault, SignedEvent
from crapette_p2p.gamelog.records import RecordKind
from crapette_p2p.gamelog.secrets import Secrets, owed_body
from crapette_p2p.gamelog.state import GameState, owes, state_hash
from crapette_p2p.session.config import SessionConfig
from crapette_p2p.session.effects import DropSecrets, PersistSecret
from crapette_p2p.session.messages import Ack, EventMessage
from crapette_p2p.session.notices import ActionDropped, EventVoid
from crapette_p2p.session.opengame import FAILED, OpenGame
from crapette_p2p.session.outbox import Outbox
from crapette_p2p.session.progress import tell

GAME_FAULTS: Final = frozenset({302, 304, 402, 404, 405, 406, 407, 408, 409})
"""After these a game is FAILED; after all else it is only suspended (P12)."""
_NEEDS_SECRETS: Final = frozenset(
    {EventType.REVEAL, EventType.OPEN_A, EventType.OPEN_B, EventType.AUDIT}
)


class GameFaultError(RemoteProtocolError):
    """The peer broke the game; what he signed for it, if anything, proves it."""

    def __init__(
        self,
        message: str,
        *,
        code: int,
        game: OpenGame,
        seq: int | None = None,
        proof: Fault | None,
    ) -> None:
        super().__init__(message, code=code)
        self.game = game
        # A farewell names no number that no event can have (P16).
        self.seq = seq if seq is not None and seq < MAX_EVENTS else None
        self.proof = proof


class Channel:
    """Proposes, judges, acknowledges; the only writer of an ``OpenGame``."""

    def __init__(self, game: OpenGame, config: SessionConfig, outbox: Outbox) -> None:
        self.game = game
        self._config = config
        self._outbox = outbox
        self.opened = False
        """Whether both RESUMEs are processed and both logs are equal."""

    # Our own events -----------------------------------------------------------

    def open(self) -> None:
        """Both logs are equal: send again what waits, then whatever is owed."""
        self.opened = True
        if self.game.mine is not None:
            self._send_mine(self.game.mine)
        else:
            self.advance()

    def act(self, action: Action) -> None:
        """Propose an action of our player; a Stop or resignation may wait (P3)."""
        game = self.game
        self._require_play(action)
        if isinstance(action, Stop | Resign) and self._has_to_wait(action):
            game.waiting = action
            return
        if game.mine is not None:
            raise LocalProtocolError("an own event is not confirmed yet")
        self._require_lawful(action)
        self._propose(*action_to_body(action))

    def may(self, action: Action) -> bool:
        """Whether ``act`` would take this action now."""
        try:
            self._require_play(action)
            if isinstance(action, Stop | Resign) and self._has_to_wait(action):
                return True
            self._require_lawful(action)
        except (LocalProtocolError, IllegalMove):
            return False
        return self.game.mine is None and self._may_sign()

    def _require_play(self, action: Action) -> None:
        position = self.game.state.position
        if not self.opened or position is None:
            raise LocalProtocolError("there is no play to act in")
        if isinstance(action, Stop) and not position.rules.has_calls:
            raise IllegalMove("no-calls")

    def _has_to_wait(self, action: Stop | Resign) -> bool:
        if self.game.mine is not None:
            return True
        return isinstance(action, Stop) and self.game.state.due is not None

    def _require_lawful(self, action: Action) -> None:
        state, seat = self.game.state, self.game.seat
        if state.position is None:
            raise LocalProtocolError("there is no play to act in")
        if state.due is not None and not isinstance(action, Resign):
            raise IllegalMove("opening-owed")
        refused = refusal(state.position, seat, action)
        if refused is not None:
            raise IllegalMove(refused)

    def _may_sign(self) -> bool:
        return self.game.length >= self.game.floor

    def _propose(self, kind: EventType, body: Body) -> None:
        game, seq = self.game, self.game.length
        if game.mine is not None or not self._may_sign():
            raise LocalProtocolError("that number is taken")
        if game.log.held(game.seat, seq) is not None:
            raise LocalProtocolError("that number was signed before")
        after = step(game.state, game.seat, kind, body)
        if isinstance(after, int):
            raise LocalProtocolError(f"our {kind.name} would be {after}")
        event = Event(
            game_id=game.game_id,
            seq=seq,
            author=game.seat,
            prev=game.log.head,
            state=state_hash(game.state),
            type=kind,
            body=body,
        )
        unsigned = SignedEvent.of(event, b"")
        sig = self._config.sign(event_message(unsigned.hash))
        mine = SignedEvent(event, unsigned.data, unsigned.hash, sig)
        game.expect_ack(mine, after)
        self._outbox.persist(game.game_id, RecordKind.EVENT, mine.data, mine.sig)
        self._send_mine(mine)

    def _send_mine(self, mine: SignedEvent) -> None:
        self._outbox.send(EventMessage(mine.data, mine.sig))

    def advance(self) -> None:
        """Propose what waits or what we owe, if the number is ours to sign."""
        game = self.game
        if not self.opened or game.mine is not None or not self._may_sign():
            return
        if self._send_waiting():
            return
        owed = owes(game.state)
        if owed is None or owed.author != game.seat or owed.type is None:
            return
        found = owed_body(
            game.state, self._secrets_for(owed.type), game.seat, self._config.rand
        )
        if found is not None:
            self._propose(*found)

    def _send_waiting(self) -> bool:
        """Send the Stop or resignation that waited, if it is its turn now."""
        game = self.game
        action = game.waiting
        if not isinstance(action, Stop | Resign) or self._has_to_wait(action):
            return False
        game.waiting = None
        try:
            self._require_lawful(action)
        except IllegalMove as error:
            self._outbox.emit(ActionDropped(action, error.refusal))
            return False
        self._propose(*action_to_body(action))
        return True

    def _secrets_for(self, kind: EventType) -> Secrets:
        game = self.game
        if game.secrets is None:
            if kind in _NEEDS_SECRETS:
                raise LocalProtocolError("the seeds of this game are lost")
            secrets = Secrets.fresh(self._config.rand, game.log.genesis.k)
            if kind != EventType.COMMIT:
                return secrets
            game.secrets = secrets
            for deck, seeds in enumerate((secrets.seeds0, secrets.seeds1)):
                parts = tuple(seeds[i : i + 32] for i in range(0, len(seeds), 32))
                self._outbox.add(PersistSecret(game.game_id, deck, parts))
        return game.secrets

    # The peer's events --------------------------------------------------------

    def on_event(self, message: EventMessage) -> bool:
        """Judge an event; True if it became final (P12, in that order)."""
        game = self.game
        signed = self._read(message)
        event = signed.event
        held = game.log.held(event.author, event.seq)
        if held is not None and held.hash != signed.hash:
            raise self._fault("two events with one number", 402, signed)
        if event.seq < game.length:
            if held is game.log.entries[event.seq].signed:
                self._send_ack(game.log.entries[event.seq])
            return False
        if held is not None:
            return False
        if event.seq > game.length:
            raise RemoteProtocolError("a gap in the numbers", code=400)
        if game.done:
            raise RemoteProtocolError("the game is over", code=404)
        if event.prev != game.log.head:
            raise RemoteProtocolError("another head", code=401)
        if event.state != state_hash(game.state):
            raise self._fault("another state", 407, signed)
        after = step(game.state, event.author, event.type, event.body)
        if isinstance(after, int):
            raise self._fault("an event that is not lawful", after, signed)
        if self._loses(signed):
            return False
        self._accept(signed, after)
        return True

    def _read(self, message: EventMessage) -> SignedEvent:
        game = self.game
        event = decode_event(message.event)
        if event.game_id != game.game_id:
            raise RemoteProtocolError("an event of another game", code=410)
        hash_ = event_hash(message.event)
        authentic = event.author != game.seat and self._config.verify(
            game.peer_key, message.sig, event_message(hash_)
        )
        if not authentic:
            raise RemoteProtocolError("not signed by the peer", code=403)
        return SignedEvent(event, message.event, hash_, message.sig)

    def _loses(self, signed: SignedEvent) -> bool:
        """Whether a collision makes the peer's event void; recorded if so."""
        game, mine = self.game, self.game.mine
        if mine is None or not wins(mine.event, over=signed.event):
            return False
        game.log.voids.append(signed)
        self._outbox.persist(game.game_id, RecordKind.VOID, signed.data, signed.sig)
        return True

    def _accept(self, signed: SignedEvent, after: GameState) -> None:
        game, event = self.game, signed.event
        hash_ = state_hash(after)
        sig = self._config.sign(
            ack_message(game.game_id, event.seq, signed.hash, hash_)
        )
        entry, before = Entry(signed, hash_, sig), game.state
        settle(game, entry, after, self._outbox)
        self._send_ack(entry)
        self._after_final(entry, before)

    def _send_ack(self, entry: Entry) -> None:
        event, ack = entry.signed.event, entry.ack
        if ack is not None:
            hashes = entry.signed.hash, entry.state_after
            self._outbox.send(Ack(event.seq, *hashes, ack))

    def on_ack(self, message: Ack) -> bool:
        """Judge an ACK; True if it made our event final."""
        game, mine = self.game, self.game.mine
        named = message.seq, message.event_hash
        if mine is None or named != (mine.event.seq, mine.hash):
            if message.seq < game.length and _is_ack_of(
                message, game.log.entries[message.seq]
            ):
                return False
            raise RemoteProtocolError("an ACK of nothing", code=400)
        data = ack_message(game.game_id, *named, message.state_after)
        if not self._config.verify(game.peer_key, message.sig, data):
            raise RemoteProtocolError("an ACK not signed by the peer", code=403)
        after = game.mine_after
        if message.state_after != state_hash(after):
            claim = encode([*named, message.state_after])
            raise GameFaultError(
                "an ACK of another state",
                code=407,
                game=game,
                seq=message.seq,
                proof=Fault(407, claim, message.sig),
            )
        entry, before = Entry(mine, message.state_after, message.sig), game.state
        settle(game, entry, after, self._outbox)
        self._after_final(entry, before)
        return True

    def _after_final(self, entry: Entry, before: GameState) -> None:
        tell(self.game, entry, before, self._outbox)
        self.advance()

    def _fault(self, text: str, code: int, signed: SignedEvent) -> GameFaultError:
        proof = Fault(code, signed.data, signed.sig)
        seq = signed.event.seq
        return GameFaultError(text, code=code, game=self.game, seq=seq, proof=proof)


def _is_ack_of(message: Ack, entry: Entry) -> bool:
    """Whether an ACK is the one that has made this event final."""
    found = entry.signed.hash, entry.state_after, entry.ack
    return found == (message.event_hash, message.state_after, message.sig)


def settle(game: OpenGame, entry: Entry, after: GameState, outbox: Outbox) -> None:
    """Record a final event with its ACK and move the game on by it.

    An own un-acked event of that number is settled with it: final if it is the
    same, void if not.
    """
    signed, mine = entry.signed, game.mine
    if mine is None or mine.hash != signed.hash:
        outbox.persist(game.game_id, RecordKind.EVENT, signed.data, signed.sig)
    hashes = signed.hash, entry.state_after
    seq = signed.event.seq
    outbox.persist(game.game_id, RecordKind.ACK, seq, *hashes, entry.ack)
    game.log.append(entry)
    game.state = after
    if after.done:
        game.secrets = None
        outbox.add(DropSecrets(game.game_id))
    if mine is not None and mine.hash != signed.hash:
        action = body_to_action(mine.event.type, mine.event.body)
        if action is not None:
            outbox.emit(EventVoid(action))


def fail_game(game: OpenGame, code: int, proof: Fault | None, outbox: Outbox) -> bool:
    """Mark a game as FAILED in its log, with the proof if there is one.

    False where nothing is marked: a finished game is not undone by what nobody
    can prove.
    """
    if game.done and proof is None:
        return False
    if game.failed is not None:
        return True
    if proof is not None:
        game.log.fault = proof
        outbox.persist(
            game.game_id, RecordKind.FAULT, proof.code, proof.data, proof.sig
        )
    outbox.add(game.note(code, FAILED))
    return True


def peer_owes_step(game: OpenGame) -> bool:
    """Whether the peer owes an event that needs no person (T_STEP)."""
    if game.mine is not None:
        return False
    if game.length < game.floor:
        return True  # he holds our void event, so he has one of his own to send
    owed = owes(game.state)
    if owed is None or owed.author != other(game.seat):
        return False
    return owed.type is not None and owed.type != EventType.GRANT
