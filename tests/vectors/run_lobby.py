"""Runs the vectors of proposals and timers: a client, its player, and the other.

The client is a real session on a fake wire. What its player decides comes as steps
between the payloads of the other; the bytes its program would draw come with them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from crapette_p2p.gamelog.genesis import decode_genesis
from crapette_p2p.session.commands import AcceptPlayer, AcceptTerms, Propose, Terms
from crapette_p2p.session.messages import ProposeMessage, type_of
from crapette_p2p.session.notices import TermsProposed
from tests.helpers.pair import CERT, Pair
from tests.vectors.run_resume import client_of, log_in, recorded, sent
from tests.vectors.values import Json, Refused, to_json


class Seated:
    """A client whose player decides nothing by himself.

    It has sent its RESUME, or only just begun where ``common`` has a login in it.
    """

    def __init__(self, common: Json) -> None:
        self._drawn: list[bytes] = []
        self._time = 0
        options: Json = {"rand": self._rand, "wall": lambda: self._time}
        if not common.get("at_hand", True):
            options["previous"] = None
        if "nonce" in common:
            assert common["cert_digest"] == CERT.hex()
            self._drawn.append(bytes.fromhex(common["nonce"]))
        else:
            options["known"] = lambda _key: "sas"
        self.pair: Pair = client_of(common, **options)
        self.me = self.pair.players[0]
        self.me.person = lambda _notice: None
        if "nonce" not in common:
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
            case "seat":
                self.pair.command(0, AcceptPlayer())
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


def timer(given: Json, common: Json) -> object:
    """What a client says by itself, and when, while time passes."""
    seat = Seated(common)
    me = seat.me
    seat.pair.players[1].closed = 0  # the other says nothing but what is given
    clock = Clock(seat.pair, seat.pair.now, len(me.sent))
    frames = [(at, "receive", payload) for at, payload in given["frames"]]
    decided = [tuple(step) for step in given.get("decided", [])]
    for at, name, data in sorted(frames + decided, key=lambda step: step[0]):
        clock.advance(at)
        if me.closed is None:
            seat.do(name, bytes.fromhex(data))
            clock.note()
    clock.advance(given["until"])
    if me.closed is not None:
        raise Refused(me.closed, {"sent": clock.sent, "at": clock.closed})
    return {"sent": clock.sent}


@dataclass
class Clock:
    """Lets time pass for one client, and writes down what it says when."""

    pair: Pair
    start: float
    seen: int
    sent: list[list[object]] = field(default_factory=list)
    closed: int | None = None

    def advance(self, until: int) -> None:
        """Tick whenever the client asks for it, up to so many milliseconds."""
        me = self.pair.players[0]
        while me.closed is None:
            due = me.live.deadline()
            if due is None or due > self.start + until / 1000:
                break
            self.pair.now = due
            self.pair.tick()
            self.note()
        self.pair.now = self.start + until / 1000

    def note(self) -> None:
        """Write down what was sent since."""
        me = self.pair.players[0]
        now = round((self.pair.now - self.start) * 1000)
        self.sent += ([now, type_of(m).name] for m in me.sent[self.seen :])
        self.seen = len(me.sent)
        if me.closed is not None and self.closed is None:
            self.closed = now


RUNNERS: Final[dict[str, Callable[[Json, Json], object]]] = {
    "proposals": proposal,
    "timers": timer,
}
