"""Bringing two logs of one game to the same length (protocol.md 12, P5, P6).

Theory of operation. After READY 0 both sides name the game they have open and
how far it is. Who did not name the other's game looks it up and answers with a
second RESUME, or with 410. Then the shorter log asks for what it lacks, record
by record, each with both signatures; only when both are equal does play go on.
The gate matters: an event that overtakes the missing ones would be a gap, and a
client that came back from an old backup must not sign a number it used before.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum

from crapette_p2p.canonical import decode, encode
from crapette_p2p.engine.layout import other
from crapette_p2p.errors import RemoteProtocolError
from crapette_p2p.gamelog.events import (
    ack_message,
    decode_event,
    event_hash,
    event_message,
)
from crapette_p2p.gamelog.game import step
from crapette_p2p.gamelog.log import Entry, Fault, SignedEvent
from crapette_p2p.gamelog.state import GameState, state_hash
from crapette_p2p.session.channel import GameFaultError, settle
from crapette_p2p.session.config import SessionConfig
from crapette_p2p.session.messages import (
    RECORDS_MAX,
    SYNC_MAX,
    Records,
    Resume,
    Start,
    Sync,
)
from crapette_p2p.session.opengame import OpenGame
from crapette_p2p.session.outbox import Outbox
from crapette_p2p.session.progress import tell

NOTHING = Resume(None, 0, None, 0)


class Stage(Enum):
    """How far the two logs have come together."""

    NAMING = "naming"
    """RESUMEs are being exchanged."""
    AWAIT_START = "await start"
    """Role 1 accepted this game; role 0 sends START again."""
    SHORTER = "shorter"
    LONGER = "longer"
    LOBBY = "lobby"
    """Neither has a game open."""
    EQUAL = "equal"
    """Play goes on."""


class Resumption:
    """One side of the reconciliation, on one link."""

    def __init__(
        self,
        config: SessionConfig,
        outbox: Outbox,
        *,
        game: OpenGame | None,
        dialler: bool,
        find: Callable[[bytes], OpenGame | None],
    ) -> None:
        self._config = config
        self._outbox = outbox
        self._dialler = dialler
        self._find = find
        self._named = game
        self._awaits_answer = False
        """Whether the peer has to name our game in a second RESUME."""
        self._target = 0
        """Length of the longer log."""
        self._served = 0
        """How far the shorter one has been served."""
        self._count = 0
        self.game: OpenGame | None = None
        """The game both named."""
        self.stage = Stage.NAMING
        outbox.send(self._resume_of(game))

    def _resume_of(self, game: OpenGame | None) -> Resume:
        if game is None:
            return NOTHING
        log = game.log
        seen = log.seen(other(game.seat))
        return Resume(log.game_id, log.length, log.head, seen)

    # Naming -------------------------------------------------------------------

    def on_resume(self, message: Resume) -> None:
        """The peer names its game, or ours after it has looked it up."""
        self._check_fields(message)
        self._count += 1
        if self._count == 1:
            self._first(message)
        elif self._awaits_answer and message.game_id is not None:
            self._second(message)
        else:
            raise RemoteProtocolError("RESUME again", code=104)

    def _check_fields(self, message: Resume) -> None:
        named = message.game_id is not None
        if named != (message.head is not None) or not (named or message == NOTHING):
            raise RemoteProtocolError("RESUME: fields do not fit", code=103)
        # A final event of ours has a number below the length, a void one at most
        # the length: who claims more would only bar us from signing.
        if message.seen > message.length + 1:
            raise RemoteProtocolError("RESUME: nobody can have seen that", code=103)

    def _first(self, message: Resume) -> None:
        ours = self._named.game_id if self._named is not None else None
        theirs = message.game_id
        if ours == theirs:
            if self._named is None:
                self.stage = Stage.LOBBY
            else:
                self._compare(self._named, message)
        elif theirs is None or (ours is not None and self._dialler):
            self._awaits_answer = True
        else:
            self._answer(theirs, message)

    def _answer(self, game_id: bytes, message: Resume) -> None:
        """Look up the game the peer named and name it too."""
        game = self._find(game_id)
        if game is None or (not game.started and message.length > 0):
            raise RemoteProtocolError("a game we do not know", code=410)
        if game.failed is not None:
            raise RemoteProtocolError("a game that failed", code=game.failed)
        self._outbox.send(self._resume_of(game))
        self._compare(game, message)

    def _second(self, message: Resume) -> None:
        if self._named is None or message.game_id != self._named.game_id:
            raise RemoteProtocolError("RESUME of another game", code=410)
        self._compare(self._named, message)

    def _compare(self, game: OpenGame, message: Resume) -> None:
        self.game = game
        game.floor = message.seen
        common = min(game.length, message.length)
        if game.length >= message.length and message.head != game.log.head_at(common):
            raise GameFaultError("two logs", code=409, game=game, proof=None)
        self._target = max(game.length, message.length)
        self._served = common
        if game.length < message.length:
            self.stage = Stage.SHORTER
            self._ask(game)
        elif game.length > message.length:
            self.stage = Stage.LONGER
        elif not game.started:
            self.stage = Stage.AWAIT_START
        else:
            self._send_start_again(game)
            self.stage = Stage.EQUAL

    def _send_start_again(self, game: OpenGame) -> None:
        sig = game.log.sigs[0]
        if game.length == 0 and game.seat == 0 and sig is not None:
            self._outbox.send(Start(sig))

    # The longer log -----------------------------------------------------------

    def on_sync(self, message: Sync) -> None:
        """Serve final events, as many as one message holds."""
        game = self.game
        first, last = message.first, message.last
        fits = first == self._served and first < last <= first + SYNC_MAX
        if game is None or not fits or last > self._target:
            raise RemoteProtocolError("SYNC of events that are not due", code=103)
        records: list[bytes] = []
        size = 0
        for entry in game.log.entries[first:last]:
            record = encode_entry(entry)
            size += len(record)
            if size > RECORDS_MAX and records:
                break
            records.append(record)
        self._outbox.send(Records(first, tuple(records)))
        self._served += len(records)
        if self._served == self._target:
            self.stage = Stage.EQUAL

    # The shorter log ----------------------------------------------------------

    def _ask(self, game: OpenGame) -> None:
        first = game.length
        self._outbox.send(Sync(first, min(first + SYNC_MAX, self._target)))

    def on_records(self, message: Records) -> None:
        """Apply what was asked for, one record after the other."""
        game = self.game
        if game is None or message.first != game.length:
            raise RemoteProtocolError("RECORDS nobody asked for", code=400)
        if game.length + len(message.records) > min(
            game.length + SYNC_MAX, self._target
        ):
            raise RemoteProtocolError("more RECORDS than asked for", code=103)
        for record in message.records:
            self._apply(game, record)
        if game.length == self._target:
            self.stage = Stage.EQUAL
        else:
            self._ask(game)

    def _apply(self, game: OpenGame, record: bytes) -> None:
        entry = decode_entry(record)
        after, before = self._judge(game, entry), game.state
        settle(game, entry, after, self._outbox)
        tell(game, entry, before, self._outbox)

    def _judge(self, game: OpenGame, entry: Entry) -> GameState:
        """The state after a record, once it is proven to be what both signed."""
        signed = entry.signed
        event, keys, verify = signed.event, game.log.genesis.keys, self._config.verify
        if event.game_id != game.game_id:
            raise RemoteProtocolError("a record of another game", code=410)
        if event.seq != game.length:
            raise RemoteProtocolError("a gap in the records", code=400)
        if not verify(keys[event.author], signed.sig, event_message(signed.hash)):
            raise RemoteProtocolError("a record its author did not sign", code=403)
        self._require_ack(game, entry)
        proof = Fault(402, signed.data, signed.sig)
        held = game.log.held(event.author, event.seq)
        theirs = event.author != game.seat
        if theirs and held is not None and held.hash != signed.hash:
            raise GameFaultError(
                "two events", code=402, game=game, seq=event.seq, proof=proof
            )
        if event.prev != game.log.head:
            raise RemoteProtocolError("a record of another head", code=401)
        after: GameState | int = 407
        if event.state == state_hash(game.state):
            after = step(game.state, event.author, event.type, event.body)
        if isinstance(after, int):
            proven = Fault(after, signed.data, signed.sig) if theirs else None
            raise GameFaultError(
                "a record", code=after, game=game, seq=event.seq, proof=proven
            )
        if entry.state_after != state_hash(after):
            raise GameFaultError(
                "a record", code=407, game=game, seq=event.seq, proof=None
            )
        return after

    def _require_ack(self, game: OpenGame, entry: Entry) -> None:
        signed = entry.signed
        seq, ack = signed.event.seq, entry.ack
        data = ack_message(game.game_id, seq, signed.hash, entry.state_after)
        key = game.log.genesis.keys[other(signed.event.author)]
        if ack is None or not self._config.verify(key, ack, data):
            raise RemoteProtocolError("a record nobody countersigned", code=403)


def encode_entry(entry: Entry) -> bytes:
    """The record of one final event, as RECORDS carries it."""
    signed = entry.signed
    return encode([signed.data, signed.sig, entry.state_after, entry.ack])


def decode_entry(record: bytes) -> Entry:
    """Read a record; DecodeError (101, 103) or RemoteProtocolError (103)."""
    fields = decode(record)
    if type(fields) is not tuple or len(fields) != 4:
        raise RemoteProtocolError("a record of other fields", code=103)
    data, sig, state_after, ack = fields
    sizes = (sig, 64), (state_after, 32), (ack, 64)
    if type(data) is not bytes or any(
        type(value) is not bytes or len(value) != size for value, size in sizes
    ):
        raise RemoteProtocolError("a record of other fields", code=103)
    signed = SignedEvent(decode_event(data), data, event_hash(data), sig)
    return Entry(signed, state_after, ack)
