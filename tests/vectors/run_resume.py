"""Runs the vectors of resuming: a client with its logs, and what the other sends.

The client is a real session on a fake wire. It logs in to a player of whom nothing
is heard then but the payloads of the vector.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from crapette_p2p.gamelog.genesis import game_id_of
from crapette_p2p.gamelog.records import Record, RecordKind, read_records
from crapette_p2p.session.effects import Persist, Send
from crapette_p2p.session.messages import (
    Bye,
    EventMessage,
    MessageType,
    Resume,
    decode_message,
)
from crapette_p2p.session.opengame import FAILED
from crapette_p2p.session.states import State
from tests.helpers.keys import real_key
from tests.helpers.pair import Pair, Player, make_player
from tests.vectors.values import Json, Refused, to_json

_LOGIN: Final = (
    MessageType.HELLO,
    MessageType.HOST,
    MessageType.AUTH,
    MessageType.READY,
)


def resume(given: Json, common: Json) -> object:
    """What a client says, records and comes to after READY 0."""
    logs = [bytes.fromhex(log) for log in common["logs"]]
    pair = client_of(common)
    me = pair.players[0]
    log_in(pair)
    pair.wire_clear(0)
    pair.held[1] = True
    for payload in given["received"]:
        pair.inject(0, bytes.fromhex(payload))
        pair.deliver(0)
    if me.closed is not None:
        raise Refused(me.closed, farewell(me))
    named = any(isinstance(m, Resume) and m.game_id is not None for m in me.sent)
    game = me.live.open_game if named else None
    held = {body for log in logs for body in _events(log)}
    received = "".join(given["received"])
    return {
        "sent": [payload.hex() for payload in sent(me, held)],
        "records": [[r.kind, to_json(r.body)] for r in recorded(me, held, received)],
        "state": me.live.state.name,
        "length": None if game is None else game.length,
    }


def farewell(me: Player) -> object:
    """The BYE with which a client ends the link, if any, and what it writes of it."""
    last = me.sent[-1]
    bye = [last.code, last.seq] if isinstance(last, Bye) else None
    written = [e for e in me.trace if isinstance(e, Persist) and _is_of_fault(e)]
    return {"bye": bye, "records": [[e.kind, to_json(e.body)] for e in written]}


def _is_of_fault(effect: Persist) -> bool:
    if effect.kind == RecordKind.NOTE:
        return effect.body[1] == FAILED
    return effect.kind == RecordKind.FAULT


def client_of(common: Json, **options: object) -> Pair:
    """A client with its logs, and the other player, not logged in yet."""
    names = common.get("nick", "Ala"), common.get("peer_nick", "Olek")
    me, peer = (
        make_player(name, key=real_key(bytes.fromhex(common[secret])))
        for name, secret in zip(names, ("secret", "peer_secret"), strict=True)
    )
    me.options.update(options)
    for log in map(bytes.fromhex, common["logs"]):
        genesis = read_records(log).records[0].body[0]
        assert isinstance(genesis, bytes)
        me.disk.logs[game_id_of(genesis)] = log
    pair = Pair(me, peer)
    pair.join(dialler=0 if common["dialler"] else 1)
    return pair


def log_in(pair: Pair) -> None:
    """Carry frame by frame until the client has sent its RESUME."""
    assert pair.wire is not None
    while pair.players[0].live.state is not State.RESUMING:
        for side in (0, 1):
            flight = pair.wire.flight[side]
            if pair.players[side].answers:
                pair.command(side, pair.players[side].answers.pop(0))
            elif flight:
                pair.deliver(side, 4 + int.from_bytes(flight[:4], "big"))
                break


def _events(log: bytes) -> Iterator[object]:
    return (r.body[0] for r in read_records(log).records if r.kind == RecordKind.EVENT)


def sent(me: Player, held: set[object]) -> Iterator[bytes]:
    """The payloads after the login; events it then owes itself are left out."""
    for effect in me.trace:
        if isinstance(effect, Send):
            message = decode_message(effect.data[4:])
            kind = effect.data[5]
            owed = isinstance(message, EventMessage) and message.event not in held
            if kind not in _LOGIN and not owed:
                yield effect.data[4:]


def recorded(me: Player, held: set[object], received: str) -> Iterator[Record]:
    """What it wrote, but for NOTEs and the events it then owes itself."""
    for effect in me.trace:
        if isinstance(effect, Persist) and effect.kind != RecordKind.NOTE:
            body = tuple(effect.body)
            data = body[0] if effect.kind == RecordKind.EVENT else None
            if isinstance(data, bytes) and not _is_known(data, held, received):
                continue
            yield Record(RecordKind(effect.kind), body)


def _is_known(event: bytes, held: set[object], received: str) -> bool:
    """Whether it was there before, or came from the other."""
    return event in held or event.hex() in received


RUNNERS: Final[dict[str, Callable[[Json, Json], object]]] = {"resumes": resume}
