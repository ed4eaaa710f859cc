"""Vectors of farewells: what BYE says after a fault, and a BYE that comes.

They are of the kind ``resumes``: a client takes its game up again, and then the
other lies, in each way that ends the game or only the link.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from crapette_p2p.canonical import encode
from crapette_p2p.engine import legal_with_offences
from crapette_p2p.engine.layout import other
from crapette_p2p.gamelog.events import EventType, action_to_body, event_message
from crapette_p2p.gamelog.log import SignedEvent
from crapette_p2p.gamelog.records import RecordKind
from crapette_p2p.session.messages import (
    Ack,
    Bye,
    Chat,
    EventMessage,
    Ping,
    ProposeMessage,
    Sync,
)
from tests.helpers.fakegame import FakeGame, file_of
from tests.vectors.making.clients import Client, add
from tests.vectors.making.received import in_play
from tests.vectors.making.resumes import NONE, ZERO, resigned
from tests.vectors.making.writing import Group, VectorFile

SPEC = "spec/60-session.md#8"


def files() -> Iterator[VectorFile]:
    """The file of this module."""
    groups = [_lies(), _acks(), _second(), _closed(), _in_play(), _nothing_open()]
    yield VectorFile("farewells", "resumes", SPEC, groups)


def _sent(signed: SignedEvent) -> EventMessage:
    return EventMessage(signed.data, signed.sig)


def _lies() -> Group:
    """The other is to move: each thing that may be wrong with his event."""
    game = in_play("crapette", 1, after=6)
    position = game.state.position
    assert position is not None
    mover = position.active
    client = Client(game, other(mover))
    group = client.group("his-event", game.data)
    named = client.naming()
    good = game.sign(mover, *action_to_body(legal_with_offences(position)[0][0]))
    bent = _bent(game, mover)
    add(group, "as it has to be", named, _sent(good))
    for comment, signed in bent:
        add(group, comment, named, _sent(signed))
    own = game.sign(other(mover), EventType.DRAW_OFFER, ())
    add(group, "an event of one's own, sent back", named, _sent(own))
    add(group, "not signed", named, EventMessage(good.data, bytes(64)))
    add(group, "no canonical event", named, EventMessage(b"\xc7", bytes(64)))
    add(group, "an ACK of nothing", named, Ack(3, ZERO, ZERO, bytes(64)))
    add(group, "a second SYNC", named, Sync(0, 1))
    add(group, "a proposal in a game", named, ProposeMessage(b"\x90"))
    return group


def _bent(game: FakeGame, author: int) -> Iterator[tuple[str, SignedEvent]]:
    yield "a move that cannot be", game.sign(author, EventType.MOVE, (8, 8))
    yield "an event that is not owed", game.sign(author, EventType.AUDIT, (ZERO, ZERO))
    yield "a body of another shape", game.sign(author, EventType.TURN, (1,))
    yield "another state", game.sign(author, EventType.TURN, (), state=ZERO)
    yield "another head", game.sign(author, EventType.TURN, (), prev=ZERO)
    length = game.log.length
    yield "a gap", game.sign(author, EventType.TURN, (), seq=length + 1)
    yield "another game", game.sign(author, EventType.TURN, (), game_id=ZERO)
    theirs = [e.signed for e in game.log.entries if e.signed.event.author == author]
    old = replace(theirs[-1].event, body=(7, 7), type=EventType.MOVE)
    unsigned = SignedEvent.of(old, b"")
    sig = game.players[author].sign(event_message(unsigned.hash))
    yield "another event of an old number", replace(unsigned, sig=sig)


def _acks() -> Group:
    """An own event waits; the other countersigns something else."""
    game = in_play("crapette", 2, after=9)
    position = game.state.position
    assert position is not None
    me = position.active
    lawful = [action for action, _ in legal_with_offences(position)]
    mine = game.sign(me, *action_to_body(lawful[0]))
    client = Client(game, me)
    held = [*game.records, (RecordKind.EVENT, (mine.data, mine.sig))]
    group = client.group("his-ack", file_of(held))
    named, seq = client.naming(), mine.event.seq
    wrong = Ack(seq, mine.hash, ZERO, game.ack(mine, ZERO))
    add(group, "another state after", named, wrong)
    add(group, "not signed", named, Ack(seq, mine.hash, ZERO, bytes(64)))
    add(group, "of another event", named, replace(wrong, event_hash=ZERO))
    return group


def _second() -> Group:
    """The longer log holds what its own author has signed differently before."""
    game = in_play("crapette", 2, after=9)
    position = game.state.position
    assert position is not None
    me = position.active
    client = Client(game, me)
    group = client.group("his-resume", game.data)
    named = client.naming()
    add(group, "another head", replace(named, head=ZERO))
    add(group, "another game", replace(named, game_id=ZERO))
    add(group, "fields that do not fit", replace(named, head=None))
    return group


def _closed() -> Group:
    """The game is closed: what comes then changes nothing."""
    game = resigned(3)
    client = Client(game, 1)
    group = client.group("closed", game.data)
    named = client.naming()
    after = game.sign(0, EventType.RESIGN, ())
    add(group, "an event after RESULT", named, _sent(after))
    add(group, "BYE 502", named, Bye(502, None, ""))
    return group


def _in_play() -> Group:
    """He says BYE in a game: it is kept, whatever he says of it."""
    game = in_play("crapette", 1, after=6)
    client = Client(game, 0)
    group = client.group("he-leaves-a-game", game.data)
    named = client.naming()
    for comment, message in (
        ("he leaves", Bye(501, None, "")),
        ("he leaves, with a number", Bye(501, 3, "")),
        ("he accuses", Bye(404, game.log.length - 1, "")),
        ("he accuses without a number", Bye(404, None, "")),
        ("a code that is not in the list", Bye(999, None, "")),
        ("a hint in his text", Bye(501, None, "this game is yours")),
        ("a text that is not lawful on a screen", Bye(501, None, "\x1b[2J")),
    ):
        add(group, comment, named, message)
    add(group, "BYE instead of RESUME", Bye(501, None, ""))
    late = (Bye(501, None, ""), Ping(1))
    add(group, "and something after it", named, *late)
    for comment, fields in (
        ("a number that no event has", [5, 404, 20_000, ""]),
        ("without a number at all", [5, 404, ""]),
        ("a text of 121 bytes", [5, 501, None, "x" * 121]),
        ("a code that is no number", [5, None, None, ""]),
    ):
        add(group, comment, named, encode(fields))
    return group


def _nothing_open() -> Group:
    """He says BYE in the lobby."""
    client = Client(in_play("crapette", 1, after=6), 0)
    group = client.group("he-leaves-the-lobby")
    add(group, "he leaves", NONE, Bye(502, None, ""))
    add(group, "he leaves, with a number", NONE, Bye(502, 3, ""))
    add(group, "he accuses", NONE, Bye(404, 3, ""))
    add(group, "a chat before", NONE, Chat("bye"), Bye(501, None, ""))
    return group
