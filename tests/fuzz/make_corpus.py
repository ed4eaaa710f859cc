"""Write the good inputs of the corpus; those a fuzzer found stay as they are.

python -m tests.fuzz.make_corpus
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from crapette_p2p import canonical
from crapette_p2p.engine import position_to_json
from crapette_p2p.engine.ruleset import PRESETS
from crapette_p2p.gamelog.events import EventType
from crapette_p2p.gamelog.evidence import encode_evidence
from crapette_p2p.gamelog.genesis import encode_genesis
from crapette_p2p.gamelog.log import Fault
from crapette_p2p.gamelog.records import RecordKind, encode_record
from crapette_p2p.net.announcement import Announcement
from crapette_p2p.session import messages as wire
from crapette_p2p.session.effects import Send
from tests.adversarial.messages import SAMPLES
from tests.fuzz.targets import CORPUS, at_point, framed
from tests.helpers.boards import board
from tests.helpers.fakegame import FakeGame, make_genesis, play_game
from tests.helpers.pair import Pair, make_player, terms
from tests.net.spoofing import txt_of

_SAID = Announcement(fingerprint=bytes(range(10)), nick="Ala", rules="crapette")
_MOST = 24_000
"""Bytes of one entry; larger ones make a slow fuzzer."""


def session_bytes() -> bytes:
    """What a listener hears up to the lay-out."""
    pair = Pair(make_player("Ala"), make_player("Olek"))
    pair.players[0].options |= {
        "known": lambda _key: "sas",
        "terms": terms("russian-bank"),
    }
    pair.connect()
    return b"".join(e.data for e in pair.players[1].trace if isinstance(e, Send))


def evidence_bytes() -> bytes:
    """Proof of an impossible move."""
    game = FakeGame(make_genesis("russian-bank", k=2, seed=4), seed=4)
    game.set_up()
    assert game.state.position is not None
    signed = game.sign(game.state.position.active, RecordKind.EVENT, (0, 0))
    return encode_evidence(game.log, Fault(404, signed.data, signed.sig))


def signed_bodies() -> Iterator[tuple[str, str, bytes]]:
    """What an honest player would say at the points of ``fuzz_signed``, and more."""
    for point in (0, 1, 4):
        kind, body = at_point(point).owed()
        yield "signed", f"owed-{point}", bytes([point, kind]) + canonical.encode(body)
    for number, (kind, fields) in enumerate(
        [
            (EventType.MOVE, (3, 17)),
            (EventType.TURN, ()),
            (EventType.END, (0,)),
            (EventType.STOP, (16, 8)),
            (EventType.RESIGN, ()),
            (EventType.DRAW_ANSWER, (1,)),
            (EventType.OPEN_A, (0, ((17, 3, bytes(32)),))),
            (EventType.RESULT, (0, 3, 1)),
        ]
    ):
        head = bytes([2 + number % 3, kind])
        yield "signed", f"event-{number}", head + canonical.encode(fields)


def good_inputs() -> Iterator[tuple[str, str, bytes]]:
    """Target, name and bytes of each."""
    for kind, fields in SAMPLES.items():
        payload = canonical.encode(fields)
        if len(payload) < 2000:
            yield "messages", kind.name.lower(), payload
            yield "codec", kind.name.lower(), payload
            yield "frames", kind.name.lower(), framed(payload)
    stream = session_bytes()
    yield "session", "to-the-lay-out", stream
    yield "session", "login", stream[:400]
    ping = wire.encode_message(wire.Ping(1))
    yield "session", "hello-ping", stream[:52] + framed(ping)
    game = play_game("crapette", seed=7, k=2, actions=12)
    note = encode_record(RecordKind.NOTE, (501, "abandoned"))
    yield "log", "whole", game.data
    yield "log", "half", game.data[: len(game.data) // 2] + note
    yield "log", "set-up", game.data[:6000]
    yield "evidence", "impossible-move", evidence_bytes()
    for entry in game.log.entries[::6]:
        yield "events", f"event-{entry.signed.event.seq}", entry.signed.data
    yield "events", "genesis", encode_genesis(make_genesis())
    for number, preset in enumerate(PRESETS):
        value = position_to_json(board(preset))
        yield "positions", f"board-{number}", json.dumps(value).encode()
        yield "rules", f"preset-{number}", f'preset = "{preset}"\n'.encode()
    yield "rules", "house", b'name = "ours"\nreserve_size = 11\nassist = true\n'
    for number, text in enumerate(
        ("R-F", "5-OW", "stop 5-F", "turn", "resign A", "offer-draw B", "D-3", "grant")
    ):
        yield "actions", f"action-{number}", text.encode()
    for number, text in enumerate(
        (
            "192.168.1.7:4747",
            "[fe80::1%eth0]:4747",
            "olek-pc 4747",
            "crapette1:192.168.1.7:4747,[::1]:4748/3F2A91C077BD0E14/3F2A91C077BD0E14",
        )
    ):
        yield "addresses", f"address-{number}", text.encode()
    yield from signed_bodies()
    yield "announcements", "table", txt_of(dict(_SAID.entries()))
    position = json.dumps(position_to_json(board()))
    lines = {
        "legal": f"legal\n@\n--json\n\n{position}",
        "play": f"play\n@\nR-F\nturn\n\n{position}",
        "stdin": f"legal\n-\n\n{position}",
        "rules": "rules\ncrapette\n--json\n\n",
        "config": "config\nset\nname\nAla\n\n",
        "keys": "keys\n--json\n\n",
    }
    for name, text in lines.items():
        yield "command_line", name, text.encode()
    yield "command_line", "verify", b"verify\n@\n--json\n\n" + game.data
    yield "command_line", "replay", b"replay\n--dump\n@\n\n" + game.data[:8000]


def main() -> None:
    """Write them all."""
    for target, name, data in good_inputs():
        if len(data) <= _MOST:
            folder = CORPUS / target
            folder.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(data)


if __name__ == "__main__":
    main()
