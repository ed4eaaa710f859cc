"""Vectors of resuming: RESUME, SYNC and RECORDS, right ones and every lie.

Each group is a client with its logs that has just sent its RESUME; each test is
what the other sends then. All records are signed with the true keys.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from typing import Final

from crapette_p2p.canonical import encode
from crapette_p2p.engine import legal_with_offences
from crapette_p2p.engine.layout import other
from crapette_p2p.gamelog.events import EventType, action_to_body, event_message
from crapette_p2p.gamelog.log import Entry, SignedEvent
from crapette_p2p.gamelog.records import RecordKind
from crapette_p2p.gamelog.state import Phase
from crapette_p2p.session.messages import (
    Chat,
    EventMessage,
    Ping,
    ProposeMessage,
    Records,
    Resume,
    Start,
    Sync,
    encode_message,
)
from crapette_p2p.session.resume import encode_entry
from tests.helpers.fakegame import FakeGame, RawRecord, file_of
from tests.vectors.making.clients import Client, add
from tests.vectors.making.received import fresh, in_play
from tests.vectors.making.writing import Group, VectorFile

SPEC: Final = "spec/60-session.md#9"
NONE: Final = Resume(None, 0, None, 0)
LACKING: Final = 3
"""How many events the shorter log lacks."""
ZERO: Final = bytes(32)
NOTHING: Final = encode_message(NONE)


def files() -> Iterator[VectorFile]:
    """The file of this module."""
    makers = (_nothing, _equal, _waiting, _longer, _shorter, _records, _settled)
    groups = [group for make in (*makers, _kept, _two_games, _half) for group in make()]
    yield VectorFile("resumes", "resumes", SPEC, groups)


@cache
def _game() -> FakeGame:
    return in_play("crapette", 1, after=6)


def _short(game: FakeGame, lacking: int = LACKING) -> list[RawRecord]:
    """The records of a client that lacks the last events."""
    return game.records[: len(game.records) - 2 * lacking]


def _nothing() -> Iterator[Group]:
    """No game is open on this side."""
    client = Client(_game(), 0)
    group = client.group("nothing-open")
    add(group, "nothing on the other side")
    add(group, "nothing on the other side either", NONE)
    add(group, "the lobby knows no RESUME", NONE, NONE)
    add(group, "a game that is not known", client.naming())
    add(group, "a PING meanwhile", Ping(7), NONE)
    for comment, wrong in (
        ("no game, but a length", replace(NONE, length=1)),
        ("no game, but a head", replace(NONE, head=ZERO)),
        ("no game, but something seen", replace(NONE, seen=1)),
        ("a game without a head", replace(client.naming(), head=None)),
        ("a head without a game", replace(client.naming(), game_id=None)),
    ):
        add(group, comment, wrong)
    for comment, message in (
        ("CHAT before RESUME", Chat("hello")),
        ("a proposal before RESUME", ProposeMessage(b"\x90")),
        ("START before RESUME", Start(bytes(64))),
        ("SYNC before RESUME", Sync(0, 1)),
        ("RECORDS before RESUME", Records(0, (b"\x90",))),
    ):
        add(group, comment, message)
    yield group


def _equal() -> Iterator[Group]:
    """The other's log is as long as one's own."""
    game = _game()
    for dialler in (False, True):
        client = Client(game, 0, dialler)
        group = client.group(f"equal-{'dialler' if dialler else 'listener'}", game.data)
        same, another = client.naming(), client.naming(game_id=ZERO)
        add(group, "the same log", same)
        add(group, "another head", client.naming(head=ZERO))
        add(group, "seen as much as can be", client.naming(seen=same.length + 1))
        add(group, "seen more than can be", client.naming(seen=same.length + 2))
        add(group, "seen nothing", client.naming(seen=0))
        add(group, "RESUME twice", same, same)
        add(group, "another game", another)
        add(group, "another game, then this one", another, same)
        add(group, "another game twice", another, another)
        add(group, "another game, then none", another, NONE)
        add(group, "none, then this one", NONE, same)
        add(group, "none twice", NONE, NONE)
        add(group, "a third RESUME", NONE, same, same)
        add(group, "an event in a hurry", _any_event(game))
        yield group


def _any_event(game: FakeGame) -> EventMessage:
    signed = game.log.entries[-1].signed
    return EventMessage(signed.data, signed.sig)


def _waiting() -> Iterator[Group]:
    """An own event waits for its ACK: it is sent again, byte for byte."""
    game = in_play("crapette", 2, after=9)
    position = game.state.position
    assert position is not None
    me = position.active
    lawful = [a for a, _ in legal_with_offences(position)]
    mine = game.sign(me, *action_to_body(lawful[0]))
    client = Client(game, me)
    held = [*game.records, (RecordKind.EVENT, (mine.data, mine.sig))]
    group = client.group("an-event-waits", file_of(held))
    add(group, "he never saw it", client.naming())
    talk = game.sign(other(me), EventType.DRAW_OFFER, ())
    offer = EventMessage(talk.data, talk.sig)
    add(group, "he did not, and sends one of his own", client.naming(), offer)
    game.final(mine)
    record = encode_entry(game.log.entries[-1])
    for comment, more in (
        ("he holds it as final", ()),
        ("and serves it with his ACK", (Records(mine.event.seq, (record,)),)),
    ):
        add(group, comment, client.naming(), *more)
    yield group


def _longer() -> Iterator[Group]:
    """The other's log is shorter."""
    game = _game()
    client = Client(game, 0)
    size = game.log.length
    group = client.group("longer", game.data)
    behind = client.naming(size - LACKING)
    first, last = size - LACKING, size
    add(group, "he is behind", behind)
    add(group, "he has nothing", client.naming(0))
    add(group, "another head of his", client.naming(size - LACKING, head=ZERO))
    add(group, "another head of nothing", client.naming(0, head=ZERO))
    add(group, "he asks for all he lacks", behind, Sync(first, last))
    pair = (Sync(first, first + 1), Sync(first + 1, last))
    add(group, "he asks in two pieces", behind, *pair)
    add(group, "he asks for everything", client.naming(0), Sync(0, min(64, size)))
    add(group, "he chats meanwhile", behind, Chat("one moment"), Sync(first, last))
    for comment, low, high in (
        ("he asks for what he has", first - 1, last),
        ("he leaves one out", first + 1, last),
        ("he asks for more than there is", first, last + 1),
        ("he asks for nothing", first, first),
        ("backwards", last, first),
    ):
        add(group, comment, behind, Sync(low, high))
    add(group, "65 at once", client.naming(0), Sync(0, 65))
    served = (behind, Sync(first, last))
    add(group, "he asks again after all was served", *served, Sync(last, last + 1))
    add(group, "he sends RECORDS himself", behind, Records(first, (b"\x90",)))
    add(group, "an event before he has caught up", behind, _any_event(game))
    yield group


def _shorter() -> Iterator[Group]:
    """The other's log is longer; he answers with his last events."""
    game = _game()
    client = Client(game, 1)
    size = game.log.length
    group = client.group("shorter", file_of(_short(game)))
    ahead, first = client.naming(), size - LACKING
    items = tuple(encode_entry(e) for e in game.log.entries[-LACKING:])
    add(group, "he is ahead", ahead)
    add(group, "he is far ahead", replace(ahead, length=20_000, head=ZERO))
    add(group, "longer than a log can be", _too_long(client))
    add(group, "all that is missing", ahead, Records(first, items))
    parts = (Records(first, items[:1]), Records(first + 1, items[1:]))
    add(group, "the first part of it", ahead, parts[0])
    add(group, "in two parts", ahead, *parts)
    many = (*items, items[0])
    for comment, message in (
        ("from another number", Records(first + 1, items[1:])),
        ("what is here already", Records(first - 1, items)),
        ("more than was asked for", Records(first, many)),
        ("the second before the first", Records(first, items[::-1])),
        ("SYNC the other way", Sync(first, size)),
        ("an event before all is here", _any_event(game)),
    ):
        add(group, comment, ahead, message)
    add(group, "once more after the last", ahead, Records(first, items), parts[1])
    add(group, "nobody asked", Records(first, items))
    yield group


def _too_long(client: Client) -> bytes:
    """A RESUME with a length of no log."""
    return encode([19, client.game.game_id, 20_001, ZERO, 0])


def _records() -> Iterator[Group]:
    """One record that is not what both have signed."""
    game = _game()
    client = Client(game, 1)
    size = game.log.length
    group = client.group("bent-records", file_of(_short(game, 1)))
    entry = game.log.entries[-1]
    good = [entry.signed.data, entry.signed.sig, entry.state_after, entry.ack]
    ahead = client.naming()
    for comment, item in _bent_items(good):
        add(group, comment, ahead, Records(size - 1, (item,)))
    for comment, bent in _bent_entries(game, entry):
        add(group, comment, ahead, Records(size - 1, (encode_entry(bent),)))
    yield group


def _bent_items(good: Sequence[object]) -> Iterator[tuple[str, bytes]]:
    yield "as it has to be", encode(list(good))
    yield "no canonical value", b"\xc7\x00"
    yield "a byte too many", encode(list(good)) + b"\x00"
    yield "no array", encode(b"x")
    yield "a field missing", encode(list(good[:3]))
    yield "a field too many", encode([*good, 0])
    for place, name in enumerate(("event", "sig", "state_after", "ack_sig")):
        yield f"{name} is a number", encode([*good[:place], 1, *good[place + 1 :]])
        short = bytes(3)
        yield f"{name} is short", encode([*good[:place], short, *good[place + 1 :]])


def _bent_entries(game: FakeGame, entry: Entry) -> Iterator[tuple[str, Entry]]:
    signed = entry.signed
    author = signed.event.author
    yield "not signed by its author", _with(entry, sig=bytes(64))
    yield "not countersigned", replace(entry, ack=bytes(64))
    yield (
        "the two signatures exchanged",
        replace(entry, signed=replace(signed, sig=entry.ack or b""), ack=signed.sig),
    )
    yield "another state after", _acked(game, signed, ZERO)
    yield "another state after, not signed so", replace(entry, state_after=ZERO)
    for comment, changes in (
        ("another game", {"game_id": ZERO}),
        ("a number too high", {"seq": signed.event.seq + 1}),
        ("another prev", {"prev": ZERO}),
        ("another state before", {"state": ZERO}),
        ("a move that cannot be", {"type": 32, "body": (8, 8)}),
        ("an unknown type", {"type": 99}),
        ("a body of another shape", {"body": (1, 2, 3, 4, 5)}),
    ):
        event = replace(signed.event, **changes)
        bent = SignedEvent.of(event, b"")
        sig = game.players[author].sign(event_message(bent.hash))
        final = _acked(game, replace(bent, sig=sig), entry.state_after)
        yield comment, final
        yield f"{comment}, and not countersigned", replace(final, ack=bytes(64))


def _with(entry: Entry, *, sig: bytes) -> Entry:
    return replace(entry, signed=replace(entry.signed, sig=sig))


def _acked(game: FakeGame, signed: SignedEvent, after: bytes) -> Entry:
    return Entry(signed, after, game.ack(signed, after))


def _settled() -> Iterator[Group]:
    """Collisions that the longer log has decided, and a second signature."""
    game = in_play("crapette", 2, after=9)
    position = game.state.position
    assert position is not None
    mover = position.active
    play = action_to_body(next(a for a, _ in legal_with_offences(position)))
    before = list(game.records)
    offer = game.sign(other(mover), EventType.DRAW_OFFER, ())
    stop = game.sign(other(mover), EventType.STOP, (16 + mover, 8))
    talk = game.sign(mover, EventType.DRAW_OFFER, ())
    game.event(mover, *play)
    record = Records(game.log.length - 1, (encode_entry(game.log.entries[-1]),))
    own = {s.hash: (RecordKind.EVENT, (s.data, s.sig)) for s in (offer, stop)}
    client = Client(game, other(mover))
    for name, held in (
        ("own-event-is-void", [own[offer.hash]]),
        ("he-signs-two", [own[stop.hash], (RecordKind.VOID, (talk.data, talk.sig))]),
    ):
        group = client.group(name, file_of([*before, *held]))
        add(group, "he is ahead by one", client.naming())
        add(group, "and serves it", client.naming(), record)
        yield group


def resigned(events: int) -> FakeGame:
    """So many events after a resignation; three close the game."""
    game = in_play("garibaldka", 3, after=5)
    position = game.state.position
    assert position is not None
    game.event(position.active, EventType.RESIGN, ())
    for _ in range(events):
        owed = game.owed()
        assert owed is not None
        game.event(*owed)
    return game


def _kept() -> Iterator[Group]:
    """A game that is not open any more, and is named by the other."""
    game = resigned(3)
    assert game.state.phase == Phase.OVER
    client = Client(game, 1)
    group = client.group("finished", game.data)
    size = game.log.length
    add(group, "he has it open, one event behind", client.naming(size - 1))
    asked = (client.naming(size - 1), Sync(size - 1, size))
    add(group, "and gets RESULT with its ACK", *asked)
    add(group, "he names it, as long as here", client.naming())
    add(group, "he names it with another head", client.naming(head=ZERO))
    add(group, "he has none open", NONE)
    yield group
    game = in_play("crapette", 1, after=6)
    client = Client(game, 0)
    records: list[RawRecord] = [*game.records, (RecordKind.NOTE, (404, "failed"))]
    group = client.group("failed", file_of(records))
    add(group, "he names it", client.naming())
    add(group, "he has none open", NONE)
    yield group


def _two_games() -> Iterator[Group]:
    """A game is open here, and the other names one that is over."""
    game, over = _game(), resigned(3)
    for dialler in (False, True):
        client, past = Client(game, 0, dialler), Client(over, 0, dialler)
        name = f"two-games-{'dialler' if dialler else 'listener'}"
        group = client.group(name, over.data, game.data)
        add(group, "the one that is over", past.naming())
        add(group, "the one that is over, then the open one", *_both(past, client))
        add(group, "the open one", client.naming())
        add(group, "a game that is not known", client.naming(game_id=ZERO))
        yield group


def _both(first: Client, second: Client) -> tuple[Resume, Resume]:
    return first.naming(), second.naming()


def _half() -> Iterator[Group]:
    """A deal that role 1 has accepted, and START is missing or repeated."""
    game = fresh("crapette")
    genesis, sig0, sig1 = game.records[0][1]
    assert isinstance(sig0, bytes)
    client = Client(game, 1)
    accepted: list[RawRecord] = [(RecordKind.GENESIS, (genesis, None, sig1))]
    group = client.group("accepted", file_of(accepted))
    named = client.naming()
    add(group, "he names it", named)
    add(group, "he starts it", named, Start(sig0))
    add(group, "he starts it twice", named, Start(sig0), Start(sig0))
    add(group, "START that he did not sign", named, Start(bytes(64)))
    add(group, "START before he named it", Start(sig0))
    add(group, "he is ahead of it", replace(client.naming(0), length=1))
    add(group, "he has none open", NONE)
    add(group, "nothing open, then START", NONE, Start(sig0))
    yield group
    for role, name in ((0, "length-0-role-0"), (1, "length-0-role-1")):
        client = Client(game, role)
        group = client.group(name, game.data)
        add(group, "the same", client.naming())
        if role == 1:
            add(group, "START again", client.naming(), Start(sig0))
        add(group, "another head", client.naming(head=ZERO))
        yield group
