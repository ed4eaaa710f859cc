"""Vectors of two logs: the beginning of one another, forks, and other games."""

from __future__ import annotations

from collections.abc import Iterator

from crapette_p2p.engine import legal_with_offences
from crapette_p2p.engine.layout import other
from crapette_p2p.gamelog.events import EventType, action_to_body
from crapette_p2p.gamelog.records import RecordKind, encode_record
from tests.helpers.fakegame import FakeGame, file_of
from tests.vectors.making.received import fresh, in_play
from tests.vectors.making.writing import Group, Json, VectorFile
from tests.vectors.run_log import RUNNERS
from tests.vectors.values import Refused

Side = tuple[int, int | None]


def files() -> Iterator[VectorFile]:
    """The file of this module."""
    groups = [_beginnings(), _damaged(), _forks()]
    yield VectorFile("comparisons", "comparisons", "spec/40-log.md#8", groups)


def _add(group: Group, comment: str, first: Side, second: Side) -> None:
    given: Json = {"first": list(first), "second": list(second)}
    try:
        output = RUNNERS["comparisons"](given, group.common)
    except Refused as refused:
        group.add(comment, given, refused.output, code=refused.code)
    else:
        group.add(comment, given, output)


def _size(game: FakeGame, records: int) -> int:
    """Bytes of the log up to so many records from its end."""
    kept = game.records[: len(game.records) - records]
    return len(file_of(kept))


def _beginnings() -> Group:
    """One log and parts of it, another game, and damage."""
    game, another = in_play("crapette", 1, after=6), fresh("crapette", seed=3)
    genesis, _, sig1 = game.records[0][1]
    half = file_of([(RecordKind.GENESIS, (genesis, None, sig1))])
    bent = bytearray(game.data)
    bent[len(bent) // 2] ^= 1
    note = game.data + encode_record(RecordKind.NOTE, (501, "abandoned"))
    logs = [game.data, another.data, half, bytes(bent), note]
    group = Group("beginnings", common={"logs": [log.hex() for log in logs]})
    whole: Side = (0, None)
    _add(group, "the same file", whole, whole)
    for comment, records in (
        ("without its last ACK", 1),
        ("without its last event", 2),
        ("without six events", 12),
        ("the genesis alone", len(game.records) - 1),
    ):
        part = (0, _size(game, records))
        _add(group, comment, part, whole)
        _add(group, f"{comment}, the other way round", whole, part)
    _add(group, "a torn one", (0, len(game.data) - 7), whole)
    _add(group, "both cut alike", (0, _size(game, 4)), (0, _size(game, 4)))
    _add(group, "never begun", (2, None), whole)
    _add(group, "with a NOTE more", (4, None), whole)
    _add(group, "another game", whole, (1, None))
    _add(group, "another game, never mind its length", (1, None), (0, _size(game, 8)))
    for comment, bad in (
        ("a changed byte", (3, None)),
        ("an empty file", (0, 0)),
        ("eight bytes", (0, 8)),
        ("no log", (0, 5)),
    ):
        _add(group, f"{comment}, first", bad, whole)
        _add(group, f"{comment}, second", whole, bad)
    _add(group, "both are damaged", (3, None), (0, 0))
    _add(group, "a changed byte and another game", (1, None), (3, None))
    _add(group, "a changed byte, the part before it", (3, 400), whole)
    return group


def _damaged() -> Group:
    """A short log, and what can be done to its records."""
    game = fresh("crapette")
    for _ in range(4):
        owed = game.owed()
        assert owed is not None
        game.event(*owed)
    records = game.records
    event, sig = records[3][1]
    assert isinstance(sig, bytes)
    changed = {
        "a record left out": [*records[:3], *records[4:]],
        "a record twice": [*records[:4], *records[3:]],
        "two records exchanged": [*records[:3], records[4], records[3], *records[5:]],
        "an event not signed": [*records[:3], (records[3][0], (event, sig[::-1]))],
        "no genesis": records[1:],
        "the genesis twice": [records[0], *records],
        "a fault that proves nothing": [
            *records,
            (RecordKind.FAULT, (402, event, sig)),
        ],
    }
    logs = [game.data, *map(file_of, changed.values())]
    group = Group("damaged", common={"logs": [log.hex() for log in logs]})
    for number, comment in enumerate(changed, 1):
        _add(group, f"{comment}, first", (number, None), (0, None))
        _add(group, f"{comment}, second", (0, None), (number, None))
    return group


def _forks() -> Group:
    """From one position: other events of one author, of two, final and not."""
    logs = [_branch(*branch) for branch in BRANCHES]
    group = Group("forks", common={"logs": [log.hex() for log in logs]})
    for one in range(len(BRANCHES)):
        for two in range(one + 1, len(BRANCHES)):
            comment = f"{BRANCHES[one][0]}; {BRANCHES[two][0]}"
            _add(group, comment, (one, None), (two, None))
    _add(group, "the same branch", (0, None), (0, None))
    return group


BRANCHES = (
    ("a play is final", "play", 0),
    ("another play is final", "play", 1),
    ("a play waits", "waits", 0),
    ("another play waits", "waits", 1),
    ("the other calls, the play is void", "stop", 0),
    ("the other resigns", "resign", 0),
)


def _branch(_name: str, what: str, which: int) -> bytes:
    game = in_play("crapette", 1, after=6)
    position = game.state.position
    assert position is not None
    mover = position.active
    actions = [action for action, _ in legal_with_offences(position)]
    play = game.sign(mover, *action_to_body(actions[which]))
    event = RecordKind.EVENT, (play.data, play.sig)
    if what == "play":
        game.final(play)
    elif what == "waits":
        game.record(*event[:1], *event[1])
    elif what == "stop":
        game.record(*event[:1], *event[1])
        game.event(other(mover), EventType.STOP, (16 + mover, 8))
    else:
        game.event(other(mover), EventType.RESIGN, ())
    return game.data
