"""The search finds ways that a single look does not, and looks early."""

from __future__ import annotations

import pytest

from crapette_p2p.bot import TurnMemory, choose
from crapette_p2p.bot.board import FROM_RESERVE, board_of, key_of
from crapette_p2p.bot.evaluation import Weights, has_won, material
from crapette_p2p.bot.planning import outlook_of
from crapette_p2p.bot.sampling import END_TURN, LOOK, TURN_UP
from crapette_p2p.bot.search import Search
from crapette_p2p.engine import Position, format_action, play
from tests.helpers.boards import board, result

QUIET_B = "2C 2C / 2S 2S / /"
"""An opponent on whom nothing here can be loaded."""


def turn_of(position: Position, level: str, nodes: int = 300) -> list[str]:
    """What a level does in one turn, until it turns up a card or ends it."""
    seat, memory, done = position.active, TurnMemory(), []
    while position.end is None and position.active == seat:
        action = choose(
            position,
            seat,
            level=level,
            rand=lambda: 0.99,
            nodes=nodes,
            memory=memory,
        )
        assert action is not None
        done.append(format_action(action))
        if done[-1] in ("turn", "discard", "pass"):
            break
        position = play(position, seat, action)
    return done


def test_master_digs_for_a_place() -> None:
    """Three column moves in a row uncover the ten that the reserve's nine wants."""
    position = board(
        columns="TD,7H,6S,5D 8C 7D 6C KS KH KD KC",
        a="2D 9S / 3D / /",
        b=QUIET_B,
        rules={"preset": "crapette", "space_sources": []},
    )
    done = turn_of(position, "master")
    assert "R-1" in done


def test_a_win_is_seen() -> None:
    """A way to the last card is taken, however many plays it has."""
    position = board(columns="TD,8H 9S KD KC KS KH KD QC", a="9C / / /", b=QUIET_B)
    memory = TurnMemory()
    while position.end is None:
        action = choose(
            position, 0, level="master", rand=lambda: 0.5, nodes=50, memory=memory
        )
        assert action is not None
        position = play(position, 0, action)
        assert position.active == 0
    assert result(position) == "A?"


def test_a_reserve_card_is_looked_at_first() -> None:
    """Of plays that do not depend on each other the reserve's comes first."""
    position = board(columns="TD 5H 6S KC KS KH KD KC", a="?? 9C / 20 / /", b=QUIET_B)
    outlook = outlook_of(position, 0, Weights())
    plan = Search(outlook, 200).best_plan(board_of(position, 0))
    assert plan[0].source == FROM_RESERVE
    assert LOOK not in plan


def test_boards_of_this_turn_are_kept_out_of() -> None:
    """A board that was seen is not gone back to, not even on the way elsewhere."""
    position = board(columns="TD 9S KD KC KS KH KD QC", a="2D / 3D / /", b=QUIET_B)
    here = board_of(position, 0)
    outlook = outlook_of(position, 0, Weights())
    free = Search(outlook, 50)
    free.best_plan(here)
    boards = {key_of(node.board, outlook.terms) for node in free._nodes}
    fenced = Search(outlook, 50, seen=boards)
    assert fenced.best_plan(here) == (TURN_UP,)


def test_cancelling_stops_at_once() -> None:
    """A search that may not begin answers with the place it stands on."""
    position = board(columns="TD 9S KD KC KS KH KD QC", a="2D / / 3D /", b=QUIET_B)
    outlook = outlook_of(position, 0, Weights())
    search = Search(outlook, 50, cancelled=lambda: True)
    assert search.best_plan(board_of(position, 0)) == (END_TURN,)
    assert len(search._nodes) == 1


@pytest.mark.parametrize(
    ("needs", "won"), [("none", True), ("own4", True), ("all8", False)]
)
def test_what_a_win_needs(needs: str, *, won: bool) -> None:
    """Empty piles win; where the tableau counts, its cards stand in the way."""
    rules = {"preset": "crapette", "win_needs_tableau": needs}
    position = board(
        rules,
        columns=". . . . KS KH KD QC",
        a="/ / /",
        b=QUIET_B,
        counters={"end": None},
    )
    outlook = outlook_of(position, 0, Weights())
    here = board_of(position, 0)
    assert has_won(here, outlook) == won
    if not won:
        fuller = board(
            rules,
            columns="KC . . . KS KH KD QC",
            a="/ / /",
            b=QUIET_B,
            counters={"end": None},
        )
        assert material(board_of(fuller, 0), outlook) < material(here, outlook)
