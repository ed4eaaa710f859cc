"""Runs the vectors of proposals: a client in the lobby, its player, and the other.

The client is a real session on a fake wire. What its player decides comes as steps
between the payloads of the other; the bytes its program would draw come with them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from crapette_p2p.gamelog.genesis import decode_genesis
from crapette_p2p.session.commands import AcceptTerms, Propose, Terms
from crapette_p2p.session.messages import ProposeMessage
from crapette_p2p.session.notices import TermsProposed
from tests.helpers.pair import Pair
from tests.vectors.run_resume import client_of, log_in, recorded, sent
from tests.vectors.values import Json, Refused, to_json


class Seated:
    """A client that has sent its RESUME; its player decides nothing by himself."""

    def __init__(self, common: Json) -> None:
        self._drawn: list[bytes] = []
        self._time = 0
        options: Json = {"rand": self._rand, "wall": lambda: self._time}
        if not common.get("at_hand", True):
            options["previous"] = None
        self.pair: Pair = client_of(common, known=lambda _key: "sas", **options)
        self.me = self.pair.players[0]
        self.me.person = lambda _notice: None
        log_in(self.pair)
        self.pair.wire_clear(0)
        self.pair.held[1] = True

    def _rand(self, size: int) -> bytes:
        return self._drawn.pop() if self._drawn else bytes(size)

    def do(self, name: str, data: bytes) -> None:
        """One step: something comes, or the player of the client decides."""
        match name:
            case "receive":
                self.pair.inject(0, data)
                self.pair.deliver(0)
            case "propose":
                self._propose(data)
            case _:
                assert name == "accept"
                self._drawn.append(data)
                self.pair.command(0, AcceptTerms())

    def _propose(self, data: bytes) -> None:
        """Propose what makes exactly these bytes."""
        genesis = decode_genesis(data, proposal=True)
        assert genesis.nonces[0] is not None
        self._drawn.append(genesis.nonces[0])
        self._time = genesis.unix_time
        first = Terms(
            preset=genesis.preset,
            rules=genesis.rules,
            candidates=genesis.k,
            assist=genesis.assist,
            target=genesis.match.target,
        )
        follows = genesis.match.previous is not None
        self.pair.command(0, Propose(None if follows else first))
        assert self.me.sent[-1] == ProposeMessage(data)


def proposal(given: Json, common: Json) -> object:
    """What a client says, records and asks its player, step by step."""
    seat = Seated(common)
    me = seat.me
    for name, data in given["steps"]:
        seat.do(name, bytes.fromhex(data))
        if me.closed is not None:
            raise Refused(me.closed)
    received = "".join(data for name, data in given["steps"] if name == "receive")
    return {
        "sent": [payload.hex() for payload in sent(me, set())],
        "records": [[r.kind, to_json(r.body)] for r in recorded(me, set(), received)],
        "asked": len(me.of(TermsProposed)),
        "state": me.live.state.name,
    }


RUNNERS: Final[dict[str, Callable[[Json, Json], object]]] = {"proposals": proposal}
