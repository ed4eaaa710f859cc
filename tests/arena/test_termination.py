"""Every game comes to an end, with all its cards: the table of docs/bots.md, small."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from crapette_p2p.arena import ArenaOptions, Referee
from crapette_p2p.arena.deals import has_every_card
from crapette_p2p.engine import PRESETS, Position

ROOT = Path(__file__).parent.parent.parent
GAMES = 4
"""Of each kind; the table of the docs has a thousand."""
MOST_ACTIONS = 400 + 106
"""At 400 only foundation plays, a turn-up and the end are left of a turn."""


@pytest.mark.slow
@pytest.mark.parametrize("players", ["club", "novice", "random"])
def test_the_table_of_the_docs(players: str) -> None:
    """Each preset's games all end by the rules, none by the limit of events."""
    flags = ("--games", str(GAMES), "--seed", "77", "--players", players)
    done = subprocess.run(
        (sys.executable, "scripts/termination.py", *flags),
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    head, _, *rows = [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in done.stdout.splitlines()
    ]
    assert [row[1] for row in rows] == list(PRESETS)
    for row in rows:
        told = dict(zip(head, row, strict=True))
        assert (told["players"], told["games"]) == (players, str(GAMES))
        assert told["by limit"] == "0.0 %"
        assert int(told["longest turn"]) <= MOST_ACTIONS
        shares = [float(told[kind].rstrip(" %")) for kind in ("won", "drawn")]
        assert sum(shares) == pytest.approx(100)


@pytest.mark.parametrize("fault", ["lost", "doubled", "replaced"])
def test_a_card_lost_or_doubled_is_noticed(fault: str) -> None:
    """The count that follows every event sees what it has to see."""
    task, _ = ArenaOptions(a="club", b="club", deals=1).pair(0)
    position = Referee(task).position
    assert has_every_card(position)
    piles = list(position.piles)
    filled = [n for n, pile in enumerate(piles) if pile]
    if fault != "doubled":
        piles[filled[0]] = piles[filled[0]][:-1]
    if fault != "lost":
        piles[filled[1]] += piles[filled[1]][-1:]
    assert not has_every_card(replace(position, piles=tuple(piles)))


def test_the_referee_counts_after_every_event(monkeypatch: pytest.MonkeyPatch) -> None:
    """A game in which a card gets lost stops there."""
    counted: list[Position] = []

    def count(position: Position) -> bool:
        counted.append(position)
        return len(counted) < 7

    monkeypatch.setattr("crapette_p2p.arena.deals.has_every_card", count)
    one, _ = ArenaOptions(a="club", b="club", deals=1, seed=3).pair(0)
    with pytest.raises(AssertionError, match="cards got lost"):
        Referee(one).outcome()
    assert len(counted) == 7
