"""Runs the vectors of invites and of rates."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from crapette_p2p.errors import NotationError
from crapette_p2p.net.address import parse_invite
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


RUNNERS: Final[dict[str, Callable[[Json, Json], object]]] = {
    "invites": invite,
    "rates": rate,
}
