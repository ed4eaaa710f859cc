"""The fair deal, against bare hashes; the log, against bare signature checks."""

from __future__ import annotations

import atexit
import hashlib
import random
import shutil
import tempfile
import tracemalloc
from functools import cache
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from games import CANDIDATES, beginning, recorded
from measuring import Benchmark, Floor, Work, clock_time
from starting import python

from crapette_p2p.fairdeal.layer import SEED_SIZE, context, derive_layer
from crapette_p2p.gamelog.replay import Replay, open_replay
from crapette_p2p.gamelog.state import SETUP_EVENTS
from crapette_p2p.gamelog.verify import verify_log
from crapette_p2p.net.crypto import signer, verify

HASHES_A_LAYER = 52 + 2 * 52 + 2 * 3 + 1
"""Slots, salts (an HMAC is two hashes), the permutation's stream, the root."""
SIGNATURES_AN_EVENT = 2
"""The author's and the countersignature."""
REVEALED_LAYERS = 2 * 2 * (CANDIDATES - 1)
"""Each player shows all shuffles of both decks but the one that is kept."""
AUDITED_LAYERS = 2 * 2
"""And that one at the end."""
EVENTS_A_LOG = 200
"""Of the logs that are verified by the dozen."""
JOBS = 2


def hashes(times: int) -> None:
    """Bare SHA-256 of a hundred bytes."""
    message = bytes(100)
    for _ in range(times):
        hashlib.sha256(message).digest()


def layers(times: int) -> None:
    """Derive so many layers of a deal."""
    game_id = bytes(32)
    for candidate in range(times):
        seed = candidate.to_bytes(4, "big") * (SEED_SIZE // 4)
        derive_layer(seed, context(game_id, 0, 1, candidate % 128))


@cache
def signed() -> tuple[bytes, bytes, bytes]:
    """A key, a signature and its message."""
    public, sign = signer(bytes([7]) * 32)
    message = bytes(50)
    return public, sign(message), message


def verifications(times: int) -> None:
    """Bare Ed25519 verifications through the library."""
    public, signature, message = signed()
    key = Ed25519PublicKey.from_public_bytes(public)
    for _ in range(times):
        key.verify(signature, message)


def bare_proofs(events: int) -> None:
    """The signatures of so many events, and the hashes of the shuffles shown."""
    verifications(SIGNATURES_AN_EVENT * events)
    shown = REVEALED_LAYERS
    if events >= recorded()[1]:
        shown += AUDITED_LAYERS
    hashes(HASHES_A_LAYER * shown)


def verified(events: int) -> None:
    """Verify the log of a game with so many events."""
    verify_log(beginning(events), verify)


def replayed(events: int) -> Replay:
    """Read a log of so many events and index its moments, verifying nothing."""
    return open_replay(beginning(events))


@cache
def watched() -> Replay:
    """One whole game, to be looked at here and there."""
    return replayed(recorded()[1])


def steps(times: int) -> None:
    """Go forward by so many events: each costs one event."""
    replay = watched()
    for number in range(times):
        replay.seek(SETUP_EVENTS + number % (replay.length - SETUP_EVENTS))


def seeks(times: int) -> None:
    """Go to so many moments anywhere."""
    replay, dice = watched(), random.Random(1)
    for _ in range(times):
        replay.seek(dice.randrange(replay.length + 1))


@cache
def folder_of_logs() -> Path:
    """A directory that is there until the program ends."""
    directory = tempfile.mkdtemp()
    atexit.register(shutil.rmtree, directory, ignore_errors=True)
    return Path(directory)


def verified_by(jobs: int) -> Work:
    """Work that runs ``crapette verify`` on so many logs."""

    def work(logs: int) -> None:
        path = folder_of_logs() / "game.crlog"
        path.write_bytes(beginning(EVENTS_A_LOG))
        flags = ["verify", "--json", "--jobs", str(jobs)]
        python("-m", "crapette_p2p", *flags, *[str(path)] * logs)

    return work


def kept_bytes(work: Work, amount: int) -> float:
    """What the result of some work occupies in memory."""
    tracemalloc.start()
    try:
        before, _ = tracemalloc.get_traced_memory()
        result = work(amount)
        after, _ = tracemalloc.get_traced_memory()
        del result
        return after - before
    finally:
        tracemalloc.stop()


def file_bytes(_work: Work, events: int) -> float:
    """What a log of so many events occupies as a file."""
    return len(beginning(events))


FLOORS = {
    "sha256": Floor(hashes),
    "bare proofs": Floor(bare_proofs),
    "bare ed25519": Floor(verifications),
    "a step": Floor(steps),
    "one job": Floor(verified_by(1)),
    "log file": Floor(lambda _: None, cost=file_bytes),
}
DEALS = (Benchmark("deal.layers", "layers", 8, layers, "sha256", HASHES_A_LAYER),)


def benchmarks() -> tuple[Benchmark, ...]:
    """The benchmarks of logs; a game is played when the first of them runs."""
    both = SIGNATURES_AN_EVENT
    return (
        Benchmark(
            "log.verify", "events", 20, verified, "bare proofs", judged=100, aim=1.3
        ),
        Benchmark(
            "log.jobs",
            "logs",
            2,
            verified_by(JOBS),
            "one job",
            cost=clock_time,
            judged=100,
        ),
        Benchmark(
            "log.replay", "events", 20, replayed, "bare ed25519", both, judged=100
        ),
        Benchmark("log.seek", "moments", 10, seeks, "a step", judged=100),
        Benchmark(
            "log.memory",
            "events",
            20,
            replayed,
            "log file",
            cost=kept_bytes,
            judged=100,
            in_bytes=True,
        ),
    )
