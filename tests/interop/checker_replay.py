"""Both sides of a recorded game, played again from keys, entropy and decisions."""

from dataclasses import dataclass, field

from tests.interop.checker_canonical import ProtocolError, Value, encode
from tests.interop.checker_crypto import Layer, context, derive
from tests.interop.checker_deal import split
from tests.interop.checker_events import Event, collision, type_of
from tests.interop.checker_game import Game
from tests.interop.checker_genesis import read_genesis, write_genesis
from tests.interop.checker_handshake import (
    Transcript,
    commit,
    sign_dialler,
    sign_listener,
)
from tests.interop.checker_log import ACK, EVENT, GENESIS, MAGIC, VOID, Entry
from tests.interop.checker_messages import frame, read_message
from tests.interop.checker_owed import owed_by
from tests.interop.checker_positions import read_named, read_play
from tests.interop.checker_recorded import Decision, Player, Recorded
from tests.interop.checker_rulesets import from_json

TAGS = {"HELLO": 1, "HOST": 2, "AUTH": 3, "READY": 4, "BYE": 5, "PROPOSE": 16}
TAGS |= {"PING": 8, "PONG": 9}
TAGS |= {"ACCEPT": 17, "START": 18, "RESUME": 19, "SYNC": 20}
TAGS |= {"RECORDS": 21, "EVENT": 48, "ACK": 49}


@dataclass
class Side:
    """One player, his secrets and what he sends."""

    player: Player
    layers: dict[tuple[int, int], Layer] = field(default_factory=dict)
    sent: list[bytes] = field(default_factory=list)

    def send(self, name: str, *fields: Value) -> bytes:
        """Send a message and give back its payload."""
        payload = encode((TAGS[name], *fields))
        self.sent.append(frame(payload))
        return payload

    def seeds(self, deck: int) -> tuple[bytes, ...]:
        """The seeds he drew for a deck."""
        return split(self.player.drawn[2 + deck])


class Replay:
    """A recorded game played again.

    Attributes:
        sides: Both players, by role.
        game: The deal.
        records: The records of both logs, by role.
        entries: The final events with their signatures.
        states: The public states, before each event and after the last.
        cards: The four cards.
    """

    def __init__(self, recorded: Recorded) -> None:
        """Play it.

        Args:
            recorded: Keys, entropy and decisions.
        """
        self.recorded = recorded
        self.sides = tuple(Side(player) for player in recorded.players)
        self.records: tuple[list[bytes], list[bytes]] = ([], [])
        self.entries: list[Entry] = []
        self.cards: tuple[int, ...] = ()
        self.play()

    def play(self) -> None:
        """Play all of it."""
        recorded = self.recorded
        self.begin(recorded.dialler, recorded.cert_digest)
        for decision in recorded.events:
            self.event(decision)
        self.leave()

    def leave(self) -> None:
        """Role 0 says goodbye; first it asks, if it has signed last (60, 11.4)."""
        if self.entries[-1].event.author == 1:
            self.sides[0].send("PING", 1)
            self.sides[1].send("PONG", 1)
        self.sides[0].send("BYE", 502, None, "")

    def begin(self, dialler: int, cert_digest: bytes) -> None:
        """Log in, agree, and start the deal."""
        self.cards = self.log_in(dialler, cert_digest, nonce=0, asks=True)
        for side in self.sides:
            side.send("RESUME", None, 0, None, 0)
        self.game = self._agree()
        self.states = [encode(self.game.state())]

    def log(self, role: int = 0) -> bytes:
        """The log of a role."""
        return MAGIC + b"".join(self.records[role])

    def log_in(
        self, dialler: int, cert_digest: bytes, *, nonce: int, asks: bool
    ) -> tuple[int, ...]:
        """Log in over a link.

        Args:
            dialler: The role that dials.
            cert_digest: The digest of the listener's certificate.
            nonce: Which of their draws the nonces are.
            asks: Whether a person is asked.

        Returns:
            The four cards.
        """
        host, dial = self.sides[1 - dialler], self.sides[dialler]
        a, b = host.player, dial.player
        nonce_l, nonce_d = a.drawn[nonce], b.drawn[nonce]
        hello = dial.send("HELLO", "crapette", 1, 1, commit(nonce_d, b.public), 0)
        script = Transcript(cert_digest, hello, 1, 0, nonce_l, a.public)
        sig_l = sign_listener(a.secret, script.th1)
        host.send("HOST", "crapette", 1, 0, nonce_l, a.public, sig_l)
        th2 = script.th2(sig_l, nonce_d, b.public, b.nick)
        sig_d = sign_dialler(b.secret, th2)
        dial.send("AUTH", nonce_d, b.public, b.nick, sig_d, None)
        for verdict in (1, 0) if asks else (0,):
            host.send("READY", a.nick, verdict)
        return script.cards(nonce_d, b.public)

    def _agree(self) -> Game:
        host, dial = self.sides
        a, b = host.player, dial.player
        agreed = self.recorded.terms
        rules, k = from_json(agreed["rules"]), agreed["candidates"]
        match: tuple[Value, ...] = tuple(agreed["match"])
        preset, time = self.recorded.preset, agreed["unix_time"]
        terms = (preset, agreed["assist"], match, time)
        keys, nicks = (a.public, b.public), (a.nick, b.nick)
        half = write_genesis(rules, k, keys, nicks, (a.drawn[1], None), terms)
        host.send("PROPOSE", half)
        whole = write_genesis(rules, k, keys, nicks, (a.drawn[1], b.drawn[1]), terms)
        genesis = read_genesis(whole)
        sig_0, sig_1 = genesis.sign(a.secret), genesis.sign(b.secret)
        dial.send("ACCEPT", b.drawn[1], sig_1)
        host.send("START", sig_0)
        self.record(1, GENESIS, (whole, None, sig_1))
        for role in (0, 1):
            self.record(role, GENESIS, (whole, sig_0, sig_1))
        return Game(genesis)

    def record(self, role: int, kind: int, body: tuple[Value, ...]) -> None:
        """Append a record to a role's log."""
        data = bytes([kind]) + encode(body)
        self.records[role].append(len(data).to_bytes(4, "big") + data)

    def sign(self, decision: Decision) -> tuple[Event, bytes]:
        """The next event of whoever decides, and his signature."""
        game, author = self.game, "AB".index(decision.author)
        side = self.sides[author]
        body = self._body(side, decision)
        head = (game.genesis.game_id, game.events, author, game.head, game.hash)
        event = Event(*head, type_of(decision.kind), body)
        return event, event.sign(side.player.secret)

    def event(self, decision: Decision) -> None:
        """Make the next event final: sent, recorded, acknowledged, applied."""
        game = self.game
        event, sig = self.sign(decision)
        side, other = self.sides[event.author], self.sides[1 - event.author]
        lost = self.recorded.lost.get(game.events)
        void = None if lost is None else self.sign(lost)
        if void is not None:
            if collision(event, void[0]) is not event:
                raise ProtocolError(500, "the other one wins")
            other.send("EVENT", void[0].data, void[1])
        game.apply(event)
        self.states.append(encode(game.state()))
        ack = event.ack(other.player.secret, game.hash)
        fields = (event.seq, event.digest, game.hash, ack)
        side.send("EVENT", event.data, sig)
        other.send("ACK", *fields)
        self.entries.append(Entry(event, sig, game.hash, ack))
        for role in (0, 1):
            self._settle(role, (event, sig), void, fields)

    def _settle(
        self,
        role: int,
        won: tuple[Event, bytes],
        void: tuple[Event, bytes] | None,
        ack: tuple[Value, ...],
    ) -> None:
        """Write what a role writes until an event is final."""
        written = [(EVENT, (won[0].data, won[1]))]
        if void is not None:
            body = (void[0].data, void[1])
            own = void[0].author == role
            written.insert(0 if own else 1, (EVENT if own else VOID, body))
        for kind, fields in written:
            self.record(role, kind, fields)
        self.record(role, ACK, ack)

    def _body(self, side: Side, decision: Decision) -> tuple[Value, ...]:
        kind = decision.kind
        role, drawn = side.player.role, side.player.drawn
        if kind == "COMMIT":
            return tuple(self._roots(side, deck) for deck in (0, 1))
        if kind == "CHALLENGE":
            return drawn[4][0] % self.game.genesis.k, drawn[5][0] % self.game.genesis.k
        if kind == "REVEAL":
            return self._reveal(side)
        if kind in ("OPEN_A", "OPEN_B"):
            return self._opening(side, kind)
        if kind == "AUDIT":
            kept = self.game.deal.kept
            return tuple(side.seeds(deck)[kept[role, deck]] for deck in (0, 1))
        if kind == "RESULT":
            end = self.game.play.end if self.game.play else None
            return () if end is None else (end.winner, end.reason, end.points)
        return self._decision(role, decision)

    def _layer(self, side: Side, deck: int, candidate: int) -> Layer:
        game_id = self.game.genesis.game_id
        ctx = context(game_id, side.player.role, deck, candidate)
        return derive(side.seeds(deck)[candidate], ctx)

    def _roots(self, side: Side, deck: int) -> bytes:
        count = self.game.genesis.k
        return b"".join(self._layer(side, deck, i).root for i in range(count))

    def _reveal(self, side: Side) -> tuple[Value, ...]:
        seeds, slots = [], []
        for deck in (0, 1):
            kept = self.game.deal.kept[side.player.role, deck]
            every = side.seeds(deck)
            seeds.append(b"".join(every[:kept] + every[kept + 1 :]))
            layer = side.layers[0, deck] = self._layer(side, deck, kept)
            slots.append(b"".join(layer.slots))
        return (*seeds, *slots)

    def _opening(self, side: Side, kind: str) -> tuple[Value, ...]:
        deck = side.player.role if kind == "OPEN_B" else 1 - side.player.role
        layer, deal = side.layers[0, deck], self.game.deal
        owed = self.game.owed
        positions = deal.laid_out if owed is None else owed.positions
        shown = deal.slots_of[deck]
        places = positions if kind == "OPEN_A" else [shown[p] for p in positions]
        return deck, tuple((i, layer.perm[i], layer.salts[i]) for i in places)

    def _decision(self, role: int, decision: Decision) -> tuple[Value, ...]:
        play, kind, words = self.game.play, decision.kind, (decision.text or "").split()
        if play is None:
            raise ProtocolError(500, "no table")
        if kind == "MOVE":
            move = read_play(play, words[0], role)
            if (move.source, move.target) != decision.piles:
                raise ProtocolError(500, "not what the text of the MOVE says")
            return decision.piles
        if kind == "STOP":
            named = read_named(play, words[1], 1 - role)
            source, target = decision.piles or (-1, -1)
            column = named.target if named.target < 8 else target
            if (named.source, column) != (source, target):
                raise ProtocolError(500, "not what the text of the STOP says")
            return source, target
        if kind == "END":
            return (int(words[0] == "pass"),)
        return (int(words[0] == "accept-draw"),) if kind == "DRAW_ANSWER" else ()

    @property
    def waits(self) -> tuple[int, str | None] | None:
        """Whose message the game waits for at its end."""
        return owed_by(self.game)


def first_difference(made: list[bytes], recorded: list[bytes]) -> str:
    """Name the first byte at which one direction differs.

    Args:
        made: Frames that were made.
        recorded: Frames that were recorded.

    Returns:
        Where, or nothing.
    """
    mine, theirs = b"".join(made), b"".join(recorded)
    if mine == theirs:
        return ""
    at, beyond = 0, max(len(mine), len(theirs))
    while beyond - at > 1:
        middle = (at + beyond) // 2
        if mine[at:middle] == theirs[at:middle]:
            at = middle
        else:
            beyond = middle
    place = 0
    for number, data in enumerate(made):
        if at < place + len(data):
            name = read_message(data[4:])[0]
            return f"byte {at}: frame {number} ({name}), byte {at - place}"
        place += len(data)
    return f"byte {at}: after the last frame"
