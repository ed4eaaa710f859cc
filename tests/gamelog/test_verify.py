"""Verifying files: levels, exact verdicts for damage, caveats."""

from __future__ import annotations

import random
from dataclasses import replace
from functools import lru_cache

import pytest

from crapette_p2p.engine.layout import Seat
from crapette_p2p.engine.position import EndReason
from crapette_p2p.engine.ruleset import PRESETS
from crapette_p2p.gamelog.events import EventType
from crapette_p2p.gamelog.records import MAGIC, RecordKind, encode_record
from crapette_p2p.gamelog.state import Owed
from crapette_p2p.gamelog.verify import BLIND_SPOTS, CAVEATS, Verdict, verify_log
from tests.helpers.fakegame import (
    FakeGame,
    RawRecord,
    file_of,
    make_genesis,
    play_game,
    verify,
)

GENESIS, EVENT, ACK = RecordKind.GENESIS, RecordKind.EVENT, RecordKind.ACK
NOTE = RecordKind.NOTE


@lru_cache(maxsize=4)
def short_game(seed: int = 7) -> FakeGame:
    """A whole game of some forty events."""
    return play_game("crapette", seed=seed, k=2, actions=12)


def judge(records: list[RawRecord]) -> Verdict:
    """The verdict on a file of these records."""
    return verify_log(file_of(records), verify)


@pytest.mark.slow
@pytest.mark.parametrize("preset", PRESETS)
def test_honest_games_verify(preset: str) -> None:
    """Level 5, the engine's end, nobody owes anything."""
    for seed in range(3):
        game = play_game(preset, seed=seed, k=4, actions=200)
        verdict = verify_log(game.data, verify)
        assert (verdict.level, verdict.first_bad, verdict.why) == (5, None, None)
        assert verdict.end == game.state.final_end
        assert verdict.owed is None
        assert verdict.debtor is verdict.guilty is None
        assert verdict.summary is not None
        assert verdict.summary.game_id == game.game_id
        assert verdict.summary.genesis == game.genesis
        assert verdict.summary.events == game.log.length


@pytest.mark.slow
def test_a_log_cut_after_any_record_says_who_is_awaited() -> None:
    """E6: the level falls, the tail may be missing, the debtor is named."""
    game = short_game()
    total = len(game.records)
    levels = []
    for size in range(1, total):
        verdict = judge(game.records[:size])
        levels.append(verdict.level)
        assert verdict.first_bad is None
        assert "tail-may-be-missing" in verdict.caveats
        pending = game.records[size - 1][0] == EVENT
        assert verdict.summary is not None
        assert verdict.summary.pending == pending
        entry = game.log.entries[(size - 1) // 2 if pending else size // 2]
        author = entry.signed.event.author
        if pending:
            assert verdict.debtor == 1 - author
        elif verdict.owed is not None and verdict.owed.type is not None:
            assert verdict.debtor == verdict.owed.author == author
        else:
            assert verdict.owed == Owed(verdict.debtor or Seat(0), None)
    # The last five records: AUDIT, ACK, AUDIT, ACK, RESULT (and its ACK).
    assert levels[-6:] == [3, 3, 3, 3, 4, 4]
    assert set(levels[:-2]) == {3}
    assert judge(game.records).level == 5
    assert "tail-may-be-missing" not in judge(game.records).caveats


def deleted(game: FakeGame, at: int) -> tuple[list[RawRecord], str, int]:
    """The records without one, and what has to be found where."""
    records = game.records[:at] + game.records[at + 1 :]
    if at == 0:
        return records, "no-genesis", 0
    if game.records[at][0] == EVENT:
        return records, "stray-ack", at
    return records, "not-acknowledged", at


@pytest.mark.slow
def test_a_deleted_record_is_found() -> None:
    """E4: every record but the last."""
    game = short_game()
    for at in range(len(game.records) - 1):
        records, why, where = deleted(game, at)
        verdict = judge(records)
        assert (verdict.level, verdict.why, verdict.first_bad) == (0, why, where)
    last = judge(game.records[:-1])
    assert (last.level, last.first_bad) == (4, None)


@pytest.mark.slow
def test_a_deleted_pair_is_a_gap() -> None:
    """E4: an event with its ACK."""
    game = short_game()
    for at in range(1, len(game.records) - 2, 2):
        verdict = judge(game.records[:at] + game.records[at + 2 :])
        assert (verdict.level, verdict.why, verdict.first_bad) == (0, "gap", at)


@pytest.mark.slow
def test_a_duplicated_record_is_found() -> None:
    """E4: every record, at once behind itself and at the end."""
    game = short_game()
    whys = {GENESIS: "second-genesis", EVENT: "repeated-event", ACK: "stray-ack"}
    for at, record in enumerate(game.records):
        records = game.records[: at + 1] + game.records[at:]
        verdict = judge(records)
        assert (verdict.level, verdict.why) == (0, whys[record[0]])
        assert verdict.first_bad == at + 1
        verdict = judge([*game.records, record])
        assert (verdict.level, verdict.why) == (0, whys[record[0]])
        assert verdict.first_bad == len(game.records)


@pytest.mark.slow
def test_swapped_records_are_found() -> None:
    """E4: neighbours, and events with their ACKs."""
    game = short_game()
    for at in range(len(game.records) - 1):
        records = list(game.records)
        records[at : at + 2] = records[at + 1], records[at]
        verdict = judge(records)
        kind = game.records[at][0]
        why = {GENESIS: "no-genesis", EVENT: "stray-ack", ACK: "not-acknowledged"}[kind]
        where = at
        assert (verdict.level, verdict.why, verdict.first_bad) == (0, why, where)
    for at in range(1, len(game.records) - 3, 2):
        records = list(game.records)
        records[at : at + 4] = records[at + 2 : at + 4] + records[at : at + 2]
        verdict = judge(records)
        assert (verdict.level, verdict.why, verdict.first_bad) == (0, "gap", at)


@pytest.mark.slow
def test_an_edited_record_is_found() -> None:
    """E4: one bit anywhere in a record is found in that record or the next."""
    game = short_game()
    rng = random.Random(4)  # noqa: S311 - repeatable bits
    parts = [encode_record(kind, body) for kind, body in game.records]
    for at, part in enumerate(parts):
        for _ in range(6):
            bent = bytearray(part)
            # Past the length, which the next test bends.
            where = rng.randrange(4, len(part))
            bent[where] ^= 1 << rng.randrange(8)
            data = MAGIC + b"".join([*parts[:at], bytes(bent), *parts[at + 1 :]])
            verdict = verify_log(data, verify)
            assert (verdict.level, verdict.first_bad) == (0, at), verdict


@pytest.mark.slow
def test_an_edited_length_is_damage_or_a_torn_tail() -> None:
    """E4: the file falls apart at that record, never silently."""
    game = short_game()
    parts = [encode_record(kind, body) for kind, body in game.records]
    for at, part in enumerate(parts):
        for byte in range(4):
            bent = bytearray(part)
            bent[byte] ^= 0x41
            data = MAGIC + b"".join([*parts[:at], bytes(bent), *parts[at + 1 :]])
            verdict = verify_log(data, verify)
            if verdict.torn:
                assert verdict.level < 5
                assert "torn" in verdict.caveats or verdict.summary is None
            else:
                assert (verdict.level, verdict.first_bad) == (0, at)


@pytest.mark.slow
def test_torn_last_bytes_are_cut_and_reported() -> None:
    """E4: the log before them keeps its level."""
    game = short_game()
    whole = len(file_of(game.records[:-1]))
    for size in range(whole + 1, len(game.data)):
        verdict = verify_log(game.data[:size], verify)
        assert (verdict.level, verdict.torn, verdict.first_bad) == (4, True, None)
        assert "torn" in verdict.caveats


@pytest.mark.slow
def test_two_games_spliced_are_found() -> None:
    """E5: events of another game of the same players, at every place."""
    one, two = short_game(7), short_game(8)
    shorter = min(len(one.records), len(two.records))
    for at in range(1, shorter - 1):
        verdict = judge(one.records[:at] + two.records[at:])
        assert (verdict.level, verdict.first_bad) == (0, at)
        assert verdict.why in ("other-game", "stray-ack")
    verdict = judge([two.records[0], *one.records[1:]])
    assert (verdict.level, verdict.why, verdict.first_bad) == (0, "other-game", 1)


def test_a_signature_of_the_other_or_of_another_kind_is_found() -> None:
    """C3: the other's key, an ACK signature as event signature, a swapped ACK."""
    game = short_game()
    _, (data, sig) = game.records[1]
    _, (seq, hash_, state, ack) = game.records[2]
    head = game.records[:1]
    for bad in (ack, bytes(64), b"", sig[:-1] + bytes([sig[-1] ^ 1])):  # type: ignore[index] # bytes
        verdict = judge([*head, (EVENT, (data, bad))])
        assert (verdict.level, verdict.why) == (0, "bad-signature")
        assert (verdict.first_bad, verdict.code, verdict.guilty) == (1, 403, None)
        verdict = judge([*game.records[:2], (ACK, (seq, hash_, state, sig))])
        assert (verdict.level, verdict.why) == (0, "bad-ack-signature")
        assert verdict.first_bad == 2
    genesis, sig0, sig1 = head[0][1]
    for sigs in ((sig1, sig0), (sig0, sig0), (bytes(64), sig1)):
        verdict = judge([(GENESIS, (genesis, *sigs)), *game.records[1:]])
        assert (verdict.why, verdict.first_bad) == ("bad-genesis-signature", 0)


def test_levels_0_to_5_are_each_reached() -> None:
    """E13: damage, signed, legal, opened, audited, closed."""
    game = short_game()
    assert verify_log(b"", verify).why == "not-a-log"
    assert verify_log(MAGIC, verify).why == "no-genesis"
    assert illegal_but_signed().level == 1
    assert legal_but_badly_opened().level == 2
    assert judge(game.records[:40]).level == 3
    assert judge(game.records[:-2]).level == 4
    assert judge(game.records).level == 5


def illegal_but_signed() -> Verdict:
    """Both sign a move that the rules refuse, and go on."""
    game = FakeGame(make_genesis(k=2, seed=3), seed=3)
    game.set_up()
    assert game.state.position is not None
    mover = game.state.position.active
    signed = game.sign(mover, EventType.MOVE, (0, 0))
    game.record(EVENT, signed.data, signed.sig)
    game.finish(signed, game.state)
    game.state = replace(game.state, length=game.log.length, memo=[])
    game.event(1 - mover, EventType.RESIGN, ())
    verdict = verify_log(game.data, verify)
    assert (verdict.why, verdict.code, verdict.first_bad) == ("illegal-event", 404, 21)
    assert (verdict.guilty, verdict.guilty_of) == (mover, 404)
    return verdict


def legal_but_badly_opened() -> Verdict:
    """An opening that is not the committed one, countersigned all the same."""
    game = FakeGame(make_genesis(k=2, seed=3), seed=3)
    while game.log.length < 9:
        made = game.owed()
        assert made is not None
        game.event(*made)
    made = game.owed()
    assert made is not None
    author, kind, (deck, lines) = made
    assert isinstance(lines, tuple)
    bent = tuple((slot, card, bytes(32)) for slot, card, _ in lines)
    game.final(game.sign(author, kind, (deck, bent)), trusting=True)
    game.event(1, EventType.RESIGN, ())
    game.settle()
    verdict = verify_log(game.data, verify)
    assert (verdict.why, verdict.code, verdict.first_bad) == ("bad-opening", 405, 19)
    assert (verdict.guilty, verdict.guilty_of) == (author, 405)
    assert verdict.end is not None
    assert verdict.end.reason == EndReason.RESIGNED
    return verdict


def test_a_wrong_audit_leaves_level_3() -> None:
    """E1: everything opened in play was good, the seeds are not."""
    game = FakeGame(make_genesis(k=2, seed=3), seed=3)
    game.set_up()
    game.event(0, EventType.RESIGN, ())
    wrong = game.sign(1, EventType.AUDIT, (bytes(32), bytes(32)))
    game.final(wrong, trusting=True)
    game.settle()
    verdict = verify_log(game.data, verify)
    assert (verdict.level, verdict.why, verdict.code) == (3, "bad-audit", 408)
    assert (verdict.guilty, verdict.guilty_of) == (1, 408)


def test_a_wrong_state_hash_is_laid_at_the_door_of_its_signer() -> None:
    """R6, 407: in an event its author's, in an ACK the other's."""
    game = FakeGame(make_genesis(k=2, seed=3), seed=3)
    game.set_up()
    signed = game.sign(0, EventType.RESIGN, (), state=bytes(32))
    data = file_of([*game.records, (EVENT, (signed.data, signed.sig))])
    verdict = verify_log(data, verify)
    assert (verdict.level, verdict.why, verdict.first_bad) == (1, "other-state", 21)
    assert (verdict.guilty, verdict.guilty_of) == (0, 407)
    signed = game.sign(0, EventType.RESIGN, ())
    ack = game.ack(signed, bytes(32))
    game.record(EVENT, signed.data, signed.sig)
    game.record(ACK, signed.event.seq, signed.hash, bytes(32), ack)
    verdict = verify_log(game.data, verify)
    assert (verdict.level, verdict.why, verdict.first_bad) == (1, "other-state", 22)
    assert (verdict.guilty, verdict.guilty_of) == (1, 407)


def test_a_silent_loser_leaves_the_winner_audited() -> None:
    """E2: level 3, and the log names who owes the second AUDIT."""
    game = FakeGame(make_genesis(k=2, seed=3), seed=3)
    game.set_up()
    game.event(0, EventType.RESIGN, ())
    made = game.owed()
    assert made is not None
    game.event(*made)
    verdict = verify_log(game.data, verify)
    assert (verdict.level, verdict.owed) == (3, Owed(Seat(0), EventType.AUDIT))
    assert verdict.end is not None
    assert verdict.end.winner == 1


def test_a_genesis_that_only_one_signed_is_no_game_yet() -> None:
    """P6: the nil signature may be filled by a second record, nothing else."""
    game = short_game()
    genesis, sig0, sig1 = game.records[0][1]
    open_record: RawRecord = (GENESIS, (genesis, None, sig1))
    for records in ([open_record], [open_record, (NOTE, (206, "x"))]):
        verdict = judge(records)
        assert (verdict.level, verdict.first_bad, verdict.why) == (0, None, None)
        assert (verdict.begun, verdict.debtor, verdict.owed) == (False, 0, None)
    verdict = judge([open_record, *game.records[1:]])
    assert (verdict.level, verdict.why, verdict.first_bad) == (0, "not-started", 1)
    assert judge([open_record, (NOTE, (0, "x")), *game.records]).level == 5
    verdict = judge([open_record, open_record])
    assert (verdict.why, verdict.first_bad) == ("second-genesis", 1)
    other = short_game(8).records[0]
    assert judge([open_record, other]).why == "second-genesis"
    wrong: RawRecord = (GENESIS, (genesis, None, sig0))
    assert judge([wrong]).why == "bad-genesis-signature"


def test_notes_may_stand_anywhere_and_prove_nothing() -> None:
    """A NOTE changes no verdict, but the caveats say it is unsigned."""
    game = short_game()
    note: RawRecord = (NOTE, (501, "abandoned\x1b[2J"))
    records = [record for pair in game.records for record in (pair, note)]
    verdict = judge(records)
    assert (verdict.level, verdict.first_bad) == (5, None)
    assert "unsigned-notes" in verdict.caveats
    assert judge([note, *game.records]).why == "no-genesis"


def test_every_caveat_has_a_sentence_and_self_play_is_named() -> None:
    """E11: one person with two keys verifies; one key for both is said."""
    honest = judge(short_game().records)
    assert honest.caveats == tuple(BLIND_SPOTS)[:3]
    game = FakeGame(
        make_genesis(k=2, seed=1, names=("Ala", "Ala")), seed=1, names=("Ala", "Ala")
    )
    verdict = verify_log(game.data, verify)
    assert verdict.level == 3
    assert verdict.caveats[0] == "same-key"
    assert set(verdict.caveats) | set(honest.caveats) <= {*CAVEATS, *BLIND_SPOTS}


@pytest.mark.slow
def test_any_bytes_get_a_verdict() -> None:
    """Garbage behind a good beginning is judged, never raised."""
    rng = random.Random(9)  # noqa: S311 - repeatable bytes
    good = file_of(short_game().records[:9])
    for _ in range(3_000):
        data = bytearray(good)
        for _ in range(rng.randrange(1, 8)):
            data[rng.randrange(len(data))] = rng.randrange(256)
        verdict = verify_log(bytes(data[: rng.randrange(len(data))]), verify)
        assert 0 <= verdict.level <= 3
