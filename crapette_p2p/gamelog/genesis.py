"""The genesis: what two players agree on before a game, and the game's id.

Rule set, K, roles, keys, nicks, nonces and the place in a match, in one
canonical array that both sign (protocol.md 5; 12, P11, P20, 4.3).
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from crapette_p2p.canonical import decode, encode
from crapette_p2p.engine.layout import Seat
from crapette_p2p.engine.ruleset import RuleSet, rules_from_array, rules_to_array
from crapette_p2p.errors import DecodeError, NotationError
from crapette_p2p.gamelog.labels import label_text
from crapette_p2p.gamelog.nicks import is_valid_nick

NAME: Final = "crapette-game"
VERSION: Final = 1
MIN_K: Final = 2
MAX_K: Final = 128
DEFAULT_K: Final = 64
MAX_PRESET: Final = 32
MAX_RULESET: Final = 512
KEY_SIZE: Final = 32

_GAME_TAG: Final = b"crapette/1/game\0"
_RULES_TAG: Final = b"crapette/1/rules\0"
_GENESIS_SIG_TAG: Final = b"crapette/1/sig-genesis\0"


@dataclass(frozen=True, slots=True)
class Match:
    """The place of a deal in a match; the default is a single deal."""

    deal_number: int = 1
    target: int = 1
    scores: tuple[int, int] = (0, 0)
    previous: bytes | None = None
    """Game id of the deal before, None for the first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Genesis:
    """Everything agreed before the first card."""

    preset: str
    """A label only; the rule set decides. Show it as ``label``."""
    rules: RuleSet
    k: int = DEFAULT_K
    """Candidates of each layer in the cut-and-choose."""
    assist: bool = False
    match: Match = Match()
    keys: tuple[bytes, bytes]
    """Ed25519 public keys of role 0 and role 1."""
    nicks: tuple[str, str]
    nonces: tuple[bytes, bytes | None]
    """Fresh 32 bytes of each; the second is None in a proposal."""
    unix_time: int = 0
    """A claim of the proposer, used for file names only."""

    @property
    def label(self) -> str:
        """``preset`` as it may be shown: its proposer can put anything into it."""
        return label_text(self.preset)

    def with_nonce(self, nonce: bytes) -> Genesis:
        """The genesis role 1 makes of a proposal."""
        return replace(self, nonces=(self.nonces[0], nonce))

    def seat_of(self, key: bytes) -> Seat | None:
        """The role of ``key``, None for a stranger (role 0 if both are one key)."""
        return Seat(self.keys.index(key)) if key in self.keys else None


def rules_hash(ruleset: bytes) -> bytes:
    """The hash that names a rule set."""
    return hashlib.sha256(_RULES_TAG + ruleset).digest()


def encode_genesis(genesis: Genesis) -> bytes:
    """The canonical bytes: genesis_bytes, or a proposal's while nonce 1 is None."""
    ruleset = encode(rules_to_array(genesis.rules))
    match = genesis.match
    return encode(
        [
            NAME,
            VERSION,
            genesis.preset,
            rules_hash(ruleset),
            ruleset,
            genesis.k,
            genesis.assist,
            [match.deal_number, match.target, *match.scores, match.previous],
            *genesis.keys,
            *genesis.nicks,
            *genesis.nonces,
            genesis.unix_time,
        ]
    )


def game_id_of(genesis_bytes: bytes) -> bytes:
    """The id every label and signature of the game carries."""
    return hashlib.sha256(_GAME_TAG + genesis_bytes).digest()


def genesis_message(game_id: bytes) -> bytes:
    """What both players sign to agree to a game."""
    return _GENESIS_SIG_TAG + game_id


def decode_genesis(data: bytes, *, proposal: bool = False) -> Genesis:
    """Read and validate genesis bytes.

    Raises DecodeError: 101 spelling, 103 shape, 300 rule set, 301 parameter.
    ``proposal`` wants the second nonce missing, otherwise it has to be there.
    """
    fields = decode(data)
    if type(fields) is not tuple or len(fields) != 15:
        raise DecodeError("genesis: not an array of 15", code=103)
    name, version, preset, named, ruleset, k, assist, match = fields[:8]
    key0, key1, nick0, nick1, nonce0, nonce1, time = fields[8:]
    if name != NAME or type(version) is not int or version != VERSION:
        raise DecodeError("genesis: unknown kind or version", code=301)
    if type(preset) is not str or len(preset.encode()) > MAX_PRESET:
        raise DecodeError("genesis: preset", code=301)
    rules = _read_rules(ruleset, named)
    if type(k) is not int or not MIN_K <= k <= MAX_K:
        raise DecodeError("genesis: K is not 2 to 128", code=301)
    if type(assist) is not bool or type(time) is not int:
        raise DecodeError("genesis: assist or time", code=301)
    if not (is_valid_nick(nick0) and is_valid_nick(nick1)):
        raise DecodeError("genesis: nick", code=301)
    for value in (key0, key1, nonce0):
        _want_hash(value)
    if proposal:
        if nonce1 is not None:
            raise DecodeError("genesis: a proposal has no second nonce", code=301)
    else:
        _want_hash(nonce1)
    return Genesis(
        preset=preset,
        rules=rules,
        k=k,
        assist=assist,
        match=_read_match(match),
        keys=(key0, key1),
        nicks=(nick0, nick1),
        nonces=(nonce0, nonce1),
        unix_time=time,
    )


def _want_hash(value: object) -> None:
    if type(value) is not bytes or len(value) != KEY_SIZE:
        raise DecodeError("genesis: a key or nonce is not 32 bytes", code=301)


def _read_rules(ruleset: object, named: object) -> RuleSet:
    if type(ruleset) is not bytes or len(ruleset) > MAX_RULESET:
        raise DecodeError("genesis: rule set", code=300)
    if rules_hash(ruleset) != named:
        raise DecodeError("genesis: the rule set has another hash", code=300)
    try:
        return _rules_of(ruleset)
    except (DecodeError, NotationError) as error:
        raise DecodeError(f"genesis: {error}", code=300) from error


@lru_cache(maxsize=16)
def _rules_of(ruleset: bytes) -> RuleSet:
    """One object for all the games with these rules."""
    return rules_from_array(decode(ruleset))


def _read_match(value: object) -> Match:
    if type(value) is tuple and len(value) == 5:
        number, target, score0, score1, previous = value
        counts = (number, target, score0, score1)
        if all(type(count) is int for count in counts) and number and target:
            if number == 1 and counts[2:] == (0, 0) and previous is None:
                return Match(1, target)
            if number > 1 and type(previous) is bytes and len(previous) == KEY_SIZE:
                return Match(number, target, (score0, score1), previous)
    raise DecodeError("genesis: match", code=301)
