"""Vectors of what a client does with an event or an ACK, step by step of a game.

Each group is a client with a log; each test is one message it gets. The lies are
those of 60, 8.2 and 30, 4.7, made with the author's true key: whoever runs these
vectors has to find the same code for each.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from crapette_p2p.engine import Discard, Move, TableAction, Turn, legal_with_offences
from crapette_p2p.engine.layout import PileId
from crapette_p2p.gamelog.bodies import Body
from crapette_p2p.gamelog.events import EventType, action_to_body
from crapette_p2p.gamelog.game import apply
from crapette_p2p.gamelog.log import SignedEvent
from crapette_p2p.gamelog.records import RecordKind
from crapette_p2p.gamelog.secrets import Secrets
from crapette_p2p.gamelog.state import SETUP_TYPES, Phase, state_hash
from crapette_p2p.session.messages import Ack, EventMessage, encode_message
from tests.helpers.fakegame import FakeGame, make_genesis
from tests.vectors.making.picking import Picker, choose
from tests.vectors.making.writing import Group, Json, VectorFile
from tests.vectors.run_log import RUNNERS
from tests.vectors.values import Refused

SPEC: Final = "spec/60-session.md#8"
K: Final = 2
"""As few candidates as there can be: the files stay small."""


def secret_of(name: str) -> bytes:
    """The secret key of a player of the made games."""
    return hashlib.sha256(b"test key " + name.encode()).digest()


def files() -> Iterator[VectorFile]:
    """All files of this module."""
    yield VectorFile("received-set-up", "received", SPEC, list(_set_up()))
    yield VectorFile("received-lot", "received", SPEC, list(_lots()))
    yield VectorFile("received-play", "received", SPEC, list(_play()))


def fresh(preset: str, seed: int = 0) -> FakeGame:
    """A game of which nothing is final yet."""
    return FakeGame(make_genesis(preset, k=K, seed=seed), seed=seed)


def group_at(name: str, game: FakeGame, receiver: int) -> Group:
    """A client that holds the log of ``game`` as it stands."""
    secret = secret_of(game.names[receiver])
    common = {"log": game.data.hex(), "secret": secret.hex(), "role": receiver}
    return Group(name, common=common)


def add(group: Group, comment: str, signed: SignedEvent) -> None:
    """Add a received EVENT with what becomes of it."""
    payload = encode_message(EventMessage(signed.data, signed.sig))
    add_payload(group, comment, payload)


def add_payload(group: Group, comment: str, payload: bytes) -> None:
    """Add any received message with what becomes of it."""
    given: Json = {"payload": payload.hex()}
    try:
        output = RUNNERS["received"](given, group.common)
    except Refused as refused:
        group.add(comment, given, code=refused.code)
    else:
        group.add(comment, given, output)


def _set_up() -> Iterator[Group]:
    game = fresh("crapette")
    for seq in range(10):
        owed = game.owed()
        assert owed is not None
        author, kind, body = owed
        group = group_at(f"event-{seq}", game, 1 - author)
        add(group, "as it has to be", game.sign(author, kind, body))
        for comment, wrong in _wrong_bodies(kind, body):
            add(group, comment, game.sign(author, kind, wrong))
        other_kind = SETUP_TYPES[(seq + 2) % 10]
        add(group, "another event", game.sign(author, other_kind, body))
        add(group, "RESIGN", game.sign(author, EventType.RESIGN, ()))
        yield group
        game.event(author, kind, body)
    yield _mirrored()


_LOT_SEEDS: Final = {0: b"lot 187272", 1: b"lot 48056"}
"""What makes role 1's kept seed for deck 1 such that nothing but the lot decides."""


def _lots() -> Iterator[Group]:
    """The starting cards tie in every rank: the beacon says who begins."""
    for first, label in _LOT_SEEDS.items():
        game = fresh("crapette")
        seeds = game.secrets[1]
        kept = hashlib.sha256(label).digest()
        tied = Secrets(seeds.seeds0, seeds.seeds1[:32] + kept)
        game.secrets = (game.secrets[0], tied)
        while game.log.length < 9:
            owed = game.owed()
            assert owed is not None
            game.event(*owed)
        owed = game.owed()
        assert owed is not None
        group = group_at(f"the-last-card-{'AB'[first]}", game, 0)
        add(group, "the last opening: its state says who begins", game.sign(*owed))
        yield group
        game.event(*owed)
        position = game.state.position
        assert position is not None
        assert position.active == first
        group = group_at(f"begins-{'AB'[first]}", game, 1 - first)
        for action, _ in legal_with_offences(position):
            add(group, "he begins", game.sign(first, *action_to_body(action)))
        yield group
        group = group_at(f"does-not-begin-{'AB'[first]}", game, first)
        for kind, body in ((EventType.TURN, ()), (EventType.MOVE, (16 + 1 - first, 0))):
            add(group, "the other begins", game.sign(1 - first, kind, body))
        yield group


def _mirrored() -> Group:
    """Role 1 commits to what role 0 has committed to."""
    game = fresh("crapette", seed=3)
    owed = game.owed()
    assert owed is not None
    game.event(*owed)
    group = group_at("mirrored-roots", game, 0)
    roots0, roots1 = owed[2]
    add(group, "the same roots", game.sign(1, EventType.COMMIT, (roots0, roots1)))
    add(group, "decks exchanged", game.sign(1, EventType.COMMIT, (roots1, roots0)))
    assert isinstance(roots0, bytes)
    twice = (roots0[:32] + bytes(32), bytes(64))
    add(group, "one root", game.sign(1, EventType.COMMIT, twice))
    own = (bytes(range(64)), bytes(range(32)) + bytes(32))
    add(group, "a root of one's own twice", game.sign(1, EventType.COMMIT, own))
    return group


def _wrong_bodies(kind: int, body: Body) -> Iterator[tuple[str, Body]]:
    """Bodies that differ in one thing from the one that is owed."""
    yield "a field too many", (*body, 0)
    yield "a field missing", body[:-1]
    for place, value in enumerate(body):
        for comment, wrong in _wrong_field(kind, value):
            changed = (*body[:place], wrong, *body[place + 1 :])
            yield f"field {place}: {comment}", changed


def _wrong_field(kind: int, value: object) -> Iterator[tuple[str, object]]:
    if isinstance(value, bytes):
        yield "a byte short", value[:-1]
        yield "a byte long", value + b"\0"
        yield "a bit differs", bytes([value[0] ^ 1]) + value[1:]
        yield "no bytes", None
    elif isinstance(value, int):
        yield "the other", 1 - value
        yield "out of range", max(K, 2)
        yield "a boolean", bool(value)
    elif isinstance(value, tuple):
        yield from _wrong_lines(value)


def _wrong_lines(
    lines: tuple[tuple[int, int, bytes], ...],
) -> Iterator[tuple[str, object]]:
    yield "none", ()
    yield "one missing", lines[:-1]
    yield "one twice", (*lines, lines[0])
    if len(lines) > 1:
        yield "another order", lines[::-1]
    at, value, salt = lines[0]
    rest = lines[1:]
    yield "another place", (((at + 7) % 52, value, salt), *rest)
    yield "another value", ((at, (value + 1) % 52, salt), *rest)
    yield "a value of 52", ((at, 52, salt), *rest)
    yield "another salt", ((at, value, bytes(32)), *rest)
    yield "a short salt", ((at, value, salt[:31]), *rest)
    yield "two numbers", ((at, value), *rest)
    yield "a boolean", ((True, value, salt), *rest)


def in_play(
    preset: str, seed: int, *, want: Phase = Phase.PLAY, after: int = 0
) -> FakeGame:
    """A game at the first state of a kind, at least ``after`` actions into play.

    In play the mover has acted, so that he can be called.
    """
    game = fresh(preset, seed)
    picker = Picker(f"received {preset} {seed}")
    game.set_up()
    done = 0
    while True:
        position = game.state.position
        assert position is not None
        acting = position.acts > 0 or want != Phase.PLAY
        if game.state.phase == want and done >= after and acting:
            return game
        owed = game.owed()
        if owed is not None:
            game.event(*owed)
            continue
        seat, action = choose(position, picker, talk=0)
        game.act(seat, action)
        done += 1


def _play() -> Iterator[Group]:
    for preset in ("crapette", "garibaldka"):
        yield _mover(preset)
    yield _callers()
    yield from _openings()
    yield from _collisions()
    yield _acks()


def _mover(preset: str) -> Group:
    """The player to move plays, or cheats."""
    game = in_play(preset, 1, after=6)
    position = game.state.position
    assert position is not None
    seat = position.active
    group = group_at(f"{preset}-mover", game, 1 - seat)
    lawful = [action for action, _ in legal_with_offences(position)]
    for action in lawful:
        add(group, "lawful", game.sign(seat, *action_to_body(action)))
    tried = [Move(PileId(s), PileId(t)) for s in range(24) for t in (s ^ 1, 8, 19)]
    attempts: list[TableAction] = [Turn(), Discard(), *tried[::3]]
    for action in attempts:
        if action not in lawful:
            add(group, "refused", game.sign(seat, *action_to_body(action)))
    kind, body = action_to_body(lawful[0])
    good = game.sign(seat, kind, body)
    for comment, changes in (
        ("another prev", {"prev": bytes(32)}),
        ("another state", {"state": bytes(32)}),
        ("another game", {"game_id": bytes(32)}),
        ("a number too high", {"seq": good.event.seq + 1}),
        ("a far number", {"seq": 2**32 - 1}),
        ("an old number", {"seq": good.event.seq - 1}),
    ):
        add(group, comment, game.sign(seat, kind, body, **changes))
    for comment, wrong_kind, wrong_body in (
        ("an unknown type", 99, body),
        ("a type of the set-up", 1, body),
        ("a body too long", kind, (*body, 0)),
        ("a body of text", kind, ("5", "F")),
    ):
        add(group, comment, game.sign(seat, wrong_kind, wrong_body))
    _add_wrong_hands(group, game, seat, good)
    return group


def _add_wrong_hands(
    group: Group, game: FakeGame, seat: int, good: SignedEvent
) -> None:
    kind, body = good.event.type, good.event.body
    theirs = game.sign(1 - seat, kind, body)
    add(group, "one's own event comes back", theirs)
    add(group, "signed by the receiver", replace(good, sig=theirs.sig))
    add(group, "not signed", replace(good, sig=bytes(64)))
    for entry in game.log.entries[-2:]:
        add(group, "a final event again", entry.signed)
    last = next(
        e.signed for e in reversed(game.log.entries) if e.signed.event.author == seat
    )
    event = last.event
    again = game.sign(seat, EventType.RESIGN, (), seq=event.seq, prev=event.prev)
    add(group, "a second event with an old number", again)
    add(group, "the trick of the other", game.sign(seat, EventType.GRANT, ()))


def _callers() -> Group:
    """The other calls, resigns, talks, or plays out of turn."""
    game = in_play("crapette", 2, after=9)
    position = game.state.position
    assert position is not None
    caller = 1 - position.active
    group = group_at("not-the-mover", game, 1 - caller)
    for comment, kind, body in (
        ("a call", EventType.STOP, (16 + position.active, 8)),
        ("a call of a pile there is not", EventType.STOP, (16, 24)),
        ("a call of no play", EventType.STOP, (8, 22 + caller)),
        ("a call between columns", EventType.STOP, (0, 1)),
        ("a call of his own cards", EventType.STOP, (16 + caller, 8)),
        ("a call of a stock", EventType.STOP, (18 + position.active, 8)),
        ("resigns", EventType.RESIGN, ()),
        ("resigns with a word", EventType.RESIGN, ("sorry",)),
        ("offers a draw", EventType.DRAW_OFFER, ()),
        ("answers no offer", EventType.DRAW_ANSWER, (1,)),
        ("grants nothing", EventType.GRANT, ()),
        ("plays out of turn", EventType.TURN, ()),
        ("discards out of turn", EventType.END, (0,)),
        ("opens nothing", EventType.OPEN_A, (0, ((20, 3, bytes(32)),))),
        ("audits too early", EventType.AUDIT, (bytes(32), bytes(32))),
        ("a result too early", EventType.RESULT, (None, 1, 0)),
    ):
        add(group, comment, game.sign(caller, kind, body))
    return group


def _openings() -> Iterator[Group]:
    game = in_play("crapette", 4, want=Phase.OPENING)
    for name in ("open-a", "open-b"):
        owed = game.owed()
        assert owed is not None
        author, kind, body = owed
        group = group_at(name, game, 1 - author)
        add(group, "as it has to be", game.sign(author, kind, body))
        for comment, wrong in _wrong_bodies(kind, body):
            add(group, comment, game.sign(author, kind, wrong))
        for comment, other_kind, other_body in (
            ("the other half", 9 - kind, body),
            ("a STOP meanwhile", EventType.STOP, (16, 8)),
            ("a draw meanwhile", EventType.DRAW_OFFER, ()),
            ("answers an offer meanwhile", EventType.DRAW_ANSWER, (0,)),
            ("resigns meanwhile", EventType.RESIGN, ()),
            ("plays on", EventType.TURN, ()),
        ):
            add(group, comment, game.sign(author, other_kind, other_body))
        yield group
        game.event(author, kind, body)


def _collisions() -> Iterator[Group]:
    """An own event waits for its ACK when the other's comes."""
    game = in_play("crapette", 2, after=9)
    position = game.state.position
    assert position is not None
    mover = position.active
    action = next(a for a, _ in legal_with_offences(position))
    play = action_to_body(action)
    stop = (EventType.STOP, (16 + mover, 8))
    resign: tuple[EventType, Body] = (EventType.RESIGN, ())
    offer: tuple[EventType, Body] = (EventType.DRAW_OFFER, ())
    for name, mine, waiting in (
        ("a-play-waits", (mover, *play), [stop, resign, offer]),
        ("a-stop-waits", (1 - mover, *stop), [play, resign, offer]),
        ("a-resignation-waits", (mover, *resign), [stop, resign, offer]),
        ("an-offer-waits", (mover, *offer), [stop, resign, offer]),
        ("role-0-offers", (0, *offer), [offer, resign]),
        ("role-1-offers", (1, *offer), [offer, resign]),
        ("role-1-resigns", (1, *resign), [resign, offer]),
    ):
        me = mine[0]
        held = len(game.records)
        signed = game.sign(*mine)
        game.record(RecordKind.EVENT, signed.data, signed.sig)
        group = group_at(name, game, me)
        for kind, body in waiting:
            add(group, kind.name, game.sign(1 - me, kind, body))
        lost = game.sign(1 - me, EventType.GRANT, ())
        add(group, "not lawful at that number", lost)
        yield group
        del game.records[held:]


def _acks() -> Group:
    game = in_play("crapette", 5, after=4)
    position = game.state.position
    assert position is not None
    me = position.active
    final = game.log.entries[-1]
    signed = game.sign(me, EventType.DRAW_OFFER, ())
    before = state_hash(game.state)
    game.record(RecordKind.EVENT, signed.data, signed.sig)
    group = group_at("acknowledged", game, me)
    seq, hash_ = signed.event.seq, signed.hash
    event = signed.event
    after = state_hash(apply(game.state, event.author, event.type, event.body))
    sig = game.ack(signed, after)
    assert final.ack is not None
    ended = final.signed.event.seq
    last = Ack(ended, final.signed.hash, final.state_after, final.ack)
    for comment, ack in (
        ("as it has to be", Ack(seq, hash_, after, sig)),
        ("not signed", Ack(seq, hash_, after, bytes(64))),
        ("signed for another state", Ack(seq, hash_, after, game.ack(signed, before))),
        ("another state", Ack(seq, hash_, before, game.ack(signed, before))),
        ("another number", Ack(seq + 1, hash_, after, sig)),
        ("another hash", Ack(seq, bytes(32), after, sig)),
        ("of a final event", last),
        ("of a final event, another state", replace(last, state_after=after)),
        ("of a final event, another signature", replace(last, sig=sig)),
        ("a final number, another hash", Ack(ended, hash_, after, sig)),
        ("the event's signature", Ack(seq, hash_, after, signed.sig)),
    ):
        add_payload(group, comment, encode_message(ack))
    return group
