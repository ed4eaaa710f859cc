"""The terms of a deal (spec 60, 6)."""

from dataclasses import dataclass

from tests.interop.checker_canonical import (
    ProtocolError,
    Value,
    as_array,
    as_bin,
    as_text,
    as_uint,
    decode,
    encode,
)
from tests.interop.checker_crypto import check_sig, sha, sign
from tests.interop.checker_messages import check_nick
from tests.interop.checker_rulesets import Rules, from_bytes

HUGE = 2**63 - 1
SIG_TAG = "crapette/1/sig-genesis"


@dataclass(frozen=True)
class Genesis:
    """The terms of a deal.

    Attributes:
        data: The bytes that both sign.
        rules: The rule set.
        k: How many candidates a role and deck.
        keys: The keys of both roles.
        nicks: The nicks of both roles.
        nonces: gn0 and gn1, which is nil in a proposal.
        preset: The label of the rule set.
        assist: Whether hints are allowed.
        match: Deal, target, scores and the game before.
        time: The remark of role 0.
    """

    data: bytes
    rules: Rules
    k: int
    keys: tuple[bytes, bytes]
    nicks: tuple[str, str]
    nonces: tuple[bytes, bytes | None]
    preset: str
    assist: bool
    match: tuple[Value, ...]
    time: int

    @property
    def game_id(self) -> bytes:
        """The hash that names the game."""
        return sha("crapette/1/game", self.data)

    def sign(self, secret: bytes) -> bytes:
        """Sign the terms."""
        return sign(secret, SIG_TAG, self.game_id)

    def check(self, role: int, sig: bytes) -> None:
        """Refuse a role's signature that does not fit (403)."""
        check_sig(403, self.keys[role], sig, SIG_TAG, self.game_id)


def write_genesis(
    rules: Rules,
    k: int,
    keys: tuple[bytes, bytes],
    nicks: tuple[str, str],
    nonces: tuple[bytes, bytes | None],
    terms: tuple[str, bool, tuple[Value, ...], int],
) -> bytes:
    """Write the terms.

    Args:
        rules: The rule set.
        k: How many candidates.
        keys: The keys of both roles.
        nicks: The nicks of both roles.
        nonces: gn0 and gn1.
        terms: Preset, assist, match and time.

    Returns:
        The bytes.
    """
    preset, assist, match, time = terms
    head = ("crapette-game", 1, preset, rules.digest, rules.packed, k, assist, match)
    return encode((*head, *keys, *nicks, *nonces, time))


def read_genesis(data: bytes, *, proposal: bool = False) -> Genesis:
    """Take the bytes of a genesis.

    Args:
        data: The bytes.
        proposal: Whether gn1 has to be nil.

    Returns:
        The terms.

    Raises:
        ProtocolError: 101, 103, 300 or 301.
    """
    parts = as_array(decode(data), 15, 15)
    if parts[0] != "crapette-game":
        raise ProtocolError(301, "no genesis")
    as_uint(parts[1], 1, 1, 301)
    preset = as_text(parts[2], 32, 301)
    digest = as_bin(parts[3], 32, 32, 300)
    rules = from_bytes(as_bin(parts[4], 1, 512, 300))
    if rules.digest != digest:
        raise ProtocolError(300, "hash of the rule set")
    k = as_uint(parts[5], 2, 128, 301)
    assist = parts[6]
    if not isinstance(assist, bool):
        raise ProtocolError(301, "assist")
    match = as_array(parts[7], 5, 5, 301)
    _check_match(match)
    keys = as_bin(parts[8], 32, 32, 301), as_bin(parts[9], 32, 32, 301)
    nicks = _nick(parts[10]), _nick(parts[11])
    first = as_bin(parts[12], 32, 32, 301)
    second = None if proposal else as_bin(parts[13], 32, 32, 301)
    if proposal and parts[13] is not None:
        raise ProtocolError(301, "gn1")
    time = as_uint(parts[14], 0, HUGE, 301)
    found = (data, rules, k, keys, nicks, (first, second), preset, assist)
    return Genesis(*found, match, time)


def _nick(value: Value) -> str:
    nick = as_text(value, 256, 301)
    try:
        check_nick(nick)
    except ProtocolError as error:
        raise ProtocolError(301, str(error)) from error
    return nick


def _check_match(match: tuple[Value, ...]) -> None:
    as_uint(match[0], 1, HUGE, 301)
    as_uint(match[1], 1, HUGE, 301)
    scores = (as_uint(match[2], 0, HUGE, 301), as_uint(match[3], 0, HUGE, 301))
    if match[4] is not None:
        as_bin(match[4], 32, 32, 301)
    first = match[0] == 1
    if first and (any(scores) or match[4] is not None):
        raise ProtocolError(301, "first deal")
    if not first and match[4] is None:
        raise ProtocolError(301, "later deal")
