"""What a client records and answers when an EVENT or ACK comes (spec 60, 8)."""

from dataclasses import dataclass, field

from tests.interop.checker_canonical import (
    ProtocolError,
    Value,
    as_bin,
    as_uint,
    encode,
)
from tests.interop.checker_crypto import public_key
from tests.interop.checker_events import Event, collision, read_event
from tests.interop.checker_game import Game
from tests.interop.checker_log import ACK, EVENT, VOID, Entry, verify
from tests.interop.checker_messages import read_message


@dataclass
class Outcome:
    """What became of a message.

    Attributes:
        final: Whether an event became final.
        records: What was recorded.
        sent: The payloads that were sent.
    """

    final: bool = False
    records: list[tuple[int, tuple[Value, ...]]] = field(default_factory=list)
    sent: list[bytes] = field(default_factory=list)


class Client:
    """One side of a game in the middle of play.

    Attributes:
        game: The deal.
        entries: Its final events.
        pending: One's own un-acknowledged event with its signature.
        voids: Void events.
    """

    def __init__(self, log: bytes, role: int, secret: bytes) -> None:
        """Take up a log.

        Args:
            log: The bytes of the file.
            role: One's role.
            secret: One's key.
        """
        found = verify(log)[0]
        if found.game is None or found.game.genesis.keys[role] != public_key(secret):
            raise ProtocolError(500, "no game of one's own")
        self.role = role
        self.secret = secret
        self.game: Game = found.game
        self.entries = found.entries
        self.voids = found.voids
        self.pending = found.pending
        if self.pending is not None and self.pending[0].author != role:
            event, sig = self.pending
            self.pending = None
            self._final(event, sig)

    def _final(self, event: Event, sig: bytes) -> Entry:
        self.game.apply(event)
        after = self.game.hash
        entry = Entry(event, sig, after, event.ack(self.secret, after))
        self.entries.append(entry)
        return entry

    def _held(self) -> list[Event]:
        return [*(entry.event for entry in self.entries), *self.voids]

    def receive(self, payload: bytes) -> Outcome:
        """Take a message.

        Args:
            payload: EVENT or ACK.

        Returns:
            What became of it.

        Raises:
            ProtocolError: With the code it is refused with.
        """
        name, fields = read_message(payload)
        if name == "EVENT":
            data, sig = as_bin(fields[0], 1, 12_288), as_bin(fields[1], 64, 64)
            return self._event(read_event(data), sig)
        return self._ack(fields)

    def _event(self, event: Event, sig: bytes) -> Outcome:
        if event.game_id != self.game.genesis.game_id:
            raise ProtocolError(410, "another game")
        if event.author == self.role:
            raise ProtocolError(403, "one's own event")
        event.check(self.game.genesis.keys[event.author], sig)
        who = (event.author, event.seq)
        for other in self._held():
            if (other.author, other.seq) == who and other.digest != event.digest:
                raise ProtocolError(402, "equivocation")
        if event.seq < len(self.entries):
            entry = self.entries[event.seq]
            again = entry.event.digest == event.digest
            return Outcome(sent=[_ack_payload(entry)] if again else [])
        if any(void.digest == event.digest for void in self.voids):
            return Outcome()
        if event.seq > len(self.entries):
            raise ProtocolError(400, "gap")
        if self.game.done:
            raise ProtocolError(404, "nothing comes after RESULT")
        if event.prev != self.game.head:
            raise ProtocolError(401, "fork")
        if event.state != self.game.hash:
            raise ProtocolError(407, "another state before")
        return self._next(event, sig)

    def settle(
        self, event: Event, sig: bytes, after: bytes, ack: bytes
    ) -> list[tuple[int, tuple[Value, ...]]]:
        """Take a final event out of RECORDS (spec 60, 9.5).

        Args:
            event: The event.
            sig: Its author's signature.
            after: The state after it.
            ack: The other's signature.

        Returns:
            What is recorded.

        Raises:
            ProtocolError: With the code it is refused with.
        """
        keys = self.game.genesis.keys
        if event.game_id != self.game.genesis.game_id:
            raise ProtocolError(410, "another game")
        if event.seq != len(self.entries):
            raise ProtocolError(400, "another number")
        event.check(keys[event.author], sig)
        event.check_ack(keys[1 - event.author], ack, after)
        held = [
            h for h in self._held() if (h.author, h.seq) == (event.author, event.seq)
        ]
        if event.author != self.role and any(h.digest != event.digest for h in held):
            raise ProtocolError(402, "equivocation")
        if event.prev != self.game.head:
            raise ProtocolError(401, "fork")
        if event.state != self.game.hash:
            raise ProtocolError(407, "another state before")
        trial = apply_copy(self.game, event)
        if trial.hash != after:
            raise ProtocolError(407, "another state after")
        own, self.pending, self.game = self.pending, None, trial
        entry = Entry(event, sig, after, ack)
        self.entries.append(entry)
        same = own is not None and own[0].digest == event.digest
        if own is not None and not same:
            self.voids.append(own[0])
        written: list[tuple[int, tuple[Value, ...]]] = [(ACK, _ack_fields(entry))]
        return written if same else [(EVENT, (event.data, sig)), *written]

    def _next(self, event: Event, sig: bytes) -> Outcome:
        own = self.pending
        if own is not None and collision(own[0], event) is own[0]:
            check_lawful(self.game, event)
            self.voids.append(event)
            return Outcome(records=[(VOID, (event.data, sig))])
        check_lawful(self.game, event)
        if own is not None:
            self.voids.append(own[0])
            self.pending = None
        entry = self._final(event, sig)
        records: list[tuple[int, tuple[Value, ...]]] = [
            (EVENT, (event.data, sig)),
            (ACK, _ack_fields(entry)),
        ]
        return Outcome(True, records, [_ack_payload(entry)])

    def _ack(self, fields: tuple[Value, ...]) -> Outcome:
        seq, digest = as_uint(fields[0], 0, 19_999), fields[1]
        after, sig = as_bin(fields[2], 32, 32), as_bin(fields[3], 64, 64)
        if self.pending is not None and seq == self.pending[0].seq:
            event, own_sig = self.pending
            if digest == event.digest:
                event.check_ack(self.game.genesis.keys[1 - self.role], sig, after)
                trial = apply_copy(self.game, event)
                if trial.hash != after:
                    raise ProtocolError(407, "another state after")
                self.game, self.pending = trial, None
                self.entries.append(Entry(event, own_sig, after, sig))
                return Outcome(True, [(ACK, fields)])
        if seq < len(self.entries) and _ack_fields(self.entries[seq]) == fields:
            return Outcome()
        raise ProtocolError(400, "an ACK of nothing")


def _ack_fields(entry: Entry) -> tuple[Value, ...]:
    return entry.event.seq, entry.event.digest, entry.after, entry.ack


def _ack_payload(entry: Entry) -> bytes:
    return encode((49, *_ack_fields(entry)))


def apply_copy(game: Game, event: Event) -> Game:
    """The deal after an event, leaving the one before alone."""
    trial = game.copy()
    trial.apply(event)
    return trial


def check_lawful(game: Game, event: Event) -> None:
    """Refuse an event that is not lawful."""
    apply_copy(game, event)
