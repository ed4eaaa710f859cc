"""Bringing two logs of one game to one length (spec 60, 9)."""

from dataclasses import dataclass, field

from tests.interop.checker_canonical import (
    ProtocolError,
    Value,
    as_array,
    as_bin,
    as_uint,
    decode,
    encode,
)
from tests.interop.checker_client import Client, Outcome
from tests.interop.checker_crypto import public_key
from tests.interop.checker_events import read_event
from tests.interop.checker_game import Game
from tests.interop.checker_genesis import Genesis, read_genesis
from tests.interop.checker_log import GENESIS, NOTE, Entry, read_records
from tests.interop.checker_messages import read_message
from tests.interop.checker_states import may_arrive

SYNC_MAX = 64
RECORDS_MAX = 12_288
SET_UP = ("COMMIT", "CHALLENGE", "REVEAL", "DEAL", "DEAL")
RESUME_NONE: tuple[Value, ...] = (19, None, 0, None, 0)


def state_of(game: Game) -> str:
    """The state of a link whose game this is (spec 61, 3)."""
    if game.play is None:
        return SET_UP[game.events // 2]
    if game.done:
        return "LOBBY"
    end = game.play.end
    if game.owed is not None:
        return "OPENING"
    if end is None:
        return "PLAY"
    if end.author is not None:
        return "ENDING"
    return "AUDIT" if game.audits else "OVER"


class LeftError(ProtocolError):
    """The other said BYE; nothing is answered."""


@dataclass
class Kept:
    """One game that a client keeps.

    Attributes:
        genesis: Its terms.
        client: The game, once it has started.
        failed: The code it failed with.
        accepted: The bytes of its genesis and one's own signature, before START.
    """

    genesis: Genesis
    client: Client | None = None
    failed: int | None = None
    accepted: tuple[bytes, bytes] | None = None

    @property
    def length(self) -> int:
        """How many events are final."""
        return 0 if self.client is None else len(self.client.entries)

    @property
    def is_open(self) -> bool:
        """Whether there is something to go on with."""
        started = self.client is not None and not self.client.game.done
        return started and self.failed is None

    def head(self, length: int) -> bytes:
        """The hash of the last of so many final events."""
        if self.client is None or length == 0:
            return self.genesis.game_id
        return self.client.entries[length - 1].event.digest

    def named(self) -> tuple[Value, ...]:
        """The RESUME that names it."""
        seen = 0
        if self.client is not None:
            held = [*(e.event for e in self.client.entries), *self.client.voids]
            theirs = [e.seq + 1 for e in held if e.author != self.client.role]
            seen = max(theirs, default=0)
        return 19, self.genesis.game_id, self.length, self.head(self.length), seen


def keep(log: bytes, secret: bytes) -> Kept:
    """Take up a log.

    Args:
        log: The bytes of its file.
        secret: One's key.

    Returns:
        The game.
    """
    records = read_records(log).found
    data = as_bin(records[0].body[0], 1, 12_288)
    genesis = read_genesis(data)
    started = [r for r in records if r.kind == GENESIS and r.body[1] is not None]
    if not started:
        return Kept(genesis, accepted=(data, as_bin(records[0].body[2], 64, 64)))
    codes = [r.body[0] for r in records if r.kind == NOTE and r.body[1] == "failed"]
    failed = as_uint(codes[0], 0, 65_535) if codes else None
    role = genesis.keys.index(public_key(secret))
    return Kept(genesis, Client(log, role, secret), failed)


def serve(entries: list[Entry], start: int, end: int) -> tuple[Value, ...]:
    """The RECORDS that answer a SYNC, as many as one message holds."""
    items: list[bytes] = []
    for entry in entries[start:end]:
        item = encode((entry.event.data, entry.sig, entry.after, entry.ack))
        if items and sum(map(len, items)) + len(item) > RECORDS_MAX:
            break
        items.append(item)
    return 21, start, tuple(items)


@dataclass
class Resumer:
    """One side of a link from READY 0 on.

    Attributes:
        kept: The games it has, by their ids.
        dialler: Whether it dialled.
        sent: The payloads it has sent.
        records: What it has appended to the log of the game at hand.
        game: The game at hand.
    """

    kept: dict[bytes, Kept]
    dialler: bool
    sent: list[bytes] = field(default_factory=list)
    records: list[tuple[int, tuple[Value, ...]]] = field(default_factory=list)
    game: Kept | None = None

    def __post_init__(self) -> None:
        """Name the game that is open."""
        named = [kept for kept in self.kept.values() if kept.is_open]
        self.named = named[-1] if named else None
        self.state = "RESUMING"
        self._holds: list[str] = []
        self._asked = False
        self._count = 0
        self._target = 0
        self._served = 0
        self.say(RESUME_NONE if self.named is None else self.named.named())

    def say(self, values: tuple[Value, ...]) -> None:
        """Send a message."""
        self.sent.append(encode(values))

    @property
    def at_hand(self) -> Kept | None:
        """The game at hand, or the one that is open."""
        return self.named if self.game is None else self.game

    def receive(self, payload: bytes) -> None:
        """Take a message of the other."""
        name, fields = read_message(payload)
        if not may_arrive(self.state, self.holds(), name):
            raise ProtocolError(104, name)
        self.take(payload, name, fields)

    def holds(self) -> list[str]:
        """The conditions of the table that hold now."""
        at_hand = self.at_hand
        empty = at_hand is not None and at_hand.length == 0
        return [*self._holds, "at length 0"] if empty else self._holds

    def take(self, payload: bytes, name: str, fields: tuple[Value, ...]) -> None:
        """Act on a message that may come now."""
        at_hand = self.at_hand
        if name == "BYE":
            raise LeftError(as_uint(fields[0], 0, 65_535), "the other leaves")
        if name == "RESUME":
            self._resume(fields)
        elif name == "SYNC":
            self._sync(as_uint(fields[0], 0, 20_000), as_uint(fields[1], 0, 20_000))
        elif name == "RECORDS":
            self._take(as_uint(fields[0], 0, 20_000), as_array(fields[1], 1, 64))
        elif name == "START":
            self._start(as_bin(fields[0], 64, 64))
        elif name == "PING":
            self.say((9, fields[0]))
        elif name in ("EVENT", "ACK") and at_hand and at_hand.client:
            self._note(at_hand.client.receive(payload))

    def _note(self, outcome: Outcome) -> None:
        self.records += outcome.records
        self.sent += outcome.sent

    def _resume(self, fields: tuple[Value, ...]) -> None:
        game_id, head = fields[0], fields[2]
        length, seen = as_uint(fields[1], 0, 20_000), as_uint(fields[3], 0, 20_000)
        if (game_id is None) != (head is None) or seen > length + 1:
            raise ProtocolError(103, "RESUME")
        if game_id is None and (length or seen):
            raise ProtocolError(103, "RESUME of nothing")
        self._count += 1
        own = None if self.named is None else self.named.genesis.game_id
        if self._count > 1:
            if not self._asked or self._count > 2 or game_id is None:
                raise ProtocolError(104, "RESUME again")
            if game_id != own:
                raise ProtocolError(410, "another game")
        if game_id == own:
            if self.named is None:
                self.state = "LOBBY"
            else:
                self._compare(self.named, length, head)
        elif game_id is None or (own is not None and self.dialler):
            self._asked = True
        else:
            self._answer(as_bin(game_id, 32, 32), length, head)

    def _answer(self, game_id: bytes, length: int, head: Value) -> None:
        found = self.kept.get(game_id)
        if found is None or (found.client is None and length):
            raise ProtocolError(410, "not known")
        if found.failed is not None:
            raise ProtocolError(found.failed, "failed")
        self.say(found.named())
        self._compare(found, length, head)

    def _compare(self, game: Kept, length: int, head: Value) -> None:
        self.game = game
        common = min(game.length, length)
        if length <= game.length and game.head(common) != head:
            raise ProtocolError(409, "two logs")
        self._target, self._served = max(game.length, length), common
        if game.length < length:
            self.state, self._holds = "SYNCING", ["shorter"]
            self._ask(game)
        elif game.length > length:
            self.state, self._holds = "SYNCING", ["longer"]
        elif game.client is None:
            self._holds = ["accepted, not started"]
        else:
            client = game.client
            if game.length == 0 and client.role == 0:
                self.say((18, game.genesis.sign(client.secret)))
            self._go_on(game)

    def _ask(self, game: Kept) -> None:
        self.say((20, game.length, min(game.length + SYNC_MAX, self._target)))

    def _go_on(self, game: Kept) -> None:
        if game.client is not None:
            self.state = state_of(game.client.game)
            self._holds = ["of the finished game"] if self.state == "LOBBY" else []
            if game.client.pending is not None:
                event, sig = game.client.pending
                self.say((48, event.data, sig))

    def _sync(self, start: int, end: int) -> None:
        wrong = start != self._served or not start < end <= start + SYNC_MAX
        game = self.game
        if game is None or game.client is None or wrong or end > self._target:
            raise ProtocolError(103, "SYNC")
        answer = serve(game.client.entries, start, end)
        self.say(answer)
        self._served += len(as_array(answer[2], 1, SYNC_MAX))
        if self._served == self._target:
            self._go_on(game)

    def _take(self, start: int, items: tuple[Value, ...]) -> None:
        game = self.game
        if game is None or game.client is None or start != game.length:
            raise ProtocolError(400, "not asked for")
        if start + len(items) > min(start + SYNC_MAX, self._target):
            raise ProtocolError(103, "more than was asked for")
        for item in items:
            self._item(game.client, as_bin(item, 0, RECORDS_MAX))
        if game.length == self._target:
            self._go_on(game)
        else:
            self._ask(game)

    def _item(self, client: Client, item: bytes) -> None:
        parts = as_array(decode(item), 4, 4)
        data, sig = as_bin(parts[0], 0, 12_288), as_bin(parts[1], 64, 64)
        after, ack = as_bin(parts[2], 32, 32), as_bin(parts[3], 64, 64)
        self.records += client.settle(read_event(data), sig, after, ack)

    def _start(self, sig: bytes) -> None:
        game = self.game
        if game is None or game.accepted is None:
            return
        game.genesis.check(0, sig)
        data, own = game.accepted
        body: tuple[Value, ...] = (data, sig, own)
        self.records.append((GENESIS, body))
        game.accepted = None
        self.state, self._holds = "COMMIT", []
