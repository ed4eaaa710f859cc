"""The log in memory, loading one's own file, and a player's secrets."""

from __future__ import annotations

import pytest

from crapette_p2p.engine.actions import OFFER_DRAW, TURN
from crapette_p2p.errors import DecodeError, LocalProtocolError, LogError
from crapette_p2p.fairdeal import layer as layer_module
from crapette_p2p.gamelog.events import EventType, action_to_body
from crapette_p2p.gamelog.loading import load_log
from crapette_p2p.gamelog.log import Entry, GameLog
from crapette_p2p.gamelog.records import RecordKind
from crapette_p2p.gamelog.secrets import Secrets, draw_index, owed_body
from crapette_p2p.gamelog.state import owes, state_hash
from tests.helpers.fakegame import FakeGame, file_of, make_genesis, play_game, verify


def started() -> FakeGame:
    """A game at its first position."""
    game = FakeGame(make_genesis("russian-bank", k=2, seed=2), seed=2)
    game.set_up()
    return game


def test_a_log_knows_its_head_at_every_length() -> None:
    """The game id before the first event, then the hash of the last."""
    game = started()
    log = game.log
    assert log.head_at(0) == log.game_id == game.game_id
    for n, entry in enumerate(log.entries):
        assert entry.signed.event.prev == log.head_at(n)
        assert log.head_at(n + 1) == entry.signed.hash
    assert (log.length, log.head) == (10, log.entries[9].signed.hash)


def test_a_log_finds_what_an_author_signed_at_a_number() -> None:
    """Final, pending and void events alike; for 402 and for ``seen``."""
    game = started()
    log = game.log
    assert game.state.position is not None
    mover = game.state.position.active
    other = 1 - mover
    assert log.held(0, 8) is log.entries[8].signed
    assert log.held(1, 8) is None
    assert (log.seen(0), log.seen(1)) == (9, 10)  # type: ignore[arg-type] # seats
    turn = game.sign(mover, *action_to_body(TURN))
    offer = game.sign(other, *action_to_body(OFFER_DRAW))
    log.pending = offer
    assert log.held(other, 10) is offer
    assert log.seen(other) == 11  # type: ignore[arg-type] # a seat
    log.append(Entry(turn, bytes(32), bytes(64)))
    assert log.pending is None
    assert log.voids == [offer]
    assert log.held(other, 10) is offer
    assert log.held(mover, 10) is turn
    assert log.seen(mover) == log.seen(other) == 11


def test_an_empty_log_has_seen_nothing() -> None:
    """No events: seen is 0, and bytes that are no genesis make no log."""
    game = FakeGame(make_genesis(k=2))
    assert game.log.seen(0) == game.log.seen(1) == 0  # type: ignore[arg-type] # seats
    with pytest.raises(DecodeError):
        GameLog(b"\x90", (None, bytes(64)))


def test_an_own_event_without_ack_waits() -> None:
    """P17: it is pending; the state is the one before it."""
    game = started()
    assert game.state.position is not None
    mover = game.state.position.active
    signed = game.sign(mover, *action_to_body(TURN))
    game.record(RecordKind.EVENT, signed.data, signed.sig)
    loaded = load_log(game.data, mover)
    assert loaded.log.pending == signed
    assert (loaded.log.length, loaded.state) == (10, game.state)
    stranger = load_log(game.data, verify=verify)
    assert stranger.log.pending == signed


def test_a_peers_event_without_ack_is_final() -> None:
    """P17: the ACK was cut off by a crash and has to be made again."""
    game = started()
    assert game.state.position is not None
    mover = game.state.position.active
    signed = game.sign(mover, *action_to_body(TURN))
    game.record(RecordKind.EVENT, signed.data, signed.sig)
    loaded = load_log(game.data, 1 - mover)
    assert loaded.log.pending is None
    assert loaded.log.length == loaded.state.length == 11
    last = loaded.log.entries[-1]
    assert (last.signed, last.ack) == (signed, None)
    assert last.state_after == state_hash(loaded.state)


@pytest.mark.slow
def test_a_game_is_loaded_back_after_every_record() -> None:
    """However the file ends, the state is that of its final events."""
    game = play_game("crapette", seed=6, k=2, actions=40)
    whole = file_of(game.records)
    for size in range(1, len(game.records) + 1):
        data = file_of(game.records[:size])
        loaded = load_log(data)
        assert loaded.log.length == loaded.state.length == (size - 1) // 2
        assert (loaded.torn, loaded.end) == (False, len(data))
        torn = load_log(whole[: len(data) + 3])
        assert torn.end == len(data)
        assert torn.torn == (size < len(game.records))


def test_a_damaged_log_is_not_played_on() -> None:
    """LogError names the record and the code."""
    game = started()
    with pytest.raises(LogError, match="record 3: stray-ack") as caught:
        load_log(file_of(game.records[:3] + game.records[4:]))
    assert (caught.value.record, caught.value.code) == (3, 400)
    with pytest.raises(LogError) as caught:
        load_log(b"")
    assert caught.value.record == 0


def test_layers_are_derived_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """COMMIT derives 2K layers; the rest of the game none of one's own."""
    count = 0

    def counting(seed: bytes, ctx: bytes) -> layer_module.Layer:
        nonlocal count
        count += 1
        return layer_module.derive_layer(seed, ctx)

    monkeypatch.setattr("crapette_p2p.gamelog.secrets.derive_layer", counting)
    game = play_game("crapette", seed=1, k=5, actions=20)
    assert count == 2 * 2 * 5
    assert game.state.done


def test_secrets_hide_their_seeds_and_want_both_decks() -> None:
    """Nothing of them in repr; unequal or odd lengths are refused."""
    secrets = Secrets.fresh(lambda n: b"\xab" * n, 4)
    assert "ab" not in repr(secrets).lower().replace("candidates", "")
    assert secrets.seed(0, 3) == secrets.seed(1, 0) == b"\xab" * 32
    for seeds in ((bytes(32), bytes(64)), (bytes(33), bytes(33))):
        with pytest.raises(ValueError, match="two decks"):
            Secrets(*seeds)


def test_owed_bodies_are_made_for_the_debtor_only() -> None:
    """Nothing for the other player, for a player's choice, or when it is over."""
    game = FakeGame(make_genesis(k=2, seed=2), seed=2)
    rand = game.rng.randbytes
    due = owes(game.state)
    assert due is not None
    assert owed_body(game.state, game.secrets[0], due.author, rand) is not None
    assert owed_body(game.state, game.secrets[1], 1 - due.author, rand) is None  # type: ignore[arg-type] # a seat
    game.set_up()
    for seat in (0, 1):
        assert owed_body(game.state, game.secrets[seat], seat, rand) is None  # type: ignore[arg-type] # a seat
    over = play_game(seed=2, k=2, actions=0)
    assert owed_body(over.state, over.secrets[0], 0, rand) is None  # type: ignore[arg-type] # a seat
    assert issubclass(LocalProtocolError, Exception)


def test_a_challenge_is_drawn_evenly() -> None:
    """D9: rejection leaves no remainder; every index is as likely."""
    for count in (2, 3, 64, 100, 128):
        limit = 256 - 256 % count
        hits = [0] * count
        for byte in range(256):
            stream = iter([byte, 0])

            def rand(n: int, stream: object = stream) -> bytes:
                assert n == 1
                return bytes([next(stream)])  # type: ignore[call-overload] # an iterator

            hits[draw_index(rand, count)] += byte < limit
        assert set(hits) == {limit // count}


def test_challenges_come_from_the_given_entropy() -> None:
    """D9: drawn when COMMITs are in, from what the shell injects."""
    drawn: list[int] = []

    def rand(n: int) -> bytes:
        drawn.append(n)
        return b"\x01" * n

    game = FakeGame(make_genesis(k=2, seed=2), seed=2)
    while game.log.length < 2:
        made = game.owed()
        assert made is not None
        game.event(*made)
    made_body = owed_body(game.state, game.secrets[0], 0, rand)  # type: ignore[arg-type] # a seat
    assert made_body == (EventType.CHALLENGE, (1, 1))
    assert drawn == [1, 1]
