"""Runs the vectors of invites and of rates."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from crapette_p2p.errors import NotationError
from crapette_p2p.net.address import parse_invite
from crapette_p2p.session.messages import type_of
from tests.helpers.pair import Pair
from tests.vectors.run_resume import client_of, log_in
from tests.vectors.values import Json, Refused


def invite(given: Json, _common: Json) -> object:
    """What an invite says, and how it is written."""
    try:
        found = parse_invite(given["text"])
    except NotationError as error:
        raise Refused("notation") from error
    return {
        "addresses": [[address.host, address.port] for address in found.addresses],
        "fingerprint": found.fingerprint.hex(),
        "token": None if found.token is None else found.token.hex(),
        "text": str(found),
    }


def rate(given: Json, common: Json) -> object:
    """Whether a client bears so many frames in that time; which is one too many."""
    pair = client_of(common)
    me = pair.players[0]
    log_in(pair)
    pair.wire_clear(0)
    pair.held[1] = True
    number, start = 0, pair.now
    for at, times, payload in given["frames"]:
        pair.now = start + at / 1000
        for _ in range(times):
            pair.inject(0, bytes.fromhex(payload))
            pair.deliver(0)
            if me.closed is not None:
                raise Refused(me.closed, {"frame": number})
            number += 1
    return None


def timer(given: Json, common: Json) -> object:
    """What a client says by itself, and when, while time passes."""
    pair = client_of(common)
    me = pair.players[0]
    log_in(pair)
    pair.wire_clear(0)
    pair.held[1] = True
    pair.players[1].closed = 0  # the other says nothing but what is given
    clock = Clock(pair, pair.now, len(me.sent))
    for at, payload in given["frames"]:
        clock.advance(at)
        if me.closed is None:
            pair.inject(0, bytes.fromhex(payload))
            pair.deliver(0)
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
    "invites": invite,
    "rates": rate,
    "timers": timer,
}
