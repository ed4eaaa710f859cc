"""What is pure, and asked for again and again by both sides, is computed once.

In one process stand both players, whoever checks their log, and whoever compares
both: each derives the same layers and checks the same signatures. Between programs,
which tests start, too, nothing is remembered, and the benchmarks are programs.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import lru_cache, wraps
from typing import Final

from crapette_p2p.fairdeal import layer
from crapette_p2p.net import crypto

LAYERS: Final = 512
"""Two games of both sides; a layer takes some 6 KiB."""
SIGNATURES: Final = 4096
"""Those of a few long games; with its message each takes some 400 bytes."""


def remember() -> None:
    """From here on layers and verdicts on signatures are kept for a while."""
    _replace(layer.derive_layer, lru_cache(LAYERS)(layer.derive_layer))
    _replace(crypto.verify, _remembered(crypto.verify))


def _replace(old: Callable[..., object], new: Callable[..., object]) -> None:
    """Give a function's place in every module that has it to another one."""
    for name, module in list(sys.modules.items()):
        if name.startswith("crapette_p2p"):
            for key in [key for key, value in vars(module).items() if value is old]:
                setattr(module, key, new)


def _remembered(
    verify: Callable[[bytes, bytes, bytes], bool],
) -> Callable[[bytes, bytes, bytes], bool]:
    kept = lru_cache(SIGNATURES)(verify)

    @wraps(verify)
    def asked(public: bytes, signature: bytes, message: bytes) -> bool:
        try:
            return kept(public, signature, message)
        except TypeError:  # a view, or no bytes at all
            return verify(public, signature, message)

    return asked
