"""A replay whose log is damaged: where it breaks is told, and why."""

from __future__ import annotations

import pytest

from crapette_p2p.errors import LogError
from crapette_p2p.gamelog.replay import open_replay
from crapette_p2p.net.crypto import verify
from crapette_p2p.ui.desk import Desk
from crapette_p2p.ui.replay_app import ReplayScreen
from tests.cli.finished import finished_log


def test_a_log_that_is_damaged_before_the_deal_says_why() -> None:
    """Where nothing can be shown; that no card was dealt is not all there is."""
    data = bytearray(finished_log())
    data[2_000] ^= 1
    replay = open_replay(bytes(data), verify)
    with pytest.raises(LogError, match="game breaks at record"):
        ReplayScreen(Desk(), replay, name="game")


@pytest.mark.parametrize("size", [(80, 24), (60, 18)])
def test_a_damaged_log_says_why_it_ends(size: tuple[int, int]) -> None:
    """In words, whole: where it begins, at the break, and on the page of the keys."""
    data = bytearray(finished_log())
    data[-2_000] ^= 1
    replay = open_replay(bytes(data), verify)
    assert replay.verdict is not None
    why = f"20261130-0123abcd breaks at record {replay.verdict.first_bad}: "
    screen = ReplayScreen(Desk(), replay, name="20261130-0123abcd")
    screen.size = size

    def shown() -> str:
        return " ".join(" ".join(screen.draw(*size, 0.0).text()).split())

    assert why in shown()
    assert f"({replay.verdict.why})" in shown()
    screen.key("right", 0.0)
    assert why not in shown()
    screen.key("end", 0.0)
    assert f"({replay.verdict.why})" in shown()
    for key in ("?", *["pagedown"] * 9):
        screen.key(key, 0.0)
    assert f"({replay.verdict.why})" in shown()
