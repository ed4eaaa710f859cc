"""The login transcript against answers of an independent implementation."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from crapette_p2p.session.handshake import (
    commitment,
    common_version,
    dialler_message,
    first_transcript,
    four_cards,
    invite_pass,
    listener_message,
    second_transcript,
)
from crapette_p2p.session.messages import Hello, encode_message
from tests.helpers.keys import real_key

KNOWN = json.loads(
    (Path(__file__).parents[2] / "tests/helpers/known_answers.json").read_text()
)


@pytest.mark.parametrize(
    "case", KNOWN["transcript"], ids=range(len(KNOWN["transcript"]))
)
def test_transcripts_signatures_pass_and_cards_are_the_known_ones(
    case: dict[str, Any],
) -> None:
    """Every value of the handshake, byte for byte."""
    value = {
        name: bytes.fromhex(text)
        for name, text in case.items()
        if isinstance(text, str) and name != "nick"
    }
    listener = real_key(value["listener_secret"])
    dialler = real_key(value["dialler_secret"])
    th1 = first_transcript(
        cert_digest=value["cert_digest"],
        hello_payload=value["hello_payload"],
        version=case["version"],
        caps=case["caps"],
        nonce_l=value["nonce_l"],
        idpub_l=listener.public,
    )
    assert th1 == value["th1"]
    assert commitment(value["nonce_d"], dialler.public) == value["commit"]
    assert listener.sign(listener_message(th1)) == value["sig_l"]
    th2 = second_transcript(
        th1=th1,
        sig_l=value["sig_l"],
        nonce_d=value["nonce_d"],
        idpub_d=dialler.public,
        nick=case["nick"],
    )
    assert th2 == value["th2"]
    assert dialler.sign(dialler_message(th2)) == value["sig_d"]
    assert invite_pass(value["token"], th2) == value["pass"]
    assert list(four_cards(th1, value["nonce_d"], dialler.public)) == case["sas"]


def test_hello_and_th1_of_the_specification() -> None:
    """The two answers written in the protocol itself (12, 4.9)."""
    dialler, listener = real_key(b"\x02" * 32), real_key(b"\x01" * 32)
    commit = commitment(b"\x0c" * 32, dialler.public)
    payload = encode_message(Hello("crapette", 1, 1, commit, 0))
    assert payload.hex() == (
        "9601a863726170657474650101c42000ef61fcef142d96782ce341202b6af9a92a9e"
        "c625436d4b9f64fafc3ee3bf0400"
    )
    th1 = first_transcript(
        cert_digest=b"\x0d" * 32,
        hello_payload=payload,
        version=1,
        caps=0,
        nonce_l=b"\x0e" * 32,
        idpub_l=listener.public,
    )
    assert th1.hex() == (
        "49a6ba54493e445aaa42be1484e9e6d1993b69d36c88fd68276b685fadda7f46"
    )


@pytest.mark.parametrize(
    ("vmin", "vmax", "version"),
    [(1, 1, 1), (0, 9, 1), (1, 65_535, 1), (2, 3, None), (2, 1, None), (0, 0, None)],
)
def test_the_highest_common_version_is_chosen(
    vmin: int, vmax: int, version: int | None
) -> None:
    """A9: disjoint, overlapping, inverted and huge ranges."""
    assert common_version(vmin, vmax) == version


def test_the_cards_do_not_depend_on_what_the_dialler_chooses_last() -> None:
    """A8: nick, signature and pass are no part of the four cards."""
    first = four_cards(bytes(32), b"\x01" * 32, b"\x02" * 32)
    assert four_cards(bytes(32), b"\x01" * 32, b"\x02" * 32) == first
    assert four_cards(bytes(32), b"\x03" * 32, b"\x02" * 32) != first
    assert all(0 <= card < 52 for card in first)
    assert len(first) == 4
