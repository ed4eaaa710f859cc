"""Vectors of how deals end, of whole logs and of evidence."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Any, Final

from crapette_p2p.canonical import decode, encode_large
from crapette_p2p.engine import legal_with_offences
from crapette_p2p.engine.layout import other
from crapette_p2p.fairdeal.layer import SLOTS, context, derive_layer, root_of
from crapette_p2p.gamelog.events import EventType, action_to_body
from crapette_p2p.gamelog.evidence import encode_evidence
from crapette_p2p.gamelog.log import Fault, SignedEvent
from crapette_p2p.gamelog.records import RecordKind, encode_payload, encode_record
from crapette_p2p.gamelog.state import Phase
from tests.helpers.fakegame import FakeGame
from tests.vectors.making.received import SPEC, add, fresh, group_at, in_play
from tests.vectors.making.writing import Group, Json, VectorFile
from tests.vectors.run_log import RUNNERS
from tests.vectors.values import Refused

LOG: Final = "spec/40-log.md"
MAGIC_BYTES: Final = 8


def files() -> Iterator[VectorFile]:
    """All files of this module."""
    yield VectorFile("received-end", "received", SPEC, list(_received()))
    yield VectorFile("logs", "logs", LOG + "#7", list(_logs()))
    yield VectorFile("evidence", "evidence", LOG + "#9", list(_evidence()))


def _received() -> Iterator[Group]:
    yield _provisional()
    yield from _audits()
    yield from _doubled_cards()


def _provisional() -> Group:
    """A win in a game with calls waits for GRANT or STOP."""
    game = in_play("crapette", 4, want=Phase.ENDING)
    position = game.state.position
    assert position is not None
    end = position.end
    assert end is not None
    author = end.provisional_by
    assert author is not None
    for_ = 1 - author
    group = group_at("provisional", game, author)
    for comment, kind, body in (
        ("grants", EventType.GRANT, ()),
        ("grants with a word", EventType.GRANT, ("well played",)),
        ("calls", EventType.STOP, (16 + author, 8)),
        ("resigns", EventType.RESIGN, ()),
        ("plays on", EventType.TURN, ()),
        ("offers a draw", EventType.DRAW_OFFER, ()),
        ("audits before the end is final", EventType.AUDIT, (bytes(32), bytes(32))),
        ("the result before the audits", EventType.RESULT, (0, 0, 30)),
    ):
        add(group, comment, game.sign(for_, kind, body))
    return group


def _audits() -> Iterator[Group]:
    game = in_play("garibaldka", 3, after=5)
    position = game.state.position
    assert position is not None
    game.event(position.active, EventType.RESIGN, ())
    for name in ("winner-audits", "loser-audits", "result"):
        owed = game.owed()
        assert owed is not None
        author, kind, body = owed
        group = group_at(name, game, 1 - author)
        add(group, "as it has to be", game.sign(author, kind, body))
        for comment, wrong in _wrong_ends(body):
            add(group, comment, game.sign(author, kind, wrong))
        other_kind = EventType.RESULT if kind == EventType.AUDIT else EventType.AUDIT
        add(group, "the other event", game.sign(author, other_kind, body))
        add(group, "resigns", game.sign(author, EventType.RESIGN, ()))
        add(group, "plays on", game.sign(author, EventType.TURN, ()))
        yield group
        game.event(author, kind, body)
    group = group_at("closed", game, 0)
    add(group, "after RESULT", game.sign(1, EventType.RESIGN, ()))
    add(group, "RESULT again", game.sign(1, EventType.RESULT, body))
    for comment, changes in (
        ("after RESULT, another prev", {"prev": bytes(32)}),
        ("after RESULT, another state", {"state": bytes(32)}),
        ("after RESULT, a number too high", {"seq": game.log.length + 1}),
        ("after RESULT, another game", {"game_id": bytes(32)}),
    ):
        add(group, comment, game.sign(1, EventType.TURN, (), **changes))
    last = game.log.entries[-1]
    add(group, "RESULT as it was", last.signed)
    author = last.signed.event.author
    wrong = (None, 1, 0)
    place = {"seq": last.signed.event.seq, "prev": last.signed.event.prev}
    state = last.signed.event.state
    changed = game.sign(author, EventType.RESULT, wrong, **place, state=state)
    add(group, "another RESULT in its place", changed)
    yield group


def _wrong_ends(body: tuple[object, ...]) -> Iterator[tuple[str, tuple[object, ...]]]:
    yield "a field too many", (*body, 0)
    yield "a field missing", body[:-1]
    if isinstance(body[0], bytes):
        assert isinstance(body[1], bytes)
        yield "decks exchanged", body[::-1]
        yield "another seed", (bytes(32), body[1])
        yield "another seed of deck 1", (body[0], bytes(32))
        yield "a short seed", (body[0], body[1][:31])
        return
    winner, reason, points = body
    assert isinstance(winner, int)
    yield "the other won", (1 - winner, reason, points)
    yield "a draw", (None, reason, 0)
    yield "another reason", (winner, 0, points)
    yield "other points", (winner, reason, 31)
    yield "booleans", (bool(winner), reason, points)


def _doubled_cards() -> Iterator[Group]:
    """Role 0 keeps a layer for deck 0 that holds one card many times."""
    game = rigged()
    owed = game.owed()
    while owed is not None and owed[1] != EventType.OPEN_B:
        game.event(*owed)
        owed = game.owed()
    group = group_at("doubled-cards", game, 1)
    twice = rigged_opening(game)
    add(group, "a card twice", game.sign(0, EventType.OPEN_B, twice))
    deck, lines = twice
    slot, card, _ = lines[-1]
    both = (deck, (*lines[:-1], (slot, card, bytes(32))))
    comment = "a card twice, then a line that does not open"
    add(group, comment, game.sign(0, EventType.OPEN_B, both))
    yield group


_RIGGED: Final = bytes(i % 4 for i in range(SLOTS))
"""No permutation: four cards, thirteen times each."""


def rigged_opening(game: FakeGame) -> tuple[int, tuple[tuple[int, int, bytes], ...]]:
    """What role 0 opens for the lay-out of his rigged deck."""
    return 0, tuple((s, _RIGGED[s], _salt(game, s)) for s in game.state.named[0])


def _salt(game: FakeGame, slot: int) -> bytes:
    kept = game.state.deal.kept(0, 0)
    return game.secrets[0].layer(game.game_id, 0, 0, kept).salts[slot]


def _rigged_slots(game: FakeGame, candidate: int) -> bytes:
    ctx = context(game.game_id, 0, 0, candidate)
    layer = derive_layer(game.secrets[0].seed(0, candidate), ctx)
    return b"".join(
        hashlib.sha256(
            b"crapette/1/slot\0" + ctx + bytes([i, _RIGGED[i]]) + layer.salts[i]
        ).digest()
        for i in range(SLOTS)
    )


def rigged() -> FakeGame:
    """Up to both REVEALs; the challenge hits the rigged candidate 0."""
    game = fresh("crapette", seed=11)
    slots = _rigged_slots(game, 0)
    owed = game.owed()
    assert owed is not None
    roots0, roots1 = owed[2]
    assert isinstance(roots0, bytes)
    root = root_of(context(game.game_id, 0, 0, 0), slots)
    game.event(0, EventType.COMMIT, (root + roots0[32:], roots1))
    for author, kind in ((1, EventType.COMMIT), (0, EventType.CHALLENGE)):
        owed = game.owed()
        assert owed is not None
        game.event(author, kind, owed[2])
    game.event(1, EventType.CHALLENGE, (0, 1))
    owed = game.owed()
    assert owed is not None
    seeds0, seeds1, _, slots1 = owed[2]
    game.event(0, EventType.REVEAL, (seeds0, seeds1, slots, slots1))
    return game


def _closed(preset: str, seed: int) -> FakeGame:
    """A short game with its RESULT."""
    game = in_play(preset, seed, after=4)
    position = game.state.position
    assert position is not None
    game.event(position.active, EventType.RESIGN, ())
    game.settle()
    return game


def _logs() -> Iterator[Group]:
    game = _closed("crapette", 21)
    group = Group("closed", common={"log": game.data.hex()})
    places = _places(game)
    judge(group, "as it is", [])
    for number in range(len(places) - 1):
        first, last = places[number], places[number + 1]
        if number < 6 or number % 5 == 0 or number > len(places) - 8:
            judge(group, f"without record {number}", [(first, last - first, "")])
        if number % 9 == 4:
            again = game.data[first:last].hex()
            judge(group, f"record {number} twice", [(first, 0, again)])
            judge(group, f"a bit of record {number}", [(last - 1, 1, "00")])
            middle = (first + last) // 2
            judge(group, f"within record {number}", [(middle, 1, "ff")])
    for cut in (1, 5, 70, 200, 400):
        judge(group, "torn", [(len(game.data) - cut, cut, "")])
    for place in places[2::17]:
        judge(group, "cut between records", [(place, len(game.data) - place, "")])
    judge(group, "a record too many", [(len(game.data), 0, "0000000305920190")])
    yield group
    yield _notes_and_voids()


def _places(game: FakeGame) -> list[int]:
    """Where each record begins, and where the last one ends."""
    places = [MAGIC_BYTES]
    for kind, body in game.records:
        places.append(places[-1] + len(encode_record(kind, body)))
    return places


def judge(group: Group, comment: str, edits: list[tuple[int, int, str]]) -> None:
    """Add a test of the log of a group, after some edits."""
    given: Json = {"edits": [list(edit) for edit in edits]}
    try:
        output = RUNNERS["logs"](given, group.common)
    except Refused as refused:
        group.add(comment, given, refused.output, code=refused.code)
    else:
        group.add(comment, given, output)


def _notes_and_voids() -> Group:
    """What else may stand in a log, and what may not."""
    game = in_play("crapette", 2, after=9)
    position = game.state.position
    assert position is not None
    mover = position.active
    action = next(a for a, _ in legal_with_offences(position))
    play = game.sign(mover, *action_to_body(action))
    offer = game.sign(1 - mover, EventType.DRAW_OFFER, ())
    resign = game.sign(1 - mover, EventType.RESIGN, ())
    group = Group("open", common={"log": game.data.hex()})
    end = len(game.data)
    for comment, records in (
        ("as it is", []),
        ("a note", [note_record()]),
        ("one's own event waits", [event_record(play)]),
        ("the other's offer lost", [event_record(play), void_record(offer)]),
        ("an offer lost to the play", [event_record(offer), event_record(play)]),
        ("the play lost to a resignation", [event_record(play), event_record(resign)]),
        ("a play that did not lose", [event_record(offer), void_record(play)]),
        ("an offer that does not win", [event_record(play), event_record(offer)]),
        ("a void event alone", [void_record(offer)]),
        ("an unproven fault", [fault_record(404, play)]),
        (
            "a proven fault",
            [fault_record(404, game.sign(mover, EventType.MOVE, (0, 0)))],
        ),
        (
            "a wrong state",
            [fault_record(407, game.sign(mover, EventType.TURN, (), state=bytes(32)))],
        ),
        (
            "after a fault",
            [fault_record(404, game.sign(mover, 99, ())), event_record(play)],
        ),
    ):
        judge(group, comment, [(end, 0, "".join(records))])
    return group


def _in_another_state(game: FakeGame, seat: int) -> SignedEvent:
    return game.sign(seat, EventType.TURN, (), state=bytes(32))


def note_record() -> str:
    """A NOTE, in hex."""
    return encode_record(RecordKind.NOTE, (501, "abandoned")).hex()


def event_record(signed: SignedEvent) -> str:
    """An EVENT, in hex."""
    return encode_record(RecordKind.EVENT, (signed.data, signed.sig)).hex()


def void_record(signed: SignedEvent) -> str:
    """A VOID, in hex."""
    return encode_record(RecordKind.VOID, (signed.data, signed.sig)).hex()


def fault_record(code: int, signed: SignedEvent) -> str:
    """A FAULT, in hex."""
    return encode_record(RecordKind.FAULT, (code, signed.data, signed.sig)).hex()


def _evidence() -> Iterator[Group]:
    game = in_play("crapette", 2, after=5)
    position = game.state.position
    assert position is not None
    mover = position.active
    last = game.log.entries[-1].signed.event
    bad_move = game.sign(mover, EventType.MOVE, (0, 0))
    bad_state = _in_another_state(game, mover)
    twice = game.sign(last.author, EventType.RESIGN, (), seq=last.seq, prev=last.prev)
    harmless = game.sign(other(mover), EventType.RESIGN, ())
    for name, code, signed in (
        ("an-impossible-move", 404, bad_move),
        ("another-state", 407, bad_state),
        ("equivocation", 402, twice),
        ("nothing-wrong", 404, harmless),
        ("another-code", 407, bad_move),
    ):
        data = encode_evidence(game.log, Fault(code, signed.data, signed.sig))
        group = Group(name, common={"evidence": data.hex()})
        for comment, edits in (
            ("as it is", []),
            ("the last signature", [(len(data) - 1, 1, "00")]),
            ("another code", [(20, 2, "0190")]),
            ("cut", [(len(data) - 9, 9, "")]),
        ):
            _prove(group, comment, edits)
        yield group
    yield _more_records(game, Fault(404, bad_move.data, bad_move.sig))


def _more_records(game: FakeGame, fault: Fault) -> Group:
    """A proof with records between that prove nothing."""
    *head, records = read_evidence(encode_evidence(game.log, fault))
    note = encode_payload(RecordKind.NOTE, (501, "abandoned"))
    void = encode_payload(RecordKind.VOID, (fault.data, fault.sig))
    group = Group("more-records", common={"evidence": ""})
    for comment, changed in (
        ("as it is", records),
        ("a NOTE before the fault", (*records[:-1], note, records[-1])),
        ("a VOID before the fault", (*records[:-1], void, records[-1])),
        ("the fault twice", (*records, records[-1])),
        ("something after the fault", (*records, records[1])),
        ("without the genesis", records[1:]),
        ("without the fault", records[:-1]),
        ("an event left out", (*records[:3], *records[5:])),
        ("no records", ()),
    ):
        data = encode_large((*head, changed))
        _prove(group, comment, [(0, 0, data.hex())])
    return group


def read_evidence(data: bytes) -> tuple[Any, ...]:
    """The five fields of an evidence file."""
    found = decode(data, limit=len(data), max_array=1000, max_bin=16_384)
    assert isinstance(found, tuple)
    return found


def _prove(group: Group, comment: str, edits: list[tuple[int, int, str]]) -> None:
    given: Json = {"edits": [list(edit) for edit in edits]}
    try:
        output = RUNNERS["evidence"](given, group.common)
    except Refused as refused:
        group.add(comment, given, code=refused.code)
    else:
        group.add(comment, given, output)
