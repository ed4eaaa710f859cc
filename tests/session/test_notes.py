"""What a log says of lost links: marks for whoever replays it, few and local."""

from __future__ import annotations

import pytest

from crapette_p2p.engine.actions import DISCARD, TURN
from crapette_p2p.gamelog.compare import Relation, compare_logs
from crapette_p2p.gamelog.loading import load_log
from crapette_p2p.session import opengame
from crapette_p2p.session.opengame import RESUMED
from tests.helpers.driving import act, log_of, position_of
from tests.helpers.keys import verify
from tests.helpers.pair import Pair, play_pair


def marks(pair: Pair, side: int = 0) -> list[int]:
    """Where the log in the file says that play went on."""
    (data,) = pair.players[side].disk.logs.values()
    return [n.at for n in load_log(data).log.notes if n.text == RESUMED]


def break_link(pair: Pair) -> None:
    """The link is lost and made again."""
    pair.cut()
    pair.connect()


def test_a_lost_link_leaves_a_mark_at_its_place() -> None:
    """In both logs, at the event that was reached; the logs are as equal as before."""
    pair = play_pair("russian-bank", seed=1)
    assert marks(pair) == []
    break_link(pair)
    act(pair, position_of(pair.players[0]).active, TURN)
    act(pair, position_of(pair.players[0]).active, DISCARD)
    length = log_of(pair.players[0]).length
    break_link(pair)
    assert marks(pair, 0) == marks(pair, 1) == [10, length]
    first, second = (next(iter(p.disk.logs.values())) for p in pair.players)
    assert compare_logs(first, second, verify).relation is Relation.EQUAL


def test_one_mark_a_place() -> None:
    """A link that breaks again before anything is played says nothing new."""
    pair = play_pair("russian-bank", seed=1)
    for _ in range(5):
        break_link(pair)
    pair.players[0].crash()
    break_link(pair)
    assert marks(pair) == [10]


def test_somebody_who_comes_and_goes_fills_no_log(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """After so many marks the next lost link leaves none."""
    monkeypatch.setattr(opengame, "_MAX_RESUMED", 3)
    pair = play_pair("russian-bank", seed=1)
    for _ in range(6):
        break_link(pair)
        act(pair, position_of(pair.players[0]).active, TURN)
        act(pair, position_of(pair.players[0]).active, DISCARD)
    assert len(marks(pair)) == 3


def test_a_deal_that_was_cut_before_its_first_event_has_no_mark() -> None:
    """There is no place to mark."""
    pair = play_pair("russian-bank", seed=1)
    game = pair.players[0].live.open_game
    assert game is not None
    game.log.entries.clear()
    assert game.came_back() is None
