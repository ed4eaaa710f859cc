"""A client whose resuming is tried: its logs, its role, and what is sent to it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from crapette_p2p.gamelog.log import GameLog
from crapette_p2p.session.messages import Message, Resume, encode_message
from tests.helpers.fakegame import FakeGame
from tests.vectors.making.received import secret_of
from tests.vectors.making.writing import Group, Json
from tests.vectors.run_resume import RUNNERS
from tests.vectors.values import Refused


@dataclass(frozen=True, slots=True)
class Client:
    """Who is tried: the logs it holds, its role, whether it dialled."""

    game: FakeGame
    role: int
    dialler: bool = False

    def group(self, name: str, *logs: bytes) -> Group:
        """A group of tests of this client."""
        me, peer = (secret_of(self.game.names[r]) for r in (self.role, 1 - self.role))
        common: Json = {
            "logs": [log.hex() for log in logs],
            "secret": me.hex(),
            "peer_secret": peer.hex(),
            "dialler": self.dialler,
        }
        return Group(name, common=common)

    def naming(self, length: int | None = None, **changes: object) -> Resume:
        """The RESUME of the other when he holds so many events."""
        log = self.game.log
        size = log.length if length is None else length
        seen = GameLog(log.genesis_bytes, log.sigs)
        for entry in log.entries[:size]:
            seen.append(entry)
        made = Resume(self.game.game_id, size, log.head_at(size), 0)
        made = replace(made, seen=seen.seen(self.role))  # type: ignore[arg-type] # a seat
        return replace(made, **changes)  # type: ignore[arg-type] # fields by name


def add(group: Group, comment: str, *received: Message | bytes) -> None:
    """Add what the client says to these messages."""
    payloads = [m if isinstance(m, bytes) else encode_message(m) for m in received]
    given: Json = {"received": [payload.hex() for payload in payloads]}
    try:
        output = RUNNERS["resumes"](given, group.common)
    except Refused as refused:
        group.add(comment, given, refused.output, code=refused.code)
    else:
        group.add(comment, given, output)
