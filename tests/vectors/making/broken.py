"""Vectors of logs in which both players signed what they should not have.

And of records that stand where they must not; each word of ``log-faults.json`` that
needs a signature to come about is here.
"""

from __future__ import annotations

from collections.abc import Iterator

from crapette_p2p.gamelog.bodies import Body
from crapette_p2p.gamelog.events import EventType
from crapette_p2p.gamelog.log import SignedEvent
from crapette_p2p.gamelog.records import RecordKind, encode_record
from tests.helpers.fakegame import FakeGame
from tests.vectors.making.ending import (
    LOG,
    MAGIC_BYTES,
    event_record,
    fault_record,
    judge,
    note_record,
    rigged,
    rigged_opening,
    void_record,
)
from tests.vectors.making.received import fresh, in_play
from tests.vectors.making.writing import Group, VectorFile


def files() -> Iterator[VectorFile]:
    """All files of this module."""
    groups = [*_signed(), _order(), _half_signed(), _collided()]
    yield VectorFile("logs-broken", "logs", LOG + "#7", groups)


def _without_owed(group: Group) -> Group:
    """Who owes what is said of sound logs only."""
    for test in group.tests:
        if test["expect"] == "refuse":
            del test["output"]["owed"]
    return group


def _until(game: FakeGame, kind: EventType) -> tuple[int, Body]:
    """Go on to the first owed event of a kind: its author and its lawful body."""
    while True:
        owed = game.owed()
        assert owed is not None
        if owed[1] == kind:
            return owed[0], owed[2]
        game.event(*owed)


def _signed() -> Iterator[Group]:
    """One event that is wrong, signed and countersigned, at the end of a log."""
    for code, name, game, signed in _wrong_events():
        group = Group(f"{code}-{name}")
        game.final(signed, trusting=True)
        group.common = {"log": game.data.hex()}
        judge(group, "as it is", [])
        judge(group, "with a note", [(len(game.data), 0, note_record())])
        yield _without_owed(group)
    for name, changes in (("illegal", {}), ("another-state", {"state": bytes(32)})):
        game = in_play("crapette", 2, after=2)
        signed = _bad_move(game, **changes)
        game.record(RecordKind.EVENT, signed.data, signed.sig)
        after = bytes(range(32))
        ack = (signed.event.seq, signed.hash, after, game.ack(signed, after))
        game.record(RecordKind.ACK, *ack)
        group = Group(f"signed-{name}", common={"log": game.data.hex()})
        judge(group, "as it is", [])
        yield _without_owed(group)
    yield _without_owed(_wrong_ack())


def _wrong_events() -> Iterator[tuple[int, str, FakeGame, SignedEvent]]:
    game = fresh("crapette", 31)
    author, body = _until(game, EventType.COMMIT)
    first = game.sign(author, EventType.COMMIT, (body[0], body[0]))
    yield 304, "commit", game, first
    game = fresh("crapette", 32)
    author, body = _until(game, EventType.REVEAL)
    wrong = game.sign(author, EventType.REVEAL, (bytes(32), *body[1:]))
    yield 302, "reveal", game, wrong
    game = fresh("crapette", 33)
    author, (deck, lines) = _until(game, EventType.OPEN_A)
    assert isinstance(lines, tuple)
    at, value, _ = lines[0]
    lines = ((at, value, bytes(32)), *lines[1:])
    yield 405, "open-a", game, game.sign(author, EventType.OPEN_A, (deck, lines))
    game = rigged()
    author, _ = _until(game, EventType.OPEN_B)
    yield 406, "open-b", game, game.sign(author, EventType.OPEN_B, rigged_opening(game))
    game = in_play("garibaldka", 3, after=2)
    position = game.state.position
    assert position is not None
    game.event(position.active, EventType.RESIGN, ())
    author, body = _until(game, EventType.AUDIT)
    yield 408, "audit", game, game.sign(author, EventType.AUDIT, (bytes(32), body[1]))


def _bad_move(game: FakeGame, **changes: object) -> SignedEvent:
    position = game.state.position
    assert position is not None
    return game.sign(position.active, EventType.MOVE, (0, 0), **changes)


def _wrong_ack() -> Group:
    """A lawful event whose ACK names another state."""
    game = in_play("crapette", 2, after=2)
    signed = game.sign(0, EventType.DRAW_OFFER, ())
    game.record(RecordKind.EVENT, signed.data, signed.sig)
    after = bytes(range(32))
    ack = (signed.event.seq, signed.hash, after, game.ack(signed, after))
    game.record(RecordKind.ACK, *ack)
    group = Group("signed-another-state-after", common={"log": game.data.hex()})
    judge(group, "as it is", [])
    return group


def _begun() -> FakeGame:
    """Two events are final."""
    game = fresh("crapette", 34)
    for _ in range(2):
        owed = game.owed()
        assert owed is not None
        game.event(*owed)
    return game


def _order() -> Group:
    """Records that may, or may not, follow a log of two events."""
    game = _begun()
    owed = game.owed()
    assert owed is not None
    author, kind, body = owed
    good = game.sign(author, kind, body)
    last = game.log.entries[-1].signed.event
    again = {"seq": last.seq, "prev": last.prev, "state": last.state}
    bad = game.sign(author, EventType.MOVE, (0, 0))
    genesis = encode_record(*game.records[0]).hex()
    other = encode_record(*fresh("crapette", 35).records[0]).hex()
    group = Group("order", common={"log": game.data.hex()})
    end = len(game.data)
    for comment, records in (
        ("the next event waits", [event_record(good)]),
        ("a fault", [fault_record(404, bad)]),
        ("a note after a fault", [fault_record(404, bad), note_record()]),
        ("a second fault", [fault_record(404, bad), fault_record(404, bad)]),
        ("a fault proves nothing", [fault_record(404, good)]),
        ("another genesis", [other]),
        ("the genesis again", [genesis]),
        ("a gap", [event_record(game.sign(author, kind, body, seq=3))]),
        ("another head", [event_record(game.sign(author, kind, body, prev=bytes(32)))]),
        (
            "of another game",
            [event_record(game.sign(author, kind, body, game_id=bytes(32)))],
        ),
        (
            "not its author's signature",
            [event_record(SignedEvent(good.event, good.data, good.hash, bytes(64)))],
        ),
        (
            "two of one number",
            [event_record(game.sign(last.author, last.type, (), **again))],
        ),
        (
            "two that wait",
            [event_record(good), event_record(game.sign(author, 99, ()))],
        ),
        ("the next but one waits too", [event_record(good), _later(game, good)]),
    ):
        judge(group, comment, [(end, 0, "".join(records))])
    return group


def _later(game: FakeGame, good: SignedEvent) -> str:
    author = 1 - good.event.author
    seq = good.event.seq + 1
    kind, body = good.event.type, good.event.body
    return event_record(game.sign(author, kind, body, seq=seq, prev=good.hash))


def _half_signed() -> Group:
    """GENESIS first without the signature of role 0."""
    game = _begun()
    kind, (data, sig0, sig1) = game.records[0]
    whole = encode_record(*game.records[0])
    half = encode_record(kind, (data, None, sig1)).hex()
    unsigned = encode_record(kind, (data, sig0, bytes(64))).hex()
    rest = len(game.data) - MAGIC_BYTES - len(whole)
    group = Group("half-signed", common={"log": game.data.hex()})
    first = MAGIC_BYTES
    for comment, edits in (
        ("and again with both", [(first, 0, half)]),
        ("a note between them", [(first, 0, half + note_record())]),
        ("twice without", [(first, 0, half + half)]),
        ("only without", [(first, len(whole), half)]),
        ("alone", [(first, len(whole) + rest, half)]),
        ("a note first", [(first, 0, note_record())]),
        ("not signed by role 1", [(first, len(whole), unsigned)]),
        ("nothing at all", [(first, len(whole) + rest, "")]),
    ):
        judge(group, comment, edits)
    return _without_owed(group)


def _collided() -> Group:
    """Void events, and a fault while an own event waits."""
    game = in_play("crapette", 2, after=9)
    position = game.state.position
    assert position is not None
    mover = position.active
    play = game.sign(mover, EventType.RESIGN, ())
    offer = game.sign(1 - mover, EventType.DRAW_OFFER, ())
    unlawful = game.sign(1 - mover, EventType.GRANT, ())
    old = game.log.entries[-1].signed
    group = Group("collided", common={"log": game.data.hex()})
    end = len(game.data)
    for comment, records in (
        ("void once", [event_record(play), void_record(offer)]),
        ("void twice", [event_record(play), void_record(offer), void_record(offer)]),
        ("void, but not lawful", [event_record(play), void_record(unlawful)]),
        ("void, but final", [event_record(play), void_record(old)]),
        ("a fault meanwhile", [event_record(play), fault_record(404, unlawful)]),
    ):
        judge(group, comment, [(end, 0, "".join(records))])
    return group
