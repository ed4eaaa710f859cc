"""Signatures are looked at behind the rest of a log; no verdict may change by it."""

from __future__ import annotations

import random
from functools import lru_cache

from crapette_p2p.gamelog.fold import LogFold
from crapette_p2p.gamelog.records import read_records
from crapette_p2p.gamelog.verify import verdict_of, verify_log
from tests.helpers.fakegame import FakeGame, RawRecord, file_of, play_game, verify


@lru_cache(maxsize=1)
def game() -> FakeGame:
    """A whole game of some forty events."""
    return play_game("crapette", seed=7, k=2, actions=12)


def spoilt(record: RawRecord, rng: random.Random) -> RawRecord:
    """A record with one bit of one of its byte strings turned over."""
    kind, body = record
    parts = [(n, part) for n, part in enumerate(body) if isinstance(part, bytes)]
    field, part = rng.choice(parts)
    blob = bytearray(part)
    blob[rng.randrange(len(blob))] ^= 1
    return kind, (*body[:field], bytes(blob), *body[field + 1 :])


def test_every_verdict_is_that_of_reading_record_by_record() -> None:
    """Two records spoilt at a time: what is found first, and how bad it is."""
    rng = random.Random(5)  # noqa: S311 - repeatable choices
    whys = set()
    for _ in range(60):
        records = list(game().records)
        for at in rng.sample(range(len(records)), 2):
            records[at] = spoilt(records[at], rng)
        found = read_records(file_of(records))
        fold = LogFold(verify)
        fold.read(found)
        verdict = verify_log(file_of(records), verify)
        assert verdict == verdict_of(fold, found)
        whys.add(verdict.why)
    assert {"bad-signature", "bad-ack-signature"} <= whys


def test_a_bad_signature_is_found_in_the_last_record() -> None:
    """Nothing behind it gives it away: it has to be looked at itself."""
    records = list(game().records)
    kind, body = records[-1]
    records[-1] = kind, (*body[:-1], bytes(64))
    verdict = verify_log(file_of(records), verify)
    assert (verdict.level, verdict.why) == (0, "bad-ack-signature")
    assert verdict.first_bad == len(records) - 1
