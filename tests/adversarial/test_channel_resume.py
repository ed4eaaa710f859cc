"""C: resuming with somebody who lies about the game, and games that are too long."""

from __future__ import annotations

from dataclasses import replace

import pytest

from crapette_p2p.engine.actions import DISCARD, RESIGN, TURN
from crapette_p2p.engine.position import EndReason
from crapette_p2p.gamelog.events import decode_event
from crapette_p2p.gamelog.log import Entry, SignedEvent
from crapette_p2p.gamelog.records import MAGIC, encode_record, read_records
from crapette_p2p.session import messages as wire
from crapette_p2p.session.commands import Act, Propose
from crapette_p2p.session.notices import LinkLost, SessionFailed
from crapette_p2p.session.opengame import OpenGame
from crapette_p2p.session.resume import encode_entry
from crapette_p2p.session.states import State
from tests.adversarial.hostile import SPLITS, Hostile, changed
from tests.adversarial.stages import at_table, hostile_pair
from tests.adversarial.verdicts import require_good
from tests.helpers.driving import act, log_of, position_of, state_of
from tests.helpers.keys import key_of
from tests.helpers.pair import Pair, terms

EVERY_SPLIT = pytest.mark.parametrize("split", SPLITS)


def back(hostile: Hostile, split: str = "whole") -> Hostile:
    """A new link; the victim waits for RESUME and has been sent none."""
    pair, victim = hostile.pair, hostile.victim
    pair.held[1 - victim] = False
    for player in pair.players:
        player.options["known"] = lambda _key: "sas"
    pair.split = "bytes"
    pair.join(dialler=1 - victim)  # of two games the dialler's counts
    pair.step_until(lambda: hostile.session.state is State.RESUMING)
    pair.wire_clear(victim)
    pair.held[1 - victim] = True
    pair.split = split
    for forgotten in (hostile.honest.notices, hostile.honest.sent):
        forgotten.clear()
    hostile.notice_now()
    return hostile


@EVERY_SPLIT
def test_c14_a_game_nobody_knows(split: str) -> None:
    """C14: 410, and the own game is as it was."""
    hostile = back(at_table(), split)
    hostile.say(wire.Resume(b"\x07" * 32, 3, bytes(32), 0))
    hostile.require(410)
    assert not hostile.honest.kept()[0].failed


def test_c14_a_game_with_somebody_else() -> None:
    """C14: what we play with others is as unknown to him as no game at all.

    The owner of the games hears who asks before he is to open one (tests/net/
    test_shelf.py: then he opens none).
    """
    pair = Pair()
    pair.players[0].options["terms"] = terms("russian-bank")
    pair.connect()
    game_id = log_of(pair.players[0]).game_id
    pair.cut()
    eve = hostile_pair(None, victim=0, seed=3)
    eve.cheat.key = key_of("Eve")
    ala = eve.honest
    ala.disk = pair.players[0].disk.copy()
    eve.pair.players = (ala, eve.cheat)
    ala.options["game"] = None
    asked = []

    def lookup(wanted: bytes, peer: bytes) -> OpenGame | None:
        asked.append((wanted, peer))
        return ala.find(wanted)

    ala.options["lookup"] = lookup
    back(eve)
    length = log_of(pair.players[0]).length if pair.players[0].session else 10
    eve.say(wire.Resume(game_id, length, bytes(32), 0))
    eve.require(410)
    assert asked == [(game_id, eve.cheat.key.public)]
    assert not ala.kept()[0].failed


@EVERY_SPLIT
@pytest.mark.parametrize("length", [11, 500, 20_000])
def test_c14_a_length_he_cannot_have(length: int, split: str) -> None:
    """C14: we ask for what we lack; he has T_STEP to show it, and it is judged."""
    hostile = back(at_table(), split)
    log = hostile.log
    hostile.say(wire.Resume(log.game_id, length, bytes(32), 0))
    (asked,) = [m for m in hostile.honest.sent if isinstance(m, wire.Sync)]
    assert (asked.first, asked.last) == (10, min(length, 74))
    last = encode_entry(log.entries[-1])
    hostile.notice_now()
    hostile.say(wire.Records(10, (last,)))
    hostile.require(400)
    hostile = back(at_table(), split)
    hostile.say(wire.Resume(log.game_id, length, bytes(32), 0))
    hostile.pair.wait(11)
    assert hostile.honest.closed == 106
    assert hostile.honest.of(LinkLost) == [LinkLost(106)]
    assert hostile.session.state is State.SUSPENDED


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"length": 20_001}, 103),
        ({"head": None}, 103),
        ({"game_id": None}, 103),
        ({"seen": 12}, 103),
        ({"seen": 20_000}, 103),
    ],
)
def test_c14_fields_that_cannot_be(changes: dict[str, object], code: int) -> None:
    """C14: more seen than there can be would bar us from ever signing again."""
    hostile = back(at_table())
    log = hostile.log
    good = wire.Resume(log.game_id, 10, log.head, 6)
    bent = replace(good, **changes)  # type: ignore[arg-type] # fields by name
    payload = wire.encode_message(bent)
    hostile.say(payload)
    hostile.require(code)


@EVERY_SPLIT
@pytest.mark.parametrize("length", [3, 10])
def test_c14_a_wrong_head(length: int, split: str) -> None:
    """C14: equal or shorter, with a head that is not in our log: 409, for ever."""
    hostile = back(at_table(), split)
    log = hostile.log
    hostile.say(wire.Resume(log.game_id, length, bytes(32), 0))
    hostile.require(409)
    hostile.honest.games.clear()
    again = back(hostile)
    good = wire.Resume(log.game_id, 10, log.head, 6)
    again.say(good)
    (failed,) = again.honest.of(SessionFailed)
    assert isinstance(failed, SessionFailed)
    assert failed.code == 409


def two_games() -> tuple[Hostile, bytes, int]:
    """A finished game and one that goes on; the finished one's id and length."""
    hostile = at_table()
    act(hostile.pair, 0, RESIGN)
    log = log_of(hostile.honest)
    hostile.pair.command(0, Propose(terms("russian-bank")))
    hostile.pair.pump()
    assert state_of(hostile.honest).length == 10
    return hostile, log.game_id, log.length


@pytest.mark.parametrize("which", ["finished", "open"])
def test_c14_a_wrong_head_fails_the_game_it_is_about(which: str) -> None:
    """C14: not the one at hand, and a finished game is not undone by a claim."""
    hostile, old, length = two_games()
    now = hostile.log.game_id
    back(hostile)
    named = (old, length) if which == "finished" else (now, 10)
    hostile.say(wire.Resume(*named, bytes(32), 0))
    assert hostile.honest.closed == 409
    games = {game.game_id: game for game in hostile.honest.kept()}
    assert games[old].failed is None
    assert games[old].done
    assert games[now].failed == (None if which == "finished" else 409)
    for data in hostile.honest.disk.logs.values():
        require_good(data)


def test_c14_more_records_than_asked_for() -> None:
    """C14: one record too many is 103, before any of them is applied."""
    hostile, entry = asking()
    records = (encode_entry(entry),) * 3
    hostile.say(wire.Records(entry.signed.event.seq, records))
    hostile.require(103)


def asking() -> tuple[Hostile, Entry]:
    """The victim's disk is an old one: he asks for what he lacks, the next entry."""
    hostile = at_table()
    act(hostile.pair, int(position_of(hostile.honest).active), TURN)
    entries = list(hostile.log.entries)
    backup = hostile.honest.disk.copy()
    data = backup.logs[hostile.log.game_id]
    hostile.pair.cut()
    hostile.honest.crash()
    hostile.honest.disk.logs = {k: _first_half(data) for k in backup.logs}
    back(hostile)
    length = hostile.log.length
    assert length < len(entries)
    hostile.say(wire.Resume(hostile.log.game_id, length + 2, bytes(32), 0))
    hostile.notice_now()
    return hostile, entries[length]


@pytest.mark.parametrize(
    ("bent", "code"),
    [("sig", 403), ("ack", 403), ("state_after", 403), ("seq", 400), ("game", 410)],
)
def test_c14_a_record_that_was_not_signed_by_both(bent: str, code: int) -> None:
    """C14: each record is judged as an event and its ACK would be."""
    hostile, entry = asking()
    signed = entry.signed
    cheated: dict[str, Entry] = {
        "sig": replace(entry, signed=replace(signed, sig=bytes(64))),
        "ack": replace(entry, ack=bytes(64)),
        "state_after": replace(entry, state_after=bytes(32)),
        "seq": replace(entry, signed=_bent(hostile, signed, seq=19)),
        "game": replace(entry, signed=_bent(hostile, signed, game_id=bytes(32))),
    }
    hostile.say(wire.Records(signed.event.seq, (encode_entry(cheated[bent]),)))
    hostile.require(code)


def _bent(hostile: Hostile, signed: SignedEvent, **changes: object) -> SignedEvent:
    event = changed(signed.event, **changes)
    return SignedEvent.of(event, hostile.sign(event).sig)


@pytest.mark.parametrize(
    ("first", "last"), [(0, 5), (2, 2), (2, 67), (3, 5), (2, 12), (2, 20_000)]
)
def test_c14_a_sync_of_what_is_not_due(first: int, last: int) -> None:
    """C14: from his own length on, 64 at a time, and not beyond ours: else 103."""
    hostile = back(at_table())
    log = hostile.log
    hostile.say(wire.Resume(log.game_id, 2, log.head_at(2), 0))
    hostile.notice_now()
    hostile.say(wire.Sync(first, last))
    hostile.require(103)


@pytest.mark.parametrize("cheat_moves", [False, True])
def test_c12_a_number_the_other_has_seen_signed(*, cheat_moves: bool) -> None:
    """C12, P5: after an old backup nothing is signed below it; he owes his event."""
    hostile = back(at_table(mover=cheat_moves))
    log = hostile.log
    hostile.say(wire.Resume(log.game_id, 10, log.head, 11))
    hostile.notice_now()
    for action in (TURN, RESIGN):
        assert not hostile.session.may(action)
        assert not hostile.pair.attempt(hostile.victim, Act(action))
    assert hostile.honest.trace[hostile.mark :] == []
    hostile.pair.wait(11)
    assert hostile.honest.closed == 106


def _first_half(data: bytes) -> bytes:
    records = read_records(data).records[:13]
    return MAGIC + b"".join(encode_record(r.kind, r.body) for r in records)


# C16 ------------------------------------------------------------------------------


def lengthened(hostile: Hostile, length: int) -> Hostile:
    """The same table after so many events (their entries stand in for each other)."""
    for player in hostile.pair.players:
        game = player.live.open_game
        assert game is not None
        last = game.log.entries[-1]
        game.log.entries += [last] * (length - game.length)
        game.state = replace(game.state, length=length, memo=[])
    hostile.notice_now()
    return hostile


def test_c16_a_turn_that_ends_at_16000_blocks_the_deal() -> None:
    """C16, P16: there is room left for the audits and the result."""
    hostile = lengthened(at_table(mover=True), 15_998)
    act(hostile.pair, hostile.seat, TURN)
    assert state_of(hostile.honest).length == 16_001
    act(hostile.pair, hostile.seat, DISCARD)
    state = state_of(hostile.honest)
    assert state.end is not None
    assert (state.end.reason, state.end.at_limit) == (EndReason.BLOCKED, True)
    assert state.done


def test_c16_before_that_a_turn_ends_as_any() -> None:
    """C16: one below the limit nothing is blocked."""
    hostile = lengthened(at_table(mover=True), 15_996)
    act(hostile.pair, hostile.seat, TURN)
    act(hostile.pair, hostile.seat, DISCARD)
    assert state_of(hostile.honest).end is None


def test_c16_no_event_has_number_20000() -> None:
    """C16: his is 404; ours is never signed (and no lawful deal comes so far)."""
    hostile = lengthened(at_table(mover=True), 20_000)
    hostile.say(hostile.action(RESIGN))
    (failed,) = hostile.honest.of(SessionFailed)
    assert isinstance(failed, SessionFailed)
    assert failed.code == 404
    hostile = lengthened(at_table(mover=False), 20_000)
    assert not hostile.pair.attempt(hostile.victim, Act(RESIGN))
    hostile = lengthened(at_table(mover=True), 19_999)
    hostile.say(hostile.action(RESIGN))  # the victim would owe an AUDIT now
    assert hostile.state.length == 20_000
    assert hostile.honest.closed == 500
    events = [m for m in hostile.honest.sent if isinstance(m, wire.EventMessage)]
    assert max(decode_event(m.event).seq for m in events) < 10
