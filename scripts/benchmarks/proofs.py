"""The fair deal, against bare hashes; the log, against bare signature checks."""

from __future__ import annotations

import hashlib
import tracemalloc
from functools import cache

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from games import recorded
from measuring import Benchmark, Floor, Work

from crapette_p2p.fairdeal.layer import SEED_SIZE, context, derive_layer
from crapette_p2p.gamelog.replay import open_replay
from crapette_p2p.gamelog.verify import verify_log
from crapette_p2p.net.crypto import signer, verify

HASHES_A_LAYER = 52 + 2 * 52 + 2 * 3 + 1
"""Slots, salts (an HMAC is two hashes), the permutation's stream, the root."""
SIGNATURES_AN_EVENT = 2
"""The author's and the countersignature."""


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


def verified(logs: int) -> None:
    """Verify a log so many times."""
    for _ in range(logs):
        verify_log(recorded()[0], verify)


def replayed(logs: int) -> list[object]:
    """Read a log and index its moments so many times, and keep them all."""
    return [open_replay(recorded()[0]) for _ in range(logs)]


def kept_bytes(work: Work, amount: int, repeats: int) -> float:
    """What the result of some work occupies in memory."""
    del repeats
    tracemalloc.start()
    try:
        before, _ = tracemalloc.get_traced_memory()
        result = work(amount)
        after, _ = tracemalloc.get_traced_memory()
        del result
        return after - before
    finally:
        tracemalloc.stop()


def file_bytes(work: Work, amount: int, repeats: int) -> float:
    """What so many logs occupy as files."""
    del work, repeats
    return len(recorded()[0]) * amount


FLOORS = {
    "sha256": Floor(hashes, 20_000),
    "ed25519": Floor(verifications, 500),
    "log file": Floor(lambda _: None, 1, file_bytes),
}


def benchmarks() -> tuple[Benchmark, ...]:
    """The benchmarks; a game has to be played before its events can be counted."""
    checks = SIGNATURES_AN_EVENT * recorded()[1]
    return (
        Benchmark("deal.layers", "layers", 8, layers, "sha256", HASHES_A_LAYER),
        Benchmark("log.verify", "logs", 1, verified, "ed25519", checks, (1, 10)),
        Benchmark("log.replay", "logs", 1, replayed, "ed25519", checks, (1, 10)),
        Benchmark(
            "log.memory", "logs", 1, replayed, "log file", 1, (1, 10), kept_bytes
        ),
    )
