"""Vectors of the deal, events, genesis, records and nicks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from crapette_p2p import canonical
from crapette_p2p.fairdeal.layer import context, derive_layer
from crapette_p2p.gamelog.genesis import encode_genesis
from tests.helpers.fakegame import make_genesis
from tests.helpers.keys import real_key
from tests.vectors.making.picking import Picker
from tests.vectors.making.wire import add_outcome
from tests.vectors.making.writing import Group, Json, VectorFile
from tests.vectors.spec_pages import table

DEAL: Final = "spec/30-fair-deal.md"
SESSION: Final = "spec/60-session.md"
LOG: Final = "spec/40-log.md"


def files() -> Iterator[VectorFile]:
    """All files of this module."""
    yield VectorFile("layers", "layers", DEAL + "#2", [_layers()])
    yield VectorFile("openings", "openings", DEAL + "#2", list(_openings()))
    yield VectorFile("events", "events", LOG + "#3", list(_events()))
    yield VectorFile("signatures", "signatures", LOG + "#2", list(_signatures()))
    yield VectorFile(
        "collisions", "collisions", "spec/60-session.md#8", [_collisions()]
    )
    yield VectorFile("genesis", "genesis", "spec/60-session.md#6", list(_geneses()))
    yield VectorFile("records", "records", LOG + "#6", list(_records()))


def _layers() -> Group:
    group = Group("derived")
    picker = Picker("layers")
    for candidate in (0, 1, 63, 127):
        for player in (0, 1):
            given = {
                "seed": picker.bytes(32).hex(),
                "game_id": picker.bytes(32).hex(),
                "player": player,
                "deck": picker.below(2),
                "candidate": candidate,
            }
            add_outcome(group, "layers", "", given)
    return group


def _openings() -> Iterator[Group]:
    picker = Picker("openings")
    for player, deck, candidate in ((0, 0, 0), (1, 0, 63), (0, 1, 2)):
        game_id = picker.bytes(32)
        layer = derive_layer(
            picker.bytes(32), context(game_id, player, deck, candidate)
        )
        name = f"role-{player}-deck-{deck}"
        group = Group(name, common={"slots": layer.slots.hex()})
        for index in (0, 1, 25, 51):
            given: Json = {
                "game_id": game_id.hex(),
                "player": player,
                "deck": deck,
                "candidate": candidate,
                "index": index,
                "value": layer.perm[index],
                "salt": layer.salts[index].hex(),
            }
            group.add("opens", given)
            for comment, change in _lies(given, layer.perm, layer.salts):
                group.add(comment, {**given, **change}, code=405)
        yield group


def _lies(
    given: Json, perm: bytes, salts: tuple[bytes, ...]
) -> Iterator[tuple[str, Json]]:
    index = given["index"]
    other = (index + 1) % 52
    yield "another value", {"value": perm[other]}
    yield "another salt", {"salt": salts[other].hex()}
    yield (
        "the opening of another slot",
        {"value": perm[other], "salt": salts[other].hex()},
    )
    yield "at another slot", {"index": other}
    yield "of the other role", {"player": 1 - given["player"]}
    yield "in the other deck", {"deck": 1 - given["deck"]}
    yield "of another candidate", {"candidate": given["candidate"] + 1}
    yield "in another game", {"game_id": bytes(32).hex()}


def _events() -> Iterator[Group]:
    picker = Picker("events")
    good = Group("every-type")
    for entry in table("event-types")["events"]:
        row = _event_row(picker, entry["type"], [_sample(f) for f in entry["body"]])
        add_outcome(good, "events", entry["name"], {"bytes": _hex(row)})
    row = _event_row(picker, 99, [])
    add_outcome(
        good, "events", "a type of no entry is 404, not 103", {"bytes": _hex(row)}
    )
    row = _event_row(picker, 32, ["no", None])
    add_outcome(good, "events", "the body is judged later", {"bytes": _hex(row)})
    yield good
    yield _bad_events(picker)


def _event_row(picker: Picker, kind: int, body: list[object]) -> list[object]:
    game_id, prev, state = picker.bytes(32), picker.bytes(32), picker.bytes(32)
    return [1, game_id, picker.below(16000), picker.below(2), prev, state, kind, body]


def _hex(value: object) -> str:
    return canonical.encode(value).hex()


def _sample(field: Json) -> object:
    if field["type"] == "uint":
        return int(field["min"])
    if field["type"] == "array":
        return [[_sample(inner) for inner in field["of"]]] * 2
    return bytes(field.get("length") or field["min"])


def _bad_events(picker: Picker) -> Group:
    group = Group("refused")
    good = _event_row(picker, 33, [])
    changes: list[tuple[str, int, list[object]]] = [
        ("version", 0, [0, 2, True, None, "1"]),
        ("game_id", 1, [b"", bytes(31), bytes(33), "x" * 32, None]),
        ("seq", 2, [2**32, True, None, b"\0"]),
        ("author", 3, [2, True, None, "A"]),
        ("prev", 4, [bytes(31), None]),
        ("state", 5, [bytes(33), None]),
        ("type", 6, [True, None, "TURN"]),
        ("body", 7, [None, 0, b""]),
    ]
    for name, place, values in changes:
        for value in values:
            row = [*good[:place], value, *good[place + 1 :]]
            group.add(f"{name} {value!r}", {"bytes": _hex(row)}, code=103)
    for row in (good[:-1], [*good, 0], []):
        group.add(f"{len(row)} fields", {"bytes": _hex(row)}, code=103)
    group.add("no array", {"bytes": _hex(b"event")}, code=103)
    data = _hex(good)
    group.add("a byte after it", {"bytes": data + "00"}, code=101)
    group.add("a byte missing", {"bytes": data[:-2]}, code=101)
    group.add("a longer header", {"bytes": "dc0008" + data[2:]}, code=101)
    return group


def _signatures() -> Iterator[Group]:
    made, checked = Group("made"), Group("checked")
    picker = Picker("signatures")
    order = 2**252 + 27742317777372353535851937790883648493
    for size in (0, 1, 32, 100):
        secret, message = picker.bytes(32), picker.bytes(size)
        who = real_key(secret)
        sig = who.sign(message)
        given = {"secret": secret.hex(), "message": message.hex()}
        made.add("", given, {"public": who.public.hex(), "sig": sig.hex()})
        scalar = int.from_bytes(sig[32:], "little") + order
        raised = sig[:32] + scalar.to_bytes(32, "little")
        good = {"public": who.public, "sig": sig, "message": message}
        checked.add("fits", {name: value.hex() for name, value in good.items()})
        for comment, change in (
            ("another message", {"message": message + b"\0"}),
            ("a bit of R", {"sig": bytes([sig[0] ^ 1]) + sig[1:]}),
            ("a bit of S", {"sig": sig[:-1] + bytes([sig[-1] ^ 1])}),
            ("S + L", {"sig": raised}),
            ("another key", {"public": real_key(picker.bytes(32)).public}),
            ("cut", {"sig": sig[:63]}),
        ):
            wrong = {name: value.hex() for name, value in (good | change).items()}
            checked.add(comment, wrong, code=403)
    yield made
    yield checked
    yield _weak_signatures()


def _weak_signatures() -> Group:
    """S = 0 and a small R: a library that looks at nothing else takes some of them."""
    group = Group("weak-keys")
    for key in table("weak-keys")["keys"]:
        for point in ("01" + "00" * 31, key):
            given = {"public": key, "sig": point + "00" * 32, "message": "00"}
            group.add("a key of small order", given, code=403)
    return group


def _collisions() -> Group:
    group = Group("pairs")
    kinds = [32, 33, 34, 35, 36, 37, 38, 39]
    for first in kinds:
        for second in kinds:
            events = [{"author": 0, "type": first}, {"author": 1, "type": second}]
            add_outcome(group, "collisions", "", {"events": events})
    return group


def _geneses() -> Iterator[Group]:
    good = Group("accepted")
    for preset in ("garibaldka", "russian-bank", "russian-bank-knock", "crapette"):
        data = encode_genesis(make_genesis(preset, k=64))
        add_outcome(good, "genesis", preset, {"bytes": data.hex()})
    row = canonical.decode(data)
    assert isinstance(row, tuple)
    for comment, place, value in (
        ("the lowest K", 5, 2),
        ("the highest K", 5, 128),
        ("assist", 6, True),
        ("a label of one's own", 2, "Omas Regeln"),
        ("an empty label", 2, ""),
        ("a match", 7, (1, 300, 0, 0, None)),
        ("the third deal of a match", 7, (3, 300, 120, 61, bytes(32))),
        ("long ago", 14, 0),
    ):
        changed = _hex((*row[:place], value, *row[place + 1 :]))
        given: Json = {"bytes": changed}
        add_outcome(good, "genesis", comment, given)
    proposal = (*row[:13], None, row[14])
    given = {"bytes": _hex(proposal), "proposal": True}
    add_outcome(good, "genesis", "a proposal", given)
    yield good
    yield _bad_geneses(row)


def _bad_geneses(row: tuple[object, ...]) -> Group:
    group = Group("refused")
    changes: list[tuple[int, list[object]]] = [
        (0, ["crapette", b"crapette-game", None]),
        (1, [0, 2, True]),
        (2, ["x" * 33, b"crapette", None]),
        (3, [bytes(32), bytes(31), None]),
        (4, [b"", b"\x90", bytes(513), None]),
        (5, [0, 1, 129, True, None]),
        (6, [0, 1, None]),
        (7, [(), (0, 1, 0, 0, None), (1, 0, 0, 0, None), (1, 1, 1, 0, None)]),
        (7, [(2, 1, 0, 0, None), (1, 1, 0, 0, bytes(32)), (2, 1, 0, 0, bytes(31))]),
        (8, [bytes(31), None, "key"]),
        (10, ["", "x" * 21, " x", "a\u200b", None, b"Ala"]),
        (12, [bytes(31), None]),
        (13, [bytes(33), None]),
        (14, [None, True, "now"]),
    ]
    for place, values in changes:
        for value in values:
            data = _hex((*row[:place], value, *row[place + 1 :]))
            add_outcome(group, "genesis", f"field {place}", {"bytes": data})
    for short in (row[:-1], (*row, 0), ()):
        add_outcome(group, "genesis", "number of fields", {"bytes": _hex(short)})
    add_outcome(group, "genesis", "no array", {"bytes": _hex("crapette-game")})
    given = {"bytes": _hex(row), "proposal": True}
    add_outcome(group, "genesis", "a proposal with the second nonce", given)
    return group


def _records() -> Iterator[Group]:
    magic = table("record-kinds")["magic"]
    bodies: list[tuple[int, list[object]]] = [
        (1, [b"genesis", None, bytes(64)]),
        (1, [b"genesis", bytes(64), bytes(64)]),
        (2, [b"event", bytes(64)]),
        (3, [7, bytes(32), bytes(32), bytes(64)]),
        (4, [b"event", bytes(64)]),
        (5, [501, "gone"]),
        (6, [402, b"event", bytes(64)]),
    ]
    raw = [_record(kind, body) for kind, body in bodies]
    whole = Group("whole-and-torn")
    add_outcome(whole, "records", "no record yet", {"bytes": magic})
    data = magic + "".join(raw)
    add_outcome(whole, "records", "every kind", {"bytes": data})
    for cut in (2, 8, 60, 140, 300):
        given = {"bytes": data[:-cut]}
        add_outcome(whole, "records", "torn", given)
    yield whole
    damaged = Group("damaged")
    for comment, text in (
        ("empty", ""),
        ("half a magic", magic[:8]),
        ("another magic", "00" + magic[2:]),
        ("another version", magic[:-2] + "02"),
        ("a length of 0", magic + raw[5] + "00000000"),
        ("a length of 1", magic + raw[5] + "0000000105"),
        ("a length of 16,385", magic + "0000400105"),
        ("a length of 2^32 - 1", magic + raw[5] + "ffffffff05"),
        ("no such kind", magic + _record(0, [501, "gone"]) + raw[5]),
        ("no such kind", magic + raw[0] + _record(7, [])),
        ("a field too many", magic + _record(5, [501, "gone", 0])),
        ("a field missing", magic + raw[0] + _record(2, [b"event"])),
        ("a field of another type", magic + raw[0] + _record(3, [b"", b"", b"", b""])),
        ("not canonical", magic + "0000000505920190c0"),
        ("no array", magic + "000000020501"),
    ):
        add_outcome(damaged, "records", comment, {"bytes": text})
    yield damaged


def _record(kind: int, body: list[object]) -> str:
    payload = bytes([kind]) + canonical.encode(body)
    return (len(payload).to_bytes(4, "big") + payload).hex()
