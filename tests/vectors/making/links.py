"""Games over two links: cut in mid-game, resumed from the other side.

``protocol/vectors/links/README.md`` says what is in the files.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from crapette_p2p.engine import OFFER_DRAW, legal_with_offences, refusal
from crapette_p2p.gamelog.events import decode_event
from crapette_p2p.gamelog.game import encode_state
from crapette_p2p.gamelog.records import MAGIC, RecordKind, encode_record, read_records
from crapette_p2p.gamelog.secrets import Secrets
from crapette_p2p.gamelog.state import Phase
from crapette_p2p.session.opengame import OpenGame, load_game
from crapette_p2p.session.session import Session
from tests.helpers.keys import real_key
from tests.vectors.making.games import (
    CERT_DIGEST,
    DIALLER,
    Recording,
    Side,
    framed,
    index_of,
    index_text,
    states_of,
    wire_of,
)
from tests.vectors.making.plans import CUTS, Cut
from tests.vectors.making.writing import VECTORS, Json

LINKS: Final = VECTORS / "links"
SECOND_DIGEST: Final = hashlib.sha256(b"another certificate").digest()


@dataclass(frozen=True, slots=True)
class Link:
    """One link of a recording."""

    dialler: int
    cert_digest: bytes
    frames: list[tuple[int, bytes]]
    arrived: int
    """How many of them reached the other side, from the front."""
    events: int
    """How many events were final for both when it ended."""

    def to_json(self) -> Json:
        """What the index says of it."""
        came = [sender for sender, _ in self.frames[: self.arrived]]
        return {
            "dialler": self.dialler,
            "cert_digest": self.cert_digest.hex(),
            "frames": len(self.frames),
            "arrived": [came.count(0), came.count(1)],
            "events": self.events,
        }


class TwoLinks(Recording):
    """A game that is cut once."""

    def __init__(self, name: str) -> None:
        self.cut: Cut = CUTS[name]
        super().__init__(name, self.cut.plan)
        self.links: list[Link] = []
        self.restored: Json | None = None

    def run(self) -> None:
        """From HELLO to the BYE after RESULT, over two links."""
        self.connect(DIALLER, CERT_DIGEST)
        while not self._is_time():
            act = self._next()
            assert act is not None
            self.act(act)
            self._settle()
        if self.cut.in_flight:
            self._both_act()
        self._hang_up(DIALLER, CERT_DIGEST)
        games = [self._game_of(side) for side in self.sides]
        for side, other, game in zip(self.sides, self.sides[::-1], games, strict=True):
            known = real_key(other.secret).public
            config = replace(self.config(side, None), game=game, expected=known)
            side.session, side.state = Session(config), "TLS"
        self.connect(1 - DIALLER, SECOND_DIGEST)
        self.play_on()
        self._hang_up(1 - DIALLER, SECOND_DIGEST)

    def _is_time(self) -> bool:
        """Whether the link is to be cut now: in play, where both may act."""
        game = self.sides[0].session.game
        assert game is not None
        position = game.position
        if position is None or game.length < self.cut.at or game.phase != Phase.PLAY:
            return False
        return refusal(position, 1 - position.active, OFFER_DRAW) is None

    def _both_act(self) -> None:
        """A play and an offer with one number, of which neither arrives."""
        game = self.sides[0].session.game
        assert game is not None
        assert game.position is not None
        mover = game.position.active
        action = legal_with_offences(game.position)[0][0]
        self.act((mover, action), (1 - mover, OFFER_DRAW))

    def _hang_up(self, dialler: int, digest: bytes) -> None:
        game = self.sides[0].session.game
        assert game is not None
        frames, count = list(self.frames), game.length
        self.links.append(Link(dialler, digest, frames, self._arrived, count))
        for side in self.sides:
            self._carry(side, side.session.eof(0.0))
        self.frames.clear()
        self._arrived = 0

    def _game_of(self, side: Side) -> OpenGame:
        """The game as the player has it when he comes back."""
        game = side.session.open_game
        assert game is not None
        if side.role == 0 or not self.cut.backup:
            return game
        side.log = bytearray(self._backup(bytes(side.log), game.length))
        who = real_key(side.secret)
        secrets = Secrets(side.seeds[0], side.seeds[1])
        old = load_game(
            bytes(side.log), idpub=who.public, sign=who.sign, secrets=secrets
        )
        records = len(read_records(bytes(side.log)).records)
        self.restored = {"role": 1, "records": records, "length": old.length}
        return old

    def _backup(self, data: bytes, length: int) -> bytes:
        """A log from when an own event was written and not yet acknowledged."""
        kept = MAGIC
        for record in read_records(data).records:
            kept += encode_record(record.kind, record.body)
            if record.kind == RecordKind.EVENT:
                assert isinstance(record.body[0], bytes)
                event = decode_event(record.body[0])
                if event.author == 1 and event.seq >= length - self.cut.backup:
                    return kept
        raise AssertionError("role 1 has signed nothing since")


def record(name: str) -> TwoLinks:
    """The whole game of a cut."""
    recording = TwoLinks(name)
    recording.run()
    return recording


def files() -> Iterator[tuple[Path, bytes]]:
    """The files of all games over two links."""
    for name in CUTS:
        recording = record(name)
        log = recording.sides[0].session.log
        assert log is not None
        states = states_of(log)
        head: Json = {
            "schema": "links.json",
            "links": [link.to_json() for link in recording.links],
            "restored": recording.restored,
        }
        index = index_of(recording, log, states, head)
        yield LINKS / f"{name}.json", index_text(index)
        for number, link in enumerate(recording.links, 1):
            yield LINKS / f"{name}.{number}.frames", wire_of(link.frames)
        for side in recording.sides:
            yield LINKS / f"{name}.{side.role}.crlog", bytes(side.log)
        encoded = [encode_state(state) for state in states]
        yield LINKS / f"{name}.states", framed(encoded)
