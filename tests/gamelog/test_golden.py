"""Logs of released versions read for ever, with the very same hashes."""

from __future__ import annotations

from pathlib import Path

import pytest

from crapette_p2p.engine.ruleset import PRESETS
from crapette_p2p.gamelog.replay import open_replay
from crapette_p2p.gamelog.state import state_hash
from crapette_p2p.gamelog.verify import verify_log
from tests.helpers.fakegame import verify

FILES = sorted((Path(__file__).parent / "golden").glob("*.crlog"))


def test_there_is_a_golden_log_for_every_preset() -> None:
    """Each preset is kept once per version of the format."""
    presets = {path.stem.split("-", 1)[1] for path in FILES}
    assert presets == set(PRESETS)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_an_old_log_verifies_and_replays(path: Path) -> None:
    """Level 5; every state hash is the one both players signed then."""
    data = path.read_bytes()
    verdict = verify_log(data, verify)
    assert (verdict.level, verdict.first_bad) == (5, None)
    replay = open_replay(data)
    for n, entry in enumerate(replay.log.entries):
        assert entry.signed.event.state == state_hash(replay.seek(n))
    last = replay.log.entries[-1]
    assert last.state_after == state_hash(replay.seek(replay.length))
