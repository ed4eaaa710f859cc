"""RESUME, SYNC and RECORDS that are wrong."""

from __future__ import annotations

from dataclasses import replace

import pytest

from crapette_p2p.engine.actions import RESIGN
from crapette_p2p.session import messages as wire
from crapette_p2p.session.commands import Act
from crapette_p2p.session.resume import decode_entry, encode_entry
from crapette_p2p.session.states import State
from tests.helpers.coming_back import (
    code_of,
    played,
    restart,
    resuming,
    state_length,
)
from tests.helpers.driving import (
    log_of,
)
from tests.helpers.pair import Pair


@pytest.mark.parametrize(
    ("message", "code"),
    [
        (wire.Resume(None, 1, None, 0), 103),
        (wire.Resume(None, 0, bytes(32), 0), 103),
        (wire.Resume(bytes(32), 0, None, 0), 103),
        (wire.Resume(bytes(32), 0, bytes(32), 0), 410),
        (wire.Sync(0, 1), 104),
        (wire.Records(0, (b"x",)), 104),
        (wire.Chat("hi"), 104),
        (wire.Start(bytes(64)), 104),
    ],
)
def test_what_does_not_fit_while_resuming(message: wire.Message, code: int) -> None:
    """Only RESUME, PING and PONG, and only sensible ones."""
    pair = Pair()
    resuming(pair, 0)
    pair.inject(0, message)
    pair.deliver(0)
    assert code_of(pair, 0) == code


def test_nobody_can_have_seen_more_than_there_is() -> None:
    """A peer that claims to hold our future events would bar us from signing."""
    pair = played()
    log = log_of(pair.players[0])
    resuming(pair, 0)
    message = wire.Resume(log.game_id, log.length, log.head, log.length + 2)
    pair.inject(0, message)
    pair.deliver(0)
    assert code_of(pair, 0) == 103


def test_who_holds_our_void_event_owes_his_own() -> None:
    """P5, T_STEP: with `seen` above our length we wait for his event, not for ever."""
    pair = played()
    log = log_of(pair.players[0])
    resuming(pair, 0)
    pair.inject(0, wire.Resume(log.game_id, log.length, log.head, log.length + 1))
    pair.deliver(0)
    assert not pair.attempt(0, Act(RESIGN))
    pair.held[1] = True
    for _ in range(11):
        pair.inject(0, wire.Pong(0))
        pair.now += 1
        pair.deliver(0)
        pair.tick()
    assert pair.players[0].closed == 106
    assert pair.players[0].live.state is State.SUSPENDED


def test_a_third_resume_is_104() -> None:
    """At most two, and the second only as an answer."""
    pair = played()
    resuming(pair, 0)
    nothing = wire.Resume(None, 0, None, 0)
    pair.inject(0, nothing)
    pair.deliver(0)
    assert pair.players[0].closed is None
    pair.inject(0, nothing)
    pair.deliver(0)
    assert code_of(pair, 0) == 104


def longer(pair: Pair) -> bytes:
    """Side 0 is the longer by all its events; returns the game id."""
    log = log_of(pair.players[0])
    resuming(pair, 0)
    pair.inject(0, wire.Resume(log.game_id, 0, log.game_id, 0))
    pair.deliver(0)
    assert pair.players[0].live.state is State.SYNCING
    return log.game_id


@pytest.mark.parametrize(("first", "last"), [(1, 5), (0, 0), (0, 65), (0, 20_000)])
def test_a_sync_of_events_that_are_not_due_is_103(first: int, last: int) -> None:
    """From the own length on, at most 64 at a time, not beyond the end."""
    pair = played()
    longer(pair)
    pair.inject(0, wire.Sync(first, last))
    pair.deliver(0)
    assert code_of(pair, 0) == 103


def test_the_longer_side_sends_no_event_before_it_has_served_all() -> None:
    """P5 (ii): an own event of the longer waits for the last SYNC."""
    pair = played()
    pair.command(0, Act(RESIGN))
    sent = len(pair.players[0].sent)
    longer(pair)
    assert not any(
        isinstance(m, wire.EventMessage) for m in pair.players[0].sent[sent:]
    )
    length = log_of(pair.players[0]).length
    done = 0
    while done < length:
        pair.inject(0, wire.Sync(done, min(done + 64, length)))
        pair.deliver(0)
        answer = [m for m in pair.players[0].sent if isinstance(m, wire.Records)][-1]
        done += len(answer.records)
    assert isinstance(pair.players[0].sent[-1], wire.EventMessage)


@pytest.mark.parametrize(
    ("bend", "code"),
    [
        ("nothing", 0),
        ("garbage", 101),
        ("fields", 103),
        ("size", 103),
        ("gap", 400),
        ("signature", 403),
        ("ack", 403),
        ("state", 403),
        ("too many", 103),
    ],
)
def test_a_record_is_believed_only_with_both_signatures(bend: str, code: int) -> None:
    """Each record is judged as an event and an ACK would be."""
    pair = played()
    entries = log_of(pair.players[0]).entries
    backup = pair.players[1].disk.copy()
    data = backup.logs[log_of(pair.players[1]).game_id]
    restart(pair, 1)
    pair.players[1].disk.logs = {k: data[: len(data) // 2] for k in backup.logs}
    resuming(pair, 1)
    length = state_length(pair, 1)
    log = pair.players[0].kept()[0].log
    pair.inject(1, wire.Resume(log.game_id, length + 2, bytes(32), 0))
    pair.deliver(1)
    assert pair.players[1].live.state is State.SYNCING
    good = entries[length]
    records = {
        "nothing": encode_entry(good),
        "garbage": b"\xcd\x00\x01",
        "fields": b"\x90",
        "size": encode_entry(replace(good, state_after=bytes(31))),
        "gap": encode_entry(entries[length + 1]),
        "signature": encode_entry(
            replace(good, signed=replace(good.signed, sig=bytes(64)))
        ),
        "ack": encode_entry(replace(good, ack=bytes(64))),
        "state": encode_entry(replace(good, state_after=bytes(32))),
        "too many": encode_entry(good),
    }
    batch = (records[bend],) * (3 if bend == "too many" else 1)
    pair.inject(1, wire.Records(length, batch))
    pair.deliver(1)
    if code:
        assert code_of(pair, 1) == code
        assert state_length(pair, 1) == length
    else:
        assert state_length(pair, 1) == length + 1


def test_an_entry_comes_back_from_its_record() -> None:
    """Encoding and decoding of a record are inverse."""
    pair = played()
    for entry in log_of(pair.players[0]).entries:
        assert decode_entry(encode_entry(entry)) == entry
