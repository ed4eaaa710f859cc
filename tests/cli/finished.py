"""A finished game, as the file its log is kept in."""

from __future__ import annotations

import random
from dataclasses import replace
from functools import cache

from crapette_p2p.gamelog.events import decode_event, encode_event, event_hash
from crapette_p2p.gamelog.genesis import (
    Genesis,
    decode_genesis,
    encode_genesis,
    game_id_of,
)
from crapette_p2p.gamelog.records import (
    MAGIC,
    Record,
    RecordKind,
    encode_record,
    read_records,
)
from crapette_p2p.session.commands import Act
from tests.helpers.pair import Pair, play_pair
from tests.helpers.policy import choose


@cache
def finished_log() -> bytes:
    """A short game that ends by resignation, audited and closed."""
    pair = play_pair("crapette", seed=5)
    dice = random.Random(5)  # noqa: S311 - a repeatable game
    for number in range(60):
        for side in (0, 1):
            _act(pair, side, dice, resign=0.5 if number > 40 else 0.0)
    return next(iter(pair.players[0].disk.logs.values()))


def finished_parts() -> tuple[tuple[Record, ...], Genesis]:
    """The records of that game's log, and the genesis in the first of them."""
    records = read_records(finished_log()).records
    data = records[0].body[0]
    assert isinstance(data, bytes)
    return records, decode_genesis(data)


def finished_of(genesis: Genesis, *, without: int = 0) -> bytes:
    """That game as one of another genesis, less so many of its last records.

    Every record hangs on the one before, as a list looks at it; nobody signed them.
    """
    first, *records = read_records(finished_log()).records
    data = encode_genesis(genesis)
    game, hashes = game_id_of(data), dict[object, bytes]()
    head = game
    written = [encode_record(first.kind, (data, *first.body[1:]))]
    for record in records[: len(records) - without]:
        body = record.body
        if record.kind == RecordKind.EVENT and isinstance(body[0], bytes):
            event = replace(decode_event(body[0]), game_id=game, prev=head)
            body = (encode_event(event), body[1])
            hashes[event_hash(record.body[0])] = event_hash(body[0])  # type: ignore[arg-type] # bytes, as was asked
        elif record.kind == RecordKind.ACK:
            head = hashes[body[1]]
            body = (body[0], head, *body[2:])
        written.append(encode_record(record.kind, body))
    return MAGIC + b"".join(written)


def _act(pair: Pair, side: int, dice: random.Random, *, resign: float) -> None:
    session = pair.players[side].live
    game, seat = session.game, session.seat
    if game is None or seat is None or game.end is not None:
        return
    action = choose(game, seat, dice, resign=resign)
    if action is not None:
        pair.attempt(side, Act(action))
        pair.pump()
