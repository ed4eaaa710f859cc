"""A game read back from its file: what is pending, what is made good (P8, P17)."""

from __future__ import annotations

import pytest

from crapette_p2p.engine.actions import RESIGN, TURN
from crapette_p2p.errors import LocalProtocolError, LogError
from crapette_p2p.gamelog.events import EventType
from crapette_p2p.gamelog.records import MAGIC, RecordKind, encode_record, read_records
from crapette_p2p.gamelog.state import state_hash
from crapette_p2p.gamelog.verify import verify_log
from crapette_p2p.session.commands import Act
from crapette_p2p.session.effects import Persist
from crapette_p2p.session.messages import Bye
from crapette_p2p.session.opengame import OpenGame, load_game
from crapette_p2p.session.states import State
from tests.helpers.coming_back import played, restart
from tests.helpers.driving import log_of, position_of, require_equal, side_of
from tests.helpers.forging import forge, require_one_signature
from tests.helpers.keys import key_of, verify
from tests.helpers.pair import Pair, Player, play_pair, terms


def file_of(player: Player) -> bytes:
    """The bytes of a player's newest log."""
    return list(player.disk.logs.values())[-1]


def without_last(data: bytes, count: int = 1) -> bytes:
    """The file without its last records."""
    records = read_records(data).records[:-count]
    return MAGIC + b"".join(encode_record(r.kind, r.body) for r in records)


def load(player: Player, data: bytes) -> OpenGame:
    """Read a log as that player does."""
    return load_game(data, idpub=player.key.public, sign=player.key.sign)


def test_an_own_event_without_ack_is_still_waiting() -> None:
    """P17: neither ACK nor a later event of that number: it is `mine`."""
    pair = play_pair("russian-bank", seed=1)
    active = position_of(pair.players[0]).active
    player = pair.players[side_of(pair, active)]
    pair.command(side_of(pair, active), Act(TURN))
    game = load(player, file_of(player))
    assert game.mine is not None
    assert game.mine.event.type == EventType.TURN
    assert game.length == 10
    assert game.debtor == 1 - active
    assert game.mine_after.length == 11


def test_an_event_of_the_peer_without_our_ack_is_final() -> None:
    """P17: the ACK is made again, and recorded by the next session first of all."""
    pair = played()
    for player in pair.players:
        data = file_of(player)
        records = read_records(data).records
        last = records[-1]
        assert last.kind == RecordKind.ACK
        game = load(player, without_last(data))
        whole = load(player, data)
        if whole.log.entries[-1].signed.event.author == game.seat:
            assert game.mine is not None
            continue
        assert game.log.entries == whole.log.entries
        assert game.repairs == (Persist(game.game_id, RecordKind.ACK, last.body),)


def test_repairs_are_written_before_anything_is_sent() -> None:
    """The file is whole again, and a verifier accepts it, right after the link."""
    pair = played()
    side = next(
        i
        for i, p in enumerate(pair.players)
        if log_of(p).entries[-1].signed.event.author != p.live.seat
    )
    player = pair.players[side]
    whole = file_of(player)
    restart(pair, side)
    player.disk.logs = {k: without_last(v) for k, v in player.disk.logs.items()}
    before = len(player.trace)
    pair.join(dialler=side)
    assert isinstance(player.trace[before], Persist)
    assert file_of(player) == whole
    assert verify_log(file_of(player), verify).first_bad is None
    pair.pump()
    require_equal(pair)


def test_every_beginning_of_a_file_can_be_played_on() -> None:
    """A crash leaves some number of whole records and perhaps a torn one."""
    pair = played()
    player = pair.players[1]
    data = file_of(player)
    records = read_records(data).records
    for count in range(1, len(records)):
        part = without_last(data, len(records) - count)
        for torn in (b"", b"\0", encode_record(2, (b"x", bytes(64)))[:20]):
            game = load(player, part + torn)
            assert game.length <= count
            assert state_hash(game.state)


def test_a_damaged_or_foreign_file_is_no_game() -> None:
    """LogError, and nothing else, for what cannot be played on."""
    pair = played()
    player = pair.players[0]
    data = file_of(player)
    records = read_records(data).records
    missing = records[:3] + records[4:]
    for bad in (
        b"",
        b"CRAPLOG\x01",
        data[:40] + bytes([data[40] ^ 1]) + data[41:],
        MAGIC + b"".join(encode_record(r.kind, r.body) for r in missing),
    ):
        with pytest.raises(LogError):
            load(player, bad)
    eve = key_of("Eve")
    with pytest.raises(LogError):
        load_game(data, idpub=eve.public, sign=eve.sign)


def test_an_accepted_game_is_not_open() -> None:
    """P6: without role 0's signature there is nothing to go on with."""
    pair = Pair()
    pair.players[0].options["terms"] = terms("russian-bank")
    pair.join()
    pair.step_until(lambda: bool(pair.players[1].disk.logs))
    game = load(pair.players[1], file_of(pair.players[1]))
    assert not game.started
    assert not game.is_open


@pytest.mark.parametrize("seat", [0, 1])
def test_nobody_can_resign_before_the_cards_lie(seat: int) -> None:
    """P8: during the set-up only the next event of the sequence is lawful."""
    pair = Pair(split="bytes")
    pair.players[0].options["terms"] = terms("russian-bank")
    pair.join()
    pair.step_until(lambda: pair.players[1].live.state is State.CHALLENGE, 50_000)
    with pytest.raises(LocalProtocolError):
        pair.command(seat, Act(RESIGN))
    assert not pair.players[seat].live.may(RESIGN)
    pair.wire_clear(1 - seat)
    pair.inject(1 - seat, forge(pair.players[seat], EventType.RESIGN))
    pair.deliver(1 - seat, 20_000)
    byes = [m for m in pair.players[1 - seat].sent if isinstance(m, Bye)]
    assert byes
    assert byes[0].code == 404


def test_the_same_event_is_never_signed_twice_even_after_a_restart() -> None:
    """Invariant 5: what waits is sent again byte for byte."""
    pair = play_pair("russian-bank", seed=1)
    mover = side_of(pair, position_of(pair.players[0]).active)
    pair.command(mover, Act(TURN))
    for _ in range(3):
        restart(pair, 0, 1)
        pair.join()
        pair.held[1 - mover] = False
    pair.connect()
    require_equal(pair)
    require_one_signature(pair)
