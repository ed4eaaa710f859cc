"""The recorded games over two links (vectors/links), played again."""

import dataclasses
import functools
import json
from dataclasses import dataclass

from tests.interop.checker_canonical import Value, as_array, encode
from tests.interop.checker_folder import PROTOCOL
from tests.interop.checker_recorded import (
    Recorded,
    decision_of,
    player_of,
    split_frames,
    split_states,
)
from tests.interop.checker_replay import Replay
from tests.interop.checker_resume import SYNC_MAX, serve

FOLDER = PROTOCOL / "vectors/links"
NAMES = tuple(sorted(path.stem for path in FOLDER.glob("*.json")))
NONCE = 6
"""Which of a player's draws his nonce of the second link is."""


@dataclass(frozen=True)
class Link:
    """One link.

    Attributes:
        dialler: The role that dialled.
        cert_digest: The digest of the listener's certificate.
        count: How many frames the index counts.
        arrived: How many of each role's frames reached the other.
        events: How many events were final for both at its end.
        frames: Role and payload of each frame.
    """

    dialler: int
    cert_digest: bytes
    count: int
    arrived: tuple[int, int]
    events: int
    frames: tuple[tuple[int, bytes], ...]


@dataclass(frozen=True)
class Linked:
    """A game over two links.

    Attributes:
        game: What it has in common with games over one.
        links: Both links.
        logs: The logs of both roles.
        restored: Role, records and events of a log that came back older.
    """

    game: Recorded
    links: tuple[Link, Link]
    logs: tuple[bytes, bytes]
    restored: tuple[int, int, int] | None


@functools.cache
def load(name: str) -> Linked:
    """Read a recorded game over two links."""
    index = json.loads((FOLDER / f"{name}.json").read_text("utf-8"))
    first, second = (
        Link(
            link["dialler"],
            bytes.fromhex(link["cert_digest"]),
            link["frames"],
            (link["arrived"][0], link["arrived"][1]),
            link["events"],
            split_frames((FOLDER / f"{name}.{number}.frames").read_bytes()),
        )
        for number, link in enumerate(index["links"], 1)
    )
    one, two = (player_of(player) for player in index["players"])
    logs = tuple((FOLDER / f"{name}.{role}.crlog").read_bytes() for role in (0, 1))
    game = Recorded(
        index["preset"],
        index["terms"],
        first.dialler,
        first.cert_digest,
        bytes.fromhex(index["game_id"]),
        (one, two),
        tuple(index["result"]),
        tuple(decision_of(*event) for event in index["events"]),
        {number: decision_of(*event) for number, *event in index["lost"]},
        tuple(bytes.fromhex(state) for state in index["states"]),
        0,
        (),
        logs[0],
        split_states((FOLDER / f"{name}.states").read_bytes()),
    )
    back = index["restored"]
    restored = None if back is None else (back["role"], back["records"], back["length"])
    return Linked(game, (first, second), (logs[0], logs[1]), restored)


class LinkReplay(Replay):
    """A game over two links played again.

    Attributes:
        sent: What each role sent over each link.
        lengths: How many final events each role had when it came back.
        kept: What each role's log held then.
    """

    def __init__(self, linked: Linked) -> None:
        """Play it.

        Args:
            linked: Keys, entropy, decisions, and where the link was cut.
        """
        self.linked = linked
        self.sent: list[tuple[list[bytes], list[bytes]]] = []
        self.lengths = [0, 0]
        self.kept = [b"", b""]
        self._waits: dict[int, tuple[Value, ...]] = {}
        super().__init__(linked.game)

    def play(self) -> None:
        """Play all of it."""
        first, second = self.linked.links
        events = self.recorded.events
        self.begin(first.dialler, first.cert_digest)
        for decision in events[: first.events]:
            self.event(decision)
        if sum(first.arrived) < first.count:
            self._both_act()
        self._hang_up()
        self._come_back(second)
        for decision in events[first.events :]:
            self.event(decision)
        self.leave()
        self._hang_up()

    def _both_act(self) -> None:
        """An event of each, of which neither arrives."""
        number = self.game.events
        for decision in (self.recorded.lost[number], self.recorded.events[number]):
            event, sig = self.sign(decision)
            self.sides[event.author].send("EVENT", event.data, sig)
            self._waits[event.author] = event.data, sig

    def _hang_up(self) -> None:
        host, dial = self.sides
        self.sent.append((host.sent.copy(), dial.sent.copy()))
        host.sent.clear()
        dial.sent.clear()

    def _come_back(self, link: Link) -> None:
        self.lengths = [self.game.events, self.game.events]
        if self.linked.restored is not None:
            role, records, length = self.linked.restored
            self.lengths[role] = length
            del self.records[role][records:]
        self.kept = [self._file(role) for role in (0, 1)]
        self.log_in(link.dialler, link.cert_digest, nonce=NONCE, asks=False)
        for side in self.sides:
            side.send("RESUME", *self._named(side.player.role))
        if self.linked.restored is not None:
            self._catch_up(self.linked.restored[0])

    def _file(self, role: int) -> bytes:
        """The log of a role now, with an own event that waits."""
        data = self.log(role)
        if role in self._waits:
            record = b"\x02" + encode(self._waits[role])
            data += len(record).to_bytes(4, "big") + record
        return data

    def _named(self, role: int) -> tuple[Value, ...]:
        """The fields of a role's RESUME."""
        length = self.lengths[role]
        hashes = [self.game.genesis.game_id, *self.game.hashes]
        events = [entry.event for entry in self.entries[:length]]
        seen = [event.seq + 1 for event in events if event.author != role]
        for number, lost in self.recorded.lost.items():
            if number < length and "AB".index(lost.author) != role:
                seen.append(number + 1)
        return hashes[0], length, hashes[length], max(seen, default=0)

    def _catch_up(self, role: int) -> None:
        """The shorter one asks until it has all, and writes what it gets."""
        target = self.game.events
        while self.lengths[role] < target:
            start = self.lengths[role]
            end = min(start + SYNC_MAX, target)
            self.sides[role].send("SYNC", start, end)
            answer = serve(self.entries, start, end)
            self.sides[1 - role].send("RECORDS", *answer[1:])
            count = len(as_array(answer[2], 1, SYNC_MAX))
            for number in range(start, start + count):
                self._write(role, number)
            self.lengths[role] = start + count

    def _write(self, role: int, number: int) -> None:
        """What the shorter one writes of a record."""
        event, entry = self.entries[number].event, self.entries[number]
        restored = self.linked.restored
        waits = restored is not None and number == restored[2] and event.author == role
        if not waits:  # an own event that waited stands there already
            self.record(role, 2, (event.data, entry.sig))
        self.record(role, 3, (event.seq, event.digest, entry.after, entry.ack))


def with_other_keys(linked: Linked, role: int) -> Linked:
    """The same game with one byte of a player's entropy changed."""
    players = list(linked.game.players)
    drawn = list(players[role].drawn)
    drawn[NONCE] = bytes([drawn[NONCE][0] ^ 1]) + drawn[NONCE][1:]
    players[role] = dataclasses.replace(players[role], drawn=tuple(drawn))
    game = dataclasses.replace(linked.game, players=(players[0], players[1]))
    return dataclasses.replace(linked, game=game)
