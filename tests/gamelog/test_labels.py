"""What the other player puts into a label is seen, whole, by whoever reads it."""

from __future__ import annotations

import unicodedata
from dataclasses import replace

import pytest

from crapette_p2p.gamelog.dump import plain
from crapette_p2p.gamelog.genesis import decode_genesis, encode_genesis
from crapette_p2p.gamelog.labels import is_unseen, label_text, seen
from tests.helpers.fakegame import make_genesis
from tests.vectors.spec_pages import table

UNSEEN = [
    chr(point)
    for low, high in table("nick-characters")["unseen"]
    for point in range(int(low, 16), int(high, 16) + 1)
]


@pytest.mark.parametrize(
    ("label", "shown"),
    [
        ("crapette", "crapette"),
        ("Żółte zasady ♠ 李", "Żółte zasady ♠ 李"),
        ("", '""'),
        ("   ", '"   "'),
        ("\u3164", "\\u3164"),
        ("crapette\u115f", "crapette\\u115f"),
        ("a\ufe0fb\U000e0100", "a\\ufe0fb\\U000e0100"),
        ("\u2800\u2800", "\\u2800\\u2800"),
        ("\u200b\u202e", '""'),
        ("a\x1b[2Jb", "a[2Jb"),
    ],
)
def test_a_label_is_never_blank(label: str, shown: str) -> None:
    """What shows nothing stands there by its number; what drives, not at all."""
    assert label_text(label) == shown
    genesis = decode_genesis(encode_genesis(replace(make_genesis(), preset=label)))
    assert (genesis.preset, genesis.label) == (label, shown)


def test_every_character_that_shows_nothing_is_spelled() -> None:
    """As the table of the protocol has them; letters of any script stay."""
    for character in UNSEEN:
        assert is_unseen(character)
        for text in (seen(character), plain(character)):
            assert text.isascii()
            assert len(text) >= 6
    for character in "aж한가ㄱ李́😀 ":
        assert not is_unseen(character), unicodedata.name(character)
