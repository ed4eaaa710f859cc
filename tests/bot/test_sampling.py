"""Rollouts: lawful, whole decks, the same for the same table; what they decide."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import islice

import pytest

from crapette_p2p.arena import ArenaOptions, Referee
from crapette_p2p.bot.board import NOTHING, Board, board_of, swapped, terms_of
from crapette_p2p.bot.evaluation import Weights
from crapette_p2p.bot.planning import outlook_of
from crapette_p2p.bot.rollout import Side, World, board_from, shuffled, throws
from crapette_p2p.bot.sampling import (
    END_TURN,
    LOOK,
    TURN_UP,
    WIN,
    Way,
    best_way,
    played_out,
)
from crapette_p2p.engine import PRESETS, Position
from tests.helpers.boards import board

KINGS = "KS KH KD KC KS KH KD KC"
QUIET_B = "2C 2C / 2S 2S / /"
OTHERS = list(range(52))


def world_of(here: Board, position: Position) -> tuple[World, Side, Side]:
    """The table as a world, and both sides of it; unknown cards get any faces."""
    me = Side(here.reserve, here.stock, here.waste, here.drawn, OTHERS)
    them = Side(
        here.their_reserve,
        here.their_stock,
        here.their_waste,
        here.their_drawn,
        OTHERS,
    )
    return World(here.columns, here.heights, terms_of(position.rules)), me, them


def faces_of(here: Board) -> Counter[int]:
    """Every card of a table, those on the foundations too."""
    raised = [
        13 * (pile >> 1) + below
        for pile, height in enumerate(here.heights)
        for below in range(height)
    ]
    piles = (here.reserve, here.waste, here.stock, here.their_reserve)
    hands = [here.drawn, here.their_drawn]
    return Counter(
        b"".join((*here.columns, *piles, here.their_waste, here.their_stock))
    ) + Counter([*raised, *(face for face in hands if face != NOTHING)])


@pytest.mark.parametrize("preset", sorted(PRESETS))
def test_no_card_is_lost_in_a_rollout(preset: str) -> None:
    """However a world goes on, it keeps its cards, and its foundations fit."""
    task, _ = ArenaOptions(a="club", b="club", deals=1, rules=PRESETS[preset]).pair(2)
    referee = Referee(task)
    for _ in range(90):
        referee.step()
    known = replace(referee.position, faces=referee.faces)
    seat = known.active
    world, me, them = world_of(board_of(known, seat), known)
    before = faces_of(board_from(world, me, them))
    assert set(before.values()) == {2}
    for turn in range(12):
        if world.play_turn(me, them, opened=turn == 0):
            assert me.is_empty()
            break
        assert me.drawn == NOTHING
        me, them = them, me
        assert faces_of(board_from(world, me, them)) == before
        assert world.tops == [pile[-1] if pile else -1 for pile in world.columns]
    assert turn > 1


def test_a_rollout_obeys_the_switches() -> None:
    """A turn is opened by turning up, and spaces take only what they may."""
    columns = ". KH KD KC KS KH KD KC"
    mine = "2D 8S / 9C / /"
    no_space = {"preset": "crapette", "space_sources": []}
    for rules, filled in (("crapette", True), (no_space, False)):
        position = board(rules, columns=columns, a=mine, b=QUIET_B)
        world, me, them = world_of(board_of(position, 0), position)
        assert not world.play_turn(me, them, opened=False)
        assert bool(world.columns[0]) == filled
        assert me.waste == [8]
    position = board("garibaldka", columns="9H KH KD KC KS KH KD KC", a=mine, b=QUIET_B)
    world, me, them = world_of(board_of(position, 0), position)
    assert not world.play_turn(me, them, opened=False)
    assert me.stock == []


@pytest.mark.parametrize(
    ("columns", "b", "waste", "up"),
    [
        (KINGS, "2C 2C / TC TC / /", "8S", {"S": [7, 0]}),
        ("9H KH KD KC KS KH KD KC", QUIET_B, "8S", {}),
        (KINGS, "9S 9S / 2S 2S / /", "8S", {}),
        (". KH KD KC KS KH KD KC", QUIET_B, "8S", {}),
    ],
)
def test_the_own_waste_is_played_where_it_may_be(
    columns: str, b: str, waste: str, up: dict[str, list[int]]
) -> None:
    """Up, to a column, on the opponent, into a space: but only by that switch."""
    for playable in (False, True):
        rules = {"preset": "crapette", "own_waste_playable": playable}
        position = board(rules, columns=columns, a=f"/ 2D / / {waste}", b=b, up=up)
        here = board_of(position, 0)
        world, me, them = world_of(here, position)
        assert not world.play_turn(me, them, opened=True)
        assert (here.waste[0] in me.waste) != playable


@pytest.mark.parametrize(
    ("needs", "columns", "wins"),
    [
        ("none", "5H 9D . . KH KD KC QC", True),
        ("own4", "5H 9D . . KH KD KC QC", False),
        ("own4", "5H QH . . 6S KD KC KS", True),
        ("own4", ". . . . KH KD KC QC", True),
        ("all8", ". . . . KH KD KC QC", False),
        ("all8", ". . . . . . . AC", True),
    ],
)
def test_a_rollout_wins_by_what_the_rules_ask_for(
    needs: str, columns: str, *, wins: bool
) -> None:
    """Empty piles are not all where columns count, and own ones are cleared."""
    rules = {"preset": "crapette", "win_needs_tableau": needs}
    counters = {"end": None}
    position = board(rules, columns=columns, a="/ / /", b=QUIET_B, counters=counters)
    outlook = outlook_of(position, 0, Weights())
    here = board_of(position, 0)
    way = Way(0.0, here, LOOK)
    assert (played_out(way, outlook, OTHERS, OTHERS) == WIN) == wins
    theirs = outlook_of(position, 1, Weights())
    assert (theirs.they_clear, theirs.to_clear) == (
        outlook.to_clear,
        outlook.they_clear,
    )
    lost = played_out(Way(0.0, swapped(here), END_TURN), theirs, OTHERS, OTHERS)
    assert (lost == -WIN) == wins


def test_what_can_be_made_way_for_is() -> None:
    """A top is moved away when the reserve then has a place."""
    position = board(columns="9H,8C 9D KD KC KS KH KD KC", a="2D 8S / / /", b=QUIET_B)
    world, me, them = world_of(board_of(position, 0), position)
    world.play_turn(me, them, opened=True)
    assert len(me.reserve) < 2
    assert {len(world.columns[0]), len(world.columns[1])} == {2}


def test_throws_repeat() -> None:
    """Equal seeds throw equal worlds, and every order is an order."""
    one, two, three = (shuffled(range(30), throws(seed)) for seed in (8, 8, 12))
    assert one == two != three
    assert sorted(one) == list(range(30))
    assert len(set(islice(throws(3), 100))) == 100


def ways_of(position: Position) -> tuple[list[Way], Board]:
    """Turning up now, and the same with fewer cards in the mover's stock."""
    here = board_of(position, 0)
    ways = [
        Way(1.0, here, TURN_UP),
        Way(1.0, here._replace(stock=here.stock[:-8]), TURN_UP),
    ]
    return ways, here


def test_samples_decide_where_the_evaluation_does_not() -> None:
    """Of two ways that look alike the one that turns out better is taken."""
    position = board(columns=KINGS, a="7S 8S / 20 / /", b="2C 2C / 20 / /")
    outlook = outlook_of(position, 0, Weights())
    ways, _ = ways_of(position)
    assert best_way(ways, outlook, 0) == 0
    assert best_way(ways, outlook, 60) == 1
    assert ways[0].samples >= 5


def test_cancelled_samples_cost_nothing() -> None:
    """Once cancelled, the evaluation's word stands."""
    position = board(columns=KINGS, a="7S 8S / 20 / /", b="2C 2C / 20 / /")
    ways, _ = ways_of(position)
    outlook = outlook_of(position, 0, Weights())
    assert best_way(ways, outlook, 600, lambda: True) == 0
    assert [way.samples for way in ways] == [0, 0]


def test_a_win_needs_no_samples() -> None:
    """A way that wins is taken at once."""
    position = board(columns=KINGS, a="7S 8S / 20 / /", b="2C 2C / 20 / /")
    outlook = outlook_of(position, 0, Weights())
    ways, here = ways_of(position)
    ways.append(Way(1000.0, here, END_TURN))
    assert best_way(ways, outlook, 600) == 2
    assert ways[0].samples == 0
