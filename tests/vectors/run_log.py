"""Runs the vectors of logs, of states, and of what a client does with an event."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Final

from crapette_p2p import canonical
from crapette_p2p.engine.layout import SEAT_NAMES
from crapette_p2p.errors import DecodeError, RemoteProtocolError
from crapette_p2p.gamelog.compare import DamagedLogError, compare_logs
from crapette_p2p.gamelog.evidence import judge_evidence
from crapette_p2p.gamelog.verify import Verdict, verify_log
from crapette_p2p.session.channel import Channel
from crapette_p2p.session.config import SessionConfig
from crapette_p2p.session.effects import Effect, Persist, Send
from crapette_p2p.session.messages import Ack, EventMessage, decode_message
from crapette_p2p.session.opengame import load_game
from crapette_p2p.session.outbox import Outbox
from tests.helpers.keys import Key, real_key, verify
from tests.vectors.values import Json, Refused, from_json, to_json


def state_hash(given: Json, _common: Json) -> object:
    """The bytes and the hash of a public state."""
    data = canonical.encode(from_json(given["state"]))
    made = hashlib.sha256(b"crapette/1/state\0" + data)
    return {"bytes": data.hex(), "hash": made.hexdigest()}


@lru_cache(maxsize=8)
def _bytes(text: str) -> bytes:
    return bytes.fromhex(text)


def _edited(data: bytes, edits: Iterable[tuple[int, int, str]]) -> bytes:
    """The bytes with some of them replaced; places are those of the original."""
    for place, length, text in sorted(edits, reverse=True):
        data = data[:place] + bytes.fromhex(text) + data[place + length :]
    return data


def judged(given: Json, common: Json) -> object:
    """A log file as a third party sees it, after some edits."""
    data = _edited(_bytes(common["log"]), [tuple(e) for e in given["edits"]])
    verdict = verify_log(data, verify)
    answer = {"level": verdict.level, "torn": verdict.torn, "owed": _owed(verdict)}
    if verdict.why is not None:
        raise Refused(verdict.why, {**answer, "first_bad": verdict.first_bad})
    return answer


def _owed(verdict: Verdict) -> list[object] | None:
    if not verdict.begun and verdict.why is None:
        return [SEAT_NAMES[0], "START"]
    owed = verdict.owed
    if owed is None:
        return None
    return [SEAT_NAMES[owed.author], owed.type.name if owed.type else None]


def evidence(given: Json, common: Json) -> object:
    """An evidence file: who is proven guilty of what."""
    data = _edited(_bytes(common["evidence"]), [tuple(e) for e in given["edits"]])
    found = judge_evidence(data, verify)
    if not found.proven or found.seat is None:
        raise Refused("unproven")
    return {"code": found.code, "guilty": SEAT_NAMES[found.seat]}


def comparison(given: Json, common: Json) -> object:
    """How two logs stand to each other."""
    first, second = (_bytes(common["logs"][n])[:size] for n, size in _pair(given))
    try:
        found = compare_logs(first, second, verify)
    except DamagedLogError as error:
        told = {"which": error.which, "first_bad": error.record}
        raise Refused(error.why, told) from error
    return {
        "relation": found.relation.value,
        "common": found.common,
        "longer": found.longer,
        "guilty": None if found.guilty is None else SEAT_NAMES[found.guilty],
    }


def _pair(given: Json) -> list[tuple[int, int | None]]:
    return [given["first"], given["second"]]


def received(given: Json, common: Json) -> object:
    """What a client that holds a log does with a message of the other.

    ``records`` are appended to its log, ``sent`` are the payloads it answers.
    Events that it owes itself are left out.
    """
    me = real_key(bytes.fromhex(common["secret"]))
    game = load_game(_bytes(common["log"]), idpub=me.public, sign=me.sign)
    outbox = Outbox()
    channel = Channel(game, _config(me), outbox)
    try:
        message = decode_message(bytes.fromhex(given["payload"]))
        assert isinstance(message, EventMessage | Ack)
        if isinstance(message, EventMessage):
            final = channel.on_event(message)
        else:
            final = channel.on_ack(message)
    except (DecodeError, RemoteProtocolError) as error:
        raise Refused(error.code) from error
    return {"final": final, **_effects(outbox.drain()), "length": game.length}


def _config(me: Key) -> SessionConfig:
    return SessionConfig(
        idpub=me.public,
        nick="",
        sign=me.sign,
        verify=verify,
        rand=bytes,
        wall=int,
    )


def _effects(effects: list[Effect]) -> Json:
    records = [[e.kind, to_json(e.body)] for e in effects if isinstance(e, Persist)]
    sent = [e.data[4:].hex() for e in effects if isinstance(e, Send)]
    kinds = [type(e) for e in effects if isinstance(e, Persist | Send)]
    assert kinds == sorted(kinds, key=lambda kind: kind is Send), "record first"
    return {"records": records, "sent": sent}


RUNNERS: Final[dict[str, Callable[[Json, Json], object]]] = {
    "comparisons": comparison,
    "evidence": evidence,
    "logs": judged,
    "received": received,
    "state-hashes": state_hash,
}
