"""The genesis: what it may say, and the id of the game."""

from __future__ import annotations

import hashlib
from dataclasses import replace

import pytest

from crapette_p2p.canonical import decode, encode
from crapette_p2p.engine.ruleset import PRESETS, rules_to_array
from crapette_p2p.errors import DecodeError
from crapette_p2p.gamelog.genesis import (
    Genesis,
    Match,
    decode_genesis,
    encode_genesis,
    game_id_of,
    genesis_message,
    rules_hash,
)
from crapette_p2p.gamelog.nicks import is_valid_nick
from tests.helpers.fakegame import make_genesis


def fields_of(genesis: Genesis) -> list[object]:
    """The array of a genesis."""
    value = decode(encode_genesis(genesis))
    assert isinstance(value, tuple)
    return list(value)


@pytest.mark.parametrize("preset", PRESETS)
def test_a_genesis_reads_back(preset: str) -> None:
    """For every preset, with a place in a match, as a proposal too."""
    match = Match(3, 300, (120, 45), b"\x11" * 32)
    genesis = replace(make_genesis(preset, k=64), match=match, assist=True)
    assert decode_genesis(encode_genesis(genesis)) == genesis
    proposal = replace(genesis, nonces=(genesis.nonces[0], None))
    assert decode_genesis(encode_genesis(proposal), proposal=True) == proposal
    assert genesis.nonces[1] is not None
    assert proposal.with_nonce(genesis.nonces[1]) == genesis


def test_the_array_is_the_one_of_the_protocol() -> None:
    """Fifteen fields in order, the rule set as bytes with its hash."""
    genesis = make_genesis("garibaldka", k=64)
    ruleset = encode(rules_to_array(genesis.rules))
    tag = b"crapette/1/rules\0"
    assert fields_of(genesis) == [
        "crapette-game",
        1,
        "garibaldka",
        hashlib.sha256(tag + ruleset).digest(),
        ruleset,
        64,
        False,
        (1, 1, 0, 0, None),
        *genesis.keys,
        *genesis.nicks,
        *genesis.nonces,
        genesis.unix_time,
    ]
    data = encode_genesis(genesis)
    game_id = hashlib.sha256(b"crapette/1/game\0" + data).digest()
    assert game_id_of(data) == game_id
    assert genesis_message(game_id) == b"crapette/1/sig-genesis\0" + game_id


BAD_FIELDS: list[tuple[int, object, int]] = [
    (0, "crapette-gama", 301),
    (1, 2, 301),
    (1, True, 301),
    (2, "x" * 33, 301),
    (2, b"crapette", 301),
    (3, bytes(32), 300),
    (4, bytes(513), 300),
    (4, b"\x90", 300),
    (5, 1, 301),
    (5, 129, 301),
    (5, None, 301),
    (6, 0, 301),
    (7, (), 301),
    (7, (0, 1, 0, 0, None), 301),
    (7, (1, 0, 0, 0, None), 301),
    (7, (1, 1, 1, 0, None), 301),
    (7, (1, 1, 0, 0, b"\x11" * 32), 301),
    (7, (2, 1, 0, 0, None), 301),
    (7, (2, 1, 0, 0, b"\x11" * 31), 301),
    (7, (2, 1, 0, True, b"\x11" * 32), 301),
    (8, bytes(31), 301),
    (9, None, 301),
    (10, "", 301),
    (11, "a\x1b[2J", 301),
    (12, bytes(33), 301),
    (13, None, 301),
    (14, None, 301),
    (14, False, 301),
]


@pytest.mark.parametrize(("place", "value", "code"), BAD_FIELDS)
def test_a_wrong_field_is_refused(place: int, value: object, code: int) -> None:
    """300 for the rule set, 301 for everything else that was agreed."""
    fields = fields_of(make_genesis())
    fields[place] = value
    with pytest.raises(DecodeError) as caught:
        decode_genesis(encode(fields))
    assert caught.value.code == code


def test_a_proposal_has_no_second_nonce_and_a_genesis_has() -> None:
    """The two are never taken for each other."""
    genesis = make_genesis()
    with pytest.raises(DecodeError):
        decode_genesis(encode_genesis(genesis), proposal=True)
    proposal = replace(genesis, nonces=(genesis.nonces[0], None))
    with pytest.raises(DecodeError):
        decode_genesis(encode_genesis(proposal))


@pytest.mark.parametrize("change", [(0, 14), (6, 0), (8, 8), (11, 4), (0, True)])
def test_a_rule_set_that_does_not_exist_is_300(change: tuple[int, int]) -> None:
    """R5: unknown values and refused combinations, though the hash fits."""
    fields = fields_of(make_genesis("crapette"))
    rules: list[object] = list(rules_to_array(PRESETS["crapette"]))
    rules[change[0]] = change[1]
    if change == (6, 0):
        rules[5] = 0  # reserve_first needs foundation_duty
        rules[6] = 1
    ruleset = encode(rules)
    fields[3:5] = [rules_hash(ruleset), ruleset]
    with pytest.raises(DecodeError) as caught:
        decode_genesis(encode(fields))
    assert caught.value.code == 300


@pytest.mark.parametrize("data", [b"", b"\x90", b"\x93\x01\x02\x03", b"\xc0"])
def test_other_bytes_are_no_genesis(data: bytes) -> None:
    """Garbage is a DecodeError."""
    with pytest.raises(DecodeError):
        decode_genesis(data)


def test_seats_follow_the_keys() -> None:
    """Role 0 is seat A; a stranger has no seat."""
    genesis = make_genesis()
    assert genesis.seat_of(genesis.keys[0]) == 0
    assert genesis.seat_of(genesis.keys[1]) == 1
    assert genesis.seat_of(bytes(32)) is None


@pytest.mark.parametrize(
    "nick",
    [
        "A",
        "Zoë",
        "Юрий",
        "O'Neil",
        "a-b_c.d",
        "x" * 20,
        "ы" * 20,
        "7",
        "Jan 3",
        "q\u0323\u0307",
    ],
)
def test_lawful_nicks(nick: str) -> None:
    """Letters and numbers of any script, two marks, a few signs."""
    assert is_valid_nick(nick)


@pytest.mark.parametrize(
    "nick",
    [
        "",
        " ",
        " a",
        "a ",
        "a  b",
        "x" * 21,
        "漢" * 17,
        "a\x1b",
        "\x9b31m",
        "a\u202eb",
        "a\u200bb",
        "a\u0000",
        "e\u0301",
        "\u0323a",
        "q\u0323\u0307\u0315",
        "7\u0323",
        "[/]",
        "../..",
        "a/b",
        "a\nb",
        "a\u2028b",
        "\ud800",
        "\U000e0041",
        "\ue000",
        "☃",
        None,
        b"Ala",
    ],
    ids=ascii,
)
def test_hostile_nicks(nick: object) -> None:
    """A15: escapes, controls, bidi, zero width, marks, signs, not NFC, too long."""
    assert not is_valid_nick(nick)
