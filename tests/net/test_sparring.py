"""What a bot's home says of it, and what goes with it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from crapette_p2p.net.sparring import Manner, _manner_of


@pytest.mark.parametrize(
    "text",
    [
        *("", "[]", "{", "null", '{"level": ["club"]}', "[" * 20_000),
        '{"level": "grandmaster"}',
        '{"level": "master", "seed": "x"}',
        '{"level": "master", "think_ms": Infinity}',
        '{"level": "master", "think_ms": []}',
    ],
)
def test_a_bot_whose_file_is_damaged_plays_on(tmp_path: Path, text: str) -> None:
    """A middling one; the game is worth more than how it was played."""
    (tmp_path / "bot.json").write_text(text)
    assert _manner_of(tmp_path) == Manner(level="club")


def test_a_bot_goes_on_as_it_was(tmp_path: Path) -> None:
    """Level, seed and time."""
    fields = {"level": "novice", "seed": 7, "think_ms": 50}
    (tmp_path / "bot.json").write_text(json.dumps(fields))
    assert _manner_of(tmp_path) == Manner(level="novice", seed=7, think_ms=50)
