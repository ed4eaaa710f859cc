"""Vectors of invites and of the rates that a link has to keep."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Final

from crapette_p2p.session.messages import (
    Ack,
    Chat,
    EventMessage,
    Message,
    Ping,
    Pong,
    Resume,
    encode_message,
)
from tests.vectors.making.clients import Client
from tests.vectors.making.received import in_play
from tests.vectors.making.resumes import NONE
from tests.vectors.making.writing import Group, Json, VectorFile
from tests.vectors.run_link import RUNNERS
from tests.vectors.values import Refused

WIRE: Final = "spec/50-wire.md"
FP: Final = "0123456789ABCDEF"
TOKEN: Final = "GHJKMNPQRSTVWXYZ"  # noqa: S105 - made up
Frames = list[tuple[int, int, Message]]


def files() -> Iterator[VectorFile]:
    """All files of this module."""
    yield VectorFile("invites", "invites", WIRE + "#3", [_good(), _bad()])
    yield VectorFile("rates", "rates", WIRE + "#7", [_lobby(), _play()])


def _add(kind: str, group: Group, comment: str, given: Json) -> None:
    try:
        output = RUNNERS[kind](given, group.common)
    except Refused as refused:
        group.add(comment, given, refused.output, code=refused.code)
    else:
        group.add(comment, given, output)


def _good() -> Group:
    group = Group("good")
    for comment, text in (
        ("an address and a fingerprint", f"crapette1:192.168.1.20:4747/{FP}"),
        ("with a token", f"crapette1:192.168.1.20:4747/{FP}/{TOKEN}"),
        ("IPv6 in brackets", f"crapette1:[2001:db8::1]:4747/{FP}"),
        ("IPv6 with a scope", f"crapette1:[fe80::1%eth0]:4747/{FP}"),
        ("a name", f"crapette1:table.example.org:65535/{FP}"),
        ("three addresses", f"crapette1:10.0.0.1:1,[::1]:2,b-c.d:3/{FP}/{TOKEN}"),
        ("eight addresses", f"crapette1:{','.join(['10.0.0.1:4747'] * 8)}/{FP}"),
        ("no port is 4747", f"crapette1:10.0.0.1/{FP}"),
        ("small letters", f"CRAPETTE1:10.0.0.1:4747/{FP.lower()}/{TOKEN.lower()}"),
        (
            "O, I and L for 0 and 1",
            "crapette1:10.0.0.1:4747/O123456789ABCDEF/IL11111111111111",
        ),
        ("groups with hyphens", f"crapette1:10.0.0.1:4747/0123-4567-89AB-CDEF/{TOKEN}"),
        (
            "broken by a mail program",
            f" crapette1:10.0.0.1:4747/\r\n{FP[:9]} {FP[9:]}\n",
        ),
    ):
        _add("invites", group, comment, {"text": text})
    return group


def _bad() -> Group:
    group = Group("bad")
    for comment, text in (
        ("nothing", ""),
        ("an address alone", "192.168.1.20:4747"),
        ("no scheme", f"192.168.1.20:4747/{FP}"),
        ("another version", f"crapette2:192.168.1.20:4747/{FP}"),
        ("no address", f"crapette1:/{FP}"),
        ("an empty address", f"crapette1:10.0.0.1:4747,/{FP}"),
        ("no fingerprint", "crapette1:10.0.0.1:4747"),
        ("an empty fingerprint", "crapette1:10.0.0.1:4747/"),
        ("a fingerprint of 15", f"crapette1:10.0.0.1:4747/{FP[:15]}"),
        ("a fingerprint of 17", f"crapette1:10.0.0.1:4747/{FP}0"),
        ("U is no digit", f"crapette1:10.0.0.1:4747/{FP[:15]}U"),
        ("an empty token", f"crapette1:10.0.0.1:4747/{FP}/"),
        ("a token of 15", f"crapette1:10.0.0.1:4747/{FP}/{TOKEN[:15]}"),
        ("a token of 17", f"crapette1:10.0.0.1:4747/{FP}/{TOKEN}0"),
        ("something more", f"crapette1:10.0.0.1:4747/{FP}/{TOKEN}/{TOKEN}"),
        ("port 0", f"crapette1:10.0.0.1:0/{FP}"),
        ("port 65,536", f"crapette1:10.0.0.1:65536/{FP}"),
        ("a port of letters", f"crapette1:10.0.0.1:http/{FP}"),
        ("an empty port", f"crapette1:10.0.0.1:/{FP}"),
        ("four numbers, one too high", f"crapette1:10.0.0.256:4747/{FP}"),
        ("an open bracket", f"crapette1:[::1:4747/{FP}"),
        ("no IPv6 in brackets", f"crapette1:[::g]:4747/{FP}"),
        ("a name in brackets", f"crapette1:[table]:4747/{FP}"),
        ("a name with a slash", f"crapette1:a/b:4747/{FP}"),
        ("a name that begins with a hyphen", f"crapette1:-a:4747/{FP}"),
        ("nine addresses", f"crapette1:{','.join(['10.0.0.1:4747'] * 9)}/{FP}"),
    ):
        _add("invites", group, comment, {"text": text})
    return group


def _rate(
    group: Group, before: Frames, comment: str, *frames: tuple[int, int, Message]
) -> None:
    listed = [[at, n, encode_message(m).hex()] for at, n, m in (*before, *frames)]
    _add("rates", group, comment, {"frames": listed})


def _lobby() -> Group:
    """No game is open; RESUME has come at once and is not counted."""
    group = Client(in_play("crapette", 1, after=6), 0).group("lobby")
    add = partial(_rate, group, [(0, 1, NONE)])
    ping, pong, chat = Ping(1), Pong(9), Chat("hello")
    add("200 at once", (0, 200, ping))
    add("201 at once", (0, 201, ping))
    add("201 of three kinds", (0, 100, ping), (0, 100, chat), (0, 1, pong))
    add("200 answers nobody asked for", (0, 200, pong))
    add("one more after 19 ms", (0, 200, ping), (19, 1, ping))
    add("one more after 21 ms", (0, 200, ping), (21, 1, ping))
    add("two more after 21 ms", (0, 200, ping), (21, 2, ping))
    add("49 in the second after", (0, 200, ping), (1000, 49, ping))
    add("51 in the second after", (0, 200, ping), (1000, 51, ping))
    add("a burst again after 4.1 s", (0, 200, ping), (4100, 200, ping))
    add("no more than a burst after an hour", (0, 1, ping), (3_600_000, 201, ping))
    steady = [(1000 * second, 49, ping) for second in range(20)]
    add("49 a second for 20 s", *steady)
    hasty = [(1000 * second, 70, ping) for second in range(20)]
    add("70 a second for 20 s", *hasty)
    add("a flood of chat", (0, 250, chat))
    return group


def _play() -> Group:
    """A game is open: what repeats an old event or ACK is counted."""
    game = in_play("crapette", 1, after=6)
    client = Client(game, 0)
    group = client.group("play", game.data)
    add = partial(_rate, group, [(0, 1, _named(client))])
    theirs = next(e for e in reversed(game.log.entries) if e.signed.event.author == 1)
    mine = next(e for e in reversed(game.log.entries) if e.signed.event.author == 0)
    event = EventMessage(theirs.signed.data, theirs.signed.sig)
    assert mine.ack is not None
    ack = Ack(mine.signed.event.seq, mine.signed.hash, mine.state_after, mine.ack)
    add("200 repeated events", (0, 200, event))
    add("201 repeated events", (0, 201, event))
    add("201 repeated ACKs", (0, 201, ack))
    add("100 of each, and a PING", (0, 100, event), (0, 100, ack), (0, 1, Ping(1)))
    add("50 a second of old events", (0, 150, event), (1000, 49, event))
    return group


def _named(client: Client) -> Resume:
    return client.naming()
