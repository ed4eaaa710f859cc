"""Vectors of timers where people are waited for: at the login and over the terms."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from crapette_p2p.session.messages import Hello, Ping, Ready
from tests.helpers.pair import CERT
from tests.vectors.making import logins, proposals
from tests.vectors.making.proposals import GN1, Side, first
from tests.vectors.making.resumes import NONE
from tests.vectors.making.timing import Frames, add, pings
from tests.vectors.making.writing import Group, Json, VectorFile

SPEC: Final = "spec/60-session.md#10"
LONG: Final = 300_000
"""Longer than anybody is waited for."""
LOGIN: Final = replace(logins.GOOD, cert=CERT)


def files() -> Iterator[VectorFile]:
    """The file of this module."""
    groups = [_listener(), _dialler(), _proposer(), _asked()]
    yield VectorFile("timers-people", "timers", SPEC, groups)


def _group(name: str, *, dialler: bool) -> Group:
    secrets = logins.LISTENER, logins.DIALLER
    common: Json = {
        "logs": [],
        "secret": secrets[dialler].hex(),
        "peer_secret": secrets[not dialler].hex(),
        "dialler": dialler,
        "nick": ("Ala", "Olek")[dialler],
        "peer_nick": ("Olek", "Ala")[dialler],
        "nonce": (logins.NONCE_L, logins.NONCE_D)[dialler].hex(),
        "cert_digest": CERT.hex(),
    }
    return Group(name, common=common)


def _hello() -> Hello:
    return LOGIN.hello


def _later(frames: Frames, start: int) -> Frames:
    return [(at, message) for at, message in frames if at >= start]


def _listener() -> Group:
    """The listener waits for HELLO and AUTH, then for its own person."""
    group = _group("login-listener", dialler=False)
    auth = LOGIN.auth()
    add(group, "nothing comes", [], LONG)
    add(group, "nothing for a while", [], 9_999)
    add(group, "HELLO in the last moment, and no AUTH", [(9_999, _hello())], LONG)
    add(group, "HELLO and no AUTH", [(3_000, _hello())], LONG)
    both: Frames = [(3_000, _hello()), (9_999, auth)]
    add(group, "AUTH in the last moment, then silence", both, LONG)
    alive = [*both, *_later(pings(LONG), 10_000)]
    add(group, "the person never looks", alive, LONG)
    add(group, "the person takes his time", alive, 129_998)
    seat = (129_998, "seat", b"")
    add(group, "the person says yes, and RESUME does not come", alive, LONG, seat)
    named: Frames = [*alive, (130_000, NONE)]
    named.sort(key=lambda frame: frame[0])
    add(group, "the person says yes", named, 200_000, seat)
    return group


def _dialler() -> Group:
    """The dialler waits for HOST and READY, and for the listener's person."""
    group = _group("login-dialler", dialler=True)
    host = LOGIN.host()
    asked: Frames = [(100, host), (9_999, Ready("Ala", 1))]
    add(group, "HOST does not come", [], LONG)
    add(group, "READY does not come", [(100, host)], LONG)
    add(
        group,
        "READY does not come, but signs of life",
        [(100, host), *pings(LONG)],
        LONG,
    )
    add(
        group,
        "READY in the last moment",
        [(100, host), (9_999, Ready("Ala", 0))],
        12_000,
    )
    add(group, "a person is asked, and then silence", asked, LONG)
    alive = [*asked, *_later(pings(LONG), 10_000)]
    add(group, "a person is asked, who never answers", alive, LONG)
    late = sorted([*alive, (129_998, Ready("Ala", 0))], key=lambda frame: frame[0])
    add(group, "who answers late, and RESUME does not come", late, LONG)
    no: Frames = [(100, host), (200, Ready("Ala", 2))]
    add(group, "refused, and no BYE follows", [*no, *pings(LONG)], LONG)
    asked_no = [*asked, (20_000, Ready("Ala", 2)), *_later(pings(LONG), 20_001)]
    alive_no = sorted([*asked_no, (14_000, Ping(1))], key=lambda frame: frame[0])
    add(group, "refused after a while, and no BYE follows", alive_no, LONG)
    return group


def _proposer() -> Group:
    """Role 0 waits for the other's person."""
    group = Side(0, dialler=False).group("proposes")
    deal = first(proposals.NAMES)
    proposed = (1_000, "propose", proposals.proposes(deal)[1])
    lobby: Frames = [(0, NONE)]
    alive = [*lobby, *pings(LONG)]
    add(group, "no answer, no sign of life", lobby, LONG, proposed)
    add(group, "no answer", alive, LONG, proposed)
    add(group, "no answer yet", alive, 120_999, proposed)
    return group


def _asked() -> Group:
    """Role 1's own person thinks as long as the other allows; then START is due."""
    group = Side(1, dialler=True).group("is-asked")
    proposal = proposals.message_of(proposals.offered(first(proposals.NAMES)))
    alive: Frames = [(0, NONE), (1_000, proposal), *pings(LONG)]
    add(group, "his person thinks", alive, LONG)
    add(
        group, "he agrees, and START does not come", alive, LONG, (1_500, "accept", GN1)
    )
    add(group, "he agrees late", alive, LONG, (110_000, "accept", GN1))
    start = proposals.message_of(proposals.started(first(proposals.NAMES), "Ala"))
    begun = sorted([*alive, (119_999, start)], key=lambda frame: frame[0])
    add(
        group,
        "and START comes in the last moment",
        begun,
        121_000,
        (110_000, "accept", GN1),
    )
    return group
