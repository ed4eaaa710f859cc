"""The shapes of event bodies that are no player's action.

Each reader gives the typed content, or None for a wrong arity, type, length or
range, which makes the event not legal (404; protocol.md 12, P20).
"""

from __future__ import annotations

from crapette_p2p.fairdeal.dealer import Opening
from crapette_p2p.fairdeal.layer import HASH_SIZE, SEED_SIZE, SLOTS

Pair = tuple[bytes, bytes]
Body = tuple[object, ...]


def read_commit(body: Body, k: int) -> Pair | None:
    """Roots of deck 0 and of deck 1, K of each."""
    return _pair(body, HASH_SIZE * k)


def read_challenge(body: Body, k: int) -> tuple[int, int] | None:
    """The candidates the other has to keep for deck 0 and deck 1."""
    if len(body) != 2:
        return None
    k0, k1 = body
    if type(k0) is not int or type(k1) is not int or max(k0, k1) >= k:
        return None
    return k0, k1


def read_reveal(body: Body, k: int) -> tuple[Pair, Pair] | None:
    """Seeds of the opened candidates per deck, slot hashes of the kept ones."""
    seeds = _pair(body[:2], SEED_SIZE * (k - 1))
    slots = _pair(body[2:], HASH_SIZE * SLOTS)
    return None if seeds is None or slots is None else (seeds, slots)


def read_audit(body: Body) -> Pair | None:
    """Seeds of the kept candidates of deck 0 and deck 1."""
    return _pair(body, SEED_SIZE)


def read_openings(body: Body) -> tuple[int, tuple[Opening, ...]] | None:
    """The deck and the lines of OPEN_A or OPEN_B."""
    if len(body) != 2:
        return None
    deck, lines = body
    if type(deck) is not int or deck > 1 or type(lines) is not tuple:
        return None
    openings = []
    for line in lines:
        if type(line) is not tuple or len(line) != 3:
            return None
        at, value, salt = line
        if type(at) is not int or type(value) is not int or type(salt) is not bytes:
            return None
        if at >= SLOTS or value >= SLOTS or len(salt) != HASH_SIZE:
            return None
        openings.append(Opening(at, value, salt))
    return deck, tuple(openings)


def _pair(body: Body, size: int) -> Pair | None:
    if len(body) != 2:
        return None
    first, second = body
    if type(first) is not bytes or type(second) is not bytes:
        return None
    return (first, second) if len(first) == len(second) == size else None
