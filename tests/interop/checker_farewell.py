"""What a side says and writes when the other is wrong (spec 60, 8.7)."""

from tests.interop.checker_canonical import (
    ProtocolError,
    Value,
    as_array,
    as_bin,
    decode,
    encode,
)
from tests.interop.checker_events import Event, read_event
from tests.interop.checker_log import FAULT, NOTE
from tests.interop.checker_messages import read_message
from tests.interop.checker_resume import Kept, LeftError, Resumer

FATAL = (302, 304, 402, 404, 405, 406, 407, 408, 409)
Written = list[tuple[int, tuple[Value, ...]]]


def farewell(
    side: Resumer, payload: bytes, error: ProtocolError
) -> tuple[tuple[int, int | None] | None, Written]:
    """The BYE after a refusal, and what is written.

    Args:
        side: Who has refused.
        payload: What it has refused.
        error: Why.

    Returns:
        Code and number of the BYE, or None; FAULT and NOTE records.
    """
    code = error.code
    if isinstance(error, LeftError):
        return None, []
    assert isinstance(code, int)
    game = side.at_hand
    if code not in FATAL or game is None or game.client is None or game.failed:
        return (code, None), []
    if game.client.game.done and code != 402:
        return (code, None), []
    number, proof = _proof(game, payload, code)
    note: Written = [(NOTE, (code, "failed"))]
    return (code, number), [(FAULT, (code, *proof)), *note] if proof else note


def _proof(
    game: Kept, payload: bytes, code: int
) -> tuple[int | None, tuple[bytes, bytes] | None]:
    name, fields = read_message(payload)
    client = game.client
    assert client is not None
    if name == "ACK":
        number = fields[0]
        assert isinstance(number, int)
        return number, (encode(fields[:3]), as_bin(fields[3], 64, 64))
    if name == "EVENT":
        data, sig = as_bin(fields[0], 1, 12_288), as_bin(fields[1], 64, 64)
        return _number(read_event(data)), (data, sig)
    if name != "RECORDS":
        return None, None
    for item in as_array(fields[1], 1, 64):
        parts = as_array(decode(as_bin(item, 0, 12_288)), 4, 4)
        data, sig = as_bin(parts[0], 0, 12_288), as_bin(parts[1], 64, 64)
        event = read_event(data)
        if event.seq == len(client.entries):  # those before it were taken
            proven = event.author != client.role and not _agreed(game, event, code)
            return _number(event), (data, sig) if proven else None
    return None, None


def _agreed(game: Kept, event: Event, code: int) -> bool:
    """Whether the event itself is right and only the state after it is not."""
    client = game.client
    return code == 407 and client is not None and event.state == client.game.hash


def _number(event: Event) -> int | None:
    return event.seq if event.seq < 20_000 else None
