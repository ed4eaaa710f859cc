"""Evidence: each provable fault, written by the victim, judged by a stranger."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from crapette_p2p.canonical import encode, encode_large
from crapette_p2p.gamelog.events import EventType
from crapette_p2p.gamelog.evidence import (
    NAME,
    Judgement,
    encode_evidence,
    is_evidence,
    judge_evidence,
)
from crapette_p2p.gamelog.log import Fault, SignedEvent
from crapette_p2p.gamelog.records import RecordKind, encode_payload
from crapette_p2p.gamelog.verify import verify_log
from tests.helpers.fakegame import FakeGame, file_of, make_genesis, play_game, verify
from tests.helpers.rigged import RiggedSecrets

ROOT = Path(__file__).resolve().parents[2]


def game_at(seq: int) -> FakeGame:
    """A game of which ``seq`` events of the fixed sequence are final."""
    game = FakeGame(make_genesis("russian-bank", k=2, seed=4), seed=4)
    while game.log.length < seq:
        made = game.owed()
        assert made is not None
        game.event(*made)
    return game


def fault(code: int, signed: SignedEvent) -> Fault:
    """A signed event as a fault."""
    return Fault(code, signed.data, signed.sig)


def bad_reveal() -> tuple[FakeGame, Fault]:
    """302: a seed that was not committed."""
    game = game_at(4)
    made = game.owed()
    assert made is not None
    author, kind, (_, seeds1, *slots) = made
    return game, fault(302, game.sign(author, kind, (bytes(32), seeds1, *slots)))


def mirrored_roots() -> tuple[FakeGame, Fault]:
    """304: the other's roots as one's own."""
    game = game_at(1)
    body = game.log.entries[0].signed.event.body
    return game, fault(304, game.sign(1, EventType.COMMIT, body))


def equivocation() -> tuple[FakeGame, Fault]:
    """402: another event of an author and number that are final already."""
    game = game_at(8)
    again = game.sign(
        1,
        EventType.OPEN_A,
        (0, ()),
        seq=7,
        prev=game.log.head_at(7),
    )
    return game, fault(402, again)


def impossible_move() -> tuple[FakeGame, Fault]:
    """404: a move that the rules refuse."""
    game = game_at(10)
    assert game.state.position is not None
    mover = game.state.position.active
    return game, fault(404, game.sign(mover, EventType.MOVE, (0, 0)))


def bad_opening() -> tuple[FakeGame, Fault]:
    """405: a salt that was not committed."""
    game = game_at(7)
    made = game.owed()
    assert made is not None
    author, kind, (deck, lines) = made
    assert isinstance(lines, tuple)
    bent = tuple((at, value, bytes(32)) for at, value, _ in lines)
    return game, fault(405, game.sign(author, kind, (deck, bent)))


def repeated_card() -> tuple[FakeGame, Fault]:
    """406: a layer that is no permutation shows the same card twice."""
    # Only the candidate that will be kept is rigged, so REVEAL does not show it.
    kept = game_at(4).state.deal.kept(0, 0)
    game = FakeGame(make_genesis("russian-bank", k=2, seed=4), seed=4)
    rigged = RiggedSecrets(game.secrets[0], deck=0, only=kept)
    game.secrets = (rigged, game.secrets[1])
    while game.log.length < 8:
        made = game.owed()
        assert made is not None
        game.event(*made)
    made = game.owed()
    assert made is not None
    return game, fault(406, game.sign(*made))


def wrong_state() -> tuple[FakeGame, Fault]:
    """407: an event on top of a state that was not reached."""
    game = game_at(10)
    return game, fault(407, game.sign(0, EventType.RESIGN, (), state=bytes(32)))


def wrong_state_acknowledged() -> tuple[FakeGame, Fault]:
    """407: an ACK that claims another state."""
    game = game_at(10)
    signed = game.sign(0, EventType.RESIGN, ())
    game.log.pending = signed
    game.record(RecordKind.EVENT, signed.data, signed.sig)
    claim = encode((signed.event.seq, signed.hash, bytes(32)))
    return game, Fault(407, claim, game.ack(signed, bytes(32)))


def wrong_audit() -> tuple[FakeGame, Fault]:
    """408: seeds that do not make the kept layers."""
    game = game_at(10)
    game.event(0, EventType.RESIGN, ())
    return game, fault(408, game.sign(1, EventType.AUDIT, (bytes(32), bytes(32))))


Case = Callable[[], tuple[FakeGame, Fault]]
CASES: list[tuple[Case, int, int]] = [
    (bad_reveal, 302, 0),
    (mirrored_roots, 304, 1),
    (equivocation, 402, 1),
    (impossible_move, 404, -1),
    (bad_opening, 405, 1),
    (repeated_card, 406, 0),
    (wrong_state, 407, 0),
    (wrong_state_acknowledged, 407, 1),
    (wrong_audit, 408, 1),
]
EVERY = pytest.mark.parametrize(("case", "code", "seat"), CASES)


@EVERY
def test_evidence_proves_the_fault(case: Case, code: int, seat: int) -> None:
    """The file alone names the code and the culprit."""
    game, found = case()
    data = encode_evidence(game.log, found)
    assert is_evidence(data)
    judgement = judge_evidence(data, verify)
    assert (judgement.proven, judgement.code) == (True, code)
    assert judgement.summary is not None
    assert judgement.summary.game_id == game.game_id
    if seat >= 0:
        assert judgement.seat == seat
    else:
        assert game.state.position is not None
        assert judgement.seat == game.state.position.active


@EVERY
def test_a_log_with_its_fault_states_the_proof(
    case: Case, code: int, seat: int
) -> None:
    """The victim's log keeps its level and says who cheated."""
    game, found = case()
    game.record(RecordKind.FAULT, found.code, found.data, found.sig)
    game.record(RecordKind.NOTE, code, "failed")
    verdict = verify_log(game.data, verify)
    assert (verdict.level, verdict.first_bad) == (3, None)
    assert verdict.guilty_of == code
    assert seat in (-1, verdict.guilty)
    game.record(RecordKind.EVENT, found.data, found.sig)
    assert verify_log(game.data, verify).why == "after-fault"


def test_a_fault_may_meet_an_own_event_that_waits() -> None:
    """The victim's un-acknowledged event of that number changes nothing."""
    game, found = impossible_move()
    own = game.sign(0, EventType.RESIGN, ())
    game.log.pending = own
    game.record(RecordKind.EVENT, own.data, own.sig)
    game.record(RecordKind.FAULT, found.code, found.data, found.sig)
    assert verify_log(game.data, verify).guilty_of == 404
    data = encode_evidence(game.log, found)
    assert judge_evidence(data, verify).proven
    assert own.sig not in data


@EVERY
def test_another_code_is_not_proven(case: Case, code: int, seat: int) -> None:
    """What a signed event proves is one thing; no other code fits it."""
    del seat
    game, found = case()
    for other in (302, 304, 402, 404, 405, 406, 407, 408, 403, 0, 999):
        if other != code:
            claim = Fault(other, found.data, found.sig)
            judgement = judge_evidence(encode_evidence(game.log, claim), verify)
            assert not judgement.proven
            records = [*game.records, (RecordKind.FAULT, (other, *found_bytes(found)))]
            verdict = verify_log(file_of(records), verify)
            assert (verdict.level, verdict.why) == (0, "unproven-fault")


def found_bytes(found: Fault) -> tuple[bytes, bytes]:
    """What was signed, and the signature."""
    return found.data, found.sig


@EVERY
def test_a_forged_signature_proves_nothing(case: Case, code: int, seat: int) -> None:
    """Anybody could have written it: not evidence (403)."""
    del seat
    game, found = case()
    for sig in (bytes(64), b"", found.sig[:-1] + bytes([found.sig[-1] ^ 1])):
        claim = Fault(code, found.data, sig)
        assert not judge_evidence(encode_evidence(game.log, claim), verify).proven


@EVERY
def test_evidence_cannot_be_bent(case: Case, code: int, seat: int) -> None:
    """Cut, with a record missing, or about another game: it proves nothing."""
    del seat
    game, found = case()
    data = encode_evidence(game.log, found)
    for size in range(0, len(data), 97):
        assert not judge_evidence(data[:size], verify).proven
    items = [
        encode_payload(RecordKind.GENESIS, (game.log.genesis_bytes, *game.log.sigs)),
        encode_payload(RecordKind.FAULT, (code, found.data, found.sig)),
    ]
    bare = encode_large((NAME, 1, code, game.game_id, items))
    assert not judge_evidence(bare, verify).proven
    game_id = bytes(32)
    moved = data.replace(game.game_id, game_id, 1)
    assert not judge_evidence(moved, verify).proven


@pytest.mark.slow
def test_an_honest_log_proves_nobody_guilty() -> None:
    """No event of an honest game is evidence of anything."""
    game = play_game("crapette", seed=2, k=2, actions=5)
    for entry in game.log.entries[::4]:
        for code in (302, 402, 404, 405, 406, 407, 408):
            claim = fault(code, entry.signed)
            assert not judge_evidence(encode_evidence(game.log, claim), verify).proven


@pytest.mark.parametrize(
    "value",
    [
        b"",
        b"\x90",
        b"\x95\xb1crapette-evidence",
        encode((NAME, 2, 404, bytes(32), ())),
        encode((NAME, 1, 404, bytes(32), ())),
        encode((NAME, 1, "404", bytes(32), (b"12",))),
        encode((NAME, 1, 404, bytes(32), (b"1",))),
        encode((NAME, 1, 404, bytes(32), (1, 2))),
        encode((NAME, 1, 404, bytes(32), (b"\x02\x90", b"\x06\x90"))),
        encode(("crapette-game", 1, 404, bytes(32), (b"\x02\x90",))),
    ],
)
def test_other_bytes_are_no_evidence(value: bytes) -> None:
    """Any bytes get an answer; garbage proves nothing."""
    found = judge_evidence(value, verify)
    assert found == Judgement(False, 0, None, "not-evidence", found.detail)


@pytest.mark.parametrize(("count", "why"), [(65_535, "gap"), (65_536, "not-evidence")])
def test_evidence_holds_as_many_records_as_a_header_counts(
    count: int, why: str
) -> None:
    """65,535 records are read and judged; one more, and it is no evidence."""
    game, claim = mirrored_roots()
    genesis, event = (encode_payload(k, b) for k, b in game.records[:2])
    last = encode_payload(RecordKind.FAULT, (404, claim.data, claim.sig))
    stray = encode_payload(RecordKind.EVENT, (claim.data, claim.sig))
    records = [genesis, *[stray] * (count - 2), last]
    size = count.to_bytes(4, "big")
    header = b"\xdc" + size[2:] if count < 65_536 else b"\xdd" + size
    data = encode((NAME, 1, 404, game.game_id, ()))[:-1] + header
    items = b"".join(b"\xc5" + len(r).to_bytes(2, "big") + r for r in records)
    assert event != stray
    assert judge_evidence(data + items, verify).why == why


@pytest.mark.parametrize("kind", [RecordKind.NOTE, RecordKind.VOID])
def test_evidence_holds_nothing_that_proves_nothing(kind: RecordKind) -> None:
    """Between GENESIS and FAULT there is nothing but EVENT and ACK."""
    game, claim = mirrored_roots()
    body = (501, "x") if kind == RecordKind.NOTE else (claim.data, claim.sig)
    records = [encode_payload(k, b) for k, b in game.records]
    last = encode_payload(RecordKind.FAULT, (claim.code, claim.data, claim.sig))

    def judged(*more: bytes) -> Judgement:
        items = (*records, *more, last)
        data = encode_large((NAME, 1, claim.code, game.game_id, items))
        return judge_evidence(data, verify)

    assert judged().proven
    found = judged(encode_payload(kind, body))
    assert (found.proven, found.why) == (False, "not-evidence")


def test_a_short_proof_of_two_events_is_three_records() -> None:
    """An event that belongs to nothing is not skipped in search of a proof."""
    game = game_at(3)
    held = game.log.entries[0].signed
    twice = game.sign(0, EventType.RESIGN, (), seq=0, prev=game.game_id)
    stray = game.log.entries[2].signed
    genesis = encode_payload(*game.records[0])
    one = encode_payload(RecordKind.EVENT, (held.data, held.sig))
    more = encode_payload(RecordKind.EVENT, (stray.data, stray.sig))
    last = encode_payload(RecordKind.FAULT, (402, twice.data, twice.sig))

    def judged(*items: bytes) -> Judgement:
        data = encode_large((NAME, 1, 402, game.game_id, items))
        return judge_evidence(data, verify)

    assert judged(genesis, one, last).proven
    assert not judged(genesis, more, one, last).proven


PROGRAM = """
import sys
sys.path.insert(0, {root!r})
from crapette_p2p.gamelog.evidence import judge_evidence
from tests.helpers.fakegame import verify
found = judge_evidence(sys.stdin.buffer.read(), verify)
print(found.proven, found.code, found.seat)
"""


@pytest.mark.slow
@pytest.mark.parametrize("case", [impossible_move, repeated_card, wrong_audit])
def test_a_fresh_process_confirms(case: Case) -> None:
    """R1, E12: no key, no state, no network; only the file."""
    game, found = case()
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM.format(root=str(ROOT))],
        input=encode_evidence(game.log, found),
        capture_output=True,
        check=True,
    )
    proven, code, _ = done.stdout.decode().split()
    assert (proven, code) == ("True", str(found.code))
